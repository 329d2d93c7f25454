/* Summaries of preloaded values: with one, every value is what it is without. */
#include "check.h"

#include "probe/summary.h"

enum { LINES = 9, BYTES = LINES * SUMMARY_LINE_BYTES };

static uint64_t wrong_values(const uint8_t *packed, const uint8_t *summary)
{
    uint64_t wrong = 0;
    for (uint64_t i = 0; i < (uint64_t)BYTES * VALUES_PER_BYTE; i++)
        wrong += summary_wdl(packed, summary, i) != value_to_wdl(values_get(packed, i));
    return wrong;
}

int main(void)
{
    uint8_t packed[BYTES], summary[(LINES + VALUES_PER_BYTE - 1) / VALUES_PER_BYTE];
    const int common[LINES] = {VALUE_DRAW,  VALUE_WIN,  VALUE_LOSS,  VALUE_NEVER, VALUE_WIN,
                               VALUE_NEVER, VALUE_LOSS, VALUE_NEVER, VALUE_DRAW};
    for (int line = 0; line < LINES; line++)
        memset(packed + line * SUMMARY_LINE_BYTES, common[line] % VALUE_NEVER * 0x55, SUMMARY_LINE_BYTES);
    /* The first value of a line, the last one, and all but one differ. */
    values_set(packed, 3 * SUMMARY_LINE_VALUES, VALUE_WIN);
    values_set(packed, 6 * SUMMARY_LINE_VALUES - 1, VALUE_LOSS);
    for (uint64_t i = 1; i < SUMMARY_LINE_VALUES; i++)
        values_set(packed, 7 * SUMMARY_LINE_VALUES + i, (int)(i % VALUE_NEVER));
    summary_make(packed, LINES, summary);
    for (uint64_t line = 0; line < LINES; line++)
        CHECK(values_get(summary, line) == common[line]);
    CHECK(wrong_values(packed, summary) == 0);
    CHECK(summary_lines(0) == 0 && summary_lines(1) == 1 && summary_lines(64) == 1 && summary_lines(65) == 2);
    return check_result();
}
