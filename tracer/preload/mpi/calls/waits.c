/* Waits, and tests, which are polls (polls.h). */
#include <string.h>

#include "tracer/preload/mpi/calls/packed.h"
#include "tracer/preload/mpi/calls/polls.h"

enum { kOnStack = 64, kMostListed = 20000 };

/* What a call does to its requests. Those that it may complete leave the table before it: afterwards another thread's
 * request may have got the handle. Tests, which mostly fail, need not go to that length while threads take turns. */
enum touch { PL_WAITS, PL_TESTS, PL_LEAVES };

struct waiting {
  struct pl_call call;
  unsigned n, listed;       /* requests; those among them that the record has room for */
  uint64_t* handles;        /* as they were before the call; 0: MPI_REQUEST_NULL */
  pl_request* request;      /* 0: none, unknown, or completed by now */
  struct pl_posted* posted; /* of those that were taken */
  MPI_Status* statuses;     /* the program's, or ours */
  int ignored;              /* the program wants no statuses */
  uint64_t* payload;        /* of the record, or of the test in that of a run */
  uint32_t* value;          /* where the next one goes, behind the marks */
  struct pl_poll poll;      /* of a test */
  int taken;                /* the requests are out of the table */
  uint64_t own_handles[kOnStack];
  pl_request own_requests[kOnStack];
  struct pl_posted own_posted[kOnStack];
  MPI_Status own_statuses[kOnStack];
};

/* The payload is in the packed shape (end of format.h): a word, then numbers of 32 bits, of these at first room for all
 * that the call may tell. What it has not told is given back. */
static inline uint32_t* ids_of(const struct waiting* w) { return (uint32_t*)(void*)(w->payload + 1); }
static inline uint32_t* marks_of(const struct waiting* w) { return ids_of(w) + w->listed; }
static inline uint32_t* values_of(const struct waiting* w) { return marks_of(w) + (w->listed + 7) / 8; }
static inline unsigned words_for(unsigned n) { return 1 + (n + (n + 7) / 8 + 4 * n + 1) / 2; }

/* Notes the handles. Statuses of our own where the program ignores them. */
static inline int list_handles(struct pl_thread* t, struct waiting* w, int count, const MPI_Request* requests,
                               MPI_Status* statuses, int ignored) {
  w->n = w->listed = count <= 0 || requests == NULL ? 0 : (unsigned)count;
  w->handles = w->own_handles;
  w->request = w->own_requests;
  w->posted = w->own_posted;
  w->statuses = ignored ? w->own_statuses : statuses;
  w->ignored = ignored;
  if (PL_UNLIKELY(w->n > kOnStack)) {
    size_t posted = w->n * sizeof(struct pl_posted), words = w->n * sizeof(uint64_t);
    char* buffer = pl_thread_buffer(t, posted + 2 * words + w->n * sizeof(MPI_Status));
    if (buffer == NULL) return 0;
    w->posted = (struct pl_posted*)(void*)buffer;
    w->handles = (uint64_t*)(void*)(buffer + posted);
    w->request = (pl_request*)(void*)(buffer + posted + words);
    if (ignored) w->statuses = (MPI_Status*)(void*)(buffer + posted + 2 * words);
    if (w->n > kMostListed) {
      pl_lose(1);
      w->listed = kMostListed;
    }
  }
  for (unsigned i = 0; i < w->n; ++i)
    w->handles[i] = requests[i] == pl_constants.request_null ? 0 : PL_HANDLE(requests[i]);
  return 1;
}

/* Of a test: the same requests. Where handles may have come to others meanwhile they were looked up, and taken. */
static inline uint64_t key_of(const struct waiting* w, uint16_t function) {
  uint64_t key = pl_mix(function, w->n);
  for (unsigned i = 0; i < w->n; ++i) key = pl_mix(key, w->handles[i]);
  for (unsigned i = 0; w->taken && i < w->n; ++i) key = pl_mix(key, pl_id_of_request(w->request[i]));
  return key;
}

