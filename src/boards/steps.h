/* The neighbours of every square, for code that works on square numbers rather than on words.
   Directions 0 and 1 lead down, 2 and 3 up; 3 - d is the opposite of d. Include a board header first. */
#ifndef DAME_BOARDS_STEPS_H
#define DAME_BOARDS_STEPS_H

#include <stdint.h>

enum { DIRECTIONS = 4, DIRECTIONS_DOWN = 2, STEPS_SQUARES = 50 };

struct steps {
    int8_t next[STEPS_SQUARES][DIRECTIONS]; /* the square one step away, -1 over the edge */
};

#endif
