#pragma once
// An OTF2 archive as plain data: definitions, and events of one flat type. What reader.hpp delivers, writer.hpp takes,
// so a copy with other times is read, change, write. Ids are ours (indices into the vectors below); the ids in the file
// are the reader's and writer's business. Strings are interned once and referred to by StringId.

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/units.hpp"

namespace plumbline::archive {

using StringId = std::uint32_t;
inline constexpr std::uint32_t kUndefined = 0xffffffff;

class StringTable {
 public:
  StringTable() = default;
  StringTable(const StringTable& other);
  StringTable& operator=(const StringTable& other);
  StringTable(StringTable&&) noexcept = default;
  StringTable& operator=(StringTable&&) noexcept = default;

  StringId intern(std::string_view text);
  const std::string& operator[](StringId id) const { return *texts_[id]; }
  std::size_t size() const { return texts_.size(); }

 private:
  std::unordered_map<std::string, StringId> ids_;
  std::vector<const std::string*> texts_;  // keys of ids_, which do not move
};

struct SystemTreeNode {
  StringId name, class_name;  // "kn1", "node"
  std::uint32_t parent = kUndefined;
  std::map<std::string, std::string> properties = {};  // names.hpp
};

// One process.
struct LocationGroup {
  StringId name;  // "MPI Rank 3"
  std::uint32_t system_tree_node = kUndefined;
  std::map<std::string, std::string> properties;  // names.hpp
};

enum class LocationType : std::uint8_t { kCpuThread, kMetric, kOther };

struct Location {
  std::uint64_t otf2_id = 0;
  StringId name;  // "Master thread"
  std::uint32_t group = kUndefined;
  std::uint64_t events = 0;
  std::optional<std::uint32_t> rank;  // in MPI_COMM_WORLD, where this location speaks for a rank
  LocationType type = LocationType::kCpuThread;
  std::map<std::string, std::string> properties = {};  // names.hpp; see also inside.hpp
};

enum class Role : std::uint8_t { kFunction, kPointToPoint, kCollective, kFileIo, kFileIoMetadata, kOther, kOneSided };
enum class Paradigm : std::uint8_t { kUser, kMpi, kPosixIo, kOther };

struct Region {
  StringId name;  // "MPI_Send"
  Role role = Role::kFunction;
  Paradigm paradigm = Paradigm::kMpi;
};

struct Comm {
  StringId name;
  std::vector<std::uint32_t> members;         // world ranks, by rank in the communicator; local group
  std::vector<std::uint32_t> remote_members;  // of an intercommunicator, else empty
  std::uint32_t parent = kUndefined;
  bool is_self = false;
  bool is_inside = false;  // of inner messages: its members are the locations inside of those ranks (inside.hpp)
};

// Of one-sided communication, made by all of its communicator.
struct Window {
  StringId name;
  std::uint32_t comm = kUndefined;
  bool has_lifetime = true;  // there are RmaWinCreate and RmaWinDestroy events
};

// Ranks that synchronise on a window, in MPI_COMM_WORLD.
struct RankGroup {
  std::vector<std::uint32_t> members;
};

enum class IoParadigm : std::uint8_t { kMpiIo, kPosix, kOther };

struct IoFile {
  StringId path;
  std::vector<std::pair<StringId, StringId>> properties = {};  // name and value, names.hpp
};

struct IoHandle {
  StringId name;
  std::uint32_t file = kUndefined;
  IoParadigm paradigm = IoParadigm::kPosix;
  std::uint32_t comm = kUndefined;    // of MPI_File_open
  std::uint32_t parent = kUndefined;  // the MPI-IO handle that a POSIX handle was opened for
};

enum class AttributeType : std::uint8_t { kUint64, kInt64, kDouble, kString };

struct AttributeDefinition {
  StringId name, description;
  AttributeType type = AttributeType::kUint64;
};

struct AttributeValue {
  std::uint32_t attribute = 0;  // index into Definitions::attributes
  union {
    std::uint64_t u64 = 0;
    std::int64_t i64;
    double f64;
    StringId string;
  };
};

// Those values of OTF2 that observed archives use.
inline constexpr std::uint8_t kMetricAccumulatedStart = 0, kMetricAbsolutePoint = 17, kMetricAsynchronous = 2,
                              kRecorderAbstract = 1, kBaseDecimal = 1, kScopeSystemTreeNode = 2;

// One number that is measured. Kind, mode and base have the values of OTF2_MetricType, OTF2_MetricMode and OTF2_Base.
struct MetricMember {
  StringId name, description, unit;
  AttributeType type = AttributeType::kUint64;  // of its values; no string
  std::uint8_t kind = 0, mode = 0, base = 0;
  std::int64_t exponent = 0;
};

// Numbers that are measured together (OTF2: a metric class), or those of a class measured at one location for something
// else (a metric instance). Occurrence, recorder kind and scope have the values of OTF2_MetricOccurrence,
// OTF2_RecorderKind and OTF2_MetricScope.
struct Metric {
  std::vector<std::uint32_t> members = {};  // of a class
  std::uint8_t occurrence = 0, recorder_kind = 0;
  std::uint32_t instance_of = kUndefined;  // of an instance: index of its class
  std::uint64_t recorder = 0;              // otf2_id of the location that measures
  std::uint8_t scope = 0;
  std::uint64_t scope_of = 0;  // otf2_id of a location; else index of the location group or system tree node
};

struct Definitions {
  StringTable strings;
  std::string creator, description;
  std::map<std::string, std::string> properties;  // of the trace; "PLUMBLINE::KEY" → value, names.hpp
  Duration length;                                // time span of the trace
  std::uint64_t start_realtime_ns = 0;            // of time 0; 0: unknown
  std::vector<SystemTreeNode> system_tree;
  std::vector<LocationGroup> location_groups;
  std::vector<Location> locations;
  std::vector<Region> regions;
  std::vector<Comm> comms;
  std::vector<Window> windows;
  std::vector<RankGroup> groups;  // that are no communicator's
  std::vector<IoFile> io_files;
  std::vector<IoHandle> io_handles;
  std::vector<AttributeDefinition> attributes;
  std::vector<MetricMember> metric_members;
  std::vector<Metric> metrics;

