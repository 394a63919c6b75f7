#pragma once
// What the threads of one traced process share in the second pass: its open requests and descriptors, its views, and
// the way to the archive under assembly.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/memory/flat_table.hpp"
#include "tracer/archive/layout/layout.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/clocks/clock.hpp"
#include "tracer/record/definitions/definition_registry.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/record/definitions/symbols.hpp"

namespace plumbline::record {

// What has been posted and not completed yet.
struct OpenRequest {
  // kNothing: to or from MPI_PROC_NULL. kUndescribed: OTF2 has no record of its completion.
  enum class Kind { kNothing, kSend, kReceive, kCollective, kIo, kUndescribed, kOneSided };
  Kind kind = Kind::kNothing;
  std::uint32_t comm = archive::kUndefined;
  archive::CollectiveOp op = archive::CollectiveOp::kOther;
  std::uint32_t root = archive::kRootNone;
  std::uint64_t sent = 0, received = 0;
  std::optional<archive::StringId> counts_sent, counts_received;
  std::uint32_t handle = archive::kUndefined;  // or window
  std::uint32_t send = 0;                      // request that is complete with this one (MPI_Isendrecv)
  std::int32_t posted_source = -1, posted_tag = -1;
  std::uint64_t asked = 0;  // bytes of the buffer, or of the access
};

// An open file; duplicated descriptors share it. It has a handle for the descriptor, one for a stream of stdio on it,
// or both: each from its first use.
struct OpenFile {
  std::string name;                          // its path where that is known
  std::uint32_t file = archive::kUndefined;  // in the archive
  std::optional<std::int64_t> position;      // of the descriptor; unknown after O_APPEND and what was not seen
  std::uint32_t handle = archive::kUndefined, stream = archive::kUndefined;
  HandleKey key{}, stream_key{};
  std::size_t slot = 0, stream_slot = 0;
};

// The view of an MPI file.
struct View {
  std::shared_ptr<const archive::LayoutIndex> index;  // of the filetype, without displacement
  std::int64_t displacement = 0;
  std::uint64_t etype_bytes = 1;
  archive::StringId text = archive::kUndefined;
};

// Counted while records are turned into events; told at the end.
struct Tally {
  std::uint64_t operations = 0, message_bytes = 0, io_bytes = 0;
  std::uint64_t short_records = 0, unknown_comms = 0, unknown_requests = 0;
  std::uint64_t unknown_inner_peers = 0;
  std::vector<std::string> unfinished;  // calls that had not returned at the end
};

// What the events of a function's calls need of it, found once.
struct FunctionUse {
  const FunctionFact* fact = nullptr;
  std::uint32_t region = archive::kUndefined;  // none of the tracer's own records of inside
};

inline bool is_of_inside(std::uint32_t layout) {
  return layout == PL_LAYOUT_INNER_MESSAGE || layout == PL_LAYOUT_INNER_END || layout == PL_LAYOUT_INNER_CALL;
}

class Process {
 public:
  Process(std::uint32_t rank, ProcessFacts facts, const ClockId& clock, const Clocks& clocks, DefinitionRegistry& world,
          Symbols& symbols);

  std::uint32_t rank() const { return rank_; }
  const ProcessFacts& facts() const { return facts_; }
  DefinitionRegistry& world() { return world_; }
  Time time(std::uint64_t ticks) const { return clocks_.time(clock_, ticks); }
  Time last_time() const { return time(facts_.last_tick); }
  Duration duration(std::uint64_t ticks) const { return clock_.duration(ticks); }

  const FunctionUse& function(std::uint16_t id);
  // That of a call of MPI by a library of MPI: PMPI_Alltoall for MPI_Alltoall.
  std::uint32_t inner_call_region(std::uint32_t id);
  std::uint32_t comm(std::uint32_t id);        // counts those that are not known
  std::uint32_t known_comm(std::uint32_t id);  // kUndefined when it is not
  std::uint32_t window(std::uint32_t id) { return world_.window(rank_, facts_, id); }
  // Of a derived datatype of the process; nothing when it was never defined.
  std::optional<archive::StringId> layout_text(std::uint32_t type);
  std::optional<archive::StringId> site(std::uint32_t id);

