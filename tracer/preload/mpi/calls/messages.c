/* Messages that a matched probe has taken out of the queue: what that probe had posted. */
#include "tracer/preload/mpi/mpi_side.h"

static struct pl_table posted_of, comm_of;

void pl_keep_message(MPI_Message message, uint64_t posted, uint32_t comm) {
  if (message == pl_constants.message_no_proc) return;
  pl_table_put(&posted_of, PL_HANDLE(message), posted);
  pl_table_put(&comm_of, PL_HANDLE(message), comm);
}

struct pl_matched_message pl_take_message(const MPI_Message* message) {
  uint64_t comm = 0;
  struct pl_matched_message matched = {pl_pair((uint32_t)PL_ANY_SOURCE, (uint32_t)PL_ANY_TAG), 0};
  if (message == NULL) return matched;
  if (*message == pl_constants.message_no_proc) {
    matched.posted = pl_pair((uint32_t)PL_PROC_NULL, (uint32_t)PL_ANY_TAG);
    matched.comm = PL_COMM_WORLD;
    return matched;
  }
  uint64_t handle = PL_HANDLE(*message);
  if (pl_table_get(&posted_of, handle, &matched.posted) && pl_table_get(&comm_of, handle, &comm))
    matched.comm = (uint32_t)comm;
  pl_table_remove(&posted_of, handle);
  pl_table_remove(&comm_of, handle);
  return matched;
}
