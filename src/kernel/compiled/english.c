#define KERNEL_VARIANT english

#include "rules/english.h"

#include "kernel/compile.h"
