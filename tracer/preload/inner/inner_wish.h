/* Whether the user wants to see inside of calls (PLUMBLINE_INTERNALS), and what becomes of it. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_WISH_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_WISH_H

#include "tracer/preload/core/preload.h"

enum pl_wish { PL_WISH_OFF, PL_WISH_AUTO, PL_WISH_ON, PL_WISH_TRIAL /* for tests: as `on`, but no build is known */ };

/* What cannot be understood is `auto`. */
enum pl_wish pl_wish_for_internals(void);

/* Defines the facts `internals` and, where they are on, `internals.by`. `why_not` NULL: they are on. A wish that cannot
 * be fulfilled is said by the first of the ranks that are recorded. */
void pl_tell_internals(struct pl_thread* t, enum pl_wish wish, int rank, const char* why_not, const char* by);

#endif
