#include "api/directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "api/error.h"

/* By bytes: the order must not depend on the locale, as that of alphasort does. */
static int by_name(const struct dirent **a, const struct dirent **b)
{
    return strcmp((*a)->d_name, (*b)->d_name);
}

static dame_status visit_entry(const char *directory, const char *name, directory_function visit,
                               void *context, struct dame_error *error)
{
    const size_t size = strlen(directory) + strlen(name) + 2;
    char *path = malloc(size);
    struct stat facts;
    dame_status status = DAME_STATUS_OK;
    if (path == NULL)
        return error_from(error, DAME_NO_MEMORY, directory, "");
    snprintf(path, size, "%s/%s", directory, name);
    if (stat(path, &facts) == 0 && S_ISREG(facts.st_mode))
        status = visit(context, path, name);
    free(path);
    return status;
}

dame_status directory_each(const char *directory, directory_function visit, void *context,
                           struct dame_error *error)
{
    struct dirent **entries;
    const int count = scandir(directory, &entries, NULL, by_name);
    if (count < 0)
        return error_from(error, errno == ENOMEM ? DAME_NO_MEMORY : DAME_IO, directory, "");
    dame_status status = DAME_STATUS_OK;
    for (int i = 0; i < count; i++) {
        if (status == DAME_STATUS_OK)
            status = visit_entry(directory, entries[i]->d_name, visit, context, error);
        free(entries[i]);
    }
    free(entries);
    return status;
}
