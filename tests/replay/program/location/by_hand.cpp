#include "by_hand.hpp"

#include <sstream>
#include <string>
#include <utility>

#include "base/check.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay::compiling {

namespace {

namespace names = archive::names;

constexpr const char* kFunctions =
    "MPI_Init MPI_Finalize MPI_Comm_rank MPI_Comm_dup MPI_Send MPI_Ssend MPI_Bsend MPI_Isend MPI_Ibsend "
    "MPI_Startall MPI_Recv MPI_Irecv MPI_Sendrecv MPI_Wait MPI_Waitall MPI_Test MPI_Probe MPI_Iprobe "
    "MPI_Barrier MPI_Bcast MPI_Ibcast MPI_Iallreduce MPI_Alltoallv MPI_Neighbor_alltoall "
    "MPI_Ineighbor_alltoall MPI_Win_create MPI_Win_post MPI_Win_start MPI_Win_complete MPI_Win_lock "
    "MPI_Win_unlock MPI_Win_flush MPI_Win_flush_all MPI_Put MPI_Rput MPI_Win_flush_local MPI_File_open "
    "MPI_File_close MPI_File_read_at MPI_File_write_at_all MPI_File_iwrite_at MPI_File_set_view";
constexpr const char* kPosixFunctions = "open read pread write fread aio_read aio_fsync aio_suspend";

void define_file(archive::Definitions& definitions, std::string_view path, archive::IoParadigm paradigm,
                 std::uint32_t comm) {
  definitions.io_files.push_back({definitions.strings.intern(path)});
  const auto file = static_cast<std::uint32_t>(definitions.io_files.size() - 1);
  definitions.io_handles.push_back({.name = 0, .file = file, .paradigm = paradigm, .comm = comm});
}

void define_regions(archive::Definitions& definitions) {
  const auto define = [&](std::string_view name, archive::Role role, archive::Paradigm paradigm) {
    definitions.regions.push_back({.name = definitions.strings.intern(name), .role = role, .paradigm = paradigm});
  };
  define("main", archive::Role::kFunction, archive::Paradigm::kUser);
  std::istringstream functions(kFunctions), posix_functions(kPosixFunctions);
  for (std::string name; functions >> name;) define(name, archive::Role::kFunction, archive::Paradigm::kMpi);
  for (std::string name; posix_functions >> name;) define(name, archive::Role::kFileIo, archive::Paradigm::kPosixIo);
}

void define_attributes(archive::Definitions& definitions) {
  using archive::AttributeType;
  for (const char* name :
       {names::kAbsoluteOffset, names::kViewPosition, names::kCommId, names::kPollComputed, names::kUnfinished,
        names::kRunDelay, names::kBufferBytes, names::kCollective, names::kRoot, names::kCollectiveSent,
        names::kCollectiveReceived, names::kInnerRecords, names::kRequest, names::kWindow, names::kTarget})
    definitions.attribute(name, AttributeType::kUint64);
  for (const char* name : {names::kPostedSource, names::kPostedTag, names::kFoundSource, names::kFoundTag})
    definitions.attribute(name, AttributeType::kInt64);
  for (const char* name : {names::kSite, names::kLayout, names::kWaits, names::kSendMode, names::kCountsSent,
                           names::kCountsReceived, names::kHints, names::kNeighboursSent, names::kNeighboursReceived,
                           names::kCompleted, names::kWindowKind, names::kAssertion, names::kErrorClass})
    definitions.attribute(name, AttributeType::kString);
}

}  // namespace

archive::Definitions definitions_by_hand() {
  archive::Definitions definitions;
  definitions.strings.intern("");  // string 0: what has no name
  definitions.properties[names::kPropertyKind] = "observed";
  for (std::uint32_t rank = 0; rank < 4; ++rank) definitions.locations.emplace_back().rank = rank;
  definitions.comms.resize(4);
  definitions.comms[kWorld].members = {0, 1, 2, 3};
  definitions.comms[kPair].members = {2, 0};
  definitions.comms[kOthers].members = {1, 2, 3};
  definitions.comms[kInter].members = {0};
  definitions.comms[kInter].remote_members = {1, 2, 3};
  for (std::uint32_t comm = 0; comm < 4; ++comm) definitions.windows.push_back({.name = 0, .comm = comm});
  definitions.groups.resize(kGroups);
  definitions.groups[kZeroAndTwo].members = {0, 2};
  definitions.groups[kOneAndTwo].members = {1, 2};
  define_file(definitions, "data", archive::IoParadigm::kMpiIo, kWorld);
  define_file(definitions, "log", archive::IoParadigm::kPosix, archive::kUndefined);
  define_file(definitions, "notes", archive::IoParadigm::kOther, archive::kUndefined);
  define_file(definitions, "more", archive::IoParadigm::kMpiIo, kWorld);
  define_regions(definitions);
  define_attributes(definitions);
  return definitions;
}

LocationByHand::LocationByHand(archive::Definitions of_archive)
    : definitions(std::move(of_archive)),
      builder(directory / "program"),
      context(definitions, "OBS", builder),
      state(context, 0, {}, nullptr) {
  builder.call("");  // of operations by hand that tell none
  builder.begin_rank(builder.node("node"), 0);
}

void LocationByHand::in_call(std::string_view name) {
  state.call = Call();
  state.call.region = region(name);
  state.call.traits = context.calls[state.call.region];
  state.call.name = context.call(state.call.region);
  state.call.first_operation = builder.operations();
}

void LocationByHand::end_posts(const OperationTimes& times) {
  for (const Operation& operation : state.posts) builder.add(operation, times);
  state.posts.clear();
}

std::uint32_t LocationByHand::earlier(const Operation& operation, const OperationTimes& times) {
  builder.add(operation, times);
  return builder.operations() - 1;
}

std::uint32_t LocationByHand::region(std::string_view name) const {
  for (std::uint32_t i = 0; i < definitions.regions.size(); ++i)
    if (definitions.strings[definitions.regions[i].name] == name) return i;
  PLUMBLINE_CHECK(false, "the archive by hand has no such region");
  return 0;
}

archive::AttributeValue LocationByHand::text(std::uint32_t attribute, std::string_view value) {
  archive::AttributeValue made;
  made.attribute = attribute;
  made.string = definitions.strings.intern(value);
  return made;
}

Program LocationByHand::finish() {
  builder.end_rank(state.slots.count(), state.inner_slots.count());
  for (std::uint32_t rank = 1; rank < 4; ++rank) {
    builder.begin_rank(0, 0);
    builder.end_rank(0);
  }
  builder.write();
  return Program::open(builder.path(), Program::Contents::kKnown);
}

archive::AttributeValue number(std::uint32_t attribute, std::uint64_t value) {
  archive::AttributeValue made;
  made.attribute = attribute;
  made.u64 = value;
  return made;
}

archive::AttributeValue integer(std::uint32_t attribute, std::int64_t value) {
  archive::AttributeValue made;
  made.attribute = attribute;
  made.i64 = value;
  return made;
}

}  // namespace plumbline::replay::compiling
