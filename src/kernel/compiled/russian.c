#define KERNEL_VARIANT russian

#include "rules/russian.h"

#include "kernel/compile.h"