static inline void take_requests(struct pl_thread* t, struct waiting* w, enum touch touch) {
  w->taken = touch == PL_WAITS || (touch == PL_TESTS && pl.multithreaded);
  if (w->taken) pl_requests_take(w->handles, w->n, t->number, w->request, w->posted);
}

static inline void list_requests(struct waiting* w) {
  w->payload[0] = pl_pair(w->listed, 0);
  for (unsigned i = 0; i < w->listed; ++i) ids_of(w)[i] = pl_id_of_request(w->request[i]);
}

/* A test that extends a run looks its requests up when it has something to tell of them. Nothing has been posted since
 * it began, or they were taken. */
static inline void list_late(struct waiting* w) {
  if (!w->poll.extends) return;
  if (!w->taken) pl_requests_find(w->handles, w->n, w->request);
  list_requests(w);
}

/* Statuses that nobody is going to look at are not asked for. */
static inline void ask_for_statuses(struct waiting* w) {
  if (!w->ignored || !w->taken || pl.cancel_used) return;
  for (unsigned i = 0; i < w->n; ++i)
    if (pl_has_status(w->request[i])) return;
  w->statuses = MPI_STATUSES_IGNORE;
}

static inline void begin_record(struct pl_thread* t, struct waiting* w, uint16_t function, void* address) {
  if (!w->taken) pl_requests_find(w->handles, w->n, w->request);
  w->call = pl_prepare(t, function, words_for(w->listed), address);
  w->payload = w->call.r->payload;
  list_requests(w);
  memset(marks_of(w), 0, (w->listed + 7) / 8 * sizeof(uint32_t));
  pl_pack(&w->call);
}

PL_INLINE void begin_wait(struct pl_thread* t, struct waiting* w, uint16_t function, enum touch touch, void* address) {
  w->poll.extends = 0;
  take_requests(t, w, touch);
  ask_for_statuses(w);
  begin_record(t, w, function, address);
  pl_begin_call(t, &w->call);
  w->payload = w->call.r->payload; /* it may have moved */
}

PL_INLINE void begin_test(struct pl_thread* t, struct waiting* w, uint16_t function, void* address) {
  take_requests(t, w, PL_TESTS);
  ask_for_statuses(w);
  if (pl_begin_poll(t, &w->poll, function, key_of(w, function), words_for(w->listed), address)) {
    w->call = w->poll.call;
    w->payload = w->poll.payload;
    return;
  }
  begin_record(t, w, function, address);
  pl_begin_own_poll(t, &w->poll, &w->call);
  w->payload = w->call.r->payload;
}

static inline enum pl_request_kind forget(struct waiting* w, unsigned i, struct pl_posted* posted) {
  pl_request request = w->request[i];
  w->request[i] = 0;
  *posted = pl_posted_unknown;
  if (!w->taken) return pl_request_remove(w->handles[i], pl_id_of_request(request), posted);
  if (request != 0) *posted = w->posted[i];
  return pl_kind_of_request(request);
}

static inline uint32_t was_cancelled(enum pl_request_kind kind, const MPI_Status* status) {
  int cancelled = 0;
  if (PL_LIKELY(!pl.cancel_used) || kind == PL_REQUEST_UNKNOWN) return 0;
  return pl_mpi.Test_cancelled(status, &cancelled) == MPI_SUCCESS && cancelled;
}

/* The mark of a completed receive or file access; writes what is not as posted. */
static inline uint32_t tell_message(struct waiting* w, enum pl_request_kind kind, const struct pl_posted* posted,
                                    const MPI_Status* status) {
  uint32_t mark = PL_MARK_MESSAGE;
  uint64_t bytes = pl_status_bytes(status);
  if (kind == PL_REQUEST_RECV) {
    uint64_t peer = pl_matched(MPI_SUCCESS, status);
    if (peer != posted->peer) {
      mark |= PL_MARK_PEER;
      *w->value++ = (uint32_t)peer;
      *w->value++ = (uint32_t)(peer >> 32);
    }
  }
  if (bytes != posted->bytes) {
    mark |= PL_MARK_BYTES;
    *w->value++ = (uint32_t)bytes;
    *w->value++ = (uint32_t)(bytes >> 32);
  }
  return mark;
}

