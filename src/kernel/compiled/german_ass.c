#define KERNEL_FAMILY german_ass

#include "rules/german_ass.h"

#include "kernel/compile.h"
