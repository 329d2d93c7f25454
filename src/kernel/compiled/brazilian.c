#define KERNEL_FAMILY brazilian

#include "rules/brazilian.h"

#include "kernel/compile.h"
