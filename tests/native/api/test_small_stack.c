/* Every call of the C library that an engine makes while it searches, on a stack of 128 KiB. */
#include <string.h>

#include "base/bits.h"
#include "check.h"
#include "dame.h"
#include "small_stack.h"

static uint64_t random_state = 88172645463325252u;

static int random_below(int n)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (int)(random_state % (uint64_t)n);
}

/* Kings and men of both sides in the middle of the board, where there is much to capture. */
static struct dame_position random_position(void)
{
    struct dame_position position = {.side = random_below(2)};
    uint64_t *const sets[] = {&position.black_kings, &position.white_kings, &position.black_men,
                              &position.white_men};
    uint64_t taken = 0;
    for (int i = 0, pieces = 2 + random_below(4); i < pieces; i++) {
        uint64_t square = bit_at(4 + random_below(24));
        while ((taken & square) != 0)
            square = bit_at(4 + random_below(24));
        taken |= square;
        *sets[i < 2 ? i : random_below(4)] |= square;
    }
    return position;
}

/* A cache of next to nothing: blocks are read all the time. */
static struct dame_tables *open_tables(void)
{
    const struct dame_options options = {.cache_bytes = 1};
    struct dame_tables *tables = NULL;
    CHECK(dame_open(SHIPPED, "english", &options, &tables, NULL) == DAME_STATUS_OK);
    return tables;
}

static void test_probing(void)
{
    struct dame_tables *tables = open_tables();
    static struct dame_move moves[DAME_MOVES_MAX];
    for (int i = 0; i < 3000; i++) {
        const struct dame_position position = random_position();
        int wdl = 7, again = 8, plies;
        size_t count = 0;
        CHECK(dame_probe_wdl(tables, &position, 0, &wdl, NULL) == DAME_STATUS_OK);
        if (dame_probe_dtw(tables, &position, &again, &plies, NULL) == DAME_STATUS_OK)
            CHECK(wdl == again);
        CHECK(dame_probe_moves(tables, &position, 0, moves, DAME_MOVES_MAX, &count, NULL) == DAME_STATUS_OK);
        CHECK(count == 0 ? wdl == -1 : moves[0].wdl == wdl);
    }
    dame_close(tables);
}

static void test_many(void)
{
    enum { MANY = 3000 };
    static struct dame_position positions[MANY];
    static int8_t wdl[MANY];
    struct dame_tables *tables = open_tables();
    for (int i = 0; i < MANY; i++)
        positions[i] = random_position();
    CHECK(dame_probe_many(tables, positions, MANY, 2, wdl, NULL) == DAME_STATUS_OK);
    CHECK(dame_preload(tables, 3, 0, 1, 2, NULL) == DAME_STATUS_OK);
    CHECK(dame_probe_many(tables, positions, MANY, 1, wdl, NULL) == DAME_STATUS_OK);
    for (int i = 0; i < MANY; i++) {
        int alone = 7;
        CHECK(dame_probe_wdl(tables, &positions[i], 0, &alone, NULL) == DAME_STATUS_OK && alone == wdl[i]);
    }
    dame_close(tables);
}

int main(void)
{
    on_small_stack(test_probing);
    on_small_stack(test_many);
    return check_result();
}
