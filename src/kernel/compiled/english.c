#define KERNEL_FAMILY english

#include "rules/english.h"

#include "kernel/compile.h"
