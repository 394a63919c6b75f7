/* Requests of Open MPI that inner messages wait for. Of openmpi.c.
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

#include "tracer/preload/inner/openmpi/messages.h"

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
  end_by_status(m, is_within_reach(m), &request->req_status, request->req_status.MPI_ERROR);
  pl_inner_give(m);
}

static PL_NOINLINE int complete_anyhow(pl_ompi_request* request) {
  struct pl_inner_message* m = take(request);
  if (PL_UNLIKELY(m == NULL)) return 0;
  ompi_request_complete_fn_t next = callback_of(m);
  complete_request(m, request);
  return next == NULL ? 0 : next(request);
}

/* The first of its bucket, a receive that came as it was posted but for its size, and whose record is at hand. */
PL_INLINE int is_plain_receive(const struct pl_inner_message* m, const pl_ompi_request* request) {
  return m->own[PL_OWN_REQUEST] == (const void*)request && m->function == PL_F_inner_receive &&
         (m->bytes_flags >> 48) == 0 && !has_failed(&request->req_status, request->req_status.MPI_ERROR) &&
         request->req_free == on_free && is_within_reach(m);
}

/* As complete_anyhow() does it; most messages that are waited for are such. */
static int on_complete(pl_ompi_request* request) {
  if (PL_UNLIKELY(pl.internals != PL_INTERNALS_PLAIN)) return complete_anyhow(request);
  const uint64_t now = pl_tsc_here();
  struct pl_inner_message **bucket = bucket_of(request), *m = *bucket;
  if (PL_UNLIKELY(m == NULL || !is_plain_receive(m, request))) return complete_anyhow(request);
  *bucket = m->next;
  request->req_free = free_of(m);
  m->record->payload[1] = request->req_status._ucount & PL_INNER_BYTES;
  pl_inner_end_plainly(&pl_self, m->record, now, PL_F_inner_receive);
  ompi_request_complete_fn_t next = callback_of(m);
  m->next = pl_inner_pool.free;
  pl_inner_pool.free = m;
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
  if (dropped) pl_inner_give(m);
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
    pl_inner_give(m);
}

/* `m` is kept. */
PL_INLINE void hang(struct pl_inner_message* m, pl_ompi_request* request) {
  struct pl_inner_message** bucket = bucket_of(request);
  m->own[PL_OWN_REQUEST] = request;
  m->own[PL_OWN_CALLBACK] = (void*)(uintptr_t)request->req_complete_cb;
  m->own[PL_OWN_FREE] = (void*)(uintptr_t)request->req_free;
  under_way.latest_free = request->req_free;
  m->next = *bucket;
  *bucket = m;
  request->req_free = on_free;
  request->req_complete_cb = on_complete;
}

PL_INLINE void follow(struct pl_inner_message* m, pl_ompi_request* request) {
  if (PL_UNLIKELY(request->req_free == on_free)) end_latest(request);
  lock();
  hang(m, request);
  unlock();
}

/* With threads another one may have completed it before it saw our callback. */
static PL_NOINLINE void look_again(pl_ompi_request* request) {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  struct pl_inner_message* m = REQUEST_COMPLETE(request) ? take(request) : NULL;
  if (m == NULL) return;
  if (request->req_complete_cb == on_complete) request->req_complete_cb = NULL;
  complete_request(m, request);
}

PL_INLINE void follow_posted(struct pl_inner_message* m, pl_ompi_request* request) {
  follow(m, request);
  if (PL_UNLIKELY(pl.multithreaded)) look_again(request);
}

static PL_COLD void unfollow(pl_ompi_request* request) {
  struct pl_inner_message* m = take(request);
  if (m == NULL) return;
  if (request->req_complete_cb == on_complete) request->req_complete_cb = callback_of(m);
  end_failed(m, is_within_reach(m));
  pl_inner_give(m);
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
