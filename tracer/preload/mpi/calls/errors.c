/* Calls of MPI that did not return MPI_SUCCESS: the class of the error, in numbers that do not depend on the library.
 */
#include <errno.h>

#include "tracer/preload/mpi/mpi_side.h"

static const struct known {
  int mpi;
  enum pl_error ours;
} known[] = {
/* clang-format off */
#define PL_KNOWN(name) {MPI_ERR_##name, PL_ERROR_##name},
    PL_ERRORS_OF_MPI_3(PL_KNOWN)
#if defined(MPI_ERR_SESSION)
    PL_KNOWN(SESSION)
#endif
#if defined(MPI_ERR_VALUE_TOO_LARGE)
    PL_KNOWN(VALUE_TOO_LARGE)
#endif
#if defined(MPI_ERR_ERRHANDLER)
    PL_KNOWN(ERRHANDLER)
#endif
#if defined(MPI_ERR_PROC_ABORTED)
    PL_KNOWN(PROC_ABORTED)
#endif
#if defined(MPIX_ERR_PROC_FAILED)
    {MPIX_ERR_PROC_FAILED, PL_ERROR_PROC_FAILED},
    {MPIX_ERR_PROC_FAILED_PENDING, PL_ERROR_PROC_FAILED_PENDING},
    {MPIX_ERR_REVOKED, PL_ERROR_REVOKED},
#endif
    /* clang-format on */
};

/* Of a code that is none of the library's, which a callback of the program may have returned, Open MPI's
 * MPI_Error_class would call an error handler. Codes of MPICH are any numbers, and all are taken. */
static int is_code(int result) {
#if defined(OPEN_MPI)
  int *last = NULL, found = 0;
  if (pl_mpi.Comm_get_attr(pl_constants.comm_world, MPI_LASTUSEDCODE, &last, &found) != MPI_SUCCESS || !found) return 0;
  return result > 0 && result <= *last;
#else
  return result != MPI_SUCCESS;
#endif
}

uint32_t pl_error_class(int result) {
  int mpi_class = 0;
  if (result == MPI_SUCCESS) return PL_ERROR_NONE;
  if (!is_code(result) || pl_mpi.Error_class(result, &mpi_class) != MPI_SUCCESS) return PL_ERROR_OF_PROGRAM;
  for (size_t i = 0; i < sizeof known / sizeof known[0]; ++i)
    if (known[i].mpi == mpi_class) return known[i].ours;
  return PL_ERROR_OF_PROGRAM;
}

PL_COLD int pl_is_truncated(int result) { return result != MPI_SUCCESS && pl_error_class(result) == PL_ERROR_TRUNCATE; }

PL_COLD void pl_note_error(struct pl_record* r, struct pl_call* call, int result) {
  int saved = errno;
  uint32_t class = pl_error_class(result);
  if (call != NULL) call->site |= class << (PL_ERROR_SHIFT - 2);
  r->site_state |= class << PL_ERROR_SHIFT;
  errno = saved;
}
