/* The moves of a position through the C library: squares, order, and what is said where tables are
   missing. */
#include "dame.h"

#include <stdbool.h>
#include <string.h>

#include "check.h"

static struct dame_move moves[DAME_MOVES_MAX];
static struct dame_error error;
static char text[DAME_MOVE_TEXT_MAX];

static dame_status probe(const struct dame_tables *tables, struct dame_position position, size_t *count)
{
    return dame_probe_moves(tables, &position, 0, moves, DAME_MOVES_MAX, count, &error);
}

static bool is_move(size_t i, const char *wanted)
{
    return strcmp(dame_move_text(&moves[i], text), wanted) == 0;
}

static void test_order_and_values(const struct dame_tables *tables)
{
    const struct dame_position position = {.black_men = 1U << 11,
                                           .black_kings = 1U << 27,
                                           .white_kings = 1U << 18 | 1U << 22,
                                           .side = DAME_WHITE};
    size_t count = 0;
    CHECK(probe(tables, position, &count) == DAME_STATUS_OK && count == 6);
    CHECK(is_move(0, "23-27") && moves[0].wdl == 1 && moves[0].dtw == 61 && moves[0].dtz == DAME_NO_PLIES);
    CHECK(moves[5].wdl == -1 && moves[5].dtw == 2);
    for (size_t i = 0; i < count; i++) {
        int wdl, plies;
        CHECK(moves[i].status == DAME_STATUS_OK && moves[i].after.side == DAME_BLACK && !moves[i].zeroing);
        CHECK(dame_probe_dtw(tables, &moves[i].after, &wdl, &plies, NULL) == DAME_STATUS_OK);
        CHECK(wdl == -moves[i].wdl && plies + 1 == moves[i].dtw);
        CHECK(i == 0 || moves[i - 1].wdl >= moves[i].wdl);
    }
    CHECK(dame_probe_moves(tables, &position, 0, moves, 5, &count, &error) == DAME_STATUS_TOO_LARGE &&
          count == 6);
    CHECK(dame_probe_moves(tables, &position, -1, moves, 6, &count, &error) == DAME_STATUS_BAD_ARGUMENT);
}

/* 1 x 10 x 17 over the men on 6 and 14, and the same from White's side of the board. */
static void test_both_sides(const struct dame_tables *tables)
{
    const struct dame_position black = {
        .black_men = 1U << 0, .white_men = 1U << 5 | 1U << 13, .side = DAME_BLACK};
    const struct dame_position white = {
        .white_men = 1U << 31, .black_men = 1U << 26 | 1U << 18, .side = DAME_WHITE};
    size_t count = 0;
    CHECK(probe(tables, black, &count) == DAME_STATUS_OK && count == 1 && is_move(0, "1x10x17"));
    CHECK(moves[0].captured == (1U << 5 | 1U << 13) && moves[0].zeroing && !moves[0].crowned);
    CHECK(moves[0].wdl == 1 && moves[0].dtw == 1 && moves[0].after.side == DAME_WHITE);
    CHECK(moves[0].after.black_men == 1U << 16 && moves[0].after.white_men == 0);
    CHECK(probe(tables, white, &count) == DAME_STATUS_OK && count == 1 && is_move(0, "32x23x16"));
    CHECK(moves[0].captured == (1U << 26 | 1U << 18) && moves[0].after.white_men == 1U << 15);
    CHECK(moves[0].length == 3 && moves[0].path[2] == 16);
    CHECK(probe(tables, moves[0].after, &count) == DAME_STATUS_OK && count == 0);
}

static void test_crowning(const struct dame_tables *tables)
{
    const struct dame_position position = {.black_men = 1U << 24, .white_kings = 1U << 3, .side = DAME_BLACK};
    size_t count = 0;
    CHECK(probe(tables, position, &count) == DAME_STATUS_OK && count == 2);
    for (size_t i = 0; i < count; i++)
        CHECK(moves[i].crowned && moves[i].zeroing && moves[i].after.black_men == 0 &&
              moves[i].after.black_kings != 0);
}

/* Of the moves of a man and a king only one leads to a table that is there. */
static void test_missing_tables(void)
{
    struct dame_tables *tables;
    const struct dame_position position = {
        .black_men = 1U << 24, .black_kings = 1U << 0, .white_kings = 1U << 3, .side = DAME_BLACK};
    size_t count = 0;
    CHECK(dame_open(NULL, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    CHECK(dame_add(tables, SHIPPED "/KvKK.wdl", &error) == DAME_STATUS_OK);
    CHECK(probe(tables, position, &count) == DAME_STATUS_NO_TABLE && count == 4);
    CHECK(strncmp(error.text, "no table: after ", 16) == 0 && strstr(error.text, ": KvKM.wdl") != NULL);
    for (size_t i = 0; i < count; i++) {
        CHECK(moves[i].crowned == (i < 2) && (moves[i].status == DAME_STATUS_OK) == (i < 2));
        CHECK((moves[i].wdl == DAME_NO_VALUE) == (i >= 2) && moves[i].dtw == DAME_NO_PLIES);
    }
    dame_close(tables);
}

int main(void)
{
    struct dame_tables *tables;
    CHECK(dame_open(SHIPPED, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    test_order_and_values(tables);
    test_both_sides(tables);
    test_crowning(tables);
    dame_close(tables);
    test_missing_tables();
    return check_result();
}
