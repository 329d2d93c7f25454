/* Descriptors of the C library: few of them, a directory that moves, a table that is replaced. */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "check.h"
#include "dame.h"
#include "table_file.h"

enum { PIECES = 3, THREADS = 12, FEW = 64, ENOUGH = 1024 };

static struct dame_error error;

static bool says(const char *text)
{
    if (strstr(error.text, text) != NULL)
        return true;
    fprintf(stderr, "the text is: %s\n", error.text);
    return false;
}

static void set_descriptors(rlim_t count)
{
    struct rlimit limit;
    CHECK(getrlimit(RLIMIT_NOFILE, &limit) == 0);
    limit.rlim_cur = count;
    CHECK(setrlimit(RLIMIT_NOFILE, &limit) == 0);
}

/* Descriptors in use below ENOUGH. */
static int count_descriptors(void)
{
    int count = 0;
    for (int descriptor = 0; descriptor < ENOUGH; descriptor++)
        count += fcntl(descriptor, F_GETFD) >= 0;
    return count;
}

static void copy_file(const char *from, const char *to)
{
    static uint8_t bytes[1 << 20];
    FILE *file = fopen(from, "rb");
    const size_t size = file == NULL ? 0 : fread(bytes, 1, sizeof bytes, file);
    CHECK(size > 0 && fclose(file) == 0);
    write_file(to, bytes, size);
}

/* Kings on squares that depend on `number`, two of White's. */
static struct dame_position some_position(uint32_t number)
{
    const uint32_t black = number % 32, white = (number / 32 + black + 1) % 32;
    struct dame_position position = {.black_kings = 1U << black,
                                     .side = number % 2 ? DAME_WHITE : DAME_BLACK};
    position.white_kings = (1U << white | 1U << (number * 7 % 32)) & ~(1U << black);
    if (position.white_kings == 0)
        position.white_kings = 1U << (black + 1) % 32;
    return position;
}

struct reading {
    const struct dame_tables *tables;
    const int8_t *expected;
    int wrong;
};

static void *read_all(void *argument)
{
    struct reading *reading = argument;
    for (uint32_t i = 0; i < 1024; i++) {
        const struct dame_position position = some_position(i);
        int wdl;
        const dame_status status = dame_probe_wdl(reading->tables, &position, 0, &wdl, NULL);
        reading->wrong += status != DAME_STATUS_OK || wdl != reading->expected[i];
    }
    return NULL;
}

/* 126 tables under a limit of 64 descriptors, on more threads than there are descriptors to share. */
static void test_few_descriptors(void)
{
    static int8_t expected[1024];
    struct dame_tables *tables;
    const struct dame_options one = {.cache_bytes = 1}; /* every probe reads its file */
    CHECK(dame_open(SHIPPED, "english", NULL, &tables, &error) == DAME_STATUS_OK);
    for (uint32_t i = 0; i < 1024; i++) {
        const struct dame_position position = some_position(i);
        int wdl = 7;
        CHECK(dame_probe_wdl(tables, &position, 0, &wdl, &error) == DAME_STATUS_OK);
        expected[i] = (int8_t)wdl;
    }
    dame_close(tables);
    const int before = count_descriptors();
    for (int round = 0; round < 2; round++) {
        const int limit = round == 0 ? FEW : 20, most = round == 0 ? FEW / 4 : 8;
        set_descriptors((rlim_t)limit);
        CHECK(dame_open(SHIPPED, "english", &one, &tables, &error) == DAME_STATUS_OK);
        CHECK(dame_count(tables) == 126);
        CHECK(count_descriptors() == before + most + 1); /* and one of the directory */
        pthread_t threads[THREADS];
        struct reading readings[THREADS];
        for (int i = 0; i < THREADS; i++) {
            readings[i] = (struct reading){tables, expected, 0};
            CHECK(pthread_create(&threads[i], NULL, read_all, &readings[i]) == 0);
        }
        for (int i = 0; i < THREADS; i++)
            CHECK(pthread_join(threads[i], NULL) == 0 && readings[i].wrong == 0);
        CHECK(dame_verify(tables, 2, &error) == DAME_STATUS_OK && says(""));
        CHECK(dame_preload(tables, 4, 0, 1, 2, &error) == DAME_STATUS_OK && says(""));
        CHECK(count_descriptors() == before + most + 1);
        dame_close(tables);
        CHECK(count_descriptors() == before);
    }
    set_descriptors(ENOUGH);
}

