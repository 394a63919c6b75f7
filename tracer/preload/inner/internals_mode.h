/* Whether the user wants to see inside of calls (PLUMBLINE_INTERNALS), and what becomes of it. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_WISH_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_WISH_H

#include "tracer/preload/core/preload.h"

enum pl_internals_mode {
  PL_INTERNALS_MODE_OFF,
  PL_INTERNALS_MODE_AUTO,
  PL_INTERNALS_MODE_ON,
  PL_INTERNALS_MODE_TRIAL /* for tests: as `on`, but no build is known */
};

/* What cannot be understood is `auto`. */
enum pl_internals_mode pl_internals_asked(void);

/* Defines the facts `internals` and, where they are on, `internals.by`. `why_not` NULL: they are on. A mode that cannot
 * be fulfilled is said by the first of the ranks that are recorded. */
void pl_tell_internals(struct pl_thread* t, enum pl_internals_mode mode, int rank, const char* why_not, const char* by);

#endif
