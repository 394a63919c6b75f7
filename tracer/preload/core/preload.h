/* The tracer inside a traced program: its state and the hot path of recording.
 *
 * Rules of this folder: C only, no allocation from the host's heap, no stdio, no MPI call but inquiries of the PMPI_
 * interface that do not communicate; errno is what the program expects; when anything goes wrong recording stops, one
 * line says so, and the program goes on. The names of pthread, malloc and stdio belong to the host. */
#ifndef PLUMBLINE_TRACER_PRELOAD_H
#define PLUMBLINE_TRACER_PRELOAD_H

#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include "tracer/spool/format/format.h"

#define PL_EXPORT __attribute__((visibility("default")))
#define PL_LIKELY(x) __builtin_expect(!!(x), 1)
#define PL_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define PL_INLINE static inline __attribute__((always_inline))
#define PL_NOINLINE __attribute__((noinline))
#define PL_COLD __attribute__((noinline, cold))

/* All that is declared here is our own: reached without a detour through the tables of the linker. */
#pragma GCC visibility push(hidden)

/* Where a thread is. Also keeps signal handlers that call wrapped functions out of a record under construction. */
enum pl_mode { PL_OUTSIDE = 0, PL_INSIDE = 1, PL_INSIDE_FILE_CALL = 2 /* POSIX calls are recorded as nested */ };

struct __attribute__((aligned(64))) pl_thread {
  /* One line of the cache, which every record needs. */
  volatile int mode;        /* enum pl_mode */
  int lent;                 /* vfork.c: a child has this thread's memory */
  uint64_t *cursor, *limit; /* next free word and end of the current segment */
  uint64_t time;            /* ticks of the last event recorded */
  struct pl_record* poll;   /* last record, if it is a poll or a run of them that a further one may extend (polls.h) */
  struct pl_record* outer;  /* record of the MPI call in progress */
  uint64_t place;           /* the current segment of this thread, as no other one of the process; 0: there is none */
  unsigned diverted;        /* divert.c: its records are thrown away */
  unsigned nested;          /* calls of a library of MPI that it is in, inside of the program's (inner_calls.h) */
  int polling;              /* the program's call in progress is a poll */

  const char* frame; /* top of the stack where `outer` began (left_calls.c) */

  struct pl_found { /* the latest handle that was looked up in a table, as long as that is of this version */
    uint64_t handle;
    uintptr_t object;
    uint32_t version;
  } comm, unknown_comm, file; /* unknown comm: a communicator that is in no table */
  struct pl_sized { /* the latest datatype that the library was asked for the size of, as long as none was freed */
    uint64_t handle, bytes;
    uint32_t version;
  } type;
  int lent_mode; /* its mode before it was lent */
  int known;     /* has a number, a key destructor, and a base line of its run delay */
  uint32_t number, segments;
  char *segment, *held; /* mapping of the current one, and of the one that holds `outer` if that is older */
  char* buffer;         /* for calls on many requests */
  size_t buffer_bytes;
  uint64_t segment_index, held_index;
  int schedstat; /* descriptor + 1; 0: not open, -1: not available */
  uint64_t schedstat_device, schedstat_inode;
  struct pl_diversion {       /* pause.c */
    uint64_t *cursor, *limit; /* of the spool while records are thrown away */
    uint64_t time, *scratch;
    unsigned definitions; /* in progress: they go to the spool */
  } diversion;
  struct pl_poll_loop {       /* polls.h */
    struct pl_record* record; /* the run; it goes on while this is `poll` */
    struct pl_polls* polls;   /* in it; NULL while it is a single poll */
    unsigned words;           /* of its payload between two polls */
    unsigned known, expected; /* questions below; the one that is likely to be asked next */
    struct pl_question {
      uint64_t key, answer; /* answer: what it told when it was asked last; 0: nothing */
    } questions[PL_MOST_POLLED];
    const uint64_t* behind;   /* the thread's cursor after the last poll */
    uint64_t checked, cpu_ns; /* ticks when the thread's CPU time was read last, and what it was; 0: not known */
    int keeps_check;          /* the next poll was known to come when it was read */
  } loop;
};
extern __thread struct pl_thread pl_self __attribute__((tls_model("initial-exec")));

