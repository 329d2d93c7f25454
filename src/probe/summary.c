#include "probe/summary.h"

static int common_value(const uint8_t line[SUMMARY_LINE_BYTES])
{
    const int value = values_get(line, 0);
    for (int i = 0; i < SUMMARY_LINE_BYTES; i++)
        if (line[i] != value * 0x55)
            return VALUE_NEVER;
    return value;
}

void summary_make(const uint8_t *packed, uint64_t lines, uint8_t *summary)
{
    memset(summary, 0, values_bytes(lines));
    for (uint64_t i = 0; i < lines; i++)
        summary[i / VALUES_PER_BYTE] |=
            (uint8_t)(common_value(packed + i * SUMMARY_LINE_BYTES) << i % VALUES_PER_BYTE * 2);
}
