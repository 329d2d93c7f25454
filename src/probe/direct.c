#include "probe/direct.h"

#define ALWAYS_INLINE inline __attribute__((always_inline))

static inline uint64_t count_base(uint64_t bits)
{
    return (uint64_t)bit_count(bits);
}

static inline uint64_t lowest_base(uint64_t bits)
{
    return bits == 0 ? 64 : (uint64_t)bit_lowest(bits);
}

#if defined(__x86_64__)
#define BMI __attribute__((target("bmi,popcnt")))

/* In assembler: compilers would clear the result first, for the sake of processors before Skylake. */
BMI static inline uint64_t count_bmi(uint64_t bits)
{
    uint64_t count;
    __asm__("popcnt %1, %0" : "=r"(count) : "r"(bits) : "cc");
    return count;
}

BMI static inline uint64_t lowest_bmi(uint64_t bits)
{
    uint64_t lowest;
    __asm__("tzcnt %1, %0" : "=r"(lowest) : "r"(bits) : "cc");
    return lowest;
}
#endif

static ALWAYS_INLINE struct position load(const char *black_pieces, const char *white_pieces)
{
    uint64_t own_men, own_kings, other_men, other_kings;
    memcpy(&own_men, black_pieces, 8);
    memcpy(&own_kings, black_pieces + 8, 8);
    memcpy(&other_men, white_pieces, 8);
    memcpy(&other_kings, white_pieces + 8, 8);
    return (struct position){own_men, own_kings, other_men, other_kings};
}

/* Where the value of a position would stand if there is a table and no capture pending. */
static ALWAYS_INLINE const struct direct *place_of(const struct library *library, struct position p,
                                                   unsigned white, uint64_t *index,
                                                   uint64_t (*count)(uint64_t), uint64_t (*lowest)(uint64_t))
{
    const struct small_sets *sets = library->small_sets;
    /* Without a carry a sum is a union: no two pieces share a square. */
    const uint64_t all = p.own_men | p.own_kings | p.other_men | p.other_kings;
    const uint64_t shared = (p.own_men + p.own_kings + p.other_men + p.other_kings) ^ all;
    const uint64_t pieces = count(all);
    if ((shared | all >> SMALL_BOARD | (pieces & ~(uint64_t)SMALL_PIECES)) != 0)
        return NULL;
    const small_side own = small_side_of(sets, false, p.own_men, p.own_kings, count, lowest);
    const small_side other = small_side_of(sets, true, p.other_men, p.other_kings, count, lowest);
    const uint64_t material = (own + other) >> SMALL_MATERIAL_SHIFT;
    if (material >= SMALL_MATERIALS)
        return NULL;
    const struct direct *direct = &library->direct[material][white];
    if (direct->pieces != pieces) /* fewer if a side has too many, none without a table */
        return NULL;
    *index = small_set_rank(sets, OWN_MEN, own) * direct->stride[OWN_MEN] +
             small_set_rank(sets, OWN_KINGS, own) * direct->stride[OWN_KINGS] +
             small_set_rank(sets, OTHER_MEN, other) * direct->stride[OTHER_MEN] +
             small_set_rank(sets, OTHER_KINGS, other) * direct->stride[OTHER_KINGS];
    return direct;
}

/* Whether the table holds the value: it is resolved, or neither side could capture, whoever is to move. */
static ALWAYS_INLINE bool is_one_look_up(const struct library *library, const struct direct *direct,
                                         const struct position *position)
{
    return direct->resolved || library->kernel->attacks(position) == 0;
}

static ALWAYS_INLINE bool value_at(const struct direct *direct, uint64_t index, int *wdl)
{
    int value;
    if (direct->packed != NULL) {
        *wdl = summary_wdl(direct->packed, direct->summary, index);
        return true;
    }
    if (!cache_find(direct->cached, index, &value))
        return false;
    *wdl = value_to_wdl(value);
    return true;
}

/* The parameters that all functions of a way have. */
#define GIVEN                                                                                                \
    const struct library *library, const void *black_pieces, const void *white_pieces, unsigned white
