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
 * becomes PL_DONE. The payload's shape is given by the layout of its function; functions, files, communicators and so
 * on are introduced by definition records, once per process, on the thread that met them first: read the definitions of
 * all threads before the records. Ids are never used twice.
 *
 * Where the last records of a process are kept (PL_KEEP_LAST), segments of records are used again: of each thread those
 * of the highest, consecutive indices are there. Definitions are then in segments of their own, of all threads
 * together; only those whose place matters (PL_DEF_CLOCK, PL_DEF_RUN_DELAY, PL_DEF_OPEN_FILE) are among the records. */
#ifndef PLUMBLINE_TRACER_SPOOL_FORMAT_H
#define PLUMBLINE_TRACER_SPOOL_FORMAT_H

#include <stdint.h>

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
  uint16_t function;   /* >= PL_DEFINITIONS: a definition; else introduced by PL_DEF_FUNCTION. Never 0 */
  uint16_t words;      /* payload, in 8-byte words, reserved for both halves */
  uint32_t site_state; /* PL_PACKED | PL_POLLED | enum pl_error << 23 | site << 2 | enum pl_state; site 0: unknown, 21 bits
                        */
  uint64_t begin, end; /* ticks; end is 0 while PL_BEGUN */
  uint64_t payload[];
};

/* ---- Definitions --------------------------------------------------------------------------------------------------
 * Strings are zero-padded to whole words. `u32|u32` is one word, first half in the low bits. begin .. end of a
 * definition's head is the time that the tracer itself took for it: neither the program's nor a call's. */
enum pl_definition {
  PL_DEFINITIONS = 0xF000,
  PL_DEF_FUNCTION,  /* function | layout;  name */
  PL_DEF_SITE,      /* site | 0; return address */
  PL_DEF_MODULES,   /* text of /proc/self/maps, executable mappings only; the latest one before a site explains it */
  PL_DEF_COMM,      /* comm | parent; size | own rank; remote size | sequence; then world ranks, two u32 per word
                       (local group, then remote group of an intercommunicator; -1: of another MPI_COMM_WORLD).
                       sequence: running number of communicators with exactly these members on this rank */
  PL_DEF_COMM_NAME, /* comm | 0; name */
  PL_DEF_DATATYPE,  /* type | combiner (enum pl_combiner); size; lower bound; extent; integers | addresses; types | 0;
                       then integers (i64 each), addresses (i64 each), types (u32, two per word): MPI_Type_get_contents,
                       with order 0 C, 1 Fortran; distribution 0 none, 1 block, 2 cyclic; default argument -1. Equal
                       trees have one id */
  PL_DEF_FILE,      /* file | 0 ; absolute path */
  PL_DEF_HINTS,     /* file (an MPI file handle id) | 0 asked for, 1 in force; "key=value\n..." */
  PL_DEF_META,      /* "key=value": facts about the run (protocol limits, versions, ..) */
  PL_DEF_CLOCK,     /* struct pl_clock_reading; at each new segment */
  PL_DEF_RUN_DELAY, /* ns that this thread has waited for a CPU since it began (schedstat), read after a long gap;
                       head.begin .. head.end is that gap. The first one of a thread is the base line, its gap is empty
                     */

