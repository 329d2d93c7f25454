/* What a handle of dame.h is made of. */
#ifndef DAME_API_HANDLE_H
#define DAME_API_HANDLE_H

#include "api/zstd_codec.h"
#include "dame.h"
#include "probe/library.h"

struct dame_tables {
    struct library *library;
    struct zstd_codec *codec;
    struct draw_rule draw_rule;
    char places[224]; /* where tables were looked for, "a, b" */
};

#endif
