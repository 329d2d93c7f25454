/* Turning a position, making a move and the check of a position, one square after the other. */
#include <string.h>

#include "base/detail.h"
#include "boards/board_8x8.h"
#include "check.h"
#include "position/move.h"

/* 's' of PDN as a set. */
static uint64_t square(int number)
{
    return bit_at(number - 1);
}

static bool is_same(struct position a, struct position b)
{
    return a.own_men == b.own_men && a.own_kings == b.own_kings && a.other_men == b.other_men &&
           a.other_kings == b.other_kings;
}

static void test_turned(void)
{
    static const int SQUARES[] = {32, 50, 64};
    for (int board = 0; board < 3; board++) {
        const int squares = SQUARES[board];
        for (int at = 0; at < squares; at++) {
            const uint64_t here = bit_at(at), there = bit_at(squares - 1 - at);
            CHECK(is_same(position_turned((struct position){.own_men = here}, squares),
                          (struct position){.own_men = there}));
            CHECK(is_same(position_turned((struct position){.own_kings = here}, squares),
                          (struct position){.own_kings = there}));
            CHECK(is_same(position_turned((struct position){.other_men = here}, squares),
                          (struct position){.other_men = there}));
            CHECK(is_same(position_turned((struct position){.other_kings = here}, squares),
                          (struct position){.other_kings = there}));
        }
    }
    CHECK(is_same(position_exchanged((struct position){1, 2, 4, 8}), (struct position){4, 8, 1, 2}));
}

/* On 32 squares `s` becomes 33 - s for the other side. */
static void test_after(void)
{
    const struct position man = {.own_men = square(9) | square(1), .other_kings = square(14)};
    const struct move quiet = {.path = {8, 12}, .length = 2};
    CHECK(is_same(position_after(&man, &quiet, 32),
                  (struct position){.own_kings = square(33 - 14), .other_men = square(20) | square(32)}));
    const struct move jump = {.captured = square(14), .path = {8, 17}, .length = 2};
    CHECK(is_same(position_after(&man, &jump, 32),
                  (struct position){.other_men = square(33 - 18) | square(32)}));

    const struct position near = {.own_men = square(28)};
    const struct move crowning = {.path = {27, 31}, .length = 2, .crowned = true};
    CHECK(is_same(position_after(&near, &crowning, 32), (struct position){.other_kings = square(1)}));

    const struct position king = {.own_kings = square(18), .other_men = square(15) | square(14)};
    const struct move back = {
        .captured = square(15) | square(14), .path = {17, 10, 8}, .length = 3, .by_king = true};
    CHECK(is_same(position_after(&king, &back, 32), (struct position){.other_kings = square(33 - 9)}));

    /* A capture may end where it began; the board as it lies stays as it is. */
    CHECK(is_same(position_moved(king, square(18), square(18), square(15), true),
                  (struct position){.own_men = square(14), .other_kings = square(18)}));
}

static void test_check(void)
{
    char detail[DETAIL_MAX] = "";
    const struct position sound = {square(28), square(32), square(5), square(1)};
    CHECK(position_check(&BOARD, &sound, detail) == DAME_OK && detail[0] == '\0');
    const struct {
        struct position position;
        const char *detail;
    } cases[] = {
        {{.own_kings = bit_at(32)}, "a piece stands off the board"},
        {{.own_men = 1, .own_kings = 1}, "two pieces stand on one square"},
        {{.own_kings = 1, .other_kings = 1}, "two pieces stand on one square"},
        {{.own_men = square(29)}, "a man stands on the row where it would be crowned"},
        {{.other_men = square(4)}, "a man stands on the row where it would be crowned"},
        {{.own_men = 0}, "there is no piece on the board"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK(position_check(&BOARD, &cases[i].position, detail) == DAME_BAD_POSITION);
        CHECK(strcmp(detail, cases[i].detail) == 0);
        CHECK(position_check(&BOARD, &cases[i].position, NULL) == DAME_BAD_POSITION);
    }
}

int main(void)
{
    test_turned();
    test_after();
    test_check();
    return check_result();
}
