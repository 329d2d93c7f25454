#define KERNEL_FAMILY thai

#include "rules/thai.h"

#include "kernel/compile.h"
