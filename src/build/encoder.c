/* From the planes of a slice to the blocks of its file. */
#include <stdlib.h>
#include <string.h>

#include "build/encoder.h"
#include "build/pinned.h"
#include "tables/values.h"

enum { GATHERED = 2048 }; /* values whose places are found at a time */

static bool bit_in(const uint64_t *plane, uint64_t bit)
{
    return plane[bit / 64] >> bit % 64 & 1;
}

/* Free bytes repeat the byte before them; those at the start get the first byte that is not free. */
enum dame_status encoder_gather_distances(const struct encoder *encoder, const struct places *places,
                                          uint64_t first, size_t count, uint8_t *out)
{
    const struct planes *planes = encoder->planes;
    struct pinned pinned = {.any = false};
    const enum coding coding = metric_page(encoder->metric)->coding;
    uint64_t bits[GATHERED];
    uint8_t before = 0;
    bool any = false;
    for (size_t done = 0; done < count; done += GATHERED) {
        const size_t n = count - done < GATHERED ? count - done : GATHERED;
        places_find(places, first + done, n, bits);
        for (size_t i = 0; i < n; i++) {
            const enum dame_status status = pinned_move(&pinned, planes, plane_bit_block(bits[i]));
            if (status != DAME_OK)
                return status;
            const uint64_t bit = plane_bit_number(bits[i]);
            if (bit_in(pinned.stored, bit) &&
                (bit_in(pinned.values.won, bit) || bit_in(pinned.values.lost, bit))) {
                before = (uint8_t)coding_to_byte(coding, pinned.values.distance[bit]);
                if (!any)
                    memset(out, before, done + i);
                any = true;
            }
            out[done + i] = before;
        }
    }
    pinned_release(&pinned, planes);
    return DAME_OK;
}

/* Where values lie in parts, what is stored of small slices stays in memory all the same. */
static enum home home_of_stored(const struct solver *solver, const struct planes *planes)
{
    uint64_t slice, pair;
    if (!planes->values.may_leave || solver->work == NULL)
        return HOME_MEMORY;
    const enum dame_status status =
        solver_planes_bytes(solver->kernel, planes->material, solver->metric, &slice, &pair);
    return solver->in_parts && status == DAME_OK && slice < solver->work_least ? HOME_MEMORY : HOME_FILE;
}

/* Find out which values of a slice a file must hold. */
static enum dame_status mark_stored(struct solver *solver, struct material material, bool distances,
                                    int threads, const atomic_bool *cancel)
{
    struct open_pair pair;
    struct blocks_home home;
    char path[SOLVER_PATH_MAX];
    enum dame_status status = pair_of_finished(solver, material, &pair);
    if (status != DAME_OK)
        return status;
    struct planes *planes = pair.results[0];
    status = solver_home(solver, material, "stored", home_of_stored(solver, planes), path, &home);
    if (status == DAME_OK)
        status = planes_add_stored(planes, &home);
    if (status != DAME_OK)
        return status;
    return pair_run(solver, &pair, PAIR_THREATS,
                    distances || !solver_answers_threats(solver) ? THREATS_QUIET : THREATS_STORED, threads,
                    cancel, NULL);
}

enum dame_status solver_encode_start(struct solver *solver, struct material material, bool distances,
                                     int threads, const atomic_bool *cancel)
{
    solver_encode_stop(solver);
    if (distances && !metric_has_plies(solver->metric))
        return DAME_NOT_SUPPORTED;
    struct planes *planes = solver->slices[solver_place(material)];
    if (planes == NULL)
        return DAME_NO_TABLE;
    struct encoder *encoder = calloc(1, sizeof *encoder);
    if (encoder == NULL)
        return DAME_NO_MEMORY;
    encoder->planes = planes;
    encoder->metric = distances ? solver->metric : METRIC_WDL;
    solver->encoder = encoder;
    enum dame_status status = mark_stored(solver, material, distances, threads, cancel);
    if (status != DAME_OK)
        solver_encode_stop(solver);
    return status;
}

