/* The messages that MPICH sends by libucp (ch4:ucx): the functions by which it does, in front of the real ones.
 *
 * Recorded are those that are the library's own: of collectives, by their context; and what a library of MPI (ROMIO)
 * posts inside of the program's calls. What the program posts itself is recorded as its call. A completion comes by the
 * callback that MPICH gives with each request: here it goes through ours, with the message in the place of its
 * argument.
 *
 * Between a request's posting and MPICH's return from it nobody else makes progress on that worker (MPICH holds a
 * lock): the message of a send is ours until we return. That of a receive may be complete before. */
#include "tracer/preload/inner/mpich/mpich.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tracer/preload/core/system.h"
#include "tracer/preload/inner/inner_calls.h"
#include "tracer/preload/mpi/facts/run_facts.h"
#include "tracer/preload/mpi/mpi_side.h"
#include "tracer/preload/mpi/symbols/lookup.h"

typedef void* send_function(void* endpoint, const void* buffer, size_t count, uint64_t tag,
                            const struct pl_ucp_param* param);
typedef void* receive_function(void* worker, void* buffer, size_t count, uint64_t tag, uint64_t mask,
                               const struct pl_ucp_param* param);

static struct {
  send_function *ucp_tag_send_nbx, *ucp_tag_send_sync_nbx;
  receive_function* ucp_tag_recv_nbx;
  pl_ucs_status (*ucp_ep_create)(void* worker, const struct pl_ucp_endpoint_params* params, void** endpoint);
  pl_ucs_status (*ucp_worker_get_address)(void* worker, void** address, size_t* bytes);
  pl_ucs_status (*ucp_dt_create_generic)(const struct pl_ucp_generic* functions, void* context, uint64_t* datatype);
  void* (*ucp_tag_probe_nb)(void* worker, uint64_t tag, uint64_t mask, int remove, struct pl_ucp_tag_info* info);
} real;

struct pl_seen_probe pl_seen_probe;

/* ---- The functions behind ours */

static PL_COLD void resolve(const char* name, void* to) {
  int saved = errno;
  void* function = pl_dlsym(RTLD_NEXT, name);
  if (function == NULL) function = pl_loaded_symbol("libucp.so.0", name); /* an interpreter has loaded it for itself */
  if (function == NULL) {
    char line[256], *limit = line + sizeof line, *at = pl_put_text(line, limit, "plumbline: no loaded library has ");
    at = pl_put_text(pl_put_text(at, limit, name), limit, ", which the program calls\n");
    pl_sys_write(2, line, (size_t)(at - line));
    abort();
  }
  memcpy(to, (void*)&function, sizeof function);
  errno = saved;
}
#define REAL(name) (PL_LIKELY(real.name != NULL) ? real.name : (resolve(#name, (void*)&real.name), real.name))

/* ---- Which messages */

PL_INLINE int is_inner(uint64_t tag) {
  const struct pl_thread* t = &pl_self;
  return pl_is_collective(tag) || t->nested > 0 || t->mode == PL_INSIDE_FILE_CALL;
}

/* What we do not know the end of cannot be stood in front of. */
PL_INLINE int is_understood(const struct pl_ucp_param* param) {
  return (param->attributes & PL_UCP_CALLBACK) != 0 && (param->attributes & PL_UCP_ALL_FIELDS & ~PL_UCP_FIELDS) == 0;
}

PL_INLINE uint64_t datatype_of(const struct pl_ucp_param* param) {
  return (param->attributes & PL_UCP_DATATYPE) != 0 ? param->datatype : 1u << PL_UCP_CLASS_BITS; /* bytes */
}
PL_INLINE uint64_t bytes_flags_of(const struct pl_ucp_param* param, size_t count, unsigned flags) {
  uint64_t datatype = datatype_of(param);
  if ((datatype & PL_UCP_CLASS) != PL_UCP_CONTIGUOUS) return pl_inner_bytes(0, flags | PL_INNER_UNKNOWN_BYTES);
  return pl_inner_bytes(count * (datatype >> PL_UCP_CLASS_BITS), flags);
}

/* Its copy, with our callback. A caller may know the first fields only. */
PL_INLINE void copy_param(struct pl_ucp_param* to, const struct pl_ucp_param* from, struct pl_inner_message* m) {
  if (PL_LIKELY((from->attributes & PL_UCP_ALL_FIELDS & ~PL_UCP_FIRST_FIELDS) == 0))
    memcpy(to, from, offsetof(struct pl_ucp_param, reply_buffer));
  else
    *to = *from;
  to->attributes |= PL_UCP_USER_DATA;
  to->user_data = m;
  m->own[1] = (from->attributes & PL_UCP_USER_DATA) != 0 ? from->user_data : NULL;
}

/* ---- Sizes of what is not contiguous: UCX asks MPICH for it when it is posted */

