#include "random_archive.hpp"

#include <fmt/format.h>

#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;
using archive::AttributeType;
using archive::AttributeValue;
using archive::CollectiveOp;
using archive::Event;
using archive::EventKind;
using archive::IoParadigm;

constexpr std::uint32_t kFiles = 5;
enum Comms : std::uint32_t { kWorld, kEven, kSelf, kInside };  // of MPI_COMM_SELF each rank has its own
enum Windows : std::uint32_t { kOfAll, kOfSelf, kOfAllToo };

struct Scripted {
  Event event;
  std::vector<AttributeValue> attributes;
};

class Script {
 public:
  explicit Script(const RandomArchive& archive) : archive_(archive), random_(archive.seed) { define(); }

  void write(const std::filesystem::path& directory) {
    std::vector<std::pair<std::uint64_t, std::vector<Scripted>>> locations;
    for (rank_ = 0; rank_ < archive_.ranks; ++rank_) {
      events_.clear(), inner_.clear();
      now_ = Time{};
      request_ = call_ = 0;
      const std::uint32_t calls = archive_.only_opens_files ? archive_.calls : below(archive_.calls + 1);
      for (; call_ < calls; ++call_) call();
      if (rank_ >= archive_.first_bad_rank) probe(1000);
      locations.emplace_back(rank_, events_);
      if (!has_inside(rank_)) continue;
      locations.emplace_back(rank_ + archive::kInsideLocation, inner_);
    }
    archive::Writer writer(directory, Overwrite::kNo);
    writer.declare(d_);
    for (auto& [location, events] : locations) {
      writer.begin_location(location);
      for (Scripted& scripted : events) {
        scripted.event.attributes = scripted.attributes;
        writer.write(scripted.event);
      }
      writer.end_location();
    }
    d_.length = seconds(1);
    writer.finish(d_);
  }