/* What the library does inside of its calls is recorded (inner.h). */
enum pl_internals {
  PL_INTERNALS_OFF = 0,
  PL_INTERNALS_ON = 1,
  PL_INTERNALS_PLAIN = 2 /* the clock is the time stamp counter, and threads never call MPI at the same time */
};

/* On a page of its own: in a forked child, however it was made, the kernel has wiped it (pl_open_spool). */
struct __attribute__((aligned(4096))) pl_process {
  volatile int recording; /* calls are recorded; first, for the entries (generate.py) */
  volatile int writable;  /* the spool takes records; from just before MPI_Init to the end */
  int enabled;            /* PLUMBLINE_SPOOL is set */
  int multithreaded;      /* MPI_THREAD_MULTIPLE was granted: tables need their locks */
  int use_tsc;
  volatile int internals;                    /* enum pl_internals */
  volatile int paused;                       /* MPI_Pcontrol has switched recording off; then `recording` is 0 */
  int cancel_used;                           /* MPI_Cancel was called: statuses are asked whether they were cancelled */
  uint64_t long_gap;                         /* ticks: after a longer gap the run delay is read */
  uint64_t poll_gap, poll_break, poll_check; /* ticks (polls.h) */
  struct pl_file_header* header;
  int pid;

  /* Limits of the user's. */
  volatile int awaited; /* recording is off as if paused, until the window begins that is to be recorded */
  int apart;            /* definitions are not among the records, which may have to give way */
  uint64_t window_end;  /* ticks: nothing is wanted that is later */

  uint32_t next_request __attribute__((aligned(64))); /* on a line of its own: it is written all the time */
};
extern struct pl_process pl;

/* One record under construction. */
struct pl_call {
  struct pl_record* r;
  uint32_t site; /* with PL_PACKED_SITE */
  uint16_t function, words;
};

/* recorder.c */
void pl_load(void); /* what is known from the start: once; MPI_Init may be called before our constructor */
int pl_open_spool(enum pl_flavour flavour, const char* library); /* 0: recording can begin */
void pl_begin_recording(int world_rank, int world_size, int multithreaded);
void pl_end_recording(enum pl_end how);
void pl_stop(const char* reason, int error); /* recording ends here; said once */
void pl_lose(uint64_t records);
int pl_is_ours(void); /* true in the process that records; false in a child that shares its memory or its file */
void pl_take_reading(struct pl_clock_reading* reading);
uint64_t* pl_next_segment(struct pl_thread* t, unsigned words);
void* pl_map(size_t bytes); /* anonymous memory; NULL after pl_stop() */
void pl_unmap(void* address, size_t bytes);
char* pl_thread_buffer(struct pl_thread* t, size_t bytes); /* reused by the thread's next call; NULL after pl_stop() */
int pl_own_descriptor(int fd);
const char* pl_spool_path(void);
int pl_within_size_limit(uint64_t end); /* of a file that is to end there; beyond it SIGXFSZ would kill the program */
void pl_end_with_thread(struct pl_thread* t); /* what the thread has mapped goes when it ends */

char* pl_map_segment(uint64_t index, int* error); /* of the file; allocated first */
extern const char pl_removed[];                   /* why recording ends when the spool was */
uint64_t pl_ticks_slowly(void);                   /* where the time stamp counter is no clock */
extern uint64_t pl_discarded[];                   /* takes a record that has no room any more; nobody reads it */
uint64_t pl_ticks_of(uint64_t ns);
void pl_leave_out(int world_rank, int world_size); /* the user does not want this rank */

