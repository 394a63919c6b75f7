/* Persistent requests: what a start of one means is defined when it is made; each start has a request number of its
 * own, under which waits and tests complete it like any other request. */
#include "tracer/preload/mpi/mpi_side.h"

enum { kMostListed = 20000 };

/* By handle: number | kind << 30 | request of the latest start << 32. */
static struct pl_table by_handle;
static uint32_t next_number = 1;

static inline uint32_t number_of(uint64_t known) { return (uint32_t)known & 0x3fffffffu; }
static inline enum pl_request_kind kind_of(uint64_t known) { return (enum pl_request_kind)(known >> 30 & 3); }
static inline uint32_t latest_of(uint64_t known) { return (uint32_t)(known >> 32); }

uint64_t* pl_define_persistent(struct pl_thread* t, MPI_Request request, uint16_t function, enum pl_layout layout,
                               enum pl_request_kind kind, unsigned words) {
  uint32_t number = __atomic_fetch_add(&next_number, 1, __ATOMIC_RELAXED) & 0x3fffffffu;
  pl_table_put(&by_handle, PL_HANDLE(request), (uint64_t)number | (uint64_t)kind << 30);
  uint64_t* payload = pl_define(t, words + 2);
  PL_FILL(payload, def_persistent, .persistent = number, .layout = (uint32_t)layout, .function = function);
  return payload + 2;
}

void pl_persistent_defined(struct pl_thread* t, uint64_t* start, unsigned words, uint64_t begin) {
  pl_defined(t, start - 2, PL_DEF_PERSISTENT, words + 2, begin);
}

void pl_forget_persistent(uint64_t handle) {
  if (by_handle.used != 0) pl_table_remove(&by_handle, handle);
}

/* Gives this start its number: a word of the record. */
static uint64_t number_start(uint64_t handle) {
  uint64_t known = 0;
  if (!pl_table_get(&by_handle, handle, &known)) return 0;
  struct pl_posted posted;
  if (latest_of(known) != 0) pl_request_remove(handle, latest_of(known), &posted); /* its completion was not seen */
  uint32_t id = pl_request_id();
  pl_table_put(&by_handle, handle, (known & 0xffffffffu) | (uint64_t)id << 32);
  return pl_pair(number_of(known), id);
}

/* The library may have put another request in the place of the one that it was given (Open MPI, when its own part of
 * the latest start is not quite done). */
static void keep_start(int result, uint64_t before, MPI_Request request) {
  uint64_t known = 0, handle = PL_HANDLE(request);
  if (!pl_table_get(&by_handle, before, &known)) return;
  if (handle != before) {
    pl_table_remove(&by_handle, before);
    pl_table_put(&by_handle, handle, known);
  }
  pl_keep_request(result, request, latest_of(known), kind_of(known));
}

int pl_wrap_Start(MPI_Request* request) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Start)(request);
  uint64_t handle = request == NULL ? 0 : PL_HANDLE(*request);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Start, 2, __builtin_return_address(0));
  call.r->payload[0] = pl_pair(1, 0);
  call.r->payload[1] = number_start(handle);
  pl_begin_call(t, &call);
  int result = pl_mpi.Start(request);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  if (handle != 0) keep_start(result, handle, *request);
  pl_done(&call);
  pl_end_call(t);
  return result;
}

int pl_wrap_Startall(int count, MPI_Request requests[]) {
  struct pl_thread* t = pl_enter();
  if (t == NULL) return PL_REAL(Startall)(count, requests);
  unsigned n = count <= 0 || requests == NULL ? 0 : (unsigned)count, listed = n < kMostListed ? n : kMostListed;
  uint64_t* handles = (uint64_t*)(void*)pl_thread_buffer(t, n * sizeof(uint64_t));
  if (handles == NULL) n = listed = 0;
  if (listed < n) pl_lose(1);
  struct pl_call call = pl_prepare(t, PL_F_MPI_Startall, 1 + listed, __builtin_return_address(0));
  call.r->payload[0] = pl_pair(listed, 0);
  for (unsigned i = 0; i < n; ++i) {
    handles[i] = PL_HANDLE(requests[i]);
    uint64_t started = number_start(handles[i]);
    if (i < listed) call.r->payload[1 + i] = started;
  }
  pl_begin_call(t, &call);
  int result = pl_mpi.Startall(count, requests);
  pl_stamp(t, &call);
  pl_note_result(&call, result);
  for (unsigned i = 0; i < n; ++i) keep_start(result, handles[i], requests[i]);
  pl_done(&call);
  pl_end_call(t);
  return result;
}
