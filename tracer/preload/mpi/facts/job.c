/* Which job a process belongs to, by what its launcher left in the environment. */
#include <stdlib.h>

#include "tracer/preload/core/preload.h"
#include "tracer/preload/core/system.h"

/* PMIX_NAMESPACE is another one for each job, spawned ones too (Open MPI's mpirun, Slurm's pmix). PMI_JOBID is Slurm's
 * name of the job step (its pmi2). Hydra has neither, there only the spawned ones are told apart. */
void pl_name_job(char* to, size_t bytes, int spawned) {
  const char* name = getenv("PMIX_NAMESPACE");
  if (name == NULL) name = getenv("PMI_JOBID");
  char* end = pl_put_text(to, to + bytes, name == NULL ? "" : name);
  if (spawned) pl_put_text(end, to + bytes, " spawned");
}
