/* The coder of win, draw and loss: what is encoded is decoded, for every order and every cut of a slice, as
   an obvious decoder does it; models say what they have written; nothing is read or written outside. */
#include "tables/coder.h"

#include "base/bytes.h"
#include "check.h"
#include "table_file.h"

enum { GUARD = 16, GUARD_BYTE = 0xA5 };

static uint64_t random_state = 1;

static unsigned random_below(unsigned limit)
{
    random_state = random_state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return (unsigned)(random_state >> 33) % limit;
}

/* ---- the decoder as FORMAT.md has it, one value after the other ---- */

struct obvious {
    const struct lines *lines;
    const struct model *model;
    const uint8_t *code;
    size_t at, size;
    uint64_t state;
    uint8_t rows[LINES_ROWS_MAX][LINE_VALUES];
    int deviations[LINES_ROWS_MAX];
    int count;
};

/* Which of three events comes next. */
static int event(struct obvious *o, const uint32_t parts[3])
{
    const uint64_t slot = o->state % MODEL_ONE;
    uint64_t start = 0;
    int found = 0;
    while (slot >= start + parts[found])
        start += parts[found++];
    o->state = parts[found] * (o->state / MODEL_ONE) + slot - start;
    if (o->state < 65536) {
        const uint64_t word = o->at + 2 <= o->size ? load_u16(o->code + o->at) : 0;
        o->state = o->state * 65536 + word;
        o->at += 2;
    }
    return found;
}

static int class_of(int count, const int *limits, int classes)
{
    int found = 0;
    while (found < classes && count >= limits[found])
        found++;
    return found;
}

/* The rows that the next one resembles, the best first; all of them are in the block. */
static void resembling(const struct obvious *o, const struct line *line, const struct line_set *set,
                       const struct line_set *slow, int out[3])
{
    const int step = (int)o->lines->line_count, far = step * (int)o->lines->set_count[0];
    const int wanted[] = {set->near[0] * step,           step == 1 ? 0 : line->near[0], set->near[1] * step,
                          slow->near[0] * far,           step == 1 ? 0 : line->near[1], set->near[2] * step,
                          step == 1 ? 0 : line->near[2], slow->near[1] * far,           slow->near[2] * far};
    int found = 0;
    for (int i = 0; i < 9 && found < 3; i++)
        if (wanted[i] != 0 && wanted[i] <= o->count)
            out[found++] = o->count - wanted[i];
    for (; found < 3; found++)
        out[found] = found == 0 ? -1 : out[found - 1];
}

static void obvious_row(struct obvious *o, const struct line *line, const int near[3],
                        const bool todo[LINE_VALUES])
{
    static const uint8_t NONE[LINE_VALUES] = {0};
    static const int DISSENT[] = {1, 2, 3, 4, 6, 9, 13}, DEVIATION[] = {1, 3, 6};
    const uint8_t *rows[3];
    int deviations[3], dissent = 0, coded = 0, context = 0;
    uint8_t *row = o->rows[o->count];
    for (int i = 0; i < 3; i++) {
        rows[i] = near[i] < 0 ? NONE : o->rows[near[i]];
        deviations[i] = near[i] < 0 ? 3 : o->deviations[near[i]];
    }
    memcpy(row, rows[0], LINE_VALUES);
    for (int i = 0; i < LINE_VALUES; i++) {
        coded += todo[i];
        dissent += todo[i] && (rows[0][i] != rows[1][i] || rows[0][i] != rows[2][i]);
    }
    o->deviations[o->count] = deviations[0];
    context = class_of(dissent, DISSENT, 7);
    for (int i = 0; i < 3; i++)
        context = context * 4 + deviations[i];
    if (coded != 0) {
        const uint32_t same = o->model->rows[context];
        o->deviations[o->count] = 0;
        if (event(o, (uint32_t[]){same, MODEL_ONE - same, 0}) == 1) {
            int different = 0;
            if (todo[0])
                row[0] = 0;
            for (int i = 0; i < LINE_VALUES; i++) {
                if (!todo[i])
                    continue;
                const uint8_t *beside = o->lines->beside[line->half][i];
                const int digits[] = {rows[0][i],         rows[1][i],     rows[2][i],    rows[0][beside[0]],
                                      rows[1][beside[0]], row[beside[0]], row[beside[1]]};
                int number = 0;
                for (int d = 6; d >= 0; d--)
                    number = number * 3 + digits[d];
                const uint32_t entry = o->model->values[number], one = entry & 0xFFFF, two = entry >> 16;
                row[i] = (uint8_t)event(o, (uint32_t[]){one, two - one, MODEL_ONE - two});
                different += row[i] != rows[0][i];
            }
            o->deviations[o->count] = class_of(different, DEVIATION, 3);
        }
    }
    if (o->lines->line_count > 1)
        memset(row + line->length, row[line->length - 1], (size_t)(LINE_VALUES - line->length));
    o->count++;
}