#define WAY(name, target)                                                                                    \
    target static const struct direct *place_##name(GIVEN, uint64_t *index)                                  \
    {                                                                                                        \
        const struct position p = load(black_pieces, white_pieces);                                          \
        const struct direct *direct = place_of(library, p, white, index, count_##name, lowest_##name);       \
        return direct != NULL && is_one_look_up(library, direct, &p) ? direct : NULL;                        \
    }                                                                                                        \
    target static bool value_##name(GIVEN, int *wdl)                                                         \
    {                                                                                                        \
        uint64_t index;                                                                                      \
        const struct direct *direct = place_##name(library, black_pieces, white_pieces, white, &index);      \
        return direct != NULL && value_at(direct, index, wdl);                                               \
    }                                                                                                        \
    target static bool resolved_##name(GIVEN, int *wdl)                                                      \
    {                                                                                                        \
        uint64_t index;                                                                                      \
        const struct position p = load(black_pieces, white_pieces);                                          \
        const struct direct *direct = place_of(library, p, white, &index, count_##name, lowest_##name);      \
        if (direct == NULL || !direct->resolved)                                                             \
            return false;                                                                                    \
        *wdl = summary_wdl(direct->packed, direct->summary, index);                                          \
        return true;                                                                                         \
    }

WAY(base, )
const struct direct_way DIRECT_WAY_BASE = {place_base, value_base, resolved_base};
#if defined(__x86_64__)
WAY(bmi, BMI)
const struct direct_way DIRECT_WAY_BMI = {place_bmi, value_bmi, resolved_bmi};
#endif

static const struct direct *place_none(GIVEN, uint64_t *index)
{
    (void)library, (void)black_pieces, (void)white_pieces, (void)white, (void)index;
    return NULL;
}

static bool value_none(GIVEN, int *wdl)
{
    (void)library, (void)black_pieces, (void)white_pieces, (void)white, (void)wdl;
    return false;
}

static const struct direct_way DIRECT_WAY_NONE = {place_none, value_none, value_none};

static const struct direct_way *quickest_way(void)
{
#if defined(__x86_64__)
    if (__builtin_cpu_supports("bmi") && __builtin_cpu_supports("popcnt"))
        return &DIRECT_WAY_BMI;
#endif
    return &DIRECT_WAY_BASE;
}

const struct direct_way *direct_way(const struct small_sets *sets)
{
    return sets == NULL ? &DIRECT_WAY_NONE : quickest_way();
}

static void set_direct(struct library *library, struct material black, bool white, const struct slot *slot)
{
    const uint64_t *stride = slot->shape.stride;
    const uint64_t material =
        black.own_men * SMALL_PIECE[OWN_MEN] + black.own_kings * SMALL_PIECE[OWN_KINGS] +
        black.other_men * SMALL_PIECE[OTHER_MEN] + black.other_kings * SMALL_PIECE[OTHER_KINGS];
    library->direct[material][white] = (struct direct){
        .stride = {[OWN_MEN] = stride[white ? OTHER_MEN : OWN_MEN],
                   [OWN_KINGS] = stride[white ? OTHER_KINGS : OWN_KINGS],
                   [OTHER_MEN] = stride[white ? OWN_MEN : OTHER_MEN],
                   [OTHER_KINGS] = stride[white ? OWN_KINGS : OTHER_KINGS]},
        .packed = slot->packed,
        .summary = slot->summary,
        .cached = slot->cached,
        .slot = (uint32_t)(slot - library->slots) + 1,
        .pieces = (uint8_t)material_pieces(black),
        .resolved = slot->resolved,
    };
}

void direct_update(struct library *library, const struct slot *slot)
{
    const struct material m = slot->header.material;
    if (metric_has_plies(slot->header.metric) || m.own_men > SMALL_SET || m.own_kings > SMALL_SET ||
        m.other_men > SMALL_SET || m.other_kings > SMALL_SET)
        return;
    if (slot->resolved)
        library->probe_direct = library->direct_way->resolved;
    set_direct(library, m, false, slot);
    set_direct(library, (struct material){m.other_men, m.other_kings, m.own_men, m.own_kings}, true, slot);
}
