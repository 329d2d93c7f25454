/* The value and the best move of a position, by tables of English checkers.

       cc engine.c $(pkg-config --cflags --libs dame) -o engine
       ./engine databases/english "W:WK19,K23:B12,K28"
       won in 61 plies
       23-27 */
#include <ctype.h>
#include <dame.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads a FEN, "side:Wsquares:Bsquares" with K before kings; returns 0 if it is none. */
static int read_fen(const char *fen, struct dame_position *position)
{
    uint64_t *men = NULL, *kings = NULL;
    memset(position, 0, sizeof *position);
    if ((fen[0] != 'W' && fen[0] != 'B') || fen[1] != ':')
        return 0;
    position->side = fen[0] == 'W' ? DAME_WHITE : DAME_BLACK;
    for (const char *at = fen + 1; *at != '\0';) {
        if (*at == ':') {
            if (at[1] != 'W' && at[1] != 'B')
                return 0;
            men = at[1] == 'W' ? &position->white_men : &position->black_men;
            kings = at[1] == 'W' ? &position->white_kings : &position->black_kings;
            at += 2;
        } else if (*at == ',' || *at == '.') {
            at++;
        } else {
            const int king = *at == 'K';
            char *end;
            at += king;
            const long square = isdigit((unsigned char)*at) ? strtol(at, &end, 10) : 0;
            if (square < 1 || square > 32)
                return 0;
            *(king ? kings : men) |= (uint64_t)1 << (square - 1);
            at = end;
        }
    }
    return 1;
}

static int fail(const char *text)
{
    fprintf(stderr, "engine: %s\n", text);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static struct dame_move moves[DAME_MOVES_MAX];
    struct dame_position position;
    struct dame_tables *tables;
    struct dame_error error;
    size_t count;
    if (argc != 3)
        return fail("usage: engine DIRECTORY FEN");
    if (!read_fen(argv[2], &position))
        return fail("not a FEN");
    if (dame_open(argv[1], "english", NULL, &tables, &error) != DAME_STATUS_OK)
        return fail(error.text);

    const dame_status status = dame_probe_moves(tables, &position, 0, moves, DAME_MOVES_MAX, &count, &error);
    dame_close(tables);
    if (status != DAME_STATUS_OK)
        return fail(error.text);
    if (count == 0)
        return puts("lost: there is no move"), EXIT_SUCCESS;

    /* The best move has the value of the position. */
    char text[DAME_MOVE_TEXT_MAX];
    printf("%s", moves[0].wdl > 0 ? "won" : moves[0].wdl < 0 ? "lost" : "drawn");
    if (moves[0].dtw != DAME_NO_PLIES)
        printf(" in %d plies", moves[0].dtw);
    printf("\n%s\n", dame_move_text(&moves[0], text));
    return EXIT_SUCCESS;
}