/* define.c */
/* A definition: room for its payload, then, filled, it counts. `begin`: when the work for it began. */
uint64_t* pl_define(struct pl_thread* t, unsigned words);
void pl_defined(struct pl_thread* t, uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin);
/* The same among the thread's records, where its place matters. */
uint64_t* pl_insert(struct pl_thread* t, unsigned words);
void pl_inserted(struct pl_thread* t, uint64_t* payload, uint16_t kind, unsigned words, uint64_t begin);
void pl_define_text(struct pl_thread* t, uint16_t kind, uint64_t word, int has_word, const char* text, size_t length,
                    uint64_t begin);
void pl_define_meta(struct pl_thread* t, const char* key, const char* value);
struct pl_record* pl_long_gap(struct pl_thread* t, struct pl_record* r, unsigned words, uint64_t* now);
void pl_read_run_delay(struct pl_thread* t, uint64_t begin, uint64_t end);
int64_t pl_run_delay(struct pl_thread* t); /* ns; -1: not known */

/* ends.c: what the process says of its leaving; recording goes on, handlers may still call. */
void pl_note_ending(enum pl_ending how, int status);
void pl_watch_exit(void);

/* node.c: copies of /proc and /sys, by one process of each node. After pl_open_spool(), and when recording is over. */
void pl_begin_node(void);
void pl_end_node(void);

/* divert.c: while recording is off. Between the two what the thread records is thrown away, except definitions. */
int pl_divert(void); /* 0: it is inside of another call, which needs no record anyhow */
void pl_undivert(void);
void pl_exchange_diversion(struct pl_thread* t);
void pl_go_on(struct pl_thread* t); /* recording is on again */

/* window.c: where a call was not recorded while pl.awaited is set */
void pl_look_at_window(void);

/* job.c: into the header, what tells apart processes of several MPI_COMM_WORLDs; `spawned`: by another MPI program */
void pl_name_job(char* to, size_t bytes, int spawned);

/* thread_reuse.c: what an ended thread leaves to the next one */
int pl_leave_behind(const struct pl_thread* t); /* 0: it keeps its segment */
int pl_take_over(struct pl_thread* t);          /* 0: nothing is left */
void pl_forget_reusable_threads(void);          /* in a forked child: they are those of its parent */

/* sites.c */
uint32_t pl_new_site(struct pl_thread* t, uint64_t address);
void pl_define_modules(struct pl_thread* t);

/* fortran.c */
int pl_in_fortran_binding(uint64_t address);
/* Where the program called the binding in progress, noted on the way to it (generate_fortran.py); 0: not known. */
extern __thread uint64_t pl_fortran_caller __attribute__((tls_model("initial-exec")));

/* io_paths.c */
void pl_read_io_paths(void);

/* posix.c */
void pl_find_real_functions(void);
void pl_announce_open_files(struct pl_thread* t, uint16_t function);
void pl_insert_open_files(struct pl_thread* t);
uint32_t pl_path_id(struct pl_thread* t, const char* path, size_t length);

/* cost.c: `record_nothing` makes a record on the thread it is given and returns its ticks from begin to end. */
void pl_measure_cost(uint64_t (*record_nothing)(struct pl_thread* t));

/* selftest.c */
void pl_self_test(void);

/* In a child of fork that is to be recorded by itself (server.c): what its parent's recording has left goes. */
int pl_forget_recording(void);     /* recorder.c. 0: nothing was recorded */
void pl_forget_sites(void);        /* sites.c */
void pl_forget_paths(void);        /* posix.c */
void pl_forget_maps(void);         /* posix/maps.c */
void pl_forget_asynchronous(void); /* posix/aio.c */

/* Where pl.use_tsc is known. */
PL_INLINE uint64_t pl_tsc(void) {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return 0;
#endif
}
/* The same, and what is written behind it stays there. */
PL_INLINE uint64_t pl_tsc_here(void) {
  uint64_t now = pl_tsc();
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return now;
}
PL_INLINE uint64_t pl_ticks(void) {
  if (PL_LIKELY(pl.use_tsc)) return pl_tsc();
  return pl_ticks_slowly();
}

