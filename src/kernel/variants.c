/* The table of the pages of rules and of the instruction sets each was compiled for. The build defines
   DAME_KERNEL_V3 and DAME_KERNEL_V4 where those objects exist. */
#include <string.h>

#include "kernel/kernel.h"

enum { ISA_BASE, ISA_V3, ISA_V4, ISA_COUNT };

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
#define V3(family) [ISA_V3] = kernels_##family##_v3,
#else
#define V3(family)
#endif
#if defined(DAME_KERNEL_V4)
#define DECLARE_V4(family) extern const struct kernel kernels_##family##_v4[FAMILY_MAX];
FAMILIES(DECLARE_V4)
#define V4(family) [ISA_V4] = kernels_##family##_v4,
#else
#define V4(family)
#endif

/* An instruction set that was not compiled is NULL. */
#define INSTRUCTION_SETS(family) {[ISA_BASE] = kernels_##family##_base, V3(family) V4(family)},

static const struct kernel *const KERNELS[][ISA_COUNT] = {FAMILIES(INSTRUCTION_SETS)};

enum { FAMILY_COUNT = sizeof KERNELS / sizeof KERNELS[0] };

/* The names asked for are those that every compiler knows. Processors with AVX2, BMI2 and FMA have the rest
   of x86-64-v3 (LZCNT, MOVBE, F16C) as well. */
static int best_instruction_set(void)
{
    int isa = ISA_BASE;
#if defined(DAME_KERNEL_V3) || defined(DAME_KERNEL_V4)
    if (__builtin_cpu_supports("popcnt") && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
        __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma")) {
        isa = ISA_V3;
        if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
            __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"))
            isa = ISA_V4;
    }
#endif
    return isa;
}

/* The rule sets of one page for the best instruction set that was compiled, up to `isa`. */
static const struct kernel *kernels_of(int family, int isa)
{
    while (KERNELS[family][isa] == NULL)
        isa--;
    return KERNELS[family][isa];
}

const struct kernel *kernel_at(int index)
{
    const int isa = best_instruction_set();
    for (int family = 0; family < FAMILY_COUNT && index >= 0; family++) {
        const struct kernel *kernels = kernels_of(family, isa);
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
    const int isa = best_instruction_set();
    for (int family = 0; family < FAMILY_COUNT; family++) {
        const struct kernel *kernels = kernels_of(family, isa);
        for (int member = 0; member < FAMILY_MAX && kernels[member].rules->id != NULL; member++)
            if (strcmp(kernels[member].rules->id, variant) == 0)
                return &kernels[member];
    }
    return NULL;
}
