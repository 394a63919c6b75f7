/* The spool: what the tracer leaves behind, one file per traced process. Plain C, shared by tracer/preload (writer) and
 * tracer/spool (reader). Little-endian, 8-byte aligned.
 *
 * A file is a header page followed by segments of PL_SEGMENT_BYTES. Each segment belongs to one thread; it is allocated
 * (fallocate) before it is mapped, so a full disk is an error code and never a SIGBUS in the host. A segment is a
 * header and then records up to the first word that is zero: the file is valid up to the last record after any kind
 * of death, without any closing step.
 *
 * A record is a head and `words` words of payload. Its first half (function, site, begin and what is known before the
 * call) is written before the call with state PL_BEGUN; the second half (end and results) after it, then the state
 * becomes PL_DONE. The payload's shape is given by the layout of its function (payloads.h); functions, files,
 * communicators and so on are introduced by definition records, once per process, on the thread that met them first:
 * read the definitions of all threads before the records. Ids are never used twice.
 *
 * Where the last records of a process are kept (PL_KEEP_LAST), segments of records are used again: of each thread those
 * of the highest, consecutive indices are there. Definitions are then in segments of their own, of all threads
 * together; only those whose place matters (PL_DEF_CLOCK, PL_DEF_RUN_DELAY, PL_DEF_OPEN_FILE) are among the records. */
#ifndef PLUMBLINE_TRACER_SPOOL_FORMAT_H
#define PLUMBLINE_TRACER_SPOOL_FORMAT_H

#include <stdint.h>

#include "tracer/spool/format/payloads.h"

#define PL_SPOOL_MAGIC "PLUMBSPL"
#define PL_SPOOL_VERSION 5u
#define PL_OLDEST_SPOOL_VERSION \
  4u /* the oldest one that is a spool of this version too: it only lacks what came later */
#define PL_HEADER_BYTES 8192u
#define PL_SEGMENT_BYTES (1u << 20)
#define PL_SEGMENT_MAGIC 0x47455350u /* "PSEG" */

enum pl_flavour { PL_FLAVOUR_NONE = 0, PL_FLAVOUR_OPENMPI = 1, PL_FLAVOUR_MPICH = 2 };
enum pl_clock { PL_CLOCK_TSC = 1, PL_CLOCK_MONOTONIC_NS = 2 };
enum pl_end {
  PL_END_RUNNING = 0,
  PL_END_FINALIZED = 1,
  PL_END_EXITED = 2,
  PL_END_STOPPED = 3, /* see stop_reason */
  PL_END_LEFT_OUT = 4 /* the user did not want this rank: what precedes the end of MPI_Init means nothing */
};
enum pl_keep { PL_KEEP_FIRST = 0, PL_KEEP_LAST = 1 };

/* What a process said of its leaving, last. It is no end: handlers still run, and a signal may come first. */
enum pl_ending {
  PL_ENDING_NONE = 0,
  PL_ENDING_EXIT,       /* exit, or return from main */
  PL_ENDING_FAST_EXIT,  /* _exit, _Exit */
  PL_ENDING_QUICK_EXIT, /* quick_exit */
  PL_ENDING_ABORT,      /* abort, a failed assert */
  PL_ENDING_MPI_ABORT   /* MPI_Abort; nothing that follows replaces it */
};

/* One reading of the clocks at one moment: ticks of the recording clock, CLOCK_MONOTONIC and CLOCK_REALTIME. */
struct pl_clock_reading {
  uint64_t ticks, monotonic_ns, realtime_ns;
};

