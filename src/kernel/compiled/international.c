#define KERNEL_VARIANT international

#include "rules/international.h"

#include "kernel/compile.h"
