#define KERNEL_FAMILY spanish

#include "rules/spanish.h"

#include "kernel/compile.h"