  // The members of a metric, also of an instance.
  const std::vector<std::uint32_t>& members_of(std::uint32_t metric) const;
  // Index of the attribute of that name, defining it if it is new.
  std::uint32_t attribute(std::string_view name, AttributeType type, std::string_view description = {});
  std::optional<std::uint32_t> find_attribute(std::string_view name) const;
  std::uint32_t world_size() const;  // locations that speak for a rank
};

enum class EventKind : std::uint8_t {
  kEnter,
  kLeave,
  kMpiSend,
  kMpiIsend,
  kMpiIsendComplete,
  kMpiIrecvRequest,
  kMpiRecv,
  kMpiIrecv,
  kMpiRequestTest,
  kMpiRequestCancelled,
  kMpiCollectiveBegin,
  kMpiCollectiveEnd,
  kNonBlockingCollectiveRequest,
  kNonBlockingCollectiveComplete,
  kCommCreate,
  kCommDestroy,
  kIoCreateHandle,
  kIoDestroyHandle,
  kIoSeek,
  kIoOperationBegin,
  kIoOperationIssued,
  kIoOperationComplete,
  kProgramBegin,
  kProgramEnd,
  kBufferFlush,
  kMeasurementOnOff,
  kThreadBegin,
  kThreadEnd,
  kRmaWinCreate,
  kRmaWinDestroy,
  kRmaCollectiveBegin,
  kRmaCollectiveEnd,
  kRmaGroupSync,
  kRmaRequestLock,
  kRmaAcquireLock,
  kRmaTryLock,
  kRmaReleaseLock,
  kRmaSync,
  kRmaWaitChange,
  kRmaPut,
  kRmaGet,
  kRmaAtomic,
  kRmaOpCompleteBlocking,
  kRmaOpCompleteNonBlocking,
  kRmaOpTest,
  kRmaOpCompleteRemote,
  kMetric,
};

// What Event::rma says, by kind; all with OTF2's values. RmaAtomic: which. Locks: which. RmaSync: of what.
// RmaCollectiveEnd, RmaGroupSync: flags of the level.
enum class RmaAtomicType : std::uint8_t {
  kAccumulate,
  kIncrement,
  kTestAndSet,
  kCompareAndSwap,
  kSwap,
  kFetchAndAdd,
  kFetchAndIncrement,
  kFetchAndAccumulate,
};
enum class RmaLock : std::uint8_t { kExclusive, kShared };
enum class RmaSyncType : std::uint8_t { kMemory, kNotifyIn, kNotifyOut };
enum RmaSyncLevel : std::uint8_t { kRmaSyncNone = 0, kRmaSyncProcess = 1, kRmaSyncMemory = 2 };

// OTF2's collective operations that carry data or synchronise; numbers are ours.
enum class CollectiveOp : std::uint8_t {
  kBarrier,
  kBcast,
  kGather,
  kGatherv,
  kScatter,
  kScatterv,
  kAllgather,
  kAllgatherv,
  kAlltoall,
  kAlltoallv,
  kAlltoallw,
  kAllreduce,
  kReduce,
  kReduceScatter,
  kReduceScatterBlock,
  kScan,
  kExscan,
  kCreateHandle,
  kDestroyHandle,
  kOther,
  kCreateHandleAndAllocate,  // these two of windows only
  kDestroyHandleAndDeallocate,
};

enum class IoMode : std::uint8_t { kRead, kWrite, kFlush };
enum IoFlags : std::uint8_t { kIoNonBlocking = 1, kIoCollective = 2 };

inline constexpr std::uint64_t kUnknownSize = ~std::uint64_t{0};
inline constexpr std::uint64_t kNoRequest = ~std::uint64_t{0};

// Roots of collectives that are no rank (Event::peer): none; on an intercommunicator the caller itself (MPI_ROOT), or
// another process of the caller's group (MPI_PROC_NULL).
inline constexpr std::uint32_t kRootNone = kUndefined;
inline constexpr std::uint32_t kRootSelf = kUndefined - 1;
inline constexpr std::uint32_t kRootThisGroup = kUndefined - 2;

// Event::offset of an IoCreateHandle: access mode (0 read, 1 write, 2 both), then creation and status flags with the
// values of OTF2_IoCreationFlag and OTF2_IoStatusFlag.
inline constexpr int kIoCreationShift = 8;
inline constexpr int kIoStatusShift = 24;
inline constexpr std::int64_t kIoCreationMask = 0xffff;

// Fields that a kind does not name have no meaning for it. Kinds that reuse a field: ProgramBegin `tag` is the StringId
// of the program's name, ProgramEnd `offset` the exit status, BufferFlush `offset` the end of the flush in ps,
// MeasurementOnOff `offset` 1 on and 0 off, ThreadBegin and ThreadEnd `request` the sequence count in `comm`,
// RmaGroupSync `tag` the index of the group, Metric `tag` the index of the metric.
struct Event {
  EventKind kind = EventKind::kEnter;
  CollectiveOp collective = CollectiveOp::kOther;  // CollectiveEnd, NonBlockingCollectiveComplete
  IoMode io_mode = IoMode::kRead;                  // IoOperationBegin
  std::uint8_t io_flags = 0;                       // IoOperationBegin: IoFlags
  std::uint8_t rma = 0;                            // see RmaAtomicType
  std::uint32_t region = kUndefined;               // Enter, Leave
  std::uint32_t comm = kUndefined;                 // messages, collectives, CommCreate/Destroy
  std::uint32_t peer = kUndefined;                 // rank in comm or of the window (kUndefined: all); root of a
                                                   // collective (kUndefined: none)
  std::uint32_t tag = 0;
  std::uint32_t io_handle = kUndefined;
  std::uint32_t window = kUndefined;  // Rma..
  Time time = {};
  std::uint64_t bytes = 0;     // message; CollectiveEnd, RmaAtomic: sent; I/O: bytes asked (Begin) or done (Complete)
  std::uint64_t received = 0;  // CollectiveEnd, RmaAtomic
  std::uint64_t request = kNoRequest;  // request id of messages; matching id of I/O and RMA operations; id of a lock
  std::int64_t offset = 0;             // IoSeek: position after; access mode bits for IoCreateHandle
  std::span<const AttributeValue> attributes = {};  // valid during the call that delivers the event
  std::span<const std::uint64_t> values = {};       // likewise. Metric: by member, each as the bits of its type
};

}  // namespace plumbline::archive