static __thread size_t packed_bytes __attribute__((tls_model("initial-exec")));
static size_t (*mpich_packed_size)(void* state);

static size_t packed_size(void* state) { return packed_bytes = mpich_packed_size(state); }

PL_EXPORT pl_ucs_status ucp_dt_create_generic(const struct pl_ucp_generic* functions, void* context,
                                              uint64_t* datatype) {
  void* address = __builtin_return_address(0);
  if (!pl.writable || !pl_is_of_mpich(address) || functions == NULL || functions->packed_size == NULL)
    return REAL(ucp_dt_create_generic)(functions, context, datatype);
  if (mpich_packed_size == NULL) mpich_packed_size = functions->packed_size;
  struct pl_ucp_generic ours = *functions;
  if (functions->packed_size == mpich_packed_size) ours.packed_size = packed_size;
  return REAL(ucp_dt_create_generic)(&ours, context, datatype);
}

/* NULL: it is not recorded. */
PL_INLINE struct pl_inner_message* post(uint16_t function, uint64_t peer_tag, uint64_t bytes_flags, uint32_t context) {
  struct pl_inner_message* m = pl_inner_new();
  if (PL_UNLIKELY(m == NULL)) return NULL;
  if (PL_LIKELY(pl_inner_begin(m, function, peer_tag, bytes_flags, context))) return m;
  pl_inner_give(m);
  return NULL;
}

/* ---- Sends */

/* Not written to by a forked child, nor when recording is over. */
PL_INLINE void finish(struct pl_inner_message* m, uint64_t peer_tag, uint64_t bytes_flags) {
  if (PL_UNLIKELY(!pl.writable)) return;
  pl_keep_outer(&pl_self);
  if (PL_LIKELY(pl_inner_is_here(&pl_self, m)))
    pl_inner_write_other_end(&pl_self, m, peer_tag, bytes_flags);
  else
    pl_inner_record_end(m->number, peer_tag, bytes_flags);
  pl_inner_give(m);
}

static void sent(void* request, pl_ucs_status status, void* user_data) {
  struct pl_inner_message* m = user_data;
  pl_ucp_sent theirs = (pl_ucp_sent)(uintptr_t)m->own[0];
  void* argument = m->own[1];
  unsigned failed = status == PL_UCS_OK ? 0 : PL_INNER_FAILED;
  finish(m, m->peer_tag, m->bytes_flags | (uint64_t)failed << 48);
  theirs(request, status, argument);
}

PL_INLINE struct pl_inner_message* post_send(const void* endpoint, size_t count, uint64_t tag,
                                             const struct pl_ucp_param* param, unsigned flags) {
  int rank = -1;
  struct pl_thread* t = &pl_self;
  if (!is_inner(tag) || !is_understood(param) || !pl_find_endpoint(endpoint, &rank)) return NULL;
  pl_keep_outer(t);
  pl_tell_peer(t, pl_context_of(tag), pl_source_of(tag), rank);
  return post(PL_F_inner_send, pl_pair((uint32_t)rank, pl_tag_of(tag)), bytes_flags_of(param, count, flags),
              pl_context_of(tag));
}

PL_INLINE void* send_by(send_function* function, unsigned flags, void* endpoint, const void* buffer, size_t count,
                        uint64_t tag, const struct pl_ucp_param* param) {
  struct pl_inner_message* m = NULL;
  struct pl_ucp_param ours;
  if (PL_LIKELY(pl_inner_is_on())) m = post_send(endpoint, count, tag, param, flags);
  if (m == NULL) return function(endpoint, buffer, count, tag, param);
  copy_param(&ours, param, m);
  m->own[0] = (void*)(uintptr_t)param->callback.sent;
  ours.callback.sent = sent;
  const int ask = (m->bytes_flags >> 48 & PL_INNER_UNKNOWN_BYTES) != 0;
  if (PL_UNLIKELY(ask)) packed_bytes = SIZE_MAX;
  void* result = function(endpoint, buffer, count, tag, &ours);
  if (PL_UNLIKELY(ask) && packed_bytes != SIZE_MAX && (param->attributes & PL_UCP_NO_IMMEDIATE) == 0)
    m->bytes_flags = pl_inner_bytes(packed_bytes, flags);
  if (PL_LIKELY(result == NULL))
    finish(m, m->peer_tag, m->bytes_flags);
  else if (PL_UNLIKELY(pl_ucs_is_error(result)))
    finish(m, m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48);
  return result;
}

PL_EXPORT void* ucp_tag_send_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag,
                                 const struct pl_ucp_param* param) {
  return send_by(REAL(ucp_tag_send_nbx), 0, endpoint, buffer, count, tag, param);
}

PL_EXPORT void* ucp_tag_send_sync_nbx(void* endpoint, const void* buffer, size_t count, uint64_t tag,
                                      const struct pl_ucp_param* param) {
  return send_by(REAL(ucp_tag_send_sync_nbx), PL_INNER_SYNCHRONOUS, endpoint, buffer, count, tag, param);
}

