/* Not a test: how many positions a second the C library answers. `bench_probe DIRECTORY PIECES [COUNT]`
   prints one JSON line (tools/bench_probe.py). Positions are drawn uniformly from all those of so many
   pieces, and sorted by what is pending: nothing (quiet), a threat, a capture. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "dame.h"

enum { QUIET, THREAT, CAPTURE, CLASSES, RUNS = 5, MISSES = 20000, THREADS = 2 };

static const char *const CLASS_NAMES[CLASSES] = {"quiet", "threat", "capture"};

struct sample {
    struct dame_position *positions[CLASSES];
    size_t count[CLASSES], wanted;
};

static void fail(const char *what, const struct dame_error *error)
{
    fprintf(stderr, "%s: %s\n", what, error->text);
    exit(1);
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static uint64_t random_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

static struct dame_position draw_position(int pieces, uint64_t *state)
{
    for (;;) {
        struct dame_position p = {.side = (int)(random_next(state) & 1)};
        uint64_t taken = 0;
        for (int i = 0; i < pieces;) {
            const uint64_t random = random_next(state), bit = UINT64_C(1) << (random & 31);
            if ((taken & bit) != 0)
                continue;
            uint64_t *const sets[] = {&p.black_men, &p.black_kings, &p.white_men, &p.white_kings};
            *sets[random >> 8 & 3] |= bit;
            taken |= bit;
            i++;
        }
        if ((p.black_men & 0xF0000000) == 0 && (p.white_men & 0xF) == 0 &&
            (p.black_men | p.black_kings) != 0 && (p.white_men | p.white_kings) != 0)
            return p;
    }
}

static int has_capture(const struct dame_tables *tables, const struct dame_position *position)
{
    static struct dame_move moves[DAME_MOVES_MAX];
    struct dame_error error;
    size_t count;
    if (dame_probe_moves(tables, position, 0, moves, DAME_MOVES_MAX, &count, &error) != DAME_STATUS_OK)
        fail("moves", &error);
    return count > 0 && moves[0].captured != 0;
}

static struct sample draw_sample(const struct dame_tables *tables, int pieces, size_t wanted)
{
    struct sample sample = {.wanted = wanted};
    uint64_t state = 1;
    for (int c = 0; c < CLASSES; c++)
        sample.positions[c] = malloc(wanted * sizeof *sample.positions[c]);
    while (sample.count[QUIET] < wanted || sample.count[THREAT] < wanted || sample.count[CAPTURE] < wanted) {
        struct dame_position position = draw_position(pieces, &state), passed = position;
        passed.side = 1 - passed.side;
        const int c = has_capture(tables, &position) ? CAPTURE
                      : has_capture(tables, &passed) ? THREAT
                                                     : QUIET;
        if (sample.count[c] < wanted)
            sample.positions[c][sample.count[c]++] = position;
    }
    return sample;
}

/* The fastest of several runs, millions a second. */
static double one_by_one(const struct dame_tables *tables, const struct dame_position *positions,
                         size_t count)
{
    double best = 0;
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        long sum = 0;
        for (size_t i = 0; i < count; i++) {
            int wdl = 0;
            if (dame_probe_wdl(tables, &positions[i], 0, &wdl, NULL) != DAME_STATUS_OK)
                abort();
            sum += wdl;
        }
        const double rate = (double)count / (now() - start) / 1e6;
        if (rate > best && sum != (long)count + 1)
            best = rate;
    }
    return best;
}

static double in_a_batch(const struct dame_tables *tables, const struct dame_position *positions,
                         size_t count)
{
    double best = 0;
    int8_t *wdl = malloc(count);
    for (int run = 0; run < RUNS; run++) {
        const double start = now();
        if (dame_probe_many(tables, positions, count, 1, wdl, NULL) != DAME_STATUS_OK)
            abort();
        const double rate = (double)count / (now() - start) / 1e6;
        best = rate > best ? rate : best;
    }
    free(wdl);
    return best;
}

struct worker {
    const struct dame_tables *tables;
    const struct dame_position *positions;
    size_t count;
    double rate;
};

static void *work(void *argument)
{
    struct worker *worker = argument;
    worker->rate = one_by_one(worker->tables, worker->positions, worker->count);
    return NULL;
}

/* Rates of both halves of the positions on two threads, added up. */
static double on_threads(const struct dame_tables *tables, const struct dame_position *positions,
                         size_t count)
{
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    double sum = 0;
    for (int i = 0; i < THREADS; i++) {
        workers[i] = (struct worker){tables, positions + count / THREADS * (size_t)i, count / THREADS, 0};
        if (pthread_create(&threads[i], NULL, work, &workers[i]) != 0)
            abort();
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        sum += workers[i].rate;
    }
    return sum;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Microseconds of single probes without a block cache. */
static void measure_misses(const struct dame_tables *tables, const struct dame_position *positions,
                           size_t count)
{
    double *times = malloc(count * sizeof *times);
    for (size_t i = 0; i < count; i++) {
        int wdl;
        const double start = now();
        if (dame_probe_wdl(tables, &positions[i], 0, &wdl, NULL) != DAME_STATUS_OK)
            abort();
        times[i] = (now() - start) * 1e6;
    }
    qsort(times, count, sizeof *times, compare);
    printf(", \"miss_median\": %.2f, \"miss_99\": %.2f", times[count / 2], times[count - count / 100 - 1]);
    free(times);
}

static struct dame_tables *open_tables(const char *directory, const struct dame_options *options)
{
    struct dame_tables *tables;
    struct dame_error error;
    if (dame_open(directory, "english", options, &tables, &error) != DAME_STATUS_OK)
        fail("open", &error);
    return tables;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: bench_probe DIRECTORY PIECES [COUNT]\n");
        return 2;
    }
    const int pieces = atoi(argv[2]);
    const size_t count = argc > 3 ? (size_t)atol(argv[3]) : 1000000;
    struct dame_tables *cached =
        open_tables(argv[1], &(struct dame_options){.cache_bytes = UINT64_C(4) << 30});
    const struct sample sample = draw_sample(cached, pieces, count);
    struct dame_tables *preloaded = open_tables(
        argv[1], &(struct dame_options){.preload_pieces = pieces, .resolve = 1, .threads = THREADS});
    struct dame_tables *uncached = open_tables(argv[1], &(struct dame_options){.cache_bytes = 1});
    printf("{\"pieces\": %d, \"positions\": %zu", pieces, count);
    for (int c = 0; c < CLASSES; c++) {
        const struct dame_position *positions = sample.positions[c];
        (void)one_by_one(cached, positions, count); /* decode what is needed */
        const double one = one_by_one(cached, positions, count);
        printf(", \"%s\": {\"preloaded\": %.2f, \"preloaded_batch\": %.2f, \"cached\": %.2f, "
               "\"cached_batch\": %.2f",
               CLASS_NAMES[c], one_by_one(preloaded, positions, count),
               in_a_batch(preloaded, positions, count), one, in_a_batch(cached, positions, count));
        printf(", \"cached_two_threads\": %.2f", on_threads(cached, positions, count));
        measure_misses(uncached, positions, count < MISSES ? count : MISSES);
        printf("}");
    }
    printf("}\n");
    dame_close(cached);
    dame_close(preloaded);
    dame_close(uncached);
    for (int c = 0; c < CLASSES; c++)
        free(sample.positions[c]);
    return 0;
}
