#include "tables/model.h"

#include <assert.h>
#include <string.h>

enum {
    ORDER_BITS = 3,
    STEP_BITS = 6,
    SPLIT_BITS = 5,
    STEPS = 1 << STEP_BITS,
    SPLITS = 1 << SPLIT_BITS,
    ORDERS = 6,
    ROW_STEP = 8, /* of the default */
    VALUE_STEP = 14,
    VALUE_SPLIT = 3,
    CONTEXTS = MODEL_ROWS + MODEL_VALUES
};

/* What is left for the less likely: two thirds of the whole at first, with every step an eighth less. */
static uint32_t rest_of(uint32_t whole, int steps)
{
    uint32_t part = whole * 2 / 3;
    for (int i = 0; i < steps && part > 1; i++)
        part -= part < 8 ? 1 : part / 8;
    return part < 1 ? 1 : part;
}

/* Which value is the most likely one, and which the next. */
static const uint8_t FIRST[ORDERS] = {0, 0, 1, 1, 2, 2}, SECOND[ORDERS] = {1, 2, 0, 2, 0, 1};

static void parts_of(int order, uint32_t rest, int split, uint32_t parts[3])
{
    if (rest < 2)
        rest = 2;
    const uint32_t least = rest_of(rest, 2 * split);
    parts[FIRST[order]] = MODEL_ONE - rest;
    parts[SECOND[order]] = rest - least;
    parts[3 - FIRST[order] - SECOND[order]] = least;
}

static void set_value(struct model *model, unsigned context, int order, int step, int split)
{
    uint32_t parts[3];
    parts_of(order, rest_of(MODEL_ONE, step), split, parts);
    model->values[context] = parts[0] | (parts[0] + parts[1]) << 16;
}

static void set_row(struct model *model, unsigned context, int step)
{
    model->rows[context] = (uint16_t)(MODEL_ONE - rest_of(MODEL_ONE, step));
}

/* The last digit of a context is the value in the row that this one resembles. */
static int default_order(unsigned context)
{
    return (int)(context % 3) * 2;
}

void model_default(struct model *out)
{
    for (unsigned i = 0; i < MODEL_ROWS; i++)
        set_row(out, i, ROW_STEP);
    for (unsigned i = 0; i < MODEL_VALUES; i++)
        set_value(out, i, default_order(i), VALUE_STEP, VALUE_SPLIT);
}

/* The bits that an event of so many parts takes, in 256ths: -log2 without floating point, so that every
   machine writes the same bytes. */
static uint32_t bits_of(uint32_t parts)
{
    uint64_t mantissa = (uint64_t)parts << 31;
    uint32_t whole = 31;
    while (mantissa >= UINT64_C(2) << 31) {
        mantissa >>= 1;
        whole++;
    }
    /* 1 <= mantissa < 2, with 31 bits behind the point */
    uint32_t log = whole - 31;
    for (int i = 0; i < 8; i++) {
        mantissa = mantissa * mantissa >> 31;
        log = log << 1;
        if (mantissa >= UINT64_C(2) << 31) {
            mantissa >>= 1;
            log++;
        }
    }
    return (MODEL_BITS << 8) - log;
}

struct costs {
    uint32_t of[MODEL_ONE + 1];
    uint32_t rest[STEPS]; /* rest_of the whole */
};

static void fill_costs(struct costs *costs)
{
    costs->of[0] = MODEL_BITS << 8;
    for (uint32_t i = 1; i <= MODEL_ONE; i++)
        costs->of[i] = bits_of(i);
    for (int step = 0; step < STEPS; step++)
        costs->rest[step] = rest_of(MODEL_ONE, step);
}

struct bit_writer {
    uint8_t *out;
    size_t bits;
};

static void put_bits(struct bit_writer *writer, uint32_t value, int count)
{
    for (int i = 0; i < count; i++, writer->bits++) {
        assert(writer->bits / 8 < MODEL_BYTES_MAX);
        if (writer->bits % 8 == 0)
            writer->out[writer->bits / 8] = 0;
        writer->out[writer->bits / 8] |= (uint8_t)((value >> i & 1) << writer->bits % 8);
    }
}

static int width_of(uint32_t number)
{
    return 32 - __builtin_clz(number);
}

/* A number from 1 on: as many zeros as it has bits but one, a one, the bits below its highest. */
static void put_gap(struct bit_writer *writer, uint32_t gap)
{
    const int width = width_of(gap);
    put_bits(writer, 0, width - 1);
    put_bits(writer, 1, 1);
    put_bits(writer, gap, width - 1);
}

struct best {
    uint64_t cost;
    int order, step, split;
};

static uint64_t cost_of_row(const struct costs *costs, const uint32_t counts[2], int step)
{
    const uint32_t rest = costs->rest[step];
    return (uint64_t)counts[0] * costs->of[MODEL_ONE - rest] + (uint64_t)counts[1] * costs->of[rest];
}

static struct best best_row(const struct costs *costs, const uint32_t counts[2])
{
    struct best best = {.cost = UINT64_MAX};
    for (int step = 0; step < STEPS; step++) {
        const uint64_t cost = cost_of_row(costs, counts, step);
        if (cost < best.cost)
            best = (struct best){.cost = cost, .step = step};
    }
    return best;
}

static uint64_t cost_of_value(const struct costs *costs, const uint32_t counts[3], int order, int step,
                              int split)
{
    uint32_t parts[3];
    parts_of(order, costs->rest[step], split, parts);
    uint64_t cost = 0;
    for (int value = 0; value < 3; value++)
        cost += (uint64_t)counts[value] * costs->of[parts[value]];
    return cost;
}

