/* Prints what the C library says of positions, a line for each (tests/test_c_library.py).

   usage: probe DIRECTORY DRAW_PLIES < lines of "black men, black kings, white men, white kings, side, clock"
   A line that is printed: wdl, dtw, dtz of the position, and for each move after a semicolon: its text, wdl,
   dtw, dtz, captured squares, and the position after it. "none": there is no table. */
#include <dame.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { POSITIONS_MAX = 4096 };

static int check(dame_status status, const struct dame_error *error)
{
    if (status != DAME_STATUS_OK && status != DAME_STATUS_NO_TABLE) {
        fprintf(stderr, "probe: %s\n", error->text);
        exit(EXIT_FAILURE);
    }
    return status == DAME_STATUS_OK;
}

static void print_number(int known, int number)
{
    if (known)
        printf(" %d", number);
    else
        printf(" none");
}

static void print_bits(const struct dame_position *p)
{
    printf(" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %d", p->black_men, p->black_kings, p->white_men,
           p->white_kings, p->side);
}

static int print_value(const struct dame_tables *tables, const struct dame_position *position, int clock)
{
    struct dame_error error;
    int value = DAME_NO_VALUE, wdl, plies;
    int known = check(dame_probe_wdl(tables, position, clock, &value, &error), &error);
    print_number(known, value);
    known = check(dame_probe_dtw(tables, position, &wdl, &plies, &error), &error);
    print_number(known, plies);
    known = check(dame_probe_dtz(tables, position, clock, &wdl, &plies, &error), &error);
    print_number(known, plies);
    return value;
}

static void print_moves(const struct dame_tables *tables, const struct dame_position *position, int clock)
{
    static struct dame_move moves[DAME_MOVES_MAX];
    struct dame_error error;
    char text[DAME_MOVE_TEXT_MAX];
    size_t count;
    check(dame_probe_moves(tables, position, clock, moves, DAME_MOVES_MAX, &count, &error), &error);
    for (size_t i = 0; i < count; i++) {
        printf(" ; %s", dame_move_text(&moves[i], text));
        print_number(moves[i].status == DAME_STATUS_OK, moves[i].wdl);
        printf(" %d %d %" PRIu64, moves[i].dtw, moves[i].dtz, moves[i].captured);
        print_bits(&moves[i].after);
    }
    printf("\n");
}

int main(int argc, char **argv)
{
    static struct dame_position positions[POSITIONS_MAX];
    static int clocks[POSITIONS_MAX];
    static int8_t values[POSITIONS_MAX], many[POSITIONS_MAX];
    struct dame_tables *tables;
    struct dame_error error;
    size_t count = 0, at_zero = 0;
    struct dame_position p;
    int clock;
    if (argc != 3)
        return EXIT_FAILURE;
    const struct dame_options options = {.draw_plies = atoi(argv[2])};
    check(dame_open(argv[1], "english", &options, &tables, &error), &error);
    for (; count < POSITIONS_MAX && scanf("%" SCNu64 "%" SCNu64 "%" SCNu64 "%" SCNu64 "%d%d", &p.black_men,
                                          &p.black_kings, &p.white_men, &p.white_kings, &p.side, &clock) == 6;
         count++) {
        positions[count] = p;
        clocks[count] = clock;
        values[count] = (int8_t)print_value(tables, &p, clock);
        print_moves(tables, &p, clock);
    }
    check(dame_probe_many(tables, positions, count, 2, many, NULL), &error);
    for (size_t i = 0; i < count; i++) {
        at_zero += clocks[i] == 0;
        if (clocks[i] == 0 && many[i] != values[i]) {
            fprintf(stderr, "probe: dame_probe_many differs at %zu\n", i);
            return EXIT_FAILURE;
        }
    }
    dame_close(tables);
    return at_zero == 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