struct pl_file_header {
  char magic[8];
  uint32_t version, header_bytes, segment_bytes;
  uint32_t flavour; /* enum pl_flavour */
  uint32_t clock;   /* enum pl_clock */
  uint32_t end;     /* enum pl_end */
  uint32_t pid;
  int32_t world_rank, world_size;                   /* -1 until MPI_Init has returned */
  uint32_t cores;                                   /* processors this process may run on (affinity mask) */
  struct pl_clock_reading first, initialized, last; /* process start; after MPI_Init; latest (end, or every segment) */
  uint64_t cost_inside_ticks;  /* of one record, between its two clock readings: part of every recorded duration */
  uint64_t cost_outside_ticks; /* of one record, outside them: part of every recorded gap; median of a self-test */
  uint64_t poll_gap_ticks;     /* polls with gaps up to this between them are one wait; longer gaps are computation */
  uint64_t lost_records;       /* could not be written; recording went on or stopped, see end */
  char boot_id[40];            /* same boot_id and time_namespace_ns: same clocks */
  char host[256];
  char stop_reason[256];
  char library[512];         /* MPI_Get_library_version, first line */
  char program[2048];        /* command line, arguments separated by spaces */
  uint64_t affinity[16];     /* processors this process may run on: bit n % 64 of word n / 64; of the first 1024 */
  int64_t time_namespace_ns; /* by which a time namespace has shifted CLOCK_MONOTONIC */
  char job[128];             /* the launcher's name for what it started with this process; empty: it has none */
  uint64_t ending;           /* enum pl_ending | status or error code << 32 */
  uint64_t max_bytes;        /* limit of this file's size; 0: none */
  uint32_t keep;             /* enum pl_keep: what is kept when it is reached */
  uint32_t writers;          /* threads that have written, with those of which nothing is left */
  uint64_t dropped_segments, dropped_calls; /* that have given way to newer ones */
  uint64_t window_end;                      /* ticks: what the program calls later is not wanted; 0: all is */
  uint64_t poll_break_ticks;                /* a run of polls ends at a gap longer than this; see struct pl_polls */
};

struct pl_segment_header {
  uint32_t magic, thread; /* thread: 0 is the one that called MPI_Init, then by first record */
  uint32_t index;         /* running number among the segments of this thread */
  uint32_t kind;          /* enum pl_segment_kind */
};
enum pl_segment_kind { PL_SEGMENT_RECORDS = 0, PL_SEGMENT_DEFINITIONS = 1 /* thread is 0, index counts these alone */ };

enum pl_state { PL_EMPTY = 0, PL_BEGUN = 1, PL_DONE = 2 };
#define PL_PACKED (1u << 31) /* the payload is in the packed shape of its layout: see the end */
#define PL_POLLED (1u << 30) /* the record is a run of polls: see the end */
#define PL_ERROR_SHIFT 23    /* enum pl_error of a call of MPI that did not return MPI_SUCCESS: 7 bits of site_state */
#define PL_ERROR_MASK 0x7fu

struct pl_record {
  uint16_t function; /* >= PL_DEFINITIONS: a definition; else introduced by PL_DEF_FUNCTION. Never 0 */
  uint16_t words;    /* payload, in 8-byte words, reserved for both halves */
  uint32_t
      site_state; /* PL_PACKED | PL_POLLED | enum pl_error << 23 | site << 2 | enum pl_state; site 0: unknown, 21 bits
                   */
  uint64_t begin, end; /* ticks; end is 0 while PL_BEGUN */
  uint64_t payload[];
};

/* ---- Definitions --------------------------------------------------------------------------------------------------
 * Their payloads are in payloads.h, those of PL_DEF_FILE as PL_FIELDS_DEF_FILE and so on. begin .. end of a
 * definition's head is the time that the tracer itself took for it: neither the program's nor a call's. */
enum pl_definition {
  PL_DEFINITIONS = 0xF000,
  PL_DEF_FUNCTION,
  PL_DEF_SITE,
  PL_DEF_MODULES, /* text of /proc/self/maps, executable mappings only; the latest one before a site explains it */
  PL_DEF_COMM,
  PL_DEF_COMM_NAME, /* PL_FIELDS_DEF_NAME, as of the other names */
  PL_DEF_DATATYPE,
  PL_DEF_FILE,  /* the name is its absolute path */
  PL_DEF_HINTS, /* file: an MPI file handle id */
  PL_DEF_META,  /* text "key=value": facts about the run (protocol limits, versions, ..) */
  PL_DEF_CLOCK, /* struct pl_clock_reading; at each new segment */
  PL_DEF_RUN_DELAY,

  PL_DEF_PERSISTENT,
  PL_DEF_NEIGHBOURS,
  PL_DEF_MPI_FILE,
  PL_DEF_VIEW, /* PL_FIELDS_FILE_VIEW: set while it was off; holds from head.begin on. With PL_KEEP_LAST each opening
                  and each view is told so, recorded or not */
  PL_DEF_WIN,
  PL_DEF_WIN_NAME,
  PL_DEF_MOUNTS, /* text of /proc/self/mountinfo, without what lies below /proc and /sys; at the beginning, and at the
                    end where it differs */
  PL_DEF_SWITCH,
  PL_DEF_OPEN_FILE,
  PL_DEF_INNER_PEER,
};

