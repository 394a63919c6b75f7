#pragma once
// The fixed records of a program file.
//
// An operation is one program-level call of one rank; its index on that rank is its identity, in the program as in
// every expected archive made from it. An operation begins when it was observed to begin and lasts as long as it was
// observed less the tracer's own cost; what the tracer cost between operations is gap_cost_ps.

#include <cstdint>

#include "base/units.hpp"

namespace plumbline::replay {

// Of the file; files of another version are made again.
inline constexpr std::uint32_t kFormatVersion = 7;

enum class OpKind : std::uint8_t {
  kSend,
  kIsend,
  kRecv,
  kIrecv,
  kSendrecv,
  kWait,        // for all requests of its list: those that the recorded call completed. May be empty
  kProbe,       // blocking, or a run of polls that found a message
  kLocal,       // needs nobody else and no resource of the model: MPI_Comm_rank, a test that failed, set_view's data
  kCollective,  // blocking
  kNonBlockingCollective,  // its start; ends in a kWait
  kCommCreate,             // synchronises its communicator; its duration is not judged
  kIoOpen,
  kIoClose,
  kIoSync,
  kIoRead,
  kIoWrite,  // MPI-IO or POSIX
  kIoSeek,
  kUnmodelled,                // not judged: keeps its observed duration
  kNeighbourhood,             // blocking collective of each rank with its neighbours in the communicator's topology
  kNonBlockingNeighbourhood,  // its start; ends in a kWait
  kWinCreate,                 // of one-sided communication, from here on; collective on the window's communicator
  kWinFree,                   // likewise
  kWinFence,                  // likewise
  kWinPost,
  kWinStart,
  kWinComplete,
  kWinWait,  // or a test that found the epoch over
  kWinLock,
  kWinUnlock,
  kWinFlush,
  kWinSync,
  kRmaPut,
  kRmaGet,
  kRmaAccumulate,  // without an answer
  kRmaFetch,       // with one: get_accumulate, fetch_and_op, compare_and_swap
};

constexpr OpKind kLastOpKind = OpKind::kRmaFetch;

// What moves bytes to or from a window.
constexpr bool is_rma_transfer(OpKind kind) { return kind >= OpKind::kRmaPut && kind <= OpKind::kRmaFetch; }
// Of a window.
constexpr bool is_one_sided(OpKind kind) { return kind >= OpKind::kWinCreate && kind <= OpKind::kRmaFetch; }
// What all ranks of the window's communicator do.
constexpr bool is_win_collective(OpKind kind) { return kind >= OpKind::kWinCreate && kind <= OpKind::kWinFence; }

// Whether `peer` of such an operation is a rank that it exchanges a message with.
constexpr bool has_peer(OpKind kind) { return kind <= OpKind::kSendrecv || kind == OpKind::kProbe; }

// Of a file, MPI-IO or POSIX.
constexpr bool is_io(OpKind kind) { return kind >= OpKind::kIoOpen && kind <= OpKind::kIoSeek; }

constexpr bool is_data_collective(OpKind kind) {
  return kind == OpKind::kCollective || kind == OpKind::kNonBlockingCollective;
}

constexpr bool is_neighbourhood(OpKind kind) {
  return kind == OpKind::kNeighbourhood || kind == OpKind::kNonBlockingNeighbourhood;
}

// Of all ranks, or of neighbours.
constexpr bool exchanges_data(OpKind kind) { return is_data_collective(kind) || is_neighbourhood(kind); }

constexpr bool starts_collective(OpKind kind) {
  return kind == OpKind::kNonBlockingCollective || kind == OpKind::kNonBlockingNeighbourhood;
}

enum OpFlags : std::uint8_t {
  kAnySource = 1,  // peer is the recorded match; kNoPeer: is_open_wildcard()
  kRefused = 1,    // Unmodelled: a call of MPI that failed before the library did anything, also for others
  kAnyTag = 2,
  kSynchronous = 4,     // Ssend, Issend
  kBuffered = 8,        // Bsend, Ibsend: of messages what the next one is of files
  kIoIsCollective = 8,  // MPI-IO collective access, open, close, sync: all ranks of the file's communicator
  kNotCompleted = 16,   // Irecv: the program never learnt of its end. peer, tag, bytes: as posted
  kIoIsMpi = 16,        // else POSIX
  kAnyComm = 32,        // Irecv, kNotCompleted: the archive does not tell how it was posted
  kNonBlocking = 32,    // I/O that ends in a kWait: `request` of its access record
  kNoRequestList = 64,  // kWait of exactly one request: `extra` is the slot
  kNotJudged = 128,     // see reason(): keeps its observed duration; its synchronisation is still played
};

// Of operations on windows, in the same bits.
enum WinFlags : std::uint8_t {
  kWinAll = 1,        // lock, unlock, flush: of all ranks of the window
  kWinExclusive = 2,  // lock; else shared
  kWinLocal = 4,      // flush: at the origin
  kWinNoCheck = 8,    // MPI_MODE_NOCHECK of post, start, lock: the program knows that nobody has to wait
};

enum class Collective : std::uint8_t {
  kBarrier,
  kBcast,
  kGather,
  kScatter,
  kAllgather,
  kAlltoall,
  kAllreduce,
  kReduce,
  kReduceScatter,
  kScan,
  kExscan,
};

enum class Neighbourhood : std::uint8_t { kAllgather, kAllgatherv, kAlltoall, kAlltoallv, kAlltoallw };

inline constexpr std::uint32_t kNone = 0xffffffff;
inline constexpr std::int32_t kNoPeer = -1;  // MPI_PROC_NULL, or no root

// Meaning of the fields by kind:
//   Send Isend Recv Irecv Probe: comm; peer (rank in comm, for an intercommunicator in its remote group); tag; bytes;
//     extra: request slot (Isend, Irecv)
//   Sendrecv: as Send; extra: index of its SendrecvTail
//   Wait: extra: slot (kNoRequestList) or index of its request list
//   Collective..: comm; peer: root or kNoPeer; tag: enum Collective; bytes: sent; extra: index of its CollectiveTail
//   Neighbourhood..: comm; peer unused; tag: enum Neighbourhood; bytes: sent to all; extra: index of its NeighbourTail
//   Io…: comm: file (index into files) ; extra: index of its IoAccess or kNone; bytes
//   Win..: comm: window (index into windows); peer: lock, unlock, flush: rank in the window's communicator; post,
//     start: extra: index of its group
//   Rma..: comm: window; peer: rank in its communicator; bytes: to the target; extra: index of its RmaTail
//   CommCreate: comm: whose members synchronise (the parent where that is recorded, else the new one); tag unused
struct Operation {
  OpKind kind = OpKind::kLocal;
  std::uint8_t flags = 0;
  std::uint16_t call = 0;      // index into calls(): "MPI_Isend"
  std::uint32_t site = kNone;  // index into sites(): "exchange (jacobi.c:88)"
  std::uint32_t comm = kNone;
  std::int32_t peer = kNoPeer;
  std::int32_t tag = 0;
  std::uint32_t extra = kNone;
  std::uint64_t bytes = 0;
};
static_assert(sizeof(Operation) == 32);

// A receive from any rank of which nobody has recorded which message it took: the program was never run. The replay
// gives it the one that is there first.
constexpr bool is_open_wildcard(const Operation& op) {
  const bool receives = op.kind == OpKind::kRecv || (op.kind == OpKind::kIrecv && !(op.flags & kNotCompleted));
  return receives && (op.flags & kAnySource) != 0 && op.peer == kNoPeer;
}

struct OperationTimes {
  Time begin, end;
};

struct SendrecvTail {
  std::int32_t source = kNoPeer, tag = 0;
  std::uint64_t bytes = 0;  // received
};

struct CollectiveTail {
  std::uint64_t received = 0;
  std::uint32_t request = kNone;  // slot of a non-blocking one
  std::uint32_t sent_counts = kNone,
                received_counts = kNone;  // first index into counts(), one per rank of comm, or kNone
  std::uint32_t reserved = 0;
};

// Rank in the communicator, which may be the own one, and the bytes that go there, or come from there.
struct Neighbour {
  std::uint32_t rank = 0;
  std::uint32_t reserved = 0;
  std::uint64_t bytes = 0;

