/* What a handle of dame.h is made of. */
#ifndef DAME_API_HANDLE_H
#define DAME_API_HANDLE_H

#include <stdbool.h>

#include "api/zstd_codec.h"
#include "dame.h"
#include "probe/library.h"

struct dame_tables {
    struct library *library;
    struct zstd_codec *codec;
    struct draw_rule draw_rule;
    bool has[METRICS]; /* whether there is a table of this metric */
};

#endif
