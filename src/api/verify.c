/* dame_verify: every block of every file. */
#include <stdatomic.h>
#include <string.h>

#include "api/error.h"
#include "api/handle.h"
#include "base/threads.h"

struct verify {
    const struct library *library;
    atomic_flag failed; /* the first failing thread leaves its text below */
    int index;
    char detail[DETAIL_MAX];
};

static enum dame_status verify_table(void *context, uint64_t item, int worker)
{
    (void)worker;
    struct verify *verify = context;
    char detail[DETAIL_MAX] = "";
    const int index = (int)item;
    const enum dame_status status = table_check(library_table(verify->library, index), NULL, detail);
    if (status != DAME_OK && !atomic_flag_test_and_set(&verify->failed)) {
        verify->index = index;
        memcpy(verify->detail, detail, sizeof detail);
    }
    return status;
}

dame_status dame_verify(const struct dame_tables *tables, int threads, struct dame_error *error)
{
    struct verify verify = {.library = tables->library, .failed = ATOMIC_FLAG_INIT};
    error_clear(error);
    if (threads < 1)
        return error_fail(error, DAME_STATUS_BAD_ARGUMENT, "%d threads", threads);
    const uint64_t count = (uint64_t)library_count(tables->library);
    const enum dame_status status = threads_run(threads, count, verify_table, &verify, NULL);
    if (status == DAME_OK)
        return DAME_STATUS_OK;
    return error_from(error, status, table_path(library_table(tables->library, verify.index)), verify.detail);
}
