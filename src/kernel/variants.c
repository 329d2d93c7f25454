/* The table of the pages of rules and of the instruction sets each was compiled for. The build defines
   DAME_KERNEL_V3 and DAME_KERNEL_V4 where those objects exist. */
#include <string.h>

#include "kernel/kernel.h"

enum { LEVEL_BASE, LEVEL_V3, LEVEL_V4, LEVEL_COUNT };

/* The order in which rule sets are listed. */
#define FAMILIES(each)                                                                                       \
    each(english) each(english_optional) each(german_schmidt) each(german_ass) each(dame_meister)            \
        each(dame_meister_optional) each(russian) each(pool) each(brazilian) each(international)             \
            each(italian) each(spanish) each(czech) each(thai)

#define DECLARE_BASE(family) extern const struct kernel kernels_##family##_base[FAMILY_MAX];
FAMILIES(DECLARE_BASE)
#if defined(DAME_KERNEL_V3)
#define DECLARE_V3(family) extern const struct kernel kernels_##family##_v3[FAMILY_MAX];
FAMILIES(DECLARE_V3)
#define V3(family) [LEVEL_V3] = kernels_##family##_v3,
#else
#define V3(family)
#endif
#if defined(DAME_KERNEL_V4)
#define DECLARE_V4(family) extern const struct kernel kernels_##family##_v4[FAMILY_MAX];
FAMILIES(DECLARE_V4)
#define V4(family) [LEVEL_V4] = kernels_##family##_v4,
#else
#define V4(family)
#endif

/* A level that was not compiled is NULL. */
#define LEVELS(family) {[LEVEL_BASE] = kernels_##family##_base, V3(family) V4(family)},

static const struct kernel *const KERNELS[][LEVEL_COUNT] = {FAMILIES(LEVELS)};

enum { FAMILY_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

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

/* The rule sets of one page at the best level up to `level`. */
static const struct kernel *kernels_of(int family, int level)
{
    while (KERNELS[family][level] == NULL)
        level--;
    return KERNELS[family][level];
}

const struct kernel *kernel_at(int index)
{
    const int level = best_level();
    for (int family = 0; family < FAMILY_COUNT && index >= 0; family++) {
        const struct kernel *kernels = kernels_of(family, level);
        for (int member = 0; member < FAMILY_MAX; member++)
            if (kernels[member].rules->id != NULL && index-- == 0)
                return &kernels[member];
    }
    return NULL;
}

int kernel_count(void)
{
    int count = 0;
    while (kernel_at(count) != NULL)
        count++;
    return count;
}

const struct kernel *kernel_find(const char *variant)
{
    const int level = best_level();
    for (int family = 0; family < FAMILY_COUNT; family++) {
        const struct kernel *kernels = kernels_of(family, level);
        for (int member = 0; member < FAMILY_MAX && kernels[member].rules->id != NULL; member++)
            if (strcmp(kernels[member].rules->id, variant) == 0)
                return &kernels[member];
    }
    return NULL;
}
