/* Requests of Open MPI that inner messages wait for. Of inner_openmpi.c.
 *
 * A request calls `req_complete_cb` when it is complete, once (ompi/request/request.h, ompi_request_complete): ours,
 * which returns 0, changes nothing. Its data word is left alone: pml/ucx reads it of requests that have ended. The
 * callback is not enough:
 * - Its owner may set another one when the request has been returned (coll/adapt, osc/pt2pt).
 * - With threads another one may complete the request while we set ours, and not have seen it.
 * So `req_free`, which every request goes through, is ours too, until the request is complete. Whoever takes the
 * message out of the table, under its lock, ends it: that happens once. */
#ifndef PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_REQUESTS_H
#define PLUMBLINE_TRACER_PRELOAD_INNER_OPENMPI_REQUESTS_H

#include "tracer/preload/inner_openmpi_messages.h"

#if defined(PL_HAS_OPENMPI_INSIDE)

enum { kBuckets = 4096, kDescribedAtOnce = 1024 };

static struct {
  struct pl_inner_message* bucket[kBuckets];
  struct pl_lock lock;
  ompi_request_free_fn_t latest_free; /* never needed, as long as the library is as we know it */
} under_way;

PL_INLINE struct pl_inner_message** bucket_of(const pl_ompi_request* request) {
  return &under_way.bucket[((uint64_t)(uintptr_t)request * 0x9E3779B97F4A7C15u) >> 52];
}
PL_INLINE void lock(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_acquire(&under_way.lock);
}
PL_INLINE void unlock(void) {
  if (PL_UNLIKELY(pl.multithreaded)) pl_release(&under_way.lock);
}

/* Where the message of this request hangs, or where NULL does. */
PL_INLINE struct pl_inner_message** find(const pl_ompi_request* request) {
  struct pl_inner_message** at = bucket_of(request);
  while (*at != NULL && (*at)->own[PL_OWN_REQUEST] != (const void*)request) at = &(*at)->next;
  return at;
}

PL_INLINE ompi_request_complete_fn_t callback_of(const struct pl_inner_message* m) {
  return (ompi_request_complete_fn_t)(uintptr_t)m->own[PL_OWN_CALLBACK];
}
PL_INLINE ompi_request_free_fn_t free_of(const struct pl_inner_message* m) {
  return (ompi_request_free_fn_t)(uintptr_t)m->own[PL_OWN_FREE];
}

static int on_complete(pl_ompi_request* request);
static int on_free(pl_ompi_request** request);

/* Out of the table, and out of the request but for its callback; NULL: it is not there. */
PL_INLINE struct pl_inner_message* take(pl_ompi_request* request) {
  lock();
  struct pl_inner_message **at = find(request), *m = *at;
  if (PL_LIKELY(m != NULL)) {
    *at = m->next;
    if (PL_LIKELY(request->req_free == on_free)) request->req_free = free_of(m);
  }
  unlock();
  return m;
}

PL_INLINE void complete_request(struct pl_inner_message* m, const pl_ompi_request* request) {
  end_kept(m, outcome_of(m, &request->req_status, request->req_status.MPI_ERROR));
}

static int on_complete(pl_ompi_request* request) {
  struct pl_inner_message* m = take(request);
  if (PL_UNLIKELY(m == NULL)) return 0;
  ompi_request_complete_fn_t next = callback_of(m);
  complete_request(m, request);
  return next == NULL ? 0 : next(request);
}

/* The request is complete, or its owner's own callback frees it, or it is let go while it is under way: of a send the
 * library will then still tell the end, of a receive it may not (pml/ob1). */
static PL_COLD int on_free(pl_ompi_request** request) {
  pl_ompi_request* r = *request;
  lock();
  struct pl_inner_message **at = find(r), *m = *at;
  int ended = 0, dropped = 0;
  if (m != NULL) {
    r->req_free = free_of(m);
    ended = REQUEST_COMPLETE(r) || r->req_complete_cb != on_complete;
    dropped = !ended && m->function == PL_F_inner_receive;
    if ((ended || dropped) && r->req_complete_cb == on_complete) r->req_complete_cb = callback_of(m);
    if (ended || dropped) *at = m->next;
  }
  if (r->req_free == on_free) r->req_free = under_way.latest_free;
  unlock();
  if (ended) complete_request(m, r);
  if (dropped) pl_inner_drop(m);
  return r->req_free(request);
}

