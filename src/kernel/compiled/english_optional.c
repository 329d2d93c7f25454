#define KERNEL_FAMILY english_optional

#include "rules/english_optional.h"

#include "kernel/compile.h"