 private:
  std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(random_() % bound); }
  bool has_inside(std::uint32_t rank) const { return rank % 3 != 1; }

  void define() {
    d_.strings.intern("");
    d_.creator = "random";
    d_.properties[names::kPropertyKind] = "observed";
    d_.system_tree.push_back({d_.strings.intern("cluster"), d_.strings.intern("machine")});
    std::vector<std::uint32_t> world, even;
    for (std::uint32_t rank = 0; rank < archive_.ranks; ++rank) {
      world.push_back(rank);
      if (rank % 2 == 0) even.push_back(rank);
      const auto node = static_cast<std::uint32_t>(d_.system_tree.size());
      d_.system_tree.push_back({d_.strings.intern(fmt::format("n{}", random_() % 3)), d_.strings.intern("node"), 0});
      archive::LocationGroup& group =
          d_.location_groups.emplace_back(d_.strings.intern(fmt::format("MPI Rank {}", rank)), node);
      if (below(2) == 0) group.properties["PLUMBLINE::META::processor_name"] = fmt::format("p{}", below(3));
      if (below(4) == 0) group.properties[names::kPropertyEnd] = "killed by signal 9";
      d_.locations.push_back({rank, d_.strings.intern("Master thread"), rank, 0, rank});
    }
    for (std::uint32_t rank = 0; rank < archive_.ranks; ++rank) {
      if (!has_inside(rank)) continue;
      archive::Location inside{rank + archive::kInsideLocation, d_.strings.intern("Inside"), rank, 0, std::nullopt};
      inside.properties[names::kPropertyInsideOf] = std::to_string(rank);
      d_.locations.push_back(inside);
    }
    for (const std::vector<std::uint32_t>& members : {world, even, {}}) {
      archive::Comm& comm = d_.comms.emplace_back();
      comm.name = 0;
      comm.members = members;
      comm.is_self = members.empty();
      if (d_.comms.size() > 1 && !comm.is_self) comm.parent = kWorld;
    }
    archive::Comm& inside = d_.comms.emplace_back();
    inside.name = 0;
    for (const std::uint32_t rank : world)
      if (has_inside(rank)) inside.members.push_back(rank);
    inside.is_inside = true;
    for (const std::uint32_t comm : {kWorld, kSelf, kWorld}) d_.windows.push_back({0, comm, true});
    for (std::uint32_t file = 0; file < kFiles; ++file) {
      d_.io_files.push_back({d_.strings.intern(fmt::format("/data/{}", file))});
      const std::uint32_t comm = file % 2 == 0 ? kWorld : kSelf;
      d_.io_handles.push_back({.name = 0, .file = file, .paradigm = IoParadigm::kMpiIo, .comm = comm});
      d_.io_handles.push_back({.name = 0, .file = file, .paradigm = IoParadigm::kPosix});
    }
    for (const char* name : {names::kSite, names::kLayout, names::kHints, names::kWindowKind, names::kErrorClass})
      d_.attribute(name, AttributeType::kString);
    for (const char* name : {names::kUnfinished, names::kCall, names::kCommId})
      d_.attribute(name, AttributeType::kUint64);
    for (const char* name : {names::kFoundSource, names::kFoundTag}) d_.attribute(name, AttributeType::kInt64);
  }

  std::uint32_t region(const std::string& name) {
    const archive::StringId text = d_.strings.intern(name);
    if (const auto known = regions_.find(text); known != regions_.end()) return known->second;
    const bool mpi = name.starts_with("MPI_");
    d_.regions.push_back({.name = text,
                          .role = mpi ? archive::Role::kFunction : archive::Role::kFileIo,
                          .paradigm = mpi ? archive::Paradigm::kMpi : archive::Paradigm::kPosixIo});
    return regions_[text] = static_cast<std::uint32_t>(d_.regions.size() - 1);
  }

  Event& add(EventKind kind) {
    Event event;
    event.kind = kind;
    event.time = now_ += nanoseconds(below(5000));
    event.comm = below(3) == 0 ? kSelf : below(2) == 0 && rank_ % 2 == 0 ? kEven : kWorld;
    event.peer = 0;
    event.bytes = event.received = 64 * below(9);
    return to().emplace_back(Scripted{event, {}}).event;
  }
  std::vector<Scripted>& to() { return inside_ ? inner_ : events_; }
  void with(const char* name, const std::string& text) {
    AttributeValue value;
    value.attribute = *d_.find_attribute(name);
    value.string = d_.strings.intern(text);
    to().back().attributes.push_back(value);
  }
  void with(const char* name, std::uint64_t number) {
    AttributeValue value;
    value.attribute = *d_.find_attribute(name);
    value.u64 = number;
    to().back().attributes.push_back(value);
  }
  void enter(const std::string& name) {
    const std::uint32_t entered = region(name);
    add(EventKind::kEnter).region = entered;
    open_.push_back(entered);
    if (open_.size() == 1 && !inside_ && below(2) == 0) with(names::kSite, fmt::format("f (a.c:{})", below(8)));
  }
  void leave() {
    add(EventKind::kLeave).region = open_.back();
    open_.pop_back();
  }
  void io(EventKind kind, std::uint32_t handle) {
    Event& event = add(kind);
    event.io_handle = handle;
    event.request = ++request_;
    event.io_mode = archive::IoMode::kWrite;
  }
  void posix(const char* call, std::uint32_t handle) {
    enter(call);
    io(EventKind::kIoOperationBegin, handle);
    const std::uint64_t id = request_;
    io(EventKind::kIoOperationComplete, handle);
    to().back().event.request = id;
    leave();
  }

  void call() {
    const std::uint32_t file = 2 * below(kFiles);
    switch (archive_.only_opens_files ? 4 : below(12)) {
      case 0:
      case 1:
        enter(below(2) == 0 ? "MPI_Send" : "MPI_Bsend");
        add(EventKind::kMpiSend);
        if (below(6) == 0) to().back().event.peer = 1000 + below(3);  // refused
        break;
      case 2:
        enter("MPI_Irecv");
        add(EventKind::kMpiIrecvRequest).request = ++request_;  // never completed
        break;
      case 3:
        enter("MPI_Allreduce");
        add(EventKind::kMpiCollectiveEnd).collective = CollectiveOp::kAllreduce;
        break;
      case 4:
        enter("MPI_File_open");
        io(EventKind::kIoCreateHandle, file);
        if (archive_.only_opens_files || below(3) > 0)
          with(names::kHints, fmt::format("cb_nodes={}", below(archive_.hints)));
        break;
      case 5:
        enter("MPI_File_write_at_all");
        io(EventKind::kIoOperationBegin, file);
        if (below(2) == 0) with(names::kLayout, fmt::format("vector({},2,8)", 2 + below(4)));
        if (below(2) == 0) posix("pwrite", 2 * below(kFiles) + 1);
        break;
      case 6:
        return posix(below(2) == 0 ? "write" : "pwrite", file + 1);
      case 7: {
        enter("MPI_Win_create");
        const std::uint32_t window = below(3);
        add(EventKind::kRmaWinCreate).window = window;
        if (below(2) == 0) with(names::kWindowKind, below(4) == 0 ? "unknown" : below(2) == 0 ? "create" : "shared");
        Event& made = add(EventKind::kRmaCollectiveEnd);
        made.collective = CollectiveOp::kCreateHandle;
        made.window = window;
        break;
      }
      case 8:
        enter("MPI_Put");
        add(EventKind::kRmaPut).window = below(3);
        break;
      case 9:
        enter(fmt::format("MPI_Other_{}", below(20)));
        break;
      case 10:
        enter("MPI_Barrier");
        add(EventKind::kMpiCollectiveEnd).collective = CollectiveOp::kBarrier;
        if (has_inside(rank_)) inside();
        break;
      default:
        enter("MPI_Comm_rank");
        leave();
        if (below(6) == 0) with(names::kErrorClass, below(2) == 0 ? "MPI_ERR_COMM" : "MPI_ERR_OTHER");
        return;
    }
    leave();
    if (below(20) == 0) with(names::kUnfinished, std::uint64_t{1});
  }

  void probe(std::uint64_t found) {
    enter("MPI_Probe");
    with(names::kCommId, std::uint64_t{kWorld});
    leave();
    with(names::kFoundSource, found);
    with(names::kFoundTag, std::uint64_t{0});
  }

  // Of the call in progress: a message, and an access to a file.
  void inside() {
    const std::vector<std::uint32_t> calls = std::exchange(open_, {});
    inside_ = true;
    enter("MPI_Barrier");
    with(names::kCall, std::uint64_t{call_});
    Event& message = add(EventKind::kMpiIsend);
    message.comm = kInside;
    message.request = ++request_;
    posix("pwrite", 2 * below(kFiles) + 1);
    leave();
    inside_ = false;
    open_ = calls;
  }

  const RandomArchive archive_;
  std::mt19937_64 random_;
  archive::Definitions d_;
  std::map<archive::StringId, std::uint32_t> regions_;
  std::vector<Scripted> events_, inner_;
  std::vector<std::uint32_t> open_;
  bool inside_ = false;
  std::uint32_t rank_ = 0, call_ = 0;
  std::uint64_t request_ = 0;
  Time now_;
};

}  // namespace

void write_random_archive(const std::filesystem::path& directory, const RandomArchive& archive) {
  Script(archive).write(directory);
}

}  // namespace plumbline::replay
