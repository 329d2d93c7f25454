/* The table of rule sets and of the instruction sets each was compiled for. The build defines
   DAME_KERNEL_V3 and DAME_KERNEL_V4 where those objects exist. */
#include <string.h>

#include "kernel/kernel.h"

enum { LEVEL_BASE, LEVEL_V3, LEVEL_V4, LEVEL_COUNT };

#define DECLARE(level)                                                                                       \
    extern const struct kernel kernel_english_##level;                                                       \
    extern const struct kernel kernel_russian_##level;                                                       \
    extern const struct kernel kernel_international_##level;

DECLARE(base)
#if defined(DAME_KERNEL_V3)
DECLARE(v3)
#define V3(variant) [LEVEL_V3] = &kernel_##variant##_v3,
#else
#define V3(variant)
#endif
#if defined(DAME_KERNEL_V4)
DECLARE(v4)
#define V4(variant) [LEVEL_V4] = &kernel_##variant##_v4,
#else
#define V4(variant)
#endif

/* A level that was not compiled is NULL. */
#define LEVELS(variant) {[LEVEL_BASE] = &kernel_##variant##_base, V3(variant) V4(variant)}

static const struct kernel *const VARIANTS[][LEVEL_COUNT] = {
    LEVELS(english),
    LEVELS(russian),
    LEVELS(international),
};

/* The names asked for are those that every compiler knows. Processors with AVX2, BMI2 and FMA have the rest
   of x86-64-v3 (LZCNT, MOVBE, F16C) as well. */
static int best_level(void)
{
    int level = LEVEL_BASE;
#if defined(DAME_KERNEL_V3) || defined(DAME_KERNEL_V4)
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
        level = LEVEL_V3;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            level = LEVEL_V4;
    }
#endif
    return level;
}

int kernel_count(void)
{
    return (int)(sizeof VARIANTS / sizeof VARIANTS[0]);
}

const struct kernel *kernel_at(int index)
{
    if (index < 0 || index >= kernel_count())
        return NULL;
    int level = best_level();
    while (VARIANTS[index][level] == NULL)
        level--;
    return VARIANTS[index][level];
}

const struct kernel *kernel_find(const char *variant)
{
    for (int i = 0; i < kernel_count(); i++)
        if (strcmp(VARIANTS[i][LEVEL_BASE]->rules->id, variant) == 0)
            return kernel_at(i);
    return NULL;
}