/* A request that is started again although the end of its latest message was not told: its owner has put a callback in
 * the place of ours. */
static PL_COLD void end_latest(pl_ompi_request* request) {
  struct pl_inner_message* m = take(request);
  if (m == NULL) return;
  if (request->req_complete_cb == on_complete) request->req_complete_cb = callback_of(m);
  if (REQUEST_COMPLETE(request))
    complete_request(m, request);
  else
    pl_inner_drop(m);
}

PL_INLINE void follow(const struct pl_inner_message* begun, pl_ompi_request* request) {
  if (PL_UNLIKELY(request->req_free == on_free)) end_latest(request);
  struct pl_inner_message *m = pl_inner_keep(begun), **bucket = bucket_of(request);
  if (PL_UNLIKELY(m == NULL)) return;
  m->own[PL_OWN_REQUEST] = request;
  lock();
  m->own[PL_OWN_CALLBACK] = (void*)(uintptr_t)request->req_complete_cb;
  m->own[PL_OWN_FREE] = (void*)(uintptr_t)request->req_free;
  under_way.latest_free = request->req_free;
  m->next = *bucket;
  *bucket = m;
  request->req_free = on_free;
  request->req_complete_cb = on_complete;
  unlock();
}

/* The library has returned `request`, or an error. What is complete may be a request that many share: it is not
 * touched.
 */
PL_INLINE void follow_posted(const struct pl_inner_message* begun, int result, pl_ompi_request* request) {
  if (PL_UNLIKELY(result != OMPI_SUCCESS)) return end_here(begun, as_failed(begun));
  if (REQUEST_COMPLETE(request))
    return end_here(begun, outcome_of(begun, &request->req_status, request->req_status.MPI_ERROR));
  follow(begun, request);
  if (PL_LIKELY(!pl.multithreaded)) return;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  struct pl_inner_message* m = REQUEST_COMPLETE(request) ? take(request) : NULL;
  if (m == NULL) return;
  if (request->req_complete_cb == on_complete) request->req_complete_cb = NULL;
  complete_request(m, request);
}

static PL_COLD void unfollow(pl_ompi_request* request) {
  struct pl_inner_message* m = take(request);
  if (m == NULL) return;
  if (request->req_complete_cb == on_complete) request->req_complete_cb = callback_of(m);
  end_kept(m, as_failed(m));
}

/* ---- Persistent requests: a description stays when its request is freed, and is overwritten when the library makes
 * another one in the same place. */

static struct pl_table described;

static struct pl_described* new_described(void) {
  static struct pl_lock chunk_lock;
  static struct pl_described* chunk;
  static size_t left;
  pl_acquire(&chunk_lock);
  if (left == 0) {
    left = kDescribedAtOnce;
    chunk = pl_map(kDescribedAtOnce * sizeof *chunk);
  }
  struct pl_described* one = chunk == NULL ? NULL : &chunk[--left];
  if (one == NULL) left = 0;
  pl_release(&chunk_lock);
  return one;
}

static void describe_request(const pl_ompi_request* request, const struct pl_described* d) {
  uint64_t key = (uint64_t)(uintptr_t)request, value = 0;
  if (!pl_table_get(&described, key, &value)) {
    if (d->function == 0) return;
    value = (uint64_t)(uintptr_t)new_described();
    if (value == 0) return;
    pl_table_put(&described, key, value);
  }
  *(struct pl_described*)(uintptr_t)value = *d;
}

static const struct pl_described* described_request(const pl_ompi_request* request) {
  uint64_t value = 0;
  if (!pl_table_get(&described, (uint64_t)(uintptr_t)request, &value)) return NULL;
  const struct pl_described* d = (const struct pl_described*)(uintptr_t)value;
  return d->function == 0 ? NULL : d;
}

#endif
#endif
