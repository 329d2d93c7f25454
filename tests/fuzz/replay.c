/* In place of libFuzzer: run one fuzz target on every file of a folder, with any compiler. */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int run_file(const char *folder, const char *name)
{
    static uint8_t bytes[1 << 16];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        perror(path);
        return 1;
    }
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return LLVMFuzzerTestOneInput(bytes, size);
}

int main(int count, char **arguments)
{
    DIR *folder = count == 2 ? opendir(arguments[1]) : NULL;
    int files = 0;
    if (folder == NULL) {
        fprintf(stderr, "usage: %s FOLDER\n", arguments[0]);
        return 2;
    }
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        if (run_file(arguments[1], entry->d_name) != 0)
            return 1;
        files++;
    }
    closedir(folder);
    printf("%d inputs\n", files);
    return files == 0;
}
