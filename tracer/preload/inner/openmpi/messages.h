/* Messages of Open MPI, as the hooks meet them: which ones are the library's own, and how they are recorded. Of
 * openmpi.c, and in a header so that the compiler sees the whole path of a message. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_MESSAGES_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_MESSAGES_H

#include "tracer/preload/inner/openmpi/hooks.h"

#if defined(PL_HAS_OPENMPI_INSIDE)

static uint32_t pl_ompi_job; /* this process's */

/* The program's own messages have tags from 0 on, and communicators that it has the handles of. */
PL_INLINE int is_inner(int tag, pl_ompi_comm* comm) {
  if (PL_UNLIKELY(!pl_inner_is_on()) && PL_LIKELY(!pl_on_trial)) return 0;
  return (tag < 0 && tag != MPI_ANY_TAG) || !pl_comm_is_known(comm);
}

/* Most of the program's own: on the communicator that its call has just been looked up for. */
PL_INLINE int is_plainly_the_programs(const struct pl_thread* t, int tag, pl_ompi_comm* comm) {
  return tag >= 0 && (comm == pl_constants.comm_world || pl_comm_is_latest(t, comm));
}

/* Processes that nothing has been sent to may still be names only (sentinels). */
PL_INLINE uint32_t world_rank_in(const pl_ompi_comm* comm, int rank) {
  const ompi_group_t* group = comm->c_remote_group;
  if ((unsigned)rank >= (unsigned)group->grp_proc_count || group->grp_proc_pointers == NULL) return (uint32_t)-1;
  ompi_proc_t* process = group->grp_proc_pointers[rank];
  opal_process_name_t name = PL_UNLIKELY(ompi_proc_is_sentinel(process))
                                 ? ompi_proc_sentinel_to_name((uintptr_t)process)
                                 : process->super.proc_name;
  return name.jobid == pl_ompi_job ? name.vpid : (uint32_t)-1;
}

PL_INLINE struct pl_described of_send(size_t count, pl_ompi_type* type, int to, int tag, mca_pml_base_send_mode_t mode,
                                      pl_ompi_comm* comm) {
  unsigned flags = mode == MCA_PML_BASE_SEND_SYNCHRONOUS ? PL_INNER_SYNCHRONOUS : 0;
  return (struct pl_described){pl_pair(world_rank_in(comm, to), (uint32_t)tag),
                               pl_inner_bytes(count * type->super.size, flags), comm, comm->c_contextid,
                               PL_F_inner_send};
}

PL_INLINE struct pl_described of_receive(size_t count, pl_ompi_type* type, int from, int tag, pl_ompi_comm* comm) {
  unsigned flags = (from == MPI_ANY_SOURCE ? PL_INNER_ANY_SOURCE : 0) | (tag == MPI_ANY_TAG ? PL_INNER_ANY_TAG : 0);
  uint32_t peer = from == MPI_ANY_SOURCE ? (uint32_t)-1 : world_rank_in(comm, from);
  return (struct pl_described){pl_pair(peer, (uint32_t)tag), pl_inner_bytes(count * type->super.size, flags), comm,
                               comm->c_contextid, PL_F_inner_receive};
}

PL_INLINE int begin_trial(struct pl_inner_message* m, const struct pl_described* d) {
  int number = pl_trial_begin(*d);
  m->record = NULL;
  m->place = PL_PLACE_OF_TRIAL;
  m->number = (uint32_t)number;
  m->function = d->function;
  m->peer_tag = d->peer_tag;
  m->bytes_flags = d->bytes_flags;
  return number >= 0;
}
PL_INLINE int begin(struct pl_inner_message* m, const struct pl_described* d) {
  m->own[PL_OWN_COMM] = d->comm;
  return PL_UNLIKELY(pl_on_trial) ? begin_trial(m, d)
                                  : pl_inner_begin(m, d->function, d->peer_tag, d->bytes_flags, d->context);
}

/* The fast path (inner.h): messages of collectives, and those of the communicator that was a unknown comm last. */
PL_INLINE int is_plainly_inner(const struct pl_thread* t, int tag, pl_ompi_comm* comm) {
  return pl_inner_is_plain(t) && ((tag < 0 && tag != MPI_ANY_TAG) || pl_comm_is_unknown(t, comm));
}
PL_INLINE int begin_plainly(struct pl_thread* t, struct pl_inner_message* m, uint64_t now,
                            const struct pl_described* d) {
  m->own[PL_OWN_COMM] = d->comm;
  return pl_inner_begin_plainly(t, m, now, d->function, d->peer_tag, d->bytes_flags, d->context);
}

/* ---- What becomes of a message */

PL_INLINE int has_failed(const ompi_status_public_t* status, int error) {
  return (error != MPI_SUCCESS) | (status->_cancelled != 0);
}

/* What has come: the first two words of a receive's record. */
struct outcome {
  uint64_t peer_tag, bytes_flags;
};
PL_INLINE struct outcome outcome_of(const struct pl_inner_message* m, const ompi_status_public_t* status) {
  unsigned flags = (unsigned)(m->bytes_flags >> 48);
  struct outcome outcome = {m->peer_tag, pl_inner_bytes(status->_ucount, flags)};
  if (flags & (PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG))
    outcome.peer_tag = pl_pair(world_rank_in(m->own[PL_OWN_COMM], status->MPI_SOURCE), (uint32_t)status->MPI_TAG);
  return outcome;
}

static PL_COLD void end_elsewhere(uint32_t number, uint64_t peer_tag, uint64_t bytes_flags) {
  if (pl_on_trial)
    pl_trial_end(number, peer_tag, bytes_flags);
  else
    pl_inner_record_end(number, peer_tag, bytes_flags);
}

/* `here`: its record can be written to. */
PL_INLINE void end_as_posted(const struct pl_inner_message* m, int here) {
  if (PL_LIKELY(here))
    pl_inner_write_end(&pl_self, m);
  else
    end_elsewhere(m->number, m->peer_tag, m->bytes_flags);
}
PL_INLINE void end_as(const struct pl_inner_message* m, int here, struct outcome outcome) {
  if (PL_LIKELY(here))
    pl_inner_write_other_end(&pl_self, m, outcome.peer_tag, outcome.bytes_flags);
  else
    end_elsewhere(m->number, outcome.peer_tag, outcome.bytes_flags);
}
PL_INLINE void end_failed(const struct pl_inner_message* m, int here) {
  end_as(m, here, (struct outcome){m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48});
}

PL_INLINE void end_by_status(const struct pl_inner_message* m, int here, const ompi_status_public_t* status,
                             int error) {
  if (PL_UNLIKELY(has_failed(status, error)))
    end_failed(m, here);
  else if (m->function == PL_F_inner_send)
    end_as_posted(m, here);
  else
    end_as(m, here, outcome_of(m, status));
}

/* Of a message that is complete before the call returns that has begun it; and of one that was kept. */
PL_INLINE int is_here(const struct pl_inner_message* m) { return pl_inner_is_here(&pl_self, m); }
PL_INLINE int is_within_reach(const struct pl_inner_message* m) { return pl_inner_is_within_reach(&pl_self, m); }

#endif
#endif
