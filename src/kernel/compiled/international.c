#define KERNEL_FAMILY international

#include "rules/international.h"

#include "kernel/compile.h"