static bool obvious_decode(const struct lines *lines, const struct model *model, uint64_t first, size_t count,
                           const uint8_t *code, size_t size, uint8_t *values)
{
    struct obvious *o = calloc(1, sizeof *o);
    o->lines = lines;
    o->model = model;
    o->code = code;
    o->size = size;
    o->at = 4;
    o->state = load_u32(code);
    bool sound = o->state >= 65536;
    for (uint64_t index = first; index < first + count && sound;) {
        const uint32_t rank = (uint32_t)(index % lines->inner);
        uint64_t rest = index / lines->inner;
        const struct line_set *sets[3];
        for (int i = 0; i < 3; i++) {
            sets[i] = &lines->sets[i][rest % lines->set_count[i]];
            rest /= lines->set_count[i];
        }
        const struct line *line = lines->lines + lines->line_count - 1;
        while (line->first > rank)
            line--;
        bool todo[LINE_VALUES] = {false};
        uint64_t taken = line->squares;
        bool overlap = false;
        for (int i = 0; i < 3; i++) {
            overlap |= (taken & sets[i]->squares) != 0;
            taken |= sets[i]->squares;
        }
        const uint64_t start = index - (rank - line->first);
        for (int i = 0; i < line->length; i++) {
            bool free = !overlap;
            for (int j = 0; j < 3; j++)
                for (int half = 0; half < 2; half++) {
                    const int number = line->half == HALF_BOTH && half == 1 ? i - lines->even : i;
                    const bool here = line->half == HALF_BOTH
                                          ? (half == 0 ? i < lines->even : i >= lines->even)
                                          : half == (line->half == HALF_ODD);
                    if (here && (sets[j]->taken[half] >> 2 * number & 1) != 0)
                        free = false;
                }
            todo[i] = free && start + (uint64_t)i >= first && start + (uint64_t)i < first + count;
        }
        int near[3];
        resembling(o, line, sets[0], sets[1], near);
        obvious_row(o, line, near, todo);
        for (; index < start + line->length && index < first + count; index++)
            values[index - first] = o->rows[o->count - 1][index - start];
        sound = o->at <= size;
    }
    sound = sound && o->at == size && o->state == 65536;
    free(o);
    return sound;
}

/* ---- slices ---- */

struct slice {
    uint64_t values;
    struct lines lines;
    struct model model;
};

static void slice_open(struct slice *slice, const struct board *board, const char *name, int nesting,
                       uint64_t values)
{
    struct material material;
    struct ordering *ordering;
    struct index_shape shape;
    CHECK(material_parse(name, &material) == DAME_OK && ordering_create(board, &ordering) == DAME_OK);
    CHECK(index_shape(board, material, nesting, &shape) == DAME_OK);
    CHECK(lines_create(board, ordering, material, &shape, values, &slice->lines) == DAME_OK);
    slice->values = shape.size;
    ordering_destroy(ordering);
    model_default(&slice->model);
}

/* Decode into memory that has exactly the room it needs, between two guards. */
static bool decode(const struct slice *slice, uint64_t first, size_t count, const uint8_t *code, size_t size,
                   uint8_t *values)
{
    const size_t bytes = (size_t)values_bytes(count);
    uint8_t *guarded = malloc(bytes + 2 * GUARD), *copy = malloc(size + CODER_SLACK);
    bool results[2];
    for (int fill = 0; fill < 2; fill++) { /* what stands behind a code does not matter */
        memset(copy, fill * 0xFF, size + CODER_SLACK);
        memcpy(copy, code, size);
        memset(guarded, GUARD_BYTE, bytes + 2 * GUARD);
        results[fill] = coder_decode(&slice->lines, &slice->model, first, count, copy, size, guarded + GUARD);
        for (size_t i = 0; i < GUARD; i++)
            CHECK(guarded[i] == GUARD_BYTE && guarded[GUARD + bytes + i] == GUARD_BYTE);
    }
    CHECK(results[0] == results[1]);
    for (size_t i = 0; i < count && results[0]; i++) {
        values[i] = (uint8_t)values_get(guarded + GUARD, i);
        CHECK(values[i] < VALUE_NEVER);
    }
    for (size_t i = count; i < bytes * VALUES_PER_BYTE && results[0]; i++)
        CHECK(values_get(guarded + GUARD, i) == 0);
    free(copy);
    free(guarded);
    return results[0];
}