/* The mark of a completed request. */
static inline uint32_t mark_of(struct waiting* w, enum pl_request_kind kind, const struct pl_posted* posted,
                               const MPI_Status* status) {
  if (was_cancelled(kind, status)) return PL_MARK_CANCELLED;
  if (kind == PL_REQUEST_RECV || kind == PL_REQUEST_FILE) return tell_message(w, kind, posted, status);
  return PL_MARK_SEND;
}

/* The i-th request of the call is complete; its place in the record is the k-th. In turn by k. `error`: with which it
 * has ended. */
static inline void complete(struct waiting* w, unsigned i, unsigned k, const MPI_Status* status, int error) {
  struct pl_posted posted;
  enum pl_request_kind kind = forget(w, i, &posted);
  if (k >= w->listed) return;
  uint32_t mark = PL_MARK_CANCELLED;
  if (PL_LIKELY(error == MPI_SUCCESS) || kind != PL_REQUEST_RECV || pl_is_truncated(error))
    mark = mark_of(w, kind, &posted, status);
  marks_of(w)[k / 8] |= mark << k % 8 * 4;
}

/* The error of a request that a failed call has completed: its status tells it where the call says so, if anybody has
 * asked for statuses; else it is the call's, if that is about this request. */
static PL_COLD int error_of(const struct waiting* w, int result, int is_about_it, const MPI_Status* status) {
  if (pl_error_class(result) != PL_ERROR_IN_STATUS) return is_about_it ? result : MPI_SUCCESS;
  return w->statuses == MPI_STATUSES_IGNORE ? MPI_SUCCESS : status->MPI_ERROR;
}

/* In a call with an error a request has ended if the library has let it go, or, since persistent ones are kept, if its
 * status says so. */
static PL_COLD int has_ended(const struct waiting* w, int result, MPI_Request request, const MPI_Status* status) {
  if (request == pl_constants.request_null) return 1;
  if (pl_error_class(result) != PL_ERROR_IN_STATUS) return w->n == 1 && pl_is_truncated(result);
  return w->statuses != MPI_STATUSES_IGNORE && pl_error_class(status->MPI_ERROR) != PL_ERROR_PENDING;
}

/* After a call that completes all or nothing, unless it fails. Nothing is of what was not under way: MPI_REQUEST_NULL,
 * and persistent requests that have not been started. */
static inline unsigned complete_all(struct waiting* w, int result, const MPI_Request* requests) {
  unsigned completed = 0;
  list_late(w);
  w->value = values_of(w);
  for (unsigned i = 0; i < w->n; ++i) {
    if (w->handles[i] == 0 || w->request[i] == 0) continue;
    int error = MPI_SUCCESS;
    if (PL_UNLIKELY(result != MPI_SUCCESS)) {
      if (!has_ended(w, result, requests[i], &w->statuses[i])) continue;
      error = error_of(w, result, w->n == 1, &w->statuses[i]);
    }
    complete(w, i, i, &w->statuses[i], error);
    if (i < w->listed) ++completed;
  }
  return completed;
}

/* Lists n requests, whose ids are still to come, instead of those that the call was given. */
static inline void list_only(struct waiting* w, unsigned n) {
  memset(ids_of(w), 0, w->listed * sizeof(uint32_t)); /* nothing was written behind them */
  w->payload[0] = pl_pair(n, 0);
  w->listed = n;
}

/* After a call that tells which ones: statuses are in the order of the indices. Only those are listed, so that a
 * program that takes its thousand requests one by one does not leave a thousand lists of them. */
