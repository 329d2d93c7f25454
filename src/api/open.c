/* Opening and closing: dame_open, dame_add, dame_preload, dame_close. */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "api/directory.h"
#include "api/error.h"
#include "api/handle.h"
#include "api/missing.h"
#include "api/names.h"
#include "position/outcome.h"

#define CACHE_BYTES (UINT64_C(64) << 20)

static enum dame_status create(const char *variant, const struct dame_options *options,
                               struct dame_tables *tables)
{
    enum dame_status status = zstd_codec_create(&tables->codec);
    if (status != DAME_OK)
        return status;
    const struct codec codec = zstd_codec_functions(tables->codec);
    const uint64_t cache_bytes = options->cache_bytes != 0 ? options->cache_bytes : CACHE_BYTES;
    return library_create(variant, &codec, cache_bytes, &tables->library);
}

/* One file, which must belong to the draw rule of the handle; the metric too if its name gave one. */
static dame_status add_file(struct dame_tables *tables, const char *path, const enum metric *named,
                            struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct table_header header;
    enum dame_status status = table_peek(path, &header, detail);
    if (status != DAME_OK)
        return error_from(error, status, path, detail);
    if (named != NULL && *named != header.metric)
        return error_fail(error, DAME_STATUS_CORRUPT_TABLE, "%s: holds a table of another metric", path);
    const struct draw_rule rule = header.draw_rule, wanted = tables->draw_rule;
    if (!draw_rule_equal(rule, wanted))
        return error_fail(error, named != NULL ? DAME_STATUS_CORRUPT_TABLE : DAME_STATUS_BAD_ARGUMENT,
                          "%s: %s %d, not %s %d", path, draw_rule_page(rule)->name, rule.plies,
                          draw_rule_page(wanted)->name, wanted.plies);
    status = library_add_file(tables->library, path, detail);
    return error_from(error, status, path, detail);
}

struct adding {
    struct dame_tables *tables;
    struct dame_error *error;
    int count;
};

static dame_status add_one(void *context, const char *path, const char *name)
{
    struct adding *adding = context;
    enum metric metric;
    struct draw_rule rule;
    if (!name_parse(name, &metric, &rule) || !draw_rule_equal(rule, adding->tables->draw_rule))
        return DAME_STATUS_OK;
    adding->count++;
    return add_file(adding->tables, path, &metric, adding->error);
}

static dame_status add_directory(struct dame_tables *tables, const char *path, struct dame_error *error)
{
    struct adding adding = {tables, error, 0};
    const dame_status status = directory_each(path, add_one, &adding, error);
    if (status == DAME_STATUS_OK && adding.count == 0)
        return error_fail(error, DAME_STATUS_NO_TABLE, "%s: none with %s %d", path,
                          draw_rule_page(tables->draw_rule)->name, tables->draw_rule.plies);
    return status;
}

dame_status dame_add(struct dame_tables *tables, const char *path, struct dame_error *error)
{
    struct stat facts;
    error_clear(error);
    if (stat(path, &facts) != 0)
        return error_from(error, DAME_IO, path, "");
    missing_add_place(tables, path);
    if (S_ISDIR(facts.st_mode))
        return add_directory(tables, path, error);
    return add_file(tables, path, NULL, error);
}

dame_status dame_preload(struct dame_tables *tables, int max_pieces, uint64_t max_bytes, int resolve,
                         int threads, struct dame_error *error)
{
    char detail[DETAIL_MAX] = "";
    struct missing_table missing;
    error_clear(error);
    if (threads < 1)
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "%d threads", threads);
    if (max_pieces < 0)
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "tables of %d pieces", max_pieces);
    enum dame_status status = library_preload(
        tables->library, max_pieces, max_bytes == 0 ? UINT64_MAX : max_bytes, threads, NULL, NULL, detail);
    if (status == DAME_OK && resolve != 0)
        status = library_resolve(tables->library, max_pieces, threads, NULL, NULL, &missing, detail);
    return error_from_probe(error, status, NULL, &missing, tables, detail);
}

static dame_status fill(struct dame_tables *tables, const char *directory, const struct dame_options *options,
                        struct dame_error *error)
{
    dame_status status = DAME_STATUS_OK;
    if (directory != NULL)
        status = dame_add(tables, directory, error);
    if (status == DAME_STATUS_OK && options->preload_pieces > 0)
        status = dame_preload(tables, options->preload_pieces, options->preload_bytes, options->resolve,
                              options->threads != 0 ? options->threads : 1, error);
    return status;
}

/* The draw rule of the tables that are wanted. */
static dame_status choose_rule(const struct dame_options *options, struct draw_rule *out,
                               struct dame_error *error)
{
    const struct draw_rule given[] = {{DRAW_PLIES, options->draw_plies},
                                      {DRAW_CAPTURES, options->draw_captures}};
    *out = (struct draw_rule){0};
    for (int i = 0; i < DRAW_COUNTERS; i++) {
        if (given[i].plies == 0)
            continue;
        if (given[i].plies < 0 || given[i].plies >= PLIES_MAX || out->plies != 0)
            return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "%s %d", draw_rule_page(given[i])->name,
                              given[i].plies);
        *out = given[i];
    }
    return DAME_STATUS_OK;
}

static dame_status check_options(const struct dame_options *options, struct dame_error *error)
{
    if (options->preload_pieces < 0)
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "preload_pieces %d", options->preload_pieces);
    if (options->threads < 0)
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "%d threads", options->threads);
    if (options->preload_pieces == 0 && (options->resolve != 0 || options->preload_bytes != 0))
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "%s without preload_pieces",
                          options->resolve != 0 ? "resolve" : "preload_bytes");
    return DAME_STATUS_OK;
}

dame_status dame_open(const char *directory, const char *variant, const struct dame_options *options,
                      struct dame_tables **out, struct dame_error *error)
{
    static const struct dame_options DEFAULTS;
    if (options == NULL)
        options = &DEFAULTS;
    error_clear(error);
    struct draw_rule rule;
    dame_status checked = choose_rule(options, &rule, error);
    if (checked == DAME_STATUS_OK)
        checked = check_options(options, error);
    if (checked != DAME_STATUS_OK)
        return checked;
    struct dame_tables *tables = calloc(1, sizeof *tables);
    if (tables == NULL)
        return error_from(error, DAME_NO_MEMORY, NULL, "");
    tables->draw_rule = rule;
    dame_status status = error_from(error, create(variant, options, tables), variant, "");
    if (status == DAME_STATUS_OK)
        status = fill(tables, directory, options, error);
    if (status != DAME_STATUS_OK) {
        const int reason = errno;
        dame_close(tables);
        errno = reason;
        return status;
    }
    *out = tables;
    return DAME_STATUS_OK;
}

void dame_close(struct dame_tables *tables)
{
    if (tables == NULL)
        return;
    library_destroy(tables->library);
    zstd_codec_destroy(tables->codec);
    free(tables);
}