  PL_DEF_PERSISTENT, /* persistent request | layout; function of MPI_.._init | 0; then what a record of that layout
                        would have as payload if the operation were started by a non-blocking call, request 0 */
  PL_DEF_NEIGHBOURS, /* comm | 0; n to | n from; then ranks in comm (i32, two per word), first those sent to */
  PL_DEF_MPI_FILE,   /* file | amode; comm | PL_DEF_FILE id: opened while recording was off */
  PL_DEF_VIEW,       /* file | 0; displacement; etype | filetype: set while it was off; holds from head.begin on.
                        With PL_KEEP_LAST each opening and each view is told so, recorded or not */
  PL_DEF_WIN,        /* window | comm; enum pl_win | sequence; bytes of this rank's memory; displacement unit in bytes.
                        sequence: running number of the windows made on that communicator; their making is collective,
                        so it is the same on all its ranks */
  PL_DEF_WIN_NAME,   /* window | 0; name */
  PL_DEF_MOUNTS,     /* text of /proc/self/mountinfo, without what lies below /proc and /sys; at the beginning, and at
                        the end where it differs */
  PL_DEF_SWITCH,    /* 0 off, 1 on | 0: at head.begin recording was switched by a limit of the user's, on all threads */
  PL_DEF_OPEN_FILE, /* fd | PL_DEF_FILE id: was open when this segment began; with PL_KEEP_LAST */
  PL_DEF_INNER_PEER, /* context | own rank in it; world rank of a receiver | 0: this process has sent to that one by
                        that context, as that rank. Tells what PL_INNER_RANK_IN_CONTEXT means on the other side */
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

/* ---- Layouts: payload words in order. [ ] written before the call, ( ) after it -------------------------------------
 */
enum pl_layout {
  PL_LAYOUT_NONE = 0,    /* the call is only timed */
  PL_LAYOUT_SEND,        /* [dest i32 | tag i32] [bytes] [comm | request] request 0: blocking */
  PL_LAYOUT_RECV,        /* [source | tag, as posted] [bytes of the buffer] (after a blocking call: bytes received)
                            [comm | request] (blocking only: matched source | tag; -1 | -1 after an error, but for
                            MPI_ERR_TRUNCATE, which has taken the message) */
  PL_LAYOUT_SENDRECV,    /* [dest | tag] [bytes sent] [comm | 0] [source | tag, posted] [bytes of buffer, then received]
                            (matched source | tag) */
  PL_LAYOUT_WAIT,        /* [n requests | 0] (completed | polls folded, see the end) [request ids, two u32 per word]
                            (per request: struct pl_completion). Waits, tests; request 0: MPI_REQUEST_NULL or
                            inactive. MPI_Request_free, MPI_Cancel: one request, not completed. ..any and ..some that
                            completed something list the completed ones only; until then, all that they were given */
  PL_LAYOUT_PROBE,       /* [source | tag, posted] (bytes) [comm | 0] (matched source | tag) (found | polls folded) */
  PL_LAYOUT_COLLECTIVE,  /* [comm | root, -1: none, -2: MPI_PROC_NULL, -3: MPI_ROOT] [bytes sent] [bytes received]
                            and for v-collectives or non-blocking ones: [request | 0] [ns | nr] then ns + nr words:
                            bytes to, from each rank of comm. Sent: what this rank contributes from its buffer in all
                            (root of Bcast: bytes; Scatter root: all of it; Alltoall: n * block); received: what arrives
                            in its receive buffer. In-place counts as if it were not. ns, nr: 0 or the number of peers
                            (the remote group of an intercommunicator); Reduce_scatter has ns, each rank's block */
  PL_LAYOUT_COMM,        /* [comm, 0xffffffff: made without one | request of MPI_Comm_idup] (new comm | 0) new comm
                            0xffffffff: MPI_COMM_NULL, or a free */
  PL_LAYOUT_FILE_OPEN,   /* [comm | amode, MPI's own numbers] [PL_DEF_FILE id | 0] (MPI file handle id | 0 ok, 1 failed)
                          */
  PL_LAYOUT_FILE,        /* [handle | 0]: close, sync, and the like */
  PL_LAYOUT_FILE_VIEW,   /* [handle | 0] [displacement] [etype | filetype] ids of PL_DEF_DATATYPE */
  PL_LAYOUT_FILE_SEEK,   /* [handle | whence 0 set, 1 cur, 2 end] [offset in etypes] (position after, in etypes) */
  PL_LAYOUT_FILE_ACCESS, /* [handle | enum pl_access flags] [offset in etypes; for file-pointer calls the pointer before
                            the call, UINT64_MAX for shared ones] [bytes asked] (bytes done; of non-blocking ones with
                            the completion) [request | 0] */
  PL_LAYOUT_POSIX_OPEN,  /* [PL_DEF_FILE id | flags] (fd, or -errno, i64). Function "(open at start)": was open when
                            MPI_Init returned */
  PL_LAYOUT_POSIX_FD,    /* [fd i32 | 0] (result or -errno, i64): close, fsync, dup (result: the new fd), .. */
  PL_LAYOUT_POSIX_ACCESS, /* [fd i32 | enum pl_access flags] [offset, -1: at the position of the descriptor] [bytes
                             asked] (bytes done, or -errno, i64) */
  PL_LAYOUT_POSIX_SEEK,   /* [fd i32 | whence] [offset i64] (position after, or -errno) */
  PL_LAYOUT_POSIX_COPY,   /* [fd read from | fd written to; -1: not followed] [offset in the one] [in the other; -1 as
                             above] [bytes asked] (bytes done, or -errno): sendfile, copy_file_range, splice */
  PL_LAYOUT_POSIX_RANGE,  /* [fd | mode, advice or flags of the call] [offset] [length] (0 or -errno): fallocate,
                             ftruncate (from 0), posix_fadvise, sync_file_range, ..; fcntl (lock), (unlock), (test):
                             enum pl_file_lock, length 0: to the end, wherever that will be */
  PL_LAYOUT_POSIX_CLOSE_RANGE, /* [first fd | last fd, u32] (0 or -errno) */
  PL_LAYOUT_POSIX_NAME,        /* [PL_DEF_FILE id | second PL_DEF_FILE id; 0: none, or not followed] (result or -errno):
                                  rename, unlink, stat, .. */
  PL_LAYOUT_POSIX_MAP,         /* [PL_DEF_FILE id | protection of mmap, flags of msync] [offset in the file] [length]
                                  (address, 0 or -errno) */
  PL_LAYOUT_POSIX_AIO, /* [fd | enum pl_access flags] [offset] [bytes asked] [operation, from PL_FIRST_AIO on] (0 or
                          -errno): aio_read, aio_write, aio_fsync */
  PL_LAYOUT_POSIX_AIO_LIST, /* [n | 1: returns when all are done] (0 or -errno) then n times the first four words of
                               PL_LAYOUT_POSIX_AIO: lio_listio */
  PL_LAYOUT_POSIX_AIO_END,  /* [operation | 0] [bytes done, PL_UNKNOWN_BYTES, or -errno of the operation]: the program
                               has learnt of its end */
  PL_LAYOUT_POSIX_AIO_WAIT, /* [n operations waited for | 0] (0 or -errno): aio_suspend */
  PL_LAYOUT_POSIX_STREAM_OPEN,   /* as PL_LAYOUT_POSIX_OPEN; a stream of stdio on that descriptor */
  PL_LAYOUT_POSIX_STREAM,        /* [fd | mode of setvbuf] [bytes in the buffer that are still to be written; size given
                                    to setvbuf] [their offset in the file, -1: unknown] (0 or -errno): fclose, fflush */
  PL_LAYOUT_POSIX_STREAM_ACCESS, /* as PL_LAYOUT_POSIX_ACCESS; the offset is not known */
  PL_LAYOUT_POSIX_STREAM_SEEK,   /* as PL_LAYOUT_POSIX_SEEK */