/* ---- Receives */

static void finish_receive(struct pl_inner_message* m, pl_ucs_status status, const struct pl_ucp_tag_info* info) {
  if (status == PL_UCS_ERR_CANCELED || info == NULL)
    return finish(m, m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48);
  unsigned flags = PL_INNER_RANK_IN_CONTEXT | (status == PL_UCS_OK ? 0 : PL_INNER_FAILED);
  flags |= (unsigned)(m->bytes_flags >> 48) & (PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG);
  finish(m, pl_pair(pl_source_of(info->sender_tag), pl_tag_of(info->sender_tag)), pl_inner_bytes(info->length, flags));
}

static void received(void* request, pl_ucs_status status, const struct pl_ucp_tag_info* info, void* user_data) {
  struct pl_inner_message* m = user_data;
  pl_ucp_received theirs = (pl_ucp_received)(uintptr_t)m->own[0];
  void* argument = m->own[1];
  finish_receive(m, status, info);
  theirs(request, status, info, argument);
}

PL_INLINE struct pl_inner_message* post_receive(const void* worker, size_t count, uint64_t tag, uint64_t mask,
                                                const struct pl_ucp_param* param) {
  if (!is_inner(tag) || !is_understood(param) ||
      (PL_UNLIKELY(worker != pl_ranks_of_endpoints.worker) && !pl_is_worker(worker)))
    return NULL;
  unsigned flags = PL_INNER_RANK_IN_CONTEXT;
  if (pl_source_of(mask) == 0) flags |= PL_INNER_ANY_SOURCE;
  if ((mask & 1) == 0) flags |= PL_INNER_ANY_TAG;
  pl_keep_outer(&pl_self);
  return post(PL_F_inner_receive, pl_pair(pl_source_of(tag), pl_tag_of(tag)), bytes_flags_of(param, count, flags),
              pl_context_of(tag));
}

/* What came at once; MPICH asks for its callback even then. */
static PL_COLD void finish_at_once(struct pl_inner_message* m, const struct pl_ucp_param* param) {
  int told = (param->attributes & PL_UCP_RECEIVED) != 0 && param->received != NULL;
  if (told) return finish_receive(m, PL_UCS_OK, param->received);
  finish(m, m->peer_tag, m->bytes_flags);
}

PL_EXPORT void* ucp_tag_recv_nbx(void* worker, void* buffer, size_t count, uint64_t tag, uint64_t mask,
                                 const struct pl_ucp_param* param) {
  receive_function* function = REAL(ucp_tag_recv_nbx);
  struct pl_inner_message* m = NULL;
  struct pl_ucp_param ours;
  if (PL_LIKELY(pl_inner_is_on())) m = post_receive(worker, count, tag, mask, param);
  if (m == NULL) return function(worker, buffer, count, tag, mask, param);
  copy_param(&ours, param, m);
  m->own[0] = (void*)(uintptr_t)param->callback.received;
  ours.callback.received = received;
  void* result = function(worker, buffer, count, tag, mask, &ours);
  if (PL_UNLIKELY(result == NULL))
    finish_at_once(m, param);
  else if (PL_UNLIKELY(pl_ucs_is_error(result)))
    finish(m, m->peer_tag, m->bytes_flags | (uint64_t)PL_INNER_FAILED << 48);
  return result;
}

/* ---- What the check and the ranks of endpoints are made from */

PL_EXPORT pl_ucs_status ucp_ep_create(void* worker, const struct pl_ucp_endpoint_params* params, void** endpoint) {
  pl_ucs_status status = REAL(ucp_ep_create)(worker, params, endpoint);
  if (status == PL_UCS_OK) {
    const char* address = (params->fields & PL_UCP_REMOTE_ADDRESS) != 0 ? params->address : NULL;
    pl_note_endpoint(worker, address, *endpoint, __builtin_return_address(0));
  }
  return status;
}

PL_EXPORT pl_ucs_status ucp_worker_get_address(void* worker, void** address, size_t* bytes) {
  pl_ucs_status status = REAL(ucp_worker_get_address)(worker, address, bytes);
  if (status == PL_UCS_OK) pl_note_worker(worker, *address, *bytes, __builtin_return_address(0));
  return status;
}

PL_EXPORT void* ucp_tag_probe_nb(void* worker, uint64_t tag, uint64_t mask, int remove, struct pl_ucp_tag_info* info) {
  if (PL_UNLIKELY(pl_seen_probe.thread != NULL) && pl_seen_probe.thread == &pl_self && pl_is_worker(worker)) {
    ++pl_seen_probe.seen;
    pl_seen_probe.tag = tag;
    pl_seen_probe.mask = mask;
  }
  return REAL(ucp_tag_probe_nb)(worker, tag, mask, remove, info);
}