  friend bool operator==(const Neighbour&, const Neighbour&) = default;
};

// Its neighbours() are, from `first` on, those it sends to, then those it receives from, each in the order of the
// topology, in which one may come several times. MPI_PROC_NULL is left out. Equal lists of a rank are one.
struct NeighbourTail {
  std::uint32_t first = 0, to = 0, from = 0;
  std::uint32_t request = kNone;  // slot of a non-blocking one
};

struct RmaTail {
  std::uint64_t received = 0;     // bytes from the target
  std::uint32_t request = kNone;  // slot of MPI_Rput and its kind, which end in a kWait
  std::uint32_t reserved = 0;
};

inline constexpr std::uint16_t kNoHints = 0xffff;  // none were recorded

enum FileFlags : std::uint16_t { kAtomicMode = 1 };  // of MPI_File_set_atomicity

struct IoAccess {
  std::uint64_t offset = 0;         // first byte in the file; kUnknownOffset when the recording does not tell
  std::uint64_t view_position = 0;  // bytes of the view's data before this access
  std::uint32_t layout =
      kNone;                   // index into layouts(): notation of tracer/archive/layout/layout.hpp; kNone: contiguous
  std::uint32_t comm = kNone;  // of MPI_File_open
  std::uint32_t request = kNone;   // slot
  std::uint16_t hints = kNoHints;  // index into hints(): in force when the file was accessed
  std::uint16_t file_flags = 0;    // enum FileFlags
};
inline constexpr std::uint64_t kUnknownOffset = ~std::uint64_t{0};

// The inner stream: what the library did inside of the operations of a rank, in one order. POSIX calls of MPI-IO; a
// message posted; and kDone: the library learnt that a message, sent or received, is complete.
enum class InnerKind : std::uint8_t { kOpen, kClose, kRead, kWrite, kSync, kOther, kSend, kReceive, kDone };
constexpr bool is_posix(InnerKind kind) { return kind <= InnerKind::kOther; }

struct InnerItem {
  std::uint32_t operation = 0;  // inside of which it happened; ascending
  InnerKind kind = InnerKind::kOther;
  std::uint8_t reserved[3] = {};
  std::uint32_t index = 0;  // POSIX: of its InnerAccess; else of its InnerMessage
  std::uint32_t reserved_index = 0;
  OperationTimes times;  // of messages a point in time: begin = end
};

struct InnerAccess {
  std::uint64_t offset = kUnknownOffset;
  std::uint64_t bytes = 0;
  std::uint32_t file = kNone;
  std::uint32_t reserved = 0;
};

enum InnerFlags : std::uint32_t {
  kInnerSynchronous = 1,
  kInnerFailed = 2,        // cancelled, or failed
  kInnerUnknownBytes = 4,  // nothing tells its size
};

// In the order in which they were posted: the n-th post of the stream is message n.
struct InnerMessage {
  std::uint32_t operation = 0;  // that it belongs to: of a non-blocking collective the one that started it
  std::uint32_t peer = kNone;   // world rank; kNone: not known
  std::uint32_t context = 0;    // messages of different ones never match; no communicator of the program
  std::int32_t tag = 0;
  std::uint64_t bytes = 0;
  std::uint32_t slot = 0;  // dense, used again after completion
  std::uint32_t flags = 0;
};

// Time off the CPU in the gap before an operation.
struct OffCpu {
  std::uint32_t operation = 0;
  std::uint32_t reserved = 0;
  Duration delay;
};

struct Reason {
  std::uint32_t operation = 0;
  std::uint32_t text = 0;  // index into strings()
};

enum class WindowKind : std::uint32_t { kUnknown, kCreate, kAllocate, kShared, kDynamic };  // by the call that makes it

struct Window {
  std::uint32_t comm = 0;
  WindowKind kind = WindowKind::kUnknown;
};

}  // namespace plumbline::replay
