#define KERNEL_FAMILY dame_meister_optional

#include "rules/dame_meister_optional.h"

#include "kernel/compile.h"