static inline unsigned complete_some(struct waiting* w, int result, int count, const int* indices,
                                     const MPI_Status* statuses) {
  unsigned n = 0, k = 0;
  for (int i = 0; i < count; ++i) n += indices[i] >= 0 && (unsigned)indices[i] < w->n;
  if (n == 0) return 0;
  list_late(w);
  list_only(w, n < w->listed ? n : w->listed);
  w->value = values_of(w);
  for (int i = 0; i < count; ++i) {
    if (indices[i] < 0 || (unsigned)indices[i] >= w->n) continue;
    if (k < w->listed) ids_of(w)[k] = pl_id_of_request(w->request[indices[i]]);
    int error = PL_LIKELY(result == MPI_SUCCESS) ? MPI_SUCCESS : error_of(w, result, 1, &statuses[i]);
    complete(w, (unsigned)indices[i], k++, &statuses[i], error);
  }
  return n < w->listed ? n : w->listed;
}

static inline unsigned words_written(const struct waiting* w, unsigned completed) {
  const uint32_t* last = completed == 0 ? values_of(w) : w->value;
  return 1 + (unsigned)(last - ids_of(w) + 1) / 2;
}

/* What lies behind the last value is free again, if nothing was recorded there inside of the call. */
static inline void give_back(struct pl_thread* t, struct waiting* w, unsigned completed) {
  if (!pl_is_last(t, &w->call)) return;
  w->call.words = (uint16_t)words_written(w, completed);
  t->cursor = w->payload + w->call.words;
}

static inline void end_record(struct pl_thread* t, struct waiting* w, unsigned completed) {
  give_back(t, w, completed);
  pl_done(&w->call);
}

static inline void end_wait(struct pl_thread* t, struct waiting* w, unsigned completed) {
  end_record(t, w, completed);
  if (w->taken) pl_requests_put_back(w->handles, w->n, w->request, w->posted);
  pl_end_call(t);
}

/* A test in a run that has told nothing: it leaves nothing behind, or what it was about. `looked`: it has listed that
 * already. */
static inline void end_failed_test(struct pl_thread* t, struct waiting* w, unsigned question, int looked) {
  const unsigned words = PL_FAILED_WAIT_WORDS(w->listed);
  if (pl_is_to_be_listed(&t->loop, &w->poll, question, 0, words)) {
    list_late(w);
    return pl_end_extending(t, &w->poll, words, PL_PACKED, PL_BEGUN);
  }
  if (looked) memset(w->payload, 0, words * sizeof(uint64_t));
  pl_end_extending(t, &w->poll, PL_NO_ITEM, 0, PL_BEGUN);
}

/* `answer`: 0: nothing was learnt. */
static inline void end_test(struct pl_thread* t, struct waiting* w, unsigned completed, uint64_t answer, int looked) {
  const unsigned question = pl_question(&t->loop, w->poll.key);
  const int nothing_new = pl_tells_nothing_new(t, &w->poll, question, answer);
  if (!w->poll.extends) {
    end_record(t, w, completed);
    w->poll.call = w->call;
    if (nothing_new) pl_end_first(t, &w->poll, answer);
  } else if (nothing_new) {
    end_failed_test(t, w, question, looked);
  } else {
    if (!looked) list_late(w);
    pl_end_extending(t, &w->poll, words_written(w, completed), PL_PACKED, PL_DONE);
  }
  if (!nothing_new) pl_end_with_news(t, &w->poll, answer);
  if (w->taken) pl_requests_put_back(w->handles, w->n, w->request, w->posted);
  pl_end_poll(t);
}

/* Of a test that has completed so many requests, or failed. */
static inline uint64_t answer_of(int result, unsigned completed) { return result != MPI_SUCCESS || completed != 0; }

int pl_wrap_Wait(MPI_Request* request, MPI_Status* status) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Wait)(request, status);
  list_handles(t, &w, 1, request, status, status == MPI_STATUS_IGNORE);
  begin_wait(t, &w, PL_F_MPI_Wait, PL_WAITS, __builtin_return_address(0));
  int result = pl_mpi.Wait(request, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  unsigned completed = w.n == 0 ? 0 : complete_all(&w, result, request);
  end_wait(t, &w, completed);
  return result;
}

