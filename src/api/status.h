/* From the statuses of the core to those of dame.h. Inside src/api `enum dame_status` is the core's, and
   `dame_status` the public one. */
#ifndef DAME_API_STATUS_H
#define DAME_API_STATUS_H

#include "base/status.h"
#include "dame.h"

dame_status public_status(enum dame_status status);

#endif
