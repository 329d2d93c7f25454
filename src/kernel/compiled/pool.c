#define KERNEL_FAMILY pool

#include "rules/pool.h"

#include "kernel/compile.h"
