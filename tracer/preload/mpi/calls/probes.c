/* Probes that do not wait, and other questions that are asked again and again: polls (polls.h). */
#include "tracer/preload/mpi/calls/packed.h"
#include "tracer/preload/mpi/calls/polls.h"
#include "tracer/preload/mpi/calls/rma.h"

struct probing {
  struct pl_poll poll;
  uint64_t asked; /* source | tag */
  uint32_t comm;
};

static inline void begin_probe(struct pl_thread* t, struct probing* p, uint16_t function, uint32_t comm, int source,
                               int tag, void* address) {
  p->asked = pl_pair(pl_peer(source), pl_tag(tag));
  p->comm = comm;
  if (pl_begin_poll(t, &p->poll, function, pl_mix(pl_mix(function, comm), p->asked), 3, address)) return;
  struct pl_call call = pl_prepare(t, function, 3, address);
  pl_begin_meeting(&call, p->asked, 0, comm);
  pl_begin_own_poll(t, &p->poll, &call);
}

/* What it has found, in one number; 0: nothing. A matched one takes the message away. */
static inline uint64_t found_message(int result, int found, const MPI_Status* status) {
  if (result != MPI_SUCCESS) return 1;
  if (!found) return 0;
  return pl_mix(pl_mix((uint32_t)status->MPI_SOURCE, (uint32_t)status->MPI_TAG), pl_status_bytes(status)) | 1;
}

static inline void end_probe(struct pl_thread* t, struct probing* p, int result, int found, const MPI_Status* status,
                             int takes) {
  struct pl_poll* poll = &p->poll;
  const uint64_t answer = found_message(result, found, status);
  const unsigned question = pl_question(&t->loop, poll->key);
  const int nothing_new = (answer == 0 || !takes) && pl_tells_nothing_new(t, poll, question, answer);
  const int is_listed = poll->extends && (!nothing_new || pl_is_to_be_listed(&t->loop, poll, question, answer, 3));
  if (is_listed) pl_write_meeting(poll->payload, p->asked, 0, p->comm);
  if (is_listed || !poll->extends) pl_write_found(poll->payload, result == MPI_SUCCESS && found, status);
  if (poll->extends)
    pl_end_extending(t, poll, is_listed ? 3 : PL_NO_ITEM, PL_PACKED, nothing_new ? PL_BEGUN : PL_DONE);
  else
    pl_done(&poll->call);
  if (!nothing_new)
    pl_end_with_news(t, poll, takes ? 0 : answer);
  else if (!poll->extends)
    pl_end_first(t, poll, answer);
  pl_end_poll(t);
}

int pl_wrap_Iprobe(int source, int tag, MPI_Comm comm, int* flag, MPI_Status* status) {
  struct probing p;
  MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Iprobe)(source, tag, comm, flag, status);
  uint32_t id = pl_comm_of(t, comm)->id;
  begin_probe(t, &p, PL_F_MPI_Iprobe, id, source, tag, __builtin_return_address(0));
  int result = pl_mpi.Iprobe(source, tag, comm, flag, used);
  pl_stamp(t, &p.poll.call);
  pl_note_result(&p.poll.call, result);
  end_probe(t, &p, result, result == MPI_SUCCESS && *flag, used, 0);
  return result;
}

int pl_wrap_Improbe(int source, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status* status) {
  struct probing p;
  MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Improbe)(source, tag, comm, flag, message, status);
  uint32_t id = pl_comm_of(t, comm)->id;
  begin_probe(t, &p, PL_F_MPI_Improbe, id, source, tag, __builtin_return_address(0));
  int result = pl_mpi.Improbe(source, tag, comm, flag, message, used);
  pl_stamp(t, &p.poll.call);
  pl_note_result(&p.poll.call, result);
  if (result == MPI_SUCCESS && *flag) pl_keep_message(*message, p.asked, id);
  end_probe(t, &p, result, result == MPI_SUCCESS && *flag, used, 1);
  return result;
}

/* ---- What is over or not: the words of the call are written when it is asked for the first time, and when it is. */

static void end_question(struct pl_thread* t, struct pl_poll* p, const uint64_t* words, unsigned n, int answer) {
  const unsigned question = pl_question(&t->loop, p->key);
  const int nothing_new = pl_tells_nothing_new(t, p, question, (uint64_t)answer);
  const int is_listed =
      p->extends && (!nothing_new || pl_is_to_be_listed(&t->loop, p, question, (uint64_t)answer, n + 1));
  for (unsigned i = 0; (is_listed || !p->extends) && i < n; ++i) p->payload[i] = words[i];
  if (p->extends)
    pl_end_extending(t, p, is_listed ? n : PL_NO_ITEM, 0, nothing_new ? PL_BEGUN : PL_DONE);
  else
    pl_done(&p->call);
  if (!nothing_new)
    pl_end_with_news(t, p, (uint64_t)answer);
  else if (!p->extends)
    pl_end_first(t, p, (uint64_t)answer);
  pl_end_poll(t);
}

/* The end of an exposure (MPI_Win_post). */
int pl_wrap_Win_test(MPI_Win win, int* flag) {
  struct pl_poll p;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Win_test)(win, flag);
  uint32_t id = pl_win_id(win);
  void* address = __builtin_return_address(0);
  if (!pl_begin_poll(t, &p, PL_F_MPI_Win_test, pl_mix(PL_F_MPI_Win_test, id), 2, address)) {
    struct pl_call call = pl_prepare(t, PL_F_MPI_Win_test, 2, address);
    call.r->payload[0] = pl_pair(id, 0);
    call.r->payload[1] = 0;
    pl_begin_own_poll(t, &p, &call);
  }
  int result = pl_mpi.Win_test(win, flag);
  pl_stamp(t, &p.call);
  pl_note_result(&p.call, result);
  int over = result == MPI_SUCCESS && *flag;
  const uint64_t words[2] = {pl_pair(id, 0), pl_pair((uint32_t)over, 0)};
  end_question(t, &p, words, 2, result != MPI_SUCCESS || over);
  return result;
}

#if MPI_VERSION >= 4
/* A partition of a partitioned receive; its record is only timed. */
int pl_wrap_Parrived(MPI_Request request, int partition, int* flag) {
  struct pl_poll p;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Parrived)(request, partition, flag);
  void* address = __builtin_return_address(0);
  uint64_t key = pl_mix(pl_mix(PL_F_MPI_Parrived, PL_HANDLE(request)), (uint32_t)partition);
  if (!pl_begin_poll(t, &p, PL_F_MPI_Parrived, key, 0, address)) {
    struct pl_call call = pl_prepare(t, PL_F_MPI_Parrived, 0, address);
    pl_begin_own_poll(t, &p, &call);
  }
  int result = pl_mpi.Parrived(request, partition, flag);
  pl_stamp(t, &p.call);
  pl_note_result(&p.call, result);
  end_question(t, &p, NULL, 0, result != MPI_SUCCESS || *flag);
  return result;
}
#endif