/* MPI combiners by our own numbers, so that a reader needs no mpi.h. */
enum pl_combiner {
  PL_TYPE_NAMED = 1,
  PL_TYPE_DUP,
  PL_TYPE_CONTIGUOUS,
  PL_TYPE_VECTOR,
  PL_TYPE_HVECTOR,
  PL_TYPE_INDEXED,
  PL_TYPE_HINDEXED,
  PL_TYPE_INDEXED_BLOCK,
  PL_TYPE_HINDEXED_BLOCK,
  PL_TYPE_STRUCT,
  PL_TYPE_SUBARRAY,
  PL_TYPE_DARRAY,
  PL_TYPE_RESIZED,
  PL_TYPE_OTHER
};

/* Of inner messages. */
enum pl_inner {
  PL_INNER_RANK_IN_CONTEXT = 1, /* peer is no world rank but the rank in the communicator of that context */
  PL_INNER_ANY_SOURCE = 2,      /* the receive was posted for any source; peer has no meaning until it is complete */
  PL_INNER_ANY_TAG = 4,
  PL_INNER_SYNCHRONOUS = 8,
  PL_INNER_UNKNOWN_BYTES = 16, /* it was not contiguous, and nothing tells its size */
  PL_INNER_FAILED = 32,        /* by an error, or cancelled */
  PL_INNER_RENDEZVOUS = 64     /* reserved: the library tells how it goes */
};
#define PL_INNER_BYTES ((1ull << 48) - 1)

struct pl_completion {
  uint64_t bytes_flags; /* bytes | PL_COMPLETED.. ; all zero: not completed by this call */
  int32_t source, tag;  /* of a receive; -1 where it has no meaning */
};
#define PL_COMPLETED (1ull << 63)
#define PL_CANCELLED (1ull << 62)
#define PL_COMPLETED_SEND (1ull << 61) /* or any other request that carries no status of a message or file access */
#define PL_PEER_AS_POSTED (1ull << 60) /* source and tag are those that the request was posted with */
#define PL_BYTES_AS_POSTED (1ull << 59)
#define PL_COMPLETION_BYTES ((1ull << 59) - 1)

enum pl_access {
  PL_ACCESS_WRITE = 1, /* else read */
  PL_ACCESS_COLLECTIVE = 2,
  PL_ACCESS_EXPLICIT = 4, /* offset given by the caller; else individual file pointer */
  PL_ACCESS_SHARED = 8,   /* shared file pointer */
  PL_ACCESS_NONBLOCKING = 16,
  PL_ACCESS_FAILED = 32,
  PL_ACCESS_SYNC = 64, /* neither read nor write: aio_fsync */
};
/* Of a lock on a range of a file; neither of the first two: it is given back. */
enum pl_file_lock {
  PL_FILE_LOCK_READ = 1, /* shared */
  PL_FILE_LOCK_WRITE = 2,
  PL_FILE_LOCK_WAITS = 4,       /* until it is free */
  PL_FILE_LOCK_OF_OPEN_FILE = 8 /* of the open file, not of the process (F_OFD_SETLK) */
};
#define PL_UNKNOWN_BYTES INT64_MIN
#define PL_FIRST_AIO 0x80000000u /* numbers of asynchronous operations; those of MPI's requests are below */

/* One-sided communication, in numbers that do not depend on the library. */
enum pl_win { PL_WIN_CREATE = 1, PL_WIN_ALLOCATE, PL_WIN_ALLOCATE_SHARED, PL_WIN_DYNAMIC };
enum pl_assertion {
  PL_ASSERT_NOCHECK = 1,
  PL_ASSERT_NOSTORE = 2,
  PL_ASSERT_NOPUT = 4,
  PL_ASSERT_NOPRECEDE = 8,
  PL_ASSERT_NOSUCCEED = 16
};
enum pl_lock_type { PL_LOCK_NONE = 0, PL_LOCK_EXCLUSIVE, PL_LOCK_SHARED };
enum pl_op {
  PL_OP_NONE = 0,
  PL_OP_OTHER, /* of the user */
  PL_OP_SUM,
  PL_OP_REPLACE,
  PL_OP_NO_OP,
  PL_OP_MIN,
  PL_OP_MAX,
  PL_OP_PROD,
  PL_OP_LAND,
  PL_OP_BAND,
  PL_OP_LOR,
  PL_OP_BOR,
  PL_OP_LXOR,
  PL_OP_BXOR,
  PL_OP_MINLOC,
  PL_OP_MAXLOC,
  PL_OPS
};