static struct best best_value(const struct costs *costs, const uint32_t counts[3])
{
    int order = 0;
    while (counts[FIRST[order]] < counts[SECOND[order]] ||
           counts[SECOND[order]] < counts[3 - FIRST[order] - SECOND[order]])
        order++;
    struct best best = {.cost = UINT64_MAX};
    for (int step = 0; step < STEPS; step++) {
        const uint64_t cost = cost_of_value(costs, counts, order, step, VALUE_SPLIT);
        if (cost < best.cost)
            best = (struct best){.cost = cost, .order = order, .step = step};
    }
    best.cost = UINT64_MAX;
    for (int split = 0; split < SPLITS; split++) {
        const uint64_t cost = cost_of_value(costs, counts, order, best.step, split);
        if (cost < best.cost) {
            best.cost = cost;
            best.split = split;
        }
    }
    return best;
}

size_t model_write(const struct model_counts *counts, struct model *model, uint8_t *bytes)
{
    struct costs costs;
    fill_costs(&costs);
    model_default(model);
    struct bit_writer writer = {.out = bytes};
    uint32_t next = 0; /* context that a gap of 1 leads to */
    for (uint32_t at = 0; at < CONTEXTS; at++) {
        const bool row = at < MODEL_ROWS;
        const uint32_t context = row ? at : at - MODEL_ROWS;
        if (row ? (counts->rows[context][0] | counts->rows[context][1]) == 0
                : (counts->values[context][0] | counts->values[context][1] | counts->values[context][2]) == 0)
            continue;
        const struct best best =
            row ? best_row(&costs, counts->rows[context]) : best_value(&costs, counts->values[context]);
        const uint64_t usual = row ? cost_of_row(&costs, counts->rows[context], ROW_STEP)
                                   : cost_of_value(&costs, counts->values[context], default_order(context),
                                                   VALUE_STEP, VALUE_SPLIT);
        const int price = 2 * width_of(at - next + 1) + STEP_BITS + (row ? 0 : ORDER_BITS + SPLIT_BITS);
        if (usual <= best.cost + ((uint64_t)price << 8))
            continue;
        put_gap(&writer, at - next + 1);
        next = at + 1;
        put_bits(&writer, (uint32_t)best.step, STEP_BITS);
        if (row) {
            set_row(model, context, best.step);
            continue;
        }
        put_bits(&writer, (uint32_t)best.order, ORDER_BITS);
        put_bits(&writer, (uint32_t)best.split, SPLIT_BITS);
        set_value(model, context, best.order, best.step, best.split);
    }
    put_gap(&writer, CONTEXTS - next + 1);
    return (writer.bits + 7) / 8;
}

uint64_t model_bits(const struct model_counts *counts, const struct model *model)
{
    struct costs costs;
    fill_costs(&costs);
    uint64_t bits = 0;
    for (unsigned i = 0; i < MODEL_ROWS; i++)
        bits += (uint64_t)counts->rows[i][0] * costs.of[model->rows[i]] +
                (uint64_t)counts->rows[i][1] * costs.of[MODEL_ONE - model->rows[i]];
    for (unsigned i = 0; i < MODEL_VALUES; i++) {
        const uint32_t one = model->values[i] & 0xFFFF, two = model->values[i] >> 16;
        bits += (uint64_t)counts->values[i][0] * costs.of[one] +
                (uint64_t)counts->values[i][1] * costs.of[two - one] +
                (uint64_t)counts->values[i][2] * costs.of[MODEL_ONE - two];
    }
    return bits >> 8;
}

struct bit_reader {
    const uint8_t *bytes;
    size_t at, end;
};

/* Zeros behind the end, which `at` tells. */
static uint32_t take_bits(struct bit_reader *reader, int count)
{
    uint32_t value = 0;
    for (int i = 0; i < count; i++, reader->at++)
        if (reader->at < reader->end)
            value |= (uint32_t)(reader->bytes[reader->at / 8] >> reader->at % 8 & 1) << i;
    return value;
}

/* 0 if there is none. */
static uint32_t take_gap(struct bit_reader *reader)
{
    int width = 1;
    while (take_bits(reader, 1) == 0)
        if (++width > 16)
            return 0;
    return 1U << (width - 1) | take_bits(reader, width - 1);
}

bool model_read(const uint8_t *bytes, size_t size, struct model *out)
{
    model_default(out);
    if (size == 0)
        return true;
    struct bit_reader reader = {.bytes = bytes, .end = 8 * size};
    for (uint32_t next = 0;;) {
        const uint32_t gap = take_gap(&reader);
        if (gap == 0 || gap > CONTEXTS - next + 1)
            return false;
        const uint32_t at = next + gap - 1;
        if (at == CONTEXTS)
            break;
        next = at + 1;
        const int step = (int)take_bits(&reader, STEP_BITS);
        if (at < MODEL_ROWS) {
            set_row(out, at, step);
            continue;
        }
        const int order = (int)take_bits(&reader, ORDER_BITS), split = (int)take_bits(&reader, SPLIT_BITS);
        if (order >= ORDERS)
            return false;
        set_value(out, at - MODEL_ROWS, order, step, split);
    }
    /* Less than a byte is left, of zeros. */
    return reader.at <= reader.end && reader.end - reader.at < 8 && take_bits(&reader, 7) == 0;
}
