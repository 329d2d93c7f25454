/* From the planes of a slice to the blocks of its file. */
#include <stdlib.h>
#include <string.h>

#include "build/encoder.h"
#include "tables/values.h"

enum { GATHERED = 2048 }; /* values whose places are found at a time */

/* Values that live in files leave memory each time so many blocks have been encoded. */
enum { RELEASE_BLOCKS = 256 };

static bool bit_in(const uint64_t *plane, uint64_t bit)
{
    return plane[bit / 64] >> bit % 64 & 1;
}

/* Pairs of words from the planes; what is not stored becomes CODER_FREE. */
static enum dame_status make_pairs(const struct solver *solver, struct encoder *encoder)
{
    const struct planes *planes = encoder->planes;
    enum dame_status status =
        memory_create(2 * planes->words * sizeof(uint64_t), solver->spill, &encoder->pairs);
    uint64_t *pairs = encoder->pairs.at;
    for (size_t i = 0; i < planes->words && status == DAME_OK; i++) {
        pairs[2 * i] = planes->won[i] | ~planes->stored[i];
        pairs[2 * i + 1] = planes->lost[i] | ~planes->stored[i];
    }
    return status;
}

void encoder_gather(const struct encoder *encoder, const struct places *places, uint64_t first, size_t count,
                    uint8_t *packed)
{
    const uint64_t *pairs = encoder->pairs.at;
    uint64_t bits[GATHERED];
    for (size_t done = 0; done < count; done += GATHERED) {
        const size_t n = count - done < GATHERED ? count - done : GATHERED;
        places_find(places, first + done, n, bits);
        for (size_t i = 0; i < n; i++) {
            const uint64_t *pair = pairs + bits[i] / 64 * 2;
            const int bit = (int)(bits[i] % 64);
            const uint64_t value = (pair[0] >> bit & 1) | (pair[1] >> bit & 1) << 1;
            packed[(done + i) / VALUES_PER_BYTE] |= (uint8_t)(value << i % VALUES_PER_BYTE * 2);
        }
    }
}

/* Free bytes repeat the byte before them; those at the start get the first byte that is not free. */
void encoder_gather_distances(const struct encoder *encoder, const struct places *places, uint64_t first,
                              size_t count, uint8_t *out)
{
    const struct planes *planes = encoder->planes;
    const enum coding coding = metric_page(encoder->metric)->coding;
    uint64_t bits[GATHERED];
    uint8_t before = 0;
    bool any = false;
    for (size_t done = 0; done < count; done += GATHERED) {
        const size_t n = count - done < GATHERED ? count - done : GATHERED;
        places_find(places, first + done, n, bits);
        for (size_t i = 0; i < n; i++) {
            const uint64_t bit = bits[i];
            if (bit_in(planes->stored, bit) && (bit_in(planes->won, bit) || bit_in(planes->lost, bit))) {
                before = (uint8_t)coding_to_byte(coding, planes->distance[bit]);
                if (!any)
                    memset(out, before, done + i);
                any = true;
            }
            out[done + i] = before;
        }
    }
}

/* Find out which values of a slice a file must hold. */
static enum dame_status mark_stored(struct solver *solver, struct material material, bool distances,
                                    int threads, const atomic_bool *cancel)
{
    struct open_pair pair = {.is_open = true, .material = material};
    const struct material mirror = material_mirror(material);
    struct planes *planes[2] = {solver->slices[solver_place(material)], solver->slices[solver_place(mirror)]};
    enum dame_status status = DAME_OK;
    for (int side = 0; side < 2; side++) {
        if (planes[side] == NULL)
            return DAME_NO_TABLE;
        pair.results[side] = planes[side];
    }
    status = planes_add_stored(planes[0], solver->spill);
    if (status != DAME_OK)
        return status;
    pair.sides[0] = planes[0]->columns;
    pair.sides[1] = planes[1]->columns;
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
    if (status == DAME_OK && !distances)
        status = make_pairs(solver, encoder);
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

static enum dame_status encode_values(const struct encoder *encoder, uint64_t first, size_t count,
                                      uint8_t *out, size_t *size, enum block_form *form)
{
    const size_t bytes = (size_t)values_bytes(count);
    struct coder_scratch *scratch = malloc(sizeof *scratch);
    uint8_t *packed = calloc(1, bytes + CODER_SLACK), value;
    if (scratch == NULL || packed == NULL) {
        free(scratch);
        free(packed);
        return DAME_NO_MEMORY;
    }
    encoder_gather(encoder, &encoder->places, first, count, packed);
    /* A fill would set unused bits behind the last value; a code does not. */
    if (coder_is_one(packed, count, &value) && (value == VALUE_DRAW || count % VALUES_PER_BYTE == 0)) {
        out[0] = (uint8_t)(value * 0x55);
        *size = 1;
        *form = BLOCK_FILL;
    } else {
        *form = BLOCK_CODE;
        *size = coder_encode(&encoder->lines, &encoder->model, first, count, packed, scratch, out, bytes - 1);
        if (*size == 0) {
            *form = BLOCK_RAW;
            *size = bytes;
            memset(out, 0, bytes);
            for (size_t i = 0; i < count; i++) {
                const int found = values_get(packed, i);
                values_set(out, i, found == CODER_FREE ? VALUE_DRAW : found);
            }
        }
    }
    free(packed);
    free(scratch);
    return DAME_OK;
}

enum dame_status solver_encode_block(const struct solver *solver, uint64_t block, uint8_t *out, size_t *size,
                                     enum block_form *form)
{
    struct encoder *encoder = solver->encoder;
    if (encoder == NULL || encoder->places.planes == NULL)
        return DAME_BAD_ARGUMENT;
    if (atomic_fetch_add(&encoder->blocks, 1) % RELEASE_BLOCKS == RELEASE_BLOCKS - 1) {
        memory_release(&encoder->planes->memory);
        memory_release(&encoder->planes->stored_memory);
        memory_release(&encoder->pairs);
    }
    const uint64_t values = encoder->block_values;
    const uint64_t total = encoder->places.shape.size;
    if (block > total / values || block * values >= total)
        return DAME_BAD_ARGUMENT;
    const uint64_t first = block * values;
    const size_t count = total - first < values ? (size_t)(total - first) : (size_t)values;
    if (!metric_has_plies(encoder->metric))
        return encode_values(encoder, first, count, out, size, form);
    encoder_gather_distances(encoder, &encoder->places, first, count, out);
    *size = count;
    *form = BLOCK_RAW;
    if (memcmp(out, out + 1, count - 1) == 0) {
        *size = 1;
        *form = BLOCK_FILL;
    }
    return DAME_OK;
}

void solver_encode_stop(struct solver *solver)
{
    struct encoder *encoder = solver->encoder;
    if (encoder == NULL)
        return;
    planes_drop_stored(encoder->planes);
    memory_destroy(&encoder->pairs);
    places_destroy(&encoder->places);
    lines_destroy(&encoder->lines);
    free(encoder);
    solver->encoder = NULL;
}