/* Error classes of MPI by our own numbers: MPI_ERR_RANK is PL_ERROR_RANK. New ones are added to the end of
 * PL_ERRORS_SINCE. */
/* clang-format off */
#define PL_ERRORS_OF_MPI_3(X)                                                                                        \
  X(BUFFER) X(COUNT) X(TYPE) X(TAG) X(COMM) X(RANK) X(REQUEST) X(ROOT) X(GROUP) X(OP) X(TOPOLOGY) X(DIMS) X(ARG)     \
  X(UNKNOWN) X(TRUNCATE) X(OTHER) X(INTERN) X(PENDING) X(IN_STATUS) X(ACCESS) X(AMODE) X(ASSERT) X(BAD_FILE) X(BASE) \
  X(CONVERSION) X(DISP) X(DUP_DATAREP) X(FILE_EXISTS) X(FILE_IN_USE) X(FILE) X(INFO_KEY) X(INFO_NOKEY) X(INFO_VALUE) \
  X(INFO) X(IO) X(KEYVAL) X(LOCKTYPE) X(NAME) X(NO_MEM) X(NOT_SAME) X(NO_SPACE) X(NO_SUCH_FILE) X(PORT) X(QUOTA)     \
  X(READ_ONLY) X(RMA_CONFLICT) X(RMA_SYNC) X(SERVICE) X(SIZE) X(SPAWN) X(UNSUPPORTED_DATAREP)                        \
  X(UNSUPPORTED_OPERATION) X(WIN) X(RMA_RANGE) X(RMA_ATTACH) X(RMA_FLAVOR) X(RMA_SHARED)
#define PL_ERRORS_SINCE(X)                                                                                           \
  X(SESSION) X(VALUE_TOO_LARGE) X(ERRHANDLER) X(PROC_ABORTED) X(PROC_FAILED) X(PROC_FAILED_PENDING) X(REVOKED)
#define PL_ERROR_NUMBER(name) PL_ERROR_##name,
enum pl_error {
  PL_ERROR_NONE = 0,
  PL_ERROR_OF_PROGRAM, /* a class or code that the program or the library has added */
  PL_ERROR_LEFT,       /* it never returned: a handler has jumped out of it, or thrown an exception. Its end is
                          where the next call found that */
  PL_ERRORS_OF_MPI_3(PL_ERROR_NUMBER)
  PL_ERRORS_SINCE(PL_ERROR_NUMBER)
  PL_ERRORS
};
/* clang-format on */

/* Peers as MPI has them, in numbers that do not depend on the library. */
#define PL_ANY_SOURCE (-1)
#define PL_PROC_NULL (-2)
#define PL_ANY_TAG (-1)
#define PL_COMM_NULL 0xffffffffu
#define PL_COMM_WORLD 1u /* ids of communicators, datatypes, files, requests start at 1; 0: none */
#define PL_COMM_SELF 2u

/* ---- Packed shapes of layouts -------------------------------------------------------------------------------------
 * Three words, 48 bytes with the head, where the shape of the layout would take more. A record whose numbers do not
 * fit has the shape of the layout. A reader unpacks to that (tracer/spool/packed.hpp), so that nothing else knows
 * these.
 *
 * Of what was posted and what has matched one place holds both: what was posted before the call, what has matched after
 * it, with the top bit set where any was posted. */