/* Values that have something to do with each other: squares in a pattern, some of them free. */
static void draw_values(uint64_t first, size_t count, unsigned mess, unsigned free_values, uint8_t *packed)
{
    for (size_t i = 0; i < count; i++) {
        unsigned value = (unsigned)((first + i) / 7 % 5 * ((first + i) / 100 % 3) % 3);
        if (random_below(100) < mess)
            value = random_below(3);
        if (random_below(100) < free_values)
            value = CODER_FREE;
        packed[i / 4] |= (uint8_t)(value << i % 4 * 2);
    }
}

static size_t check_round_trip(const struct slice *slice, uint64_t first, size_t count, const uint8_t *packed)
{
    const size_t most = 4 * count + 64;
    struct coder_scratch *scratch = malloc(sizeof *scratch);
    uint8_t *code = malloc(most), *again = malloc(most), *values = malloc(count), *obvious = malloc(count);
    const size_t size = coder_encode(&slice->lines, &slice->model, first, count, packed, scratch, code, most);
    CHECK(coder_size_is_sound(size) && decode(slice, first, count, code, size, values));
    CHECK(obvious_decode(&slice->lines, &slice->model, first, count, code, size, obvious));
    CHECK(memcmp(values, obvious, count) == 0);
    int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        const int wanted = values_get(packed, i);
        wrong += wanted != CODER_FREE && wanted != values[i];
    }
    CHECK(wrong == 0);
    CHECK(coder_encode(&slice->lines, &slice->model, first, count, packed, scratch, again, size) == size);
    CHECK(memcmp(code, again, size) == 0);
    CHECK(coder_encode(&slice->lines, &slice->model, first, count, packed, scratch, again, size - 1) == 0);
    /* A code that is spoilt is refused or stands for other values, in both decoders. */
    for (int i = 0; i < 5; i++) {
        memcpy(again, code, size);
        again[random_below((unsigned)size)] ^= (uint8_t)(1 + random_below(255));
        const bool sound = decode(slice, first, count, again, size, values);
        CHECK(obvious_decode(&slice->lines, &slice->model, first, count, again, size, obvious) == sound);
        CHECK(!sound || memcmp(values, obvious, count) == 0);
    }
    CHECK(!decode(slice, first, count, code, size - 2, values));
    free(scratch);
    free(code);
    free(again);
    free(values);
    free(obvious);
    return size;
}

/* Free where pieces overlap, since no code holds values there. */
static void free_overlaps(const struct slice *slice, const struct board *board, const char *name, int nesting,
                          uint64_t first, size_t count, uint8_t *packed)
{
    struct material material;
    struct ordering *ordering;
    struct index_shape shape;
    struct index_sets sets;
    CHECK(material_parse(name, &material) == DAME_OK && ordering_create(board, &ordering) == DAME_OK);
    CHECK(index_shape(board, material, nesting, &shape) == DAME_OK && shape.size == slice->values);
    CHECK(index_sets_create(board, ordering, material, &shape, &sets) == DAME_OK);
    for (size_t i = 0; i < count; i++) {
        uint64_t all = 0;
        for (int piece_set = 0; piece_set < PIECE_SETS; piece_set++)
            all |= sets.of[piece_set][index_rank(&shape, (enum piece_set)piece_set, first + i)];
        if (bit_count(all) < material_pieces(material))
            packed[i / 4] |= (uint8_t)(CODER_FREE << i % 4 * 2);
    }
    index_sets_destroy(&sets);
    ordering_destroy(ordering);
}

static void check_slice(const struct board *board, const char *name, int nesting, size_t block)
{
    struct slice slice;
    slice_open(&slice, board, name, nesting, block);
    const uint64_t values = slice.values;
    if (lines_rows(&slice.lines, block) <= LINES_ROWS_MAX) {
        for (int round = 0; round < 3; round++) {
            const uint64_t blocks = (values + block - 1) / block,
                           first = random_below((unsigned)blocks) * block;
            const size_t count = values - first < block ? (size_t)(values - first) : block;
            uint8_t *packed = calloc(1, count / 4 + 1 + CODER_SLACK), *bytes = malloc(MODEL_BYTES_MAX);
            struct model_counts *counts = calloc(1, sizeof *counts);
            draw_values(first, count, (unsigned)round * 10, (unsigned)(round % 3) * 30, packed);
            free_overlaps(&slice, board, name, nesting, first, count, packed);
            const size_t plain = check_round_trip(&slice, first, count, packed);
            struct model learned, read;
            coder_count(&slice.lines, &slice.model, first, count, packed, counts);
            const size_t size = model_write(counts, &learned, bytes);
            CHECK(size <= MODEL_BYTES_MAX && model_read(bytes, size, &read));
            CHECK(memcmp(&learned, &read, sizeof read) == 0);
            CHECK(!model_read(bytes, size - 1, &read) && (size == 3 || !model_read(bytes, 2, &read)));
            CHECK(model_bits(counts, &learned) <= model_bits(counts, &slice.model));
            slice.model = learned;
            CHECK(check_round_trip(&slice, first, count, packed) <= plain + 64);
            model_default(&slice.model);
            free(counts);
            free(bytes);
            free(packed);
        }
    }
    lines_destroy(&slice.lines);
}