PL_INLINE uint64_t pl_pair(uint32_t low, uint32_t high) { return (uint64_t)low | (uint64_t)high << 32; }
PL_INLINE uint32_t pl_low(uint64_t word) { return (uint32_t)word; }

/* The thread is inside of a call. 1: no more, the program has left that by a jump; it has an end now (left_calls.c). */
int pl_leave_left_call(struct pl_thread* t);

/* The thread, if this call is to be recorded; the caller must pl_leave(). While recording: MPI wrappers are entered
 * then only. */
PL_INLINE struct pl_thread* pl_enter(void) {
  struct pl_thread* t = &pl_self;
  if (PL_UNLIKELY(t->mode != PL_OUTSIDE) && !pl_leave_left_call(t)) return NULL;
  t->mode = PL_INSIDE;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return t;
}
PL_INLINE void pl_set_mode(struct pl_thread* t, int mode) {
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t->mode = mode;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
PL_INLINE void pl_leave(struct pl_thread* t) { pl_set_mode(t, PL_OUTSIDE); }

/* Call sites: a lock-free table that is only added to; the id is the slot. */
#define PL_SITE_BITS 14
struct pl_sites {
  uint64_t address[1u << PL_SITE_BITS];
};
extern struct pl_sites pl_sites;

PL_INLINE uint64_t pl_slot_of_site(uint64_t address) { return (address * 0x9E3779B97F4A7C15u) >> (64 - PL_SITE_BITS); }
PL_INLINE uint32_t pl_site(struct pl_thread* t, void* return_address) {
  uint64_t address = (uint64_t)(uintptr_t)return_address;
  uint32_t slot = (uint32_t)pl_slot_of_site(address);
  if (PL_LIKELY(__atomic_load_n(&pl_sites.address[slot], __ATOMIC_RELAXED) == address)) return slot + 1;
  return pl_new_site(t, address);
}

/* The words of a payload as the struct of a shape (payloads.h): fields that are not named are 0. */
#define PL_PAYLOAD(words, shape) (*(struct pl_##shape##_payload*)(void*)(words))
#define PL_FILL(words, shape, ...) (PL_PAYLOAD(words, shape) = (struct pl_##shape##_payload){__VA_ARGS__})

/* The payload is in the packed shape (end of format.h). */
#define PL_PACKED_SITE (PL_PACKED >> 2)
PL_INLINE void pl_pack(struct pl_call* call) { call->site |= PL_PACKED_SITE; }

/* Words kept free behind every record: for the run delay that may have to go in front of it. */
#define PL_HEAD_WORDS 3u
#define PL_SPARE_WORDS 4u
#define PL_MAX_WORDS 65535u
#define PL_LARGEST (PL_HEAD_WORDS + PL_MAX_WORDS + PL_SPARE_WORDS)

PL_INLINE struct pl_record* pl_reserve(struct pl_thread* t, unsigned words) {
  uint64_t* at = t->cursor;
  if (PL_UNLIKELY((size_t)(t->limit - at) < PL_HEAD_WORDS + words + PL_SPARE_WORDS)) at = pl_next_segment(t, words);
  return (struct pl_record*)at;
}

PL_INLINE void pl_publish(struct pl_record* r, uint16_t function, uint16_t words, uint32_t site, enum pl_state state) {
  uint64_t head = (uint64_t)function | (uint64_t)words << 16 | (uint64_t)(site << 2 | (uint32_t)state) << 32;
  __atomic_store_n((uint64_t*)(void*)r, head, __ATOMIC_RELEASE);
}

/* Room for a record. Nothing that may define something (sites, communicators, types) may come between this and
 * pl_start(). Payload words written before pl_start() are there even if the call never returns. */
PL_INLINE struct pl_call pl_prepare(struct pl_thread* t, uint16_t function, unsigned words, void* return_address) {
  struct pl_call call;
  call.site = pl_site(t, return_address);
  call.r = pl_reserve(t, words);
  call.function = function;
  call.words = (uint16_t)words;
  return call;
}

/* The records to come: their place comes into the cache while the program goes on. Otherwise the next call that makes
 * the processor wait for its stores (a system call, an atomic operation) waits for memory. No harm beyond the segment.
 */
#define PL_WORDS_AHEAD 16
PL_INLINE void pl_fetch_ahead(const uint64_t* cursor) { __builtin_prefetch(cursor + PL_WORDS_AHEAD, 1); }

/* The call begins now. */
PL_INLINE void pl_start(struct pl_thread* t, struct pl_call* call) {
  uint64_t now = pl_ticks();
  if (PL_UNLIKELY(now - t->time > pl.long_gap)) call->r = pl_long_gap(t, call->r, call->words, &now);
  call->r->begin = now;
  pl_publish(call->r, call->function, call->words, call->site, PL_BEGUN);
  t->cursor = (uint64_t*)(void*)call->r + PL_HEAD_WORDS + call->words;
  t->time = now;
  t->poll = NULL;
  pl_fetch_ahead(t->cursor);
}

/* The call has ended: in two steps, so that looking at its results does not count as its time. */
PL_INLINE void pl_stamp(struct pl_thread* t, struct pl_call* call) {
  uint64_t now = pl_ticks();
  call->r->end = now;
  t->time = now;
}
PL_INLINE void pl_done(struct pl_call* call) { pl_publish(call->r, call->function, call->words, call->site, PL_DONE); }
/* The same, of a record whose head says all but that: nothing has to be kept for it over the call. */
PL_INLINE void pl_done_as_begun(struct pl_record* r) {
  uint64_t* head = (uint64_t*)(void*)r;
  __atomic_store_n(head, *head ^ (uint64_t)(PL_BEGUN ^ PL_DONE) << 32, __ATOMIC_RELEASE);
}

/* errors.c: the call has returned an error. Before pl_done(), or, where its head says all (`call`: NULL), after it. */
void pl_note_error(struct pl_record* r, struct pl_call* call, int result);

/* The upper half of a word of a payload. */
PL_INLINE void pl_set_high(uint64_t* word, uint32_t high) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  __builtin_memcpy((char*)word + sizeof high, &high, sizeof high);
#else
  *word = pl_pair(pl_low(*word), high);
#endif
}

