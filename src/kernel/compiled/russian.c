#define KERNEL_FAMILY russian

#include "rules/russian.h"

#include "kernel/compile.h"