enum dame_status solver_encode_fit(struct solver *solver, const struct compressor *compressor, int threads,
                                   const atomic_bool *cancel, struct solver_coding *out)
{
    struct encoder *encoder = solver->encoder;
    if (encoder == NULL)
        return DAME_BAD_ARGUMENT;
    gatherer_destroy(&encoder->gatherer);
    places_destroy(&encoder->places);
    lines_destroy(&encoder->lines);
    enum dame_status status = metric_has_plies(encoder->metric)
                                  ? encoder_fit_distances(solver, compressor, threads, cancel, out)
                                  : encoder_fit_values(solver, threads, cancel, out);
    if (status != DAME_OK) {
        places_destroy(&encoder->places);
        return status;
    }
    out->blocks = (encoder->places.shape.size + encoder->block_values - 1) / encoder->block_values;
    return DAME_OK;
}

/* Encode one block of values that have been gathered. */
static void encode_values(const struct encoder *encoder, uint64_t first, size_t count, const uint8_t *packed,
                          struct coder_scratch *scratch, uint8_t *out, size_t *size, enum block_form *form)
{
    const size_t bytes = (size_t)values_bytes(count);
    uint8_t value;
    /* A fill would set unused bits behind the last value; a code does not. */
    if (coder_is_one(packed, count, &value) && (value == VALUE_DRAW || count % VALUES_PER_BYTE == 0)) {
        out[0] = (uint8_t)(value * 0x55);
        *size = 1;
        *form = BLOCK_FILL;
        return;
    }
    *form = BLOCK_CODE;
    *size = coder_encode(&encoder->lines, &encoder->model, first, count, packed, scratch, out, bytes - 1);
    if (*size != 0)
        return;
    *form = BLOCK_RAW;
    *size = bytes;
    memset(out, 0, bytes);
    for (size_t i = 0; i < count; i++) {
        const int found = values_get(packed, i);
        values_set(out, i, found == CODER_FREE ? VALUE_DRAW : found);
    }
}

static enum dame_status encode_distances(const struct encoder *encoder, uint64_t first, size_t count,
                                         uint8_t *out, size_t *size, enum block_form *form)
{
    const enum dame_status status = encoder_gather_distances(encoder, &encoder->places, first, count, out);
    if (status != DAME_OK)
        return status;
    *size = count;
    *form = BLOCK_RAW;
    if (memcmp(out, out + 1, count - 1) == 0) {
        *size = 1;
        *form = BLOCK_FILL;
    }
    return DAME_OK;
}

enum dame_status solver_encode_blocks(const struct solver *solver, uint64_t block, uint32_t count,
                                      uint8_t *out, size_t sizes[], enum block_form forms[])
{
    struct encoder *encoder = solver->encoder;
    if (encoder == NULL || encoder->places.planes == NULL)
        return DAME_BAD_ARGUMENT;
    const uint64_t values = encoder->block_values, total = encoder->places.shape.size;
    const uint64_t blocks = (total + values - 1) / values;
    if (count == 0 || block >= blocks || count > blocks - block)
        return DAME_BAD_ARGUMENT;
    const bool distances = metric_has_plies(encoder->metric);
    const uint64_t first = block * values;
    const uint64_t all = total - first < count * values ? total - first : count * values;
    struct coder_scratch *scratch = distances ? NULL : malloc(sizeof *scratch);
    uint8_t *packed = distances ? NULL : malloc((size_t)values_bytes(all) + CODER_SLACK);
    enum dame_status status = distances || (scratch != NULL && packed != NULL) ? DAME_OK : DAME_NO_MEMORY;
    if (status == DAME_OK && !distances)
        status = gather(&encoder->gatherer, first, (size_t)all, packed);
    for (uint32_t i = 0; i < count && status == DAME_OK; i++) {
        const uint64_t done = i * values;
        const size_t n = (size_t)(all - done < values ? all - done : values);
        if (distances)
            status = encode_distances(encoder, first + done, n, out, &sizes[i], &forms[i]);
        else
            encode_values(encoder, first + done, n, packed + values_bytes(done), scratch, out, &sizes[i],
                          &forms[i]);
        out += sizes[i];
    }
    free(packed);
    free(scratch);
    return status;
}

void solver_encode_stop(struct solver *solver)
{
    struct encoder *encoder = solver->encoder;
    if (encoder == NULL)
        return;
    planes_drop_stored(encoder->planes);
    gatherer_destroy(&encoder->gatherer);
    places_destroy(&encoder->places);
    lines_destroy(&encoder->lines);
    free(encoder);
    solver->encoder = NULL;
}
