#define KERNEL_FAMILY italian

#include "rules/italian.h"

#include "kernel/compile.h"
