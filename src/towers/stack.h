/* A stack of pieces, two bits for each: bit 0 is the piece on top, higher bits lie under it.

                bottom    top
        white     1   0   0       a black king on top, under it a black man, under that a white one: "Bbw",
        kings     0   0   1       height 3

   Bits at and above `height` are zero, so equal stacks have equal fields. */
#ifndef DAME_TOWERS_STACK_H
#define DAME_TOWERS_STACK_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

enum { STACK_MAX = 32 /* pieces that the words could hold; no board has more than TOWER_PIECES_MAX */ };

struct stack {
    uint32_t white, kings;
    uint8_t height; /* 0: no stack, an empty square */
};

struct tower_piece {
    bool white, king;
};

static inline struct tower_piece stack_top(struct stack stack)
{
    assert(stack.height > 0);
    return (struct tower_piece){.white = (stack.white & 1) != 0, .king = (stack.kings & 1) != 0};
}

/* Take the piece on top; the rest stays. */
static inline struct tower_piece stack_take(struct stack *stack)
{
    const struct tower_piece top = stack_top(*stack);
    stack->white >>= 1;
    stack->kings >>= 1;
    stack->height--;
    return top;
}

/* Put a piece under all others. */
static inline void stack_put_under(struct stack *stack, struct tower_piece piece)
{
    assert(stack->height < STACK_MAX);
    stack->white |= (uint32_t)piece.white << stack->height;
    stack->kings |= (uint32_t)piece.king << stack->height;
    stack->height++;
}

static inline bool stack_equal(struct stack a, struct stack b)
{
    return a.white == b.white && a.kings == b.kings && a.height == b.height;
}

#endif
