#include "probe/direct.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline uint64_t lowest_base(uint64_t bits)
{
    return (uint64_t)bit_lowest(bits);
}

#if defined(__x86_64__)
#define BMI __attribute__((target("bmi")))

BMI static inline uint64_t lowest_bmi(uint64_t bits)
{
    return _tzcnt_u64(bits);
}
#endif

/* Whether the pieces are where they may be. Without a carry a sum is a union: no two share a square. */
static ALWAYS_INLINE bool is_legal(const struct position *p)
{
    const uint64_t all = p->own_men | p->own_kings | p->other_men | p->other_kings;
    const uint64_t shared = (p->own_men + p->own_kings + p->other_men + p->other_kings) ^ all;
    const uint64_t crowned = p->own_men >> (SMALL_BOARD - SMALL_ROW) | (p->other_men & bits_below(SMALL_ROW));
    return (shared | crowned | all >> SMALL_BOARD) == 0;
}

/* That nobody could capture does not depend on who is to move. */
static ALWAYS_INLINE const struct direct *place_of(const struct library *library, const struct position *p,
                                                   bool white, uint64_t *index, uint64_t (*lowest)(uint64_t))
{
    const struct small_sets *sets = library->small_sets;
    if (sets == NULL || !is_legal(p))
        return NULL;
    uint64_t rest[KINDS];
    const uint32_t own_men = small_set_number(sets, OWN_MEN, p->own_men, &rest[0], lowest);
    const uint32_t own_kings = small_set_number(sets, OWN_KINGS, p->own_kings, &rest[1], lowest);
    const uint32_t other_men = small_set_number(sets, OTHER_MEN, p->other_men, &rest[2], lowest);
    const uint32_t other_kings = small_set_number(sets, OTHER_KINGS, p->other_kings, &rest[3], lowest);
    if (((rest[0] | rest[1] | rest[2] | rest[3]) & bits_below(SMALL_BOARD)) != 0)
        return NULL;
    const uint32_t material = (own_men + own_kings + other_men + other_kings) >> SMALL_MATERIAL_SHIFT;
    const struct direct *direct = &library->direct[material][white];
    *index = small_set_rank(sets, OWN_MEN, own_men) * direct->stride[OWN_MEN] +
             small_set_rank(sets, OWN_KINGS, own_kings) * direct->stride[OWN_KINGS] +
             small_set_rank(sets, OTHER_MEN, other_men) * direct->stride[OTHER_MEN] +
             small_set_rank(sets, OTHER_KINGS, other_kings) * direct->stride[OTHER_KINGS];
    if (direct->slot == 0 || !(direct->resolved || library->kernel->attacks(p) == 0))
        return NULL;
    return direct;
}

static ALWAYS_INLINE bool value_of(const struct library *library, const struct position *p, bool white,
                                   int *wdl, uint64_t (*lowest)(uint64_t))
{
    uint64_t index;
    int value;
    const struct direct *direct = place_of(library, p, white, &index, lowest);
    if (direct == NULL)
        return false;
    if (direct->packed != NULL)
        value = values_get(direct->packed, index);
    else if (!cache_find(direct->cached, index, &value))
        return false;
    *wdl = value_to_wdl(value);
    return true;
}

#define WAY(name, target)                                                                                    \
    target static const struct direct *place_##name(                                                         \
        const struct library *library, const struct position *black, bool white, uint64_t *index)            \
    {                                                                                                        \
        return place_of(library, black, white, index, lowest_##name);                                        \
    }                                                                                                        \
    target static bool value_##name(const struct library *library, const struct position *black, bool white, \
                                    int *wdl)                                                                \
    {                                                                                                        \
        return value_of(library, black, white, wdl, lowest_##name);                                          \
    }

WAY(base, )
const struct direct_way DIRECT_WAY_BASE = {place_base, value_base};
#if defined(__x86_64__)
WAY(bmi, BMI)
const struct direct_way DIRECT_WAY_BMI = {place_bmi, value_bmi};
#endif

const struct direct_way *direct_way(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("bmi"))
        return &DIRECT_WAY_BMI;
#endif
    return &DIRECT_WAY_BASE;
}

static void set_direct(struct library *library, struct material black, bool white, const struct slot *slot)
{
    const uint64_t *stride = slot->shape.stride;
    const uint32_t material =
        black.own_men * SMALL_PIECE[OWN_MEN] + black.own_kings * SMALL_PIECE[OWN_KINGS] +
        black.other_men * SMALL_PIECE[OTHER_MEN] + black.other_kings * SMALL_PIECE[OTHER_KINGS];
    library->direct[material][white] = (struct direct){
        .stride = {[OWN_MEN] = stride[white ? OTHER_MEN : OWN_MEN],
                   [OWN_KINGS] = stride[white ? OTHER_KINGS : OWN_KINGS],
                   [OTHER_MEN] = stride[white ? OWN_MEN : OTHER_MEN],
                   [OTHER_KINGS] = stride[white ? OWN_KINGS : OTHER_KINGS]},
        .packed = slot->packed,
        .cached = slot->cached,
        .slot = (uint32_t)(slot - library->slots) + 1,
        .resolved = slot->resolved,
    };
}

void direct_update(struct library *library, const struct slot *slot)
{
    const struct material m = slot->header.material;
    if (slot->header.metric != METRIC_WDL || m.own_men > SMALL_SET || m.own_kings > SMALL_SET ||
        m.other_men > SMALL_SET || m.other_kings > SMALL_SET)
        return;
    set_direct(library, m, false, slot);
    set_direct(library, (struct material){m.other_men, m.other_kings, m.own_men, m.own_kings}, true, slot);
}