/* The same as a pair, written by halves. */
PL_INLINE void pl_set_halves(uint64_t* word, uint32_t low, uint32_t high) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  __builtin_memcpy(word, &low, sizeof low);
  __builtin_memcpy((char*)word + sizeof low, &high, sizeof high);
#else
  *word = pl_pair(low, high);
#endif
}

/* Where the stack ends now: of the frame that this is inlined into. */
PL_INLINE void pl_note_frame(struct pl_thread* t) {
#if defined(__x86_64__)
  __asm__ volatile("movq %%rsp, %0" : "=m"(t->frame));
#else
  t->frame = __builtin_frame_address(0);
#endif
}

/* Nothing was written behind it. */
PL_INLINE int pl_is_last(const struct pl_thread* t, const struct pl_call* call) {
  return t->cursor == call->r->payload + call->words;
}

/* A record that has turned out not to be wanted: nothing was written behind it. */
PL_INLINE void pl_withdraw(struct pl_thread* t, struct pl_call* call) {
  uint64_t* at = (uint64_t*)(void*)call->r;
  if (t->cursor != at + PL_HEAD_WORDS + call->words) return;
  __atomic_store_n(at, 0, __ATOMIC_RELEASE);
  for (unsigned i = 1; i < PL_HEAD_WORDS + call->words; ++i) at[i] = 0;
  t->cursor = at;
}

#pragma GCC visibility pop

#endif