static void test_slices(void)
{
    static const char *const NAMES[] = {"KvK", "MvM", "KKvK", "KMvM", "MMvKK", "KMvKM", "KKKvM", "KKMvKM"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        for (int nesting = 0; nesting < NESTINGS; nesting++)
            check_slice(&BOARD_8X8, NAMES[i], nesting, i % 2 == 0 ? 1024 : 8192);
    check_slice(&BOARD_8X8, "KKvKK", 0, 32768);
    check_slice(&BOARD_8X8, "KMvKM", 3, 65536);
    check_slice(&BOARD_10X10, "KMvK", 0, 4096);
    check_slice(&BOARD_10X10, "MMvKM", 5, 16384);
}

/* Each set of values of a line stands where its rank says, and what resembles a set comes before it. */
static void test_lines(void)
{
    static const char *const NAMES[] = {"KKvKK", "KMvKM", "KKKvM", "MMMvKK"};
    for (size_t i = 0; i < sizeof NAMES / sizeof NAMES[0]; i++)
        for (int nesting = 0; nesting < NESTINGS; nesting++) {
            struct slice slice;
            slice_open(&slice, &BOARD_8X8, NAMES[i], nesting, 8192);
            const struct lines *lines = &slice.lines;
            uint32_t rank = 0;
            for (uint32_t j = 0; j < lines->line_count; j++) {
                const struct line *line = &lines->lines[j];
                CHECK(line->first == rank && 0 < line->length && line->length <= LINE_VALUES);
                rank += line->length;
                for (int k = 0; k < LINES_NEAR; k++)
                    CHECK(line->near[k] <= j && lines->lines[j - line->near[k]].half == line->half);
            }
            CHECK(rank == lines->inner);
            for (int place = 0; place < PIECE_SETS - 1; place++)
                for (uint32_t j = 0; j < lines->set_count[place]; j++)
                    for (int k = 0; k < LINES_NEAR; k++)
                        CHECK(lines->sets[place][j].near[k] <= j);
            for (int half = 0; half < LINE_HALVES; half++)
                for (int j = 1; j < LINE_VALUES; j++)
                    CHECK(lines->beside[half][j][0] < j && lines->beside[half][j][1] < j);
            lines_destroy(&slice.lines);
        }
    struct material material;
    struct ordering *ordering;
    struct index_shape shape;
    struct lines lines;
    CHECK(material_parse("KKKKKKvK", &material) == DAME_OK);
    CHECK(ordering_create(&BOARD_10X10, &ordering) == DAME_OK);
    CHECK(index_shape(&BOARD_10X10, material, 0, &shape) == DAME_OK);
    CHECK(lines_create(&BOARD_10X10, ordering, material, &shape, 8192, &lines) == DAME_TOO_LARGE);
    ordering_destroy(ordering);
}

static void test_one_value(void)
{
    uint8_t packed[4] = {0xFF, 0xFF, 0xFF, 0xFF}, value = 9;
    CHECK(coder_is_one(packed, 16, &value) && value == 0);
    packed[2] = 0x7F;
    CHECK(coder_is_one(packed, 16, &value) && value == 1);
    packed[3] = 0xBF;
    CHECK(!coder_is_one(packed, 16, &value));
    CHECK(coder_is_one(packed, 12, &value) && value == 1);
    packed[2] = 0xFC;
    CHECK(coder_is_one(packed, 12, &value) && value == 0);
}

/* Bytes that are no model, or one whatever they are. */
static void test_models(void)
{
    struct model model, plain;
    uint8_t bytes[64];
    model_default(&plain);
    CHECK(model_read(bytes, 0, &model) && memcmp(&model, &plain, sizeof plain) == 0);
    int sound = 0;
    for (int round = 0; round < 20000; round++) {
        const size_t size = 1 + random_below(sizeof bytes);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_below(256);
        if (!model_read(bytes, size, &model))
            continue;
        sound++;
        for (int i = 0; i < MODEL_ROWS; i++)
            CHECK(0 < model.rows[i] && model.rows[i] < MODEL_ONE);
        for (int i = 0; i < MODEL_VALUES; i++) {
            const uint32_t one = model.values[i] & 0xFFFF, two = model.values[i] >> 16;
            CHECK(0 < one && one < two && two < MODEL_ONE);
        }
    }
    CHECK(sound < 2000);
}

int main(void)
{
    test_one_value();
    test_models();
    test_lines();
    test_slices();
    return check_result();
}
