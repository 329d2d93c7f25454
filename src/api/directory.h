/* The files of a directory, in the order of their names, so that tables always have the same order. */
#ifndef DAME_API_DIRECTORY_H
#define DAME_API_DIRECTORY_H

#include "dame.h"

/* Called with the path of a file and its name, the last part of the path. */
typedef dame_status (*directory_function)(void *context, const char *path, const char *name);

/* Call visit(context, path, name) for every regular file (links are followed). Ends with the first status
   other than OK and returns it. DAME_STATUS_IO, DAME_STATUS_NO_MEMORY. */
dame_status directory_each(const char *directory, directory_function visit, void *context,
                           struct dame_error *error);

#endif