  // I/O handles: of an MPI file, by the process's number for it; of a descriptor that was opened, or nothing is known
  // of.
  std::uint32_t mpi_handle(std::uint32_t file);
  void close_mpi_handle(std::uint32_t file);
  std::shared_ptr<OpenFile> open(std::int32_t fd, std::uint32_t path, std::uint32_t parent, bool known_position);
  std::shared_ptr<OpenFile> open_stream(std::int32_t fd, std::uint32_t path, bool known_position);
  void duplicate(std::int32_t from, std::int32_t to, std::uint64_t ticks);
  OpenFile* known(std::int32_t fd, std::uint32_t path);  // NULL: the descriptor is not open, or of another file
  // The file behind a descriptor, with a handle for the descriptor or for the stream on it.
  OpenFile& file(std::int32_t fd, std::uint64_t ticks);
  OpenFile& stream(std::int32_t fd, std::uint64_t ticks);
  // Likewise, with whatever handles it has.
  const OpenFile& known_file(std::int32_t fd, std::uint64_t ticks) { return *find(fd, ticks); }
  // The file, when this was the last descriptor of it.
  std::shared_ptr<const OpenFile> close(std::int32_t fd);
  std::vector<std::int32_t> descriptors(std::uint32_t first, std::uint32_t last) const;
  std::string path(std::uint32_t id) const;

  // The view of an MPI file at a moment.
  const View& view(std::uint32_t file, std::uint64_t ticks);
  // Hints in force and asked for since the last call; empty when none are known. `begin`: ticks of this call.
  Hints next_hints(std::uint32_t file, std::uint64_t begin);

  // What was posted, here or by a thread whose records come later; NULL when it was nowhere seen.
  const OpenRequest* posted(std::uint64_t request) {
    const OpenRequest* own = requests.find(request);
    return own != nullptr ? own : posted_later.find(request);
  }

  FlatTable<OpenRequest> requests;                                                  // by id
  FlatTable<OpenRequest> posted_later;                                              // by threads still to come
  std::map<std::uint32_t, std::pair<std::uint64_t, std::uint32_t>> split_accesses;  // by MPI file: matching id, handle
  Tally tally;

 private:
  std::optional<archive::StringId> find_site(std::uint32_t id);
  std::size_t take_slot(const HandleKey& key);
  void give_back(const HandleKey& key, std::size_t slot);
  std::shared_ptr<OpenFile> put(std::int32_t fd, const std::string& name, bool is_path);
  const std::shared_ptr<OpenFile>& find(std::int32_t fd, std::uint64_t ticks);
  void make_handle(OpenFile& file, std::uint32_t parent);
  void make_stream(OpenFile& file);
  View make_view(const ViewFact& fact);

  std::uint32_t rank_;
  ProcessFacts facts_;
  const Clocks& clocks_;
  const LinearClock& clock_;
  DefinitionRegistry& world_;
  Symbols& symbols_;
  std::vector<FunctionUse> functions_;                                  // by id
  std::map<std::uint32_t, std::uint32_t> inner_call_regions_;           // by id of the function
  std::vector<std::optional<std::optional<archive::StringId>>> sites_;  // by id, once asked for
  std::vector<std::optional<std::uint32_t>> comms_;                     // by id, once asked for
  std::unordered_map<std::uint32_t, archive::StringId> layout_texts_;
  std::map<HandleKey, std::vector<bool>> slots_;
  std::map<std::uint32_t, std::pair<HandleKey, std::size_t>> mpi_slots_;  // of open MPI files
  std::map<std::uint32_t, std::uint32_t> mpi_handles_;
  std::map<std::int32_t, std::shared_ptr<OpenFile>> files_;
  std::map<std::uint32_t, std::size_t> hints_told_;
  std::map<std::uint32_t, std::shared_ptr<const archive::LayoutIndex>> filetypes_;
  std::map<std::uint32_t, std::pair<std::size_t, View>> views_;  // by file: the latest, and its number
};

}  // namespace plumbline::record
