/* What is open: dame_count, dame_table_facts, dame_largest and so on, and the version. */
#include "api/handle.h"
#include "api/names.h"

#define TEXT_OF(number) #number
#define TEXT(number)    TEXT_OF(number)

_Static_assert((int)DAME_METRIC_WDL == METRIC_WDL && (int)DAME_METRIC_DTW == METRIC_DTW &&
                   (int)DAME_METRIC_DTZ == METRIC_DTZ && (int)DAME_METRIC_DTC == METRIC_DTC &&
                   (int)METRICS == DAME_METRIC_DTC + 1,
               "metrics have the same numbers");
_Static_assert(DAME_VERSION_MAJOR == PROJECT_MAJOR && DAME_VERSION_MINOR == PROJECT_MINOR &&
                   DAME_VERSION_PATCH == PROJECT_PATCH,
               "dame.h has the version of CMakeLists.txt");

const char *dame_version(void)
{
    return TEXT(DAME_VERSION_MAJOR) "." TEXT(DAME_VERSION_MINOR) "." TEXT(DAME_VERSION_PATCH);
}

int dame_count(const struct dame_tables *tables)
{
    return library_count(tables->library);
}

dame_status dame_table_facts(const struct dame_tables *tables, int index, struct dame_table *out)
{
    if (index < 0 || index >= library_count(tables->library))
        return DAME_STATUS_BAD_ARGUMENT;
    const struct table_header *header = library_header(tables->library, index);
    *out = (struct dame_table){
        .metric = (dame_metric)header->metric,
        .pieces = material_pieces(header->material),
        .win = header->win,
        .draw = header->draw,
        .loss = header->loss,
        .longest_win = layout_longest(header->longest_win),
        .longest_loss = layout_longest(header->longest_loss),
        .file_bytes = header->file_size,
    };
    name_table(header->material, header->metric, header->draw_rule, out->name);
    return DAME_STATUS_OK;
}

const char *dame_variant(const struct dame_tables *tables)
{
    return library_kernel(tables->library)->rules->id;
}

int dame_largest(const struct dame_tables *tables)
{
    return library_largest(tables->library);
}

static int plies_of(const struct dame_tables *tables, enum draw_counter counter)
{
    return tables->draw_rule.counter == counter ? tables->draw_rule.plies : 0;
}

int dame_draw_plies(const struct dame_tables *tables)
{
    return plies_of(tables, DRAW_PLIES);
}

int dame_draw_captures(const struct dame_tables *tables)
{
    return plies_of(tables, DRAW_CAPTURES);
}

void dame_cache_statistics(const struct dame_tables *tables, struct dame_statistics *out)
{
    const struct cache_statistics found = library_statistics(tables->library);
    *out = (struct dame_statistics){
        .hits = found.hits,
        .misses = found.misses,
        .decoded_bytes = found.decoded_bytes,
        .decode_time = found.decode_time,
        .kept_bytes = found.kept_bytes,
    };
}
