/* For a flavour that cannot be seen inside. */
#include "tracer/preload/inner.h"

__attribute__((weak)) void pl_begin_internals(struct pl_thread* t) { (void)t; }
__attribute__((weak)) void pl_end_internals(void) {}
