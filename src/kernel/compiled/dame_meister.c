#define KERNEL_FAMILY dame_meister

#include "rules/dame_meister.h"

#include "kernel/compile.h"
