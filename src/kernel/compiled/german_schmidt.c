#define KERNEL_FAMILY german_schmidt

#include "rules/german_schmidt.h"

#include "kernel/compile.h"