int pl_wrap_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Waitall)(count, requests, statuses);
  if (!list_handles(t, &w, count, requests, statuses, statuses == MPI_STATUSES_IGNORE)) {
    pl_leave(t);
    return pl_mpi.Waitall(count, requests, statuses);
  }
  begin_wait(t, &w, PL_F_MPI_Waitall, PL_WAITS, __builtin_return_address(0));
  int result = pl_mpi.Waitall(count, requests, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  end_wait(t, &w, complete_all(&w, result, requests));
  return result;
}

/* A call on any request has failed: whether that was one of them, which has ended so, and not the call itself. */
static PL_COLD int one_has_failed(const struct waiting* w, int result, int index, const MPI_Request* requests) {
  if (index < 0 || (unsigned)index >= w->n || w->handles[index] == 0) return 0;
  return requests[index] == pl_constants.request_null || pl_is_truncated(result);
}

int pl_wrap_Waitany(int count, MPI_Request requests[], int* index, MPI_Status* status) {
  struct waiting w;
  MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Waitany)(count, requests, index, status);
  if (!list_handles(t, &w, count, requests, NULL, 0)) {
    pl_leave(t);
    return pl_mpi.Waitany(count, requests, index, status);
  }
  begin_wait(t, &w, PL_F_MPI_Waitany, PL_WAITS, __builtin_return_address(0));
  int result = pl_mpi.Waitany(count, requests, index, used);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  int one = result == MPI_SUCCESS ? *index != MPI_UNDEFINED : one_has_failed(&w, result, *index, requests);
  end_wait(t, &w, complete_some(&w, result, one, index, used));
  return result;
}

static inline int outcount_of(int result, const int* outcount) {
  if (PL_UNLIKELY(result != MPI_SUCCESS) && pl_error_class(result) != PL_ERROR_IN_STATUS) return 0;
  return *outcount == MPI_UNDEFINED ? 0 : *outcount;
}

int pl_wrap_Waitsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Waitsome)(count, requests, outcount, indices, statuses);
  if (!list_handles(t, &w, count, requests, statuses, statuses == MPI_STATUSES_IGNORE)) {
    pl_leave(t);
    return pl_mpi.Waitsome(count, requests, outcount, indices, statuses);
  }
  begin_wait(t, &w, PL_F_MPI_Waitsome, PL_WAITS, __builtin_return_address(0));
  int result = pl_mpi.Waitsome(count, requests, outcount, indices, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  end_wait(t, &w, complete_some(&w, result, outcount_of(result, outcount), indices, w.statuses));
  return result;
}

int pl_wrap_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Test)(request, flag, status);
  list_handles(t, &w, 1, request, status, status == MPI_STATUS_IGNORE);
  begin_test(t, &w, PL_F_MPI_Test, __builtin_return_address(0));
  int result = pl_mpi.Test(request, flag, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  int look = w.n > 0 && (result != MPI_SUCCESS || *flag);
  unsigned completed = look ? complete_all(&w, result, request) : 0;
  end_test(t, &w, completed, answer_of(result, completed), look);
  return result;
}

int pl_wrap_Testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Testall)(count, requests, flag, statuses);
  if (!list_handles(t, &w, count, requests, statuses, statuses == MPI_STATUSES_IGNORE)) {
    pl_leave(t);
    return pl_mpi.Testall(count, requests, flag, statuses);
  }
  begin_test(t, &w, PL_F_MPI_Testall, __builtin_return_address(0));
  int result = pl_mpi.Testall(count, requests, flag, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  int look = result != MPI_SUCCESS || *flag;
  unsigned completed = look ? complete_all(&w, result, requests) : 0;
  end_test(t, &w, completed, answer_of(result, completed), look);
  return result;
}

