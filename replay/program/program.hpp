#pragma once
// The compiled program: what each rank did, as fixed records that a replay can walk through without reading OTF2. It
// lives in one file that is mapped, not read (docs/internals/program-file.md), and can always be made again from the
// archive.
//
// An operation is one program-level call of one rank; its index on that rank is its identity, in the program as in
// every expected archive made from it. An operation begins when it was observed to begin and lasts as long as it was
// observed less the tracer's own cost; what the tracer cost between operations is gap_cost_ps.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/team/processes.hpp"
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

// One rank, as views into the file.
struct RankProgram {
  std::span<const Operation> operations;
  std::span<const OperationTimes> times;         // observed, same length
  std::span<const std::uint32_t> request_lists;  // at an index: n, then n slots
  std::span<const SendrecvTail> sendrecvs;
  std::span<const CollectiveTail> collectives;
  std::span<const std::uint64_t> counts;
  std::span<const IoAccess> accesses;
  std::span<const InnerItem> inner;
  std::span<const InnerMessage> inner_messages;
  std::span<const InnerAccess> inner_accesses;
  std::span<const OffCpu> off_cpu;
  std::span<const Reason> reasons;  // of operations flagged kNotJudged
  std::uint32_t request_slots = 0;  // slots are dense: 0 .. request_slots-1, used again after completion
  std::uint32_t node = 0;           // index into nodes(): where the rank ran
  std::uint32_t processor = 0;      // likewise: MPI_Get_processor_name; the node's name where that was not recorded
  std::uint32_t cores = 0;          // that its node offered to the program; 0: unknown
  std::uint32_t gap_cost_ps = 0;    // of each gap between two operations, what was the tracer and not computation
  std::uint32_t inner_slots = 0;    // of inner messages
  std::span<const NeighbourTail> neighbourhoods = {};
  std::span<const Neighbour> neighbours = {};
  std::span<const RmaTail> rma = {};
  std::span<const std::uint32_t> groups = {};  // at an index: n, then n ranks of the window's communicator

  std::span<const std::uint32_t> waits_for(const Operation& wait) const;
  // Of a neighbourhood collective.
  std::span<const Neighbour> sends_to(const Operation& op) const;
  std::span<const Neighbour> receives_from(const Operation& op) const;
  // The slot of what a starts_collective() operation starts.
  std::uint32_t request_of(const Operation& start) const {
    return start.kind == OpKind::kNonBlockingCollective ? collectives[start.extra].request
                                                        : neighbourhoods[start.extra].request;
  }
  std::span<const std::uint32_t> group_of(const Operation& post_or_start) const;
  std::span<const InnerItem> inner_of(std::uint32_t operation) const;
  const InnerAccess& access_of(const InnerItem& posix) const { return inner_accesses[posix.index]; }
};

struct CommView {
  std::span<const std::uint32_t> members;         // world ranks
  std::span<const std::uint32_t> remote_members;  // intercommunicators
};

// The group that this rank, which belongs to the communicator, is in; and the ranks that it sends to and receives from:
// of an intercommunicator the other group.
std::span<const std::uint32_t> group_of(const CommView& comm, std::uint32_t world_rank);
std::span<const std::uint32_t> peers_of(const CommView& comm, std::uint32_t world_rank);

enum class WindowKind : std::uint32_t { kUnknown, kCreate, kAllocate, kShared, kDynamic };  // by the call that makes it

struct Window {
  std::uint32_t comm = 0;
  WindowKind kind = WindowKind::kUnknown;
};

class ProgramBuilder;

class Program {
 public:
  // Maps a program file; Error when it is damaged or of another version. kKnown: of what has just been written, the
  // contents are not looked at.
  enum class Contents { kCheck, kKnown };
  static Program open(const std::filesystem::path& path, Contents contents = Contents::kCheck);
  // Error when these ranks, up to `end`, are damaged.
  void check_ranks(std::uint32_t begin, std::uint32_t end) const;
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  std::uint32_t ranks() const;
  const RankProgram& rank(std::uint32_t rank) const;
  std::uint32_t comms() const;
  CommView comm(std::uint32_t index) const;
  std::span<const Window> windows() const;

