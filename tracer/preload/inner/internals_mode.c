#include "tracer/preload/inner/internals_mode.h"

#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/limits.h"
#include "tracer/preload/core/system.h"

enum pl_internals_mode pl_internals_asked(void) {
  const char* text = getenv("PLUMBLINE_INTERNALS");
  if (text != NULL && strcmp(text, "off") == 0) return PL_INTERNALS_MODE_OFF;
  if (text != NULL && strcmp(text, "trial") == 0) return PL_INTERNALS_MODE_TRIAL;
  return text != NULL && strcmp(text, "on") == 0 ? PL_INTERNALS_MODE_ON : PL_INTERNALS_MODE_AUTO;
}

static int is_first(int rank) {
  for (int i = 0; i < rank; ++i)
    if (pl_rank_is_wanted(i)) return 0;
  return 1;
}

void pl_tell_internals(struct pl_thread* t, enum pl_internals_mode mode, int rank, const char* why_not,
                       const char* by) {
  pl_define_meta(t, "internals", why_not == NULL ? "on" : why_not);
  if (why_not == NULL) {
    pl_define_meta(t, "internals.by", by);
  } else if (mode >= PL_INTERNALS_MODE_ON && is_first(rank)) {
    char line[512], *limit = line + sizeof line;
    char* at = pl_put_text(pl_put_text(line, limit, "plumbline: not seen inside of MPI calls: "), limit, why_not);
    at = pl_put_text(at, limit, "; everything else is recorded\n");
    pl_sys_write(2, line, (size_t)(at - line));
  }
}
