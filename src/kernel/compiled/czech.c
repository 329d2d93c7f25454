#define KERNEL_FAMILY czech

#include "rules/czech.h"

#include "kernel/compile.h"