  // Tables of text.
  std::string_view call(std::uint16_t index) const;
  std::string_view site(std::uint32_t index) const;  // "" for kNone
  std::string_view file(std::uint32_t index) const;
  std::string_view layout(std::uint32_t index) const;
  std::string_view node(std::uint32_t index) const;
  std::string_view reason(std::uint32_t text) const;
  std::string_view hints(std::uint16_t index) const;  // "key=value" lines; "" for kNoHints
  std::uint32_t calls() const;
  std::uint32_t sites() const;
  std::uint32_t files() const;
  std::uint32_t layouts() const;
  std::uint32_t nodes() const;
  std::uint32_t reasons() const;
  std::uint32_t hint_texts() const;

  // Facts about the recording: "library", "creator", "source" (content hash of the archive), "lacks" (what the archive
  // does not tell, one per line), "hints:PATH", "filesystem:PATH" (type of the mount), "mca:NAME" (parameters of Open
  // MPI that concern files), "thread_level", .. ; "" when absent.
  std::string_view property(std::string_view key) const;
  std::vector<std::pair<std::string_view, std::string_view>> properties() const;  // by key

  // XXH3-64 of the contents: equal programs have equal keys.
  std::uint64_t content_key() const;

 private:
  friend class ProgramBuilder;
  struct State;
  explicit Program(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether a file is there that begins as a program file does.
bool is_program_file(const std::filesystem::path& path);

// Of the first, and of the last operation of all ranks; 0 where there is none.
Time begin_of(const Program& program);
Time end_of(const Program& program);

// Makes a program, rank by rank in ascending order, and writes it to a file. Memory: one rank at a time.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const std::filesystem::path& file);  // staged; appears with finish()
  // Of some of the ranks of a program that another process makes, whose staging() is named: see join().
  struct PartOf {
    std::filesystem::path staging;
  };
  explicit ProgramBuilder(const PartOf& program);
  ~ProgramBuilder();
  ProgramBuilder(ProgramBuilder&&) noexcept;

  std::uint16_t call(std::string_view name);
  std::uint32_t site(std::string_view text);
  std::uint32_t file(std::string_view path);
  std::uint32_t layout(std::string_view notation);
  std::uint32_t node(std::string_view name);
  std::uint16_t hints(std::string_view lines);  // kNoHints when there are too many different ones
  std::uint32_t comm(std::span<const std::uint32_t> members, std::span<const std::uint32_t> remote_members = {});
  // `shared`: what the other processes know it by, where several make the program; kNone: none of them has it too.
  std::uint32_t window(const Window& window, std::uint32_t shared = kNone);
  void window_made(std::uint32_t index, WindowKind kind);  // by some rank, with whom its kind is known
  void property(std::string_view key, std::string_view value);

  // `processor` kNone: has the name of the node.
  void begin_rank(std::uint32_t node, std::uint32_t cores, std::uint32_t gap_cost_ps = 0,
                  std::uint32_t processor = kNone);
  void add(const Operation& operation, const OperationTimes& times);
  std::uint32_t operations() const;            // added to the rank so far
  Operation& operation(std::uint32_t index);   // of the rank in the making: a receive learns its match later
  OperationTimes& times(std::uint32_t index);  // likewise: a wait by polls begins with the first of them
  std::uint32_t add_requests(std::span<const std::uint32_t> slots);
  std::uint32_t add(const SendrecvTail& tail);
  std::uint32_t add(const CollectiveTail& tail);
  std::uint32_t add_counts(std::span<const std::uint64_t> bytes_per_rank);
  std::uint32_t add_neighbours(std::span<const Neighbour> to, std::span<const Neighbour> from,
                               std::uint32_t request = kNone);  // their NeighbourTail
  std::uint32_t add(const IoAccess& access);
  void add(const InnerItem& inner);
  std::uint32_t add(const InnerMessage& message);
  InnerMessage& inner_message(std::uint32_t index);
  std::uint32_t add(const InnerAccess& access);
  std::uint32_t add(const RmaTail& tail);
  std::uint32_t add_group(std::span<const std::uint32_t> ranks_of_window);
  void add(const OffCpu& off);
  void not_judged(std::uint32_t operation, std::string_view reason);  // sets the flags too
  void end_rank(std::uint32_t request_slots, std::uint32_t inner_slots = 0);

  // Puts together what several processes have made: each, before the first of its ranks, the same communicators, then a
  // block of ranks that follow those of the process before. All of them call it when their last rank has ended; then
  // the builder of process 0 has everything as if it had made all ranks itself. False where that cannot be: there are
  // too many different hints for the numbers of a part.
  bool join(Processes& processes);
  std::filesystem::path staging() const;
  std::filesystem::path path() const;  // where the file will be

  void write();      // the file is in its place then
  Program finish();  // likewise, and opens it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline::replay
