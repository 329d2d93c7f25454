/* A folder for the files of one test program, which goes when it ends. */
#ifndef DAME_TESTS_TEST_FOLDER_H
#define DAME_TESTS_TEST_FOLDER_H

#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static char test_folder[] = "/tmp/dame_test_XXXXXX";

static inline void remove_files(void)
{
    char path[sizeof test_folder + 256];
    DIR *folder = opendir(test_folder);
    for (struct dirent *entry; folder != NULL && (entry = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "%s/%s", test_folder, entry->d_name);
        unlink(path);
    }
    closedir(folder);
}

static inline void remove_test_folder(void)
{
    remove_files();
    rmdir(test_folder);
}

/* The path of a file in the folder. The next call writes over it. */
static inline const char *test_path(const char *name)
{
    static char path[sizeof test_folder + 64];
    static bool made;
    if (!made && (mkdtemp(test_folder) == NULL || atexit(remove_test_folder) != 0))
        abort();
    made = true;
    snprintf(path, sizeof path, "%s/%s", test_folder, name);
    return path;
}

static inline void write_file(const char *path, const uint8_t *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0)
        abort();
}

#endif