int pl_wrap_Testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status) {
  struct waiting w;
  MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Testany)(count, requests, index, flag, status);
  if (!list_handles(t, &w, count, requests, NULL, 0)) {
    pl_leave(t);
    return pl_mpi.Testany(count, requests, index, flag, status);
  }
  begin_test(t, &w, PL_F_MPI_Testany, __builtin_return_address(0));
  int result = pl_mpi.Testany(count, requests, index, flag, used);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  int one = result == MPI_SUCCESS ? *flag && *index != MPI_UNDEFINED : one_has_failed(&w, result, *index, requests);
  unsigned completed = complete_some(&w, result, one, index, used);
  end_test(t, &w, completed, answer_of(result, completed), completed != 0);
  return result;
}

int pl_wrap_Testsome(int count, MPI_Request requests[], int* outcount, int indices[], MPI_Status statuses[]) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Testsome)(count, requests, outcount, indices, statuses);
  if (!list_handles(t, &w, count, requests, statuses, statuses == MPI_STATUSES_IGNORE)) {
    pl_leave(t);
    return pl_mpi.Testsome(count, requests, outcount, indices, statuses);
  }
  begin_test(t, &w, PL_F_MPI_Testsome, __builtin_return_address(0));
  int result = pl_mpi.Testsome(count, requests, outcount, indices, w.statuses);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  unsigned completed = complete_some(&w, result, outcount_of(result, outcount), indices, w.statuses);
  end_test(t, &w, completed, answer_of(result, completed), completed != 0);
  return result;
}

int pl_wrap_Request_free(MPI_Request* request) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Request_free)(request);
  list_handles(t, &w, 1, request, NULL, 0);
  begin_wait(t, &w, PL_F_MPI_Request_free, PL_WAITS, __builtin_return_address(0));
  if (w.n > 0) pl_forget_persistent(w.handles[0]); /* before the call, as the rest */
  int result = pl_mpi.Request_free(request);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  struct pl_posted posted;
  if (result == MPI_SUCCESS && w.n > 0) forget(&w, 0, &posted);
  end_wait(t, &w, 0);
  return result;
}

/* What a request that is complete and stays in the program's hands has done. It stays in the table too. */
static inline unsigned tell_complete(struct pl_thread* t, struct waiting* w, const MPI_Status* status) {
  uint32_t id = pl_id_of_request(w->request[0]);
  struct pl_posted posted = pl_posted_unknown;
  enum pl_request_kind kind = pl_kind_of_request(w->request[0]);
  if (w->taken) {
    if (id != 0) posted = w->posted[0];
  } else {
    kind = pl_request_remove(w->handles[0], id, &posted);
    if (id != 0) pl_request_add(w->handles[0], pl_make_request(id, kind, t->number), posted);
  }
  list_late(w);
  w->value = values_of(w);
  marks_of(w)[0] |= mark_of(w, kind, &posted, status);
  return 1;
}

/* A test that leaves the request as it is. */
int pl_wrap_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  struct waiting w;
  MPI_Status own, *used = status == MPI_STATUS_IGNORE ? &own : status;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Request_get_status)(request, flag, status);
  list_handles(t, &w, 1, &request, NULL, 0);
  begin_test(t, &w, PL_F_MPI_Request_get_status, __builtin_return_address(0));
  int result = pl_mpi.Request_get_status(request, flag, used);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  int is_complete = result == MPI_SUCCESS && *flag && w.handles[0] != 0;
  unsigned completed = is_complete ? tell_complete(t, &w, used) : 0;
  end_test(t, &w, completed, answer_of(result, completed), is_complete);
  return result;
}

int pl_wrap_Cancel(MPI_Request* request) {
  struct waiting w;
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Cancel)(request);
  pl.cancel_used = 1;
  list_handles(t, &w, 1, request, NULL, 0);
  begin_wait(t, &w, PL_F_MPI_Cancel, PL_LEAVES, __builtin_return_address(0));
  int result = pl_mpi.Cancel(request);
  pl_stamp(t, &w.call);
  pl_note_result(&w.call, result);
  end_wait(t, &w, 0);
  return result;
}