  PL_LAYOUT_ISENDRECV, /* [dest | tag] [bytes sent] [comm | request of the send] [source | tag, posted] [bytes of the
                          buffer] [comm | request]: the one that is waited for; with it both are complete */
  PL_LAYOUT_START,     /* [n | 0] and per request [PL_DEF_PERSISTENT id | request]; 0 | 0: partitioned or unknown */
  PL_LAYOUT_NEIGHBOUR, /* [comm | request, 0: blocking] [n to | n from] then a word each: bytes of the blocks to and
                          from those of PL_DEF_NEIGHBOURS; nothing moves where that is MPI_PROC_NULL */
  PL_LAYOUT_PCONTROL,  /* [level i32 | 1: recording is on after the call; it may have been off before. 0: it is off] */
  PL_LAYOUT_WIN,       /* [comm | enum pl_win] [bytes] [displacement unit] (window | 0; 0: failed): it is made */
  PL_LAYOUT_WIN_SYNC,  /* [window | rank in its communicator, -1: all, or none] [enum pl_assertion | enum pl_lock_type]:
                          fence, complete, wait, lock, unlock, flush, sync, free, .. */
  PL_LAYOUT_WIN_GROUP, /* [window | enum pl_assertion] [n | 0] [world ranks of the group, i32, two per word; -1: of
                          another MPI_COMM_WORLD]: post, start */
  PL_LAYOUT_WIN_TEST,  /* [window | 0] (1: the exposure is over | polls folded) */
  PL_LAYOUT_WIN_ATTACH, /* [window | 0] [address] [bytes; 0 of a detach] */
  PL_LAYOUT_RMA, /* [target i32 | enum pl_op] [displacement at the target i64, as posted] [bytes of the origin buffer]
                    [bytes at the target] [window | request, 0: none] [origin | target datatype: PL_DEF_DATATYPE ids of
                    derived ones, else 0] and of those that fetch: [bytes of the result] [its datatype | 0]. Nothing but
                    target, displacement and window where that is PL_PROC_NULL */

  /* What the library does inside of its calls. These lie among the records of the thread, by their beginnings; a
     message may be complete long after the call has ended in which it was posted. */
  PL_LAYOUT_INNER_MESSAGE, /* [peer: world rank | tag i32] [bytes, 48 bits | enum pl_inner << 48] [context | number].
                              One that was sent, or a receive: begin: it was posted; end: the library learnt that it is
                              complete. A receive has the bytes of its buffer and what it was posted for before, what
                              came after it; PL_INNER_ANY_SOURCE and _TAG stay. PL_BEGUN: never complete, or
                              PL_LAYOUT_INNER_END tells of it. number: of this message in this process, from 1 on.
                              Functions "(inner send)", "(inner receive)" */
  PL_LAYOUT_INNER_END,     /* [number | 0] then the first two words of its message as they are now; begin = end: it was
                              complete. Where the record of the message is out of reach: of another thread, or in a
                              segment that is full */
  PL_LAYOUT_INNER_CALL     /* [function that it is the PMPI_ form of | comm, 0: unknown or none]: a call of MPI by a
                              library of MPI (ROMIO) inside of another */
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
