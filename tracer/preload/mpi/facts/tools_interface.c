/* The tools interface of MPI. Its calls are not recorded, and neither is what the library does with files in them:
 * Open MPI opens all its components in the first MPI_T_init_thread. */
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"

#include <errno.h>
#include <stdint.h>
#include <string.h>

/* Every argument is a machine word, as in generate.py. */
typedef intptr_t pl_word;

static PL_COLD void* behind(const char* name) {
  int saved = errno;
  void* function = pl_mpi_symbol(name);
  errno = saved;
  return function;
}

#define PL_DECLARED_0 void
#define PL_PASSED_0
#define PL_DECLARED_1 pl_word a0
#define PL_PASSED_1 a0
#define PL_DECLARED_2 pl_word a0, pl_word a1
#define PL_PASSED_2 a0, a1
#define PL_DECLARED_3 pl_word a0, pl_word a1, pl_word a2
#define PL_PASSED_3 a0, a1, a2
#define PL_DECLARED_4 pl_word a0, pl_word a1, pl_word a2, pl_word a3
#define PL_PASSED_4 a0, a1, a2, a3
#define PL_DECLARED_5 pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4
#define PL_PASSED_5 a0, a1, a2, a3, a4
#define PL_DECLARED_6 pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5
#define PL_PASSED_6 a0, a1, a2, a3, a4, a5
#define PL_DECLARED_7 pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6
#define PL_PASSED_7 a0, a1, a2, a3, a4, a5, a6
#define PL_DECLARED_8 pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7
#define PL_PASSED_8 a0, a1, a2, a3, a4, a5, a6, a7
#define PL_DECLARED_9 \
  pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7, pl_word a8
#define PL_PASSED_9 a0, a1, a2, a3, a4, a5, a6, a7, a8
#define PL_DECLARED_10 \
  pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7, pl_word a8, pl_word a9
#define PL_PASSED_10 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9
#define PL_DECLARED_11                                                                                        \
  pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7, pl_word a8, \
      pl_word a9, pl_word a10
#define PL_PASSED_11 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10
#define PL_DECLARED_12                                                                                        \
  pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7, pl_word a8, \
      pl_word a9, pl_word a10, pl_word a11
#define PL_PASSED_12 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11
#define PL_DECLARED_13                                                                                        \
  pl_word a0, pl_word a1, pl_word a2, pl_word a3, pl_word a4, pl_word a5, pl_word a6, pl_word a7, pl_word a8, \
      pl_word a9, pl_word a10, pl_word a11, pl_word a12
#define PL_PASSED_13 a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11, a12

/* A library that lacks one answers MPI_T_ERR_INVALID. */
#define PL_QUIET(name, n)                                                     \
  PL_EXPORT pl_word pl_quiet_##name(PL_DECLARED_##n) __asm__("MPI_T_" #name); \
  pl_word pl_quiet_##name(PL_DECLARED_##n) {                                  \
    static pl_word (*real)(PL_DECLARED_##n);                                  \
    if (real == NULL) {                                                       \
      void* function = behind("MPI_T_" #name);                                \
      if (function == NULL) return MPI_T_ERR_INVALID;                         \
      memcpy((void*)&real, &function, sizeof function);                       \
    }                                                                         \
    struct pl_thread* t = pl.recording ? pl_enter() : NULL;                   \
    pl_word result = real(PL_PASSED_##n);                                     \
    if (t != NULL) pl_end_call(t);                                            \
    return result;                                                            \
  }

PL_QUIET(category_changed, 1)
PL_QUIET(category_get_categories, 3)
PL_QUIET(category_get_cvars, 3)
PL_QUIET(category_get_index, 2)
PL_QUIET(category_get_info, 8)
PL_QUIET(category_get_num, 1)
PL_QUIET(category_get_pvars, 3)
PL_QUIET(cvar_get_index, 2)
PL_QUIET(cvar_get_info, 10)
PL_QUIET(cvar_get_num, 1)
PL_QUIET(cvar_handle_alloc, 4)
PL_QUIET(cvar_handle_free, 1)
PL_QUIET(cvar_read, 2)
PL_QUIET(cvar_write, 2)
PL_QUIET(enum_get_info, 4)
PL_QUIET(enum_get_item, 5)
PL_QUIET(finalize, 0)
PL_QUIET(init_thread, 2)
PL_QUIET(pvar_get_index, 3)
PL_QUIET(pvar_get_info, 13)
PL_QUIET(pvar_get_num, 1)
PL_QUIET(pvar_handle_alloc, 5)
PL_QUIET(pvar_handle_free, 2)
PL_QUIET(pvar_read, 3)
PL_QUIET(pvar_readreset, 3)
PL_QUIET(pvar_reset, 2)
PL_QUIET(pvar_session_create, 1)
PL_QUIET(pvar_session_free, 1)
PL_QUIET(pvar_start, 2)
PL_QUIET(pvar_stop, 2)
PL_QUIET(pvar_write, 3)
#if MPI_VERSION >= 4
PL_QUIET(category_get_events, 3)
PL_QUIET(category_get_num_events, 2)
PL_QUIET(event_callback_get_info, 3)
PL_QUIET(event_callback_set_info, 3)
PL_QUIET(event_copy, 2)
PL_QUIET(event_get_index, 2)
PL_QUIET(event_get_info, 12)
PL_QUIET(event_get_num, 1)
PL_QUIET(event_get_source, 2)
PL_QUIET(event_get_timestamp, 2)
PL_QUIET(event_handle_alloc, 4)
PL_QUIET(event_handle_free, 3)
PL_QUIET(event_handle_get_info, 2)
PL_QUIET(event_handle_set_info, 2)
PL_QUIET(event_read, 3)
PL_QUIET(event_register_callback, 5)
PL_QUIET(event_set_dropped_handler, 2)
PL_QUIET(source_get_info, 9)
PL_QUIET(source_get_num, 1)
PL_QUIET(source_get_timestamp, 2)
#endif