#define PL_WAS_ANY 0x80000000u
/* RECV, blocking: [source | tag: posted, then matched] [bytes of the buffer, then received] [comm | (1: failed)]
 * PROBE: [source | tag, likewise] (bytes) [comm | (found << 31 | polls folded)]
 * SENDRECV: [sendtag | recvtag, then matched] [bytes sent | of the buffer, then received, u32] [dest | source, then
 *   matched, | comm: 24, 24 and 16 bits, ranks signed]; after an error source and recvtag are -1
 * FILE_ACCESS: [handle | flags, 24 and 8 bits | request, (bytes done) of a blocking call] [offset] [bytes asked]
 * POSIX_ACCESS, POSIX_RANGE: [fd | flags or mode: 16 bits each | (bytes done, 0 or -errno, i32)] [offset] [bytes or
 *   length]
 * POSIX_STREAM_ACCESS: [fd | flags] [bytes asked] (bytes done, or -errno)
 * COLLECTIVE, where it would have more than three words: [root | request] [to | comm, low half] [from | comm, high
 * half] to, from: 48 bits, of which PL_MOVED_KIND tells what the other 46 are */
#define PL_MOVED_BITS 46
#define PL_MOVED_KIND (3ull << PL_MOVED_BITS)
#define PL_MOVED_BYTES (0ull << PL_MOVED_BITS)  /* bytes sent, received */
#define PL_MOVED_VECTOR (1ull << PL_MOVED_BITS) /* vector << 16: bytes to, from each rank, as written earlier */
#define PL_MOVED_LIST                                                                         \
  (2ull << PL_MOVED_BITS) /* vector << 16 | n: n words of it follow the three, first those of \
                             `to`. It is vector 0 if no later record refers to it */
#define PL_MOST_VECTORS 4096u
#define PL_MOST_VECTOR_WORDS (1u << 20) /* in all vectors that may be referred to */
/* WAIT: [n | polls folded], then numbers of 32 bits: n requests; a mark of 4 bits for each, 8 to a number, low ones
 *   first, 0 before the call; then for each mark in turn what it announces */
enum pl_mark {
  PL_MARK_SEND = 1,      /* completed; carries no status of a message or file access */
  PL_MARK_MESSAGE = 2,   /* completed, as posted but for what follows */
  PL_MARK_CANCELLED = 3, /* completed, by being cancelled or by an error, without a message */
  PL_MARK_STATE = 3,
  PL_MARK_PEER = 4, /* source, tag follow */
  PL_MARK_BYTES = 8 /* bytes follow, low half first */
};

/* ---- Runs of polls -------------------------------------------------------------------------------------------------
 * A poll is a test or a probe: it asks and returns at once. One that follows another on the same thread, with nothing
 * recorded in between, and that tells nothing new, extends the record of that one, whatever the two ask: a loop of
 * polls is one record, however long it lasts. The poll that does tell something new (a request is complete, a message
 * is there) ends the run, and belongs to it. begin is that of the first poll, end that of the last.
 *
 * With PL_POLLED the payload is that of the first poll (of WAIT and PROBE in the packed shape; its length follows from
 * it), then struct pl_polls, then items: each a head word as that of a record (function | words | site_state) and a
 * payload in the shape of a record of its own. In state PL_BEGUN: something that was asked besides, told once, the
 * first PL_MOST_POLLED things of them; in state PL_DONE: the poll that ended the run, the last item. A head word of
 * zero ends the list: behind it was room for what a poll in progress might tell.
 *
 * Version 4 has no PL_POLLED. There only the same poll extends a record, and is counted in its payload (polls folded).
 */
#define PL_MOST_POLLED 16u
struct pl_polls {
  uint64_t polls;       /* calls, with the first one and the one that ended the run */
  uint64_t longest_gap; /* ticks that the thread ran in a gap between two of them, at most */
  uint64_t computed;    /* ticks that it ran in all gaps longer than header.poll_gap_ticks (and 1/256 of that more for
                           each word that a poll may need): computation. The run ends where it ran longer than
                           header.poll_break_ticks (five times that if it was off its core most of the gap) and than
                           1/32 of the run so far, or than a millisecond */
  uint64_t off_cpu;     /* ticks of gaps in which it slept or waited for a core; looked at in those longer than twice
                           header.poll_break_ticks. They end no run */
  uint64_t long_gaps;   /* ticks of the gaps with more than a millisecond of that */
  uint64_t run_delay;   /* as PL_DEF_RUN_DELAY has it, read after the last of these; 0: there was none */
};
#define PL_POLLS_WORDS (sizeof(struct pl_polls) / sizeof(uint64_t))
/* Words of the packed payload of a WAIT that has completed nothing, as the first poll of a run. */
#define PL_FAILED_WAIT_WORDS(n) (1u + ((n) + ((n) + 7u) / 8u + 1u) / 2u)

#endif
