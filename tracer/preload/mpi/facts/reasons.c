/* Why nothing is recorded of a process: a note beside the spools, "NAME: what was seen", for `record` to tell when no
 * rank was recorded. The digit in the note's name says how much it explains; the larger the more. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/mpi/facts/reasons.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/lookup.h"

void pl_note_reason(enum pl_reason rank, const char* program, const char* what) {
  char path[4096], text[4600], host[256] = "", *limit = path + sizeof path, *text_limit = text + sizeof text;
  const char* directory = getenv("PLUMBLINE_SPOOL");
  if (directory == NULL || directory[0] == '\0' || strlen(directory) > sizeof path - 512) return;
  gethostname(host, sizeof host - 1);
  char* at = pl_put_text(pl_put_text(pl_put_text(path, limit, directory), limit, "/"), limit, host);
  /* Scripts may start thousands of tools: one note of all that have no MPI, the latest, which is the script's. */
  const int is_tool = rank == PL_REASON_NO_MPI;
  if (!is_tool) at = pl_put_number(pl_put_text(at, limit, "."), limit, getpid());
  pl_put_text(pl_put_number(pl_put_text(at, limit, "."), limit, rank), limit, PL_REASON_SUFFIX);
  long fd = pl_sys_open(path, O_WRONLY | O_CREAT | (is_tool ? O_TRUNC : O_EXCL), 0666);
  if (fd < 0) return;
  at = pl_put_text(pl_put_text(text, text_limit, program), text_limit, ": ");
  at = pl_put_text(pl_put_text(at, text_limit, what), text_limit, "\n");
  pl_sys_write((int)fd, text, (size_t)(at - text));
  pl_sys_close((int)fd);
}

static int is_initialised(void) {
  int (*ask)(int*) = NULL, flag = 0;
  void* function = pl_mpi_symbol("PMPI_Initialized");
  if (function == NULL) return -1;
  memcpy((void*)&ask, &function, sizeof function);
  return ask(&flag) == MPI_SUCCESS && flag;
}

static enum pl_reason look(const char** what) {
  const int initialised = is_initialised();
  if (initialised > 0) {
    *what = "has called MPI_Init past the tracer: a private copy of the library, or one opened with RTLD_DEEPBIND";
    return PL_REASON_PAST_US;
  }
  if (initialised == 0) {
    *what = "uses an MPI library, but has not called MPI_Init";
    return PL_REASON_NO_INIT;
  }
  *what = "uses no shared MPI library; one that is linked statically cannot be traced";
  return PL_REASON_NO_MPI;
}

/* Neither of a child that was forked, nor of a program that was recorded. */
__attribute__((destructor)) static void at_unload(void) {
  char program[2048];
  const char* what = "";
  if (!pl.enabled || pl.header != NULL) return;
  long n = pl_sys_readlink("/proc/self/exe", program, sizeof program - 1);
  if (n <= 0) return;
  program[n] = '\0';
  enum pl_reason rank = look(&what);
  pl_note_reason(rank, program, what);
}
