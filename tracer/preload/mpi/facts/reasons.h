/* Notes of why nothing is recorded of a process. */
#ifndef PLUMBLINE_TRACER_PRELOAD_REASONS_H
#define PLUMBLINE_TRACER_PRELOAD_REASONS_H

#include "tracer/spool/format/reasons_format.h"

#pragma GCC visibility push(hidden)

/* `program` is or does `what`. Where PLUMBLINE_SPOOL names a directory. */
void pl_note_reason(enum pl_reason rank, const char* program, const char* what);

#pragma GCC visibility pop

#endif