/* The process has no descriptor left: the library gives some of its own up for the next file. */
static void test_no_descriptor_left(void)
{
    struct dame_tables *tables;
    const struct dame_options one = {.cache_bytes = 1};
    int taken[FEW], count = 0, wdl;
    set_descriptors(FEW);
    CHECK(dame_open(SHIPPED, "english", &one, &tables, &error) == DAME_STATUS_OK);
    while (count < FEW && (taken[count] = dup(0)) >= 0)
        count++;
    CHECK(count > 0 && count < FEW);
    for (uint32_t i = 0; i < 200; i++) {
        const struct dame_position position = some_position(i);
        CHECK(dame_probe_wdl(tables, &position, 0, &wdl, &error) == DAME_STATUS_OK && says(""));
    }
    CHECK(dame_verify(tables, 2, &error) == DAME_STATUS_OK && says(""));
    while (count > 0)
        close(taken[--count]);
    dame_close(tables);
    set_descriptors(ENOUGH);
}

static const char *const NAMES[] = {"KvK.wdl",  "KvM.wdl",  "MvK.wdl",  "MvM.wdl",  "KKvK.wdl", "KKvM.wdl",
                                    "KMvK.wdl", "KMvM.wdl", "MMvK.wdl", "MMvM.wdl", "KvKK.wdl", "MvKK.wdl",
                                    "KvKM.wdl", "MvKM.wdl", "KvMM.wdl", "MvMM.wdl", NULL};

static void path_of(const char *folder, const char *name, char *path)
{
    snprintf(path, 600, "%s/%s", folder, name);
}

/* Opened by a relative path, then everything changes: the working directory, the name of the directory. */
static void test_a_directory_that_moves(void)
{
    char from[600], to[600], start[512], first[512], second[512];
    struct dame_tables *tables;
    const struct dame_options one = {.cache_bytes = 1};
    int wdl;
    snprintf(first, sizeof first, "%s", test_path("first"));
    snprintf(second, sizeof second, "%s", test_path("second"));
    CHECK(getcwd(start, sizeof start) != NULL && mkdir(first, 0700) == 0);
    for (int i = 0; NAMES[i] != NULL; i++) {
        path_of(SHIPPED, NAMES[i], from);
        path_of(first, NAMES[i], to);
        copy_file(from, to);
    }
    set_descriptors(32); /* 8 of 16 tables */
    CHECK(chdir(test_folder) == 0);
    CHECK(dame_open("first", "english", &one, &tables, &error) == DAME_STATUS_OK && says(""));
    CHECK(chdir("/") == 0 && rename(first, second) == 0);
    CHECK(dame_verify(tables, 1, &error) == DAME_STATUS_OK && says(""));
    for (uint32_t i = 0; i < 100; i++) {
        const struct dame_position position = some_position(i);
        CHECK(dame_probe_wdl(tables, &position, 0, &wdl, &error) == DAME_STATUS_OK && says(""));
    }
    CHECK(dame_preload(tables, PIECES, 0, 1, 1, &error) == DAME_STATUS_OK && says(""));
    dame_close(tables);

    /* Every file is replaced by its twin: those that have a descriptor are read on, the others are
       refused. */
    CHECK(dame_open(second, "english", &one, &tables, &error) == DAME_STATUS_OK);
    for (int i = 0; NAMES[i] != NULL; i++) {
        path_of(SHIPPED, NAMES[i], from);
        copy_file(from, test_path("new"));
        path_of(second, NAMES[i], to);
        CHECK(rename(test_path("new"), to) == 0);
    }
    CHECK(dame_verify(tables, 1, &error) == DAME_STATUS_CORRUPT_TABLE);
    CHECK(says("second/") && says(".wdl: was replaced while it was open"));
    CHECK(dame_preload(tables, PIECES, 0, 0, 1, &error) == DAME_STATUS_CORRUPT_TABLE);
    CHECK(says("second/") && says(".wdl: was replaced while it was open"));
    for (int i = 0; NAMES[i] != NULL; i++) {
        path_of(second, NAMES[i], to);
        CHECK(unlink(to) == 0);
    }
    CHECK(dame_preload(tables, PIECES, 0, 0, 1, &error) == DAME_STATUS_IO && says("second/"));
    CHECK(says(".wdl: No such file or directory"));
    dame_close(tables);
    CHECK(rmdir(second) == 0 && chdir(start) == 0);
    set_descriptors(ENOUGH);
}

int main(void)
{
    set_descriptors(ENOUGH);
    test_few_descriptors();
    test_no_descriptor_left();
    test_a_directory_that_moves();
    return check_result();
}
