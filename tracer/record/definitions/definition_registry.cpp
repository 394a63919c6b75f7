#include "tracer/record/definitions/definition_registry.hpp"

#include <fmt/format.h>

#include <utility>

#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

using archive::AttributeType;
using archive::kUndefined;
namespace names = archive::names;

AttributeIds define_attributes(archive::Definitions& d) {
  const auto number = [&](const char* name, const char* text) {
    return d.attribute(name, AttributeType::kUint64, text);
  };
  const auto string = [&](const char* name, const char* text) {
    return d.attribute(name, AttributeType::kString, text);
  };
  const auto integer = [&](const char* name, const char* text) {
    return d.attribute(name, AttributeType::kInt64, text);
  };
  AttributeIds ids{};
  ids.site = string(names::kSite, "call site");
  ids.offset = number(names::kOffset, "absolute read/write offset within a file");
  ids.absolute_offset = number(names::kAbsoluteOffset, "offset in the file of the first byte accessed");
  ids.layout = string(names::kLayout, "layout of the file view");
  ids.view_position = number(names::kViewPosition, "bytes of the view's data before this access");
  ids.posted_source = integer(names::kPostedSource, "source as posted, -1: any");
  ids.posted_tag = integer(names::kPostedTag, "tag as posted, -1: any");
  ids.found_source =
      integer(names::kFoundSource, "source of the message that a probe found, -2: none, it asked nobody");
  ids.found_tag = integer(names::kFoundTag, "tag of the message that a probe found");
  ids.buffer_bytes = number(names::kBufferBytes, "size of the receive buffer");
  ids.comm = number(names::kCommId, "index of the communicator");
  ids.waits = string(names::kWaits, "requests waited for or tested");
  ids.polls = number(names::kPolls, "failed tests folded into this call");
  ids.longest_poll_gap = number(names::kLongestPollGap, "picoseconds, longest gap between two of these polls");
  ids.poll_computed = number(names::kPollComputed, "picoseconds computed between these polls");
  ids.poll_off_cpu = number(names::kPollOffCpu, "picoseconds slept or waited for a CPU between these polls");
  ids.also_polled = string(names::kAlsoPolled, "what else was asked in the same run of polls");
  ids.hints = string(names::kHints, "hints in force");
  ids.hints_asked = string(names::kHintsAsked, "hints asked for");
  ids.counts_sent = string(names::kCountsSent, "bytes to each rank");
  ids.counts_received = string(names::kCountsReceived, "bytes from each rank");
  ids.collective = number(names::kCollective, "collective that was started, by the number of its OTF2_CollectiveOp");
  ids.root = number(names::kRoot, "root of the collective that was started");
  ids.bytes_sent = number(names::kCollectiveSent, "bytes that the collective will have sent");
  ids.bytes_received = number(names::kCollectiveReceived, "bytes that the collective will have received");
  ids.unfinished = number(names::kUnfinished, "the process ended in this call");
  ids.run_delay = number(names::kRunDelay, "picoseconds off the CPU since the last call");
  ids.send_mode = string(names::kSendMode, "send mode, where not standard");
  ids.persistent = number(names::kPersistent, "persistent request that was started");
  ids.request = number(names::kRequest, "request of this call");
  ids.completed = string(names::kCompleted, "requests completed that have no record of it");
  ids.neighbours_sent = string(names::kNeighboursSent, "rank:bytes to each neighbour");
  ids.neighbours_received = string(names::kNeighboursReceived, "rank:bytes from each neighbour");
  ids.path = string(names::kPath, "file that the call names");
  ids.second_path = string(names::kSecondPath, "second file that the call names");
  ids.length = number(names::kLength, "bytes of the file that the call is about");
  ids.protection = string(names::kProtection, "what a mapping allows");
  ids.file_lock = string(names::kFileLock, "kind of a lock on a range of a file");
  ids.window = number(names::kWindow, "index of the window");
  ids.target = number(names::kTarget, "rank in the window");
  ids.assertion = string(names::kAssertion, "what the program promises");
  ids.group = string(names::kGroup, "world ranks synchronised with");
  ids.address = number(names::kAddress, "first byte of the memory");
  ids.window_kind = string(names::kWindowKind, "how the window was made");
  ids.window_bytes = number(names::kWindowBytes, "bytes of this rank's memory in the window");
  ids.displacement_unit = number(names::kDisplacementUnit, "bytes per unit of displacements at this rank");
  ids.displacement = integer(names::kDisplacement, "displacement as posted, in the target's units");
  ids.operation = string(names::kOperation, "operation on the target's data");
  ids.origin_layout = string(names::kOriginLayout, "layout of the origin's datatype");
  ids.target_layout = string(names::kTargetLayout, "layout of the target's datatype");
  ids.result_layout = string(names::kResultLayout, "layout of the result's datatype");
  ids.call = number(names::kCall, "index of the call among those of the program");
  ids.belongs_to = number(names::kBelongsTo, "index of the call that started the collective");
  ids.unknown_bytes = number(names::kUnknownBytes, "nothing tells the size");
  ids.inner_records = number(names::kInnerRecords, "records made inside of the call");
  ids.error_class = string(names::kErrorClass, "how the call failed");
  return ids;
}

archive::Role role_of(const FunctionFact& function) {
  switch (function.layout) {
    case PL_LAYOUT_SEND:
    case PL_LAYOUT_RECV:
    case PL_LAYOUT_SENDRECV:
    case PL_LAYOUT_WAIT:
    case PL_LAYOUT_PROBE:
    case PL_LAYOUT_ISENDRECV:
    case PL_LAYOUT_START:
      return archive::Role::kPointToPoint;
    case PL_LAYOUT_COLLECTIVE:
    case PL_LAYOUT_NEIGHBOUR:
      return archive::Role::kCollective;
    case PL_LAYOUT_WIN:
    case PL_LAYOUT_WIN_SYNC:
    case PL_LAYOUT_WIN_GROUP:
    case PL_LAYOUT_WIN_TEST:
    case PL_LAYOUT_WIN_ATTACH:
    case PL_LAYOUT_RMA:
      return archive::Role::kOneSided;
    case PL_LAYOUT_FILE_ACCESS:
    case PL_LAYOUT_POSIX_ACCESS:
    case PL_LAYOUT_POSIX_COPY:
    case PL_LAYOUT_POSIX_AIO:
    case PL_LAYOUT_POSIX_AIO_LIST:
    case PL_LAYOUT_POSIX_AIO_END:
    case PL_LAYOUT_POSIX_AIO_WAIT:
    case PL_LAYOUT_POSIX_STREAM_ACCESS:
      return archive::Role::kFileIo;
    case PL_LAYOUT_FILE_OPEN:
    case PL_LAYOUT_FILE:
    case PL_LAYOUT_FILE_VIEW:
    case PL_LAYOUT_FILE_SEEK:
    case PL_LAYOUT_POSIX_OPEN:
    case PL_LAYOUT_POSIX_FD:
    case PL_LAYOUT_POSIX_SEEK:
    case PL_LAYOUT_POSIX_RANGE:
    case PL_LAYOUT_POSIX_CLOSE_RANGE:
    case PL_LAYOUT_POSIX_NAME:
    case PL_LAYOUT_POSIX_MAP:
    case PL_LAYOUT_POSIX_STREAM_OPEN:
    case PL_LAYOUT_POSIX_STREAM:
    case PL_LAYOUT_POSIX_STREAM_SEEK:
      return archive::Role::kFileIoMetadata;
    default:
      return archive::Role::kFunction;
  }
}

archive::Paradigm paradigm_of(const FunctionFact& function) {
  if (function.name.starts_with("MPI") || function.name.starts_with("PMPI")) return archive::Paradigm::kMpi;
  return function.layout >= PL_LAYOUT_POSIX_OPEN ? archive::Paradigm::kPosixIo : archive::Paradigm::kOther;
}

}  // namespace

DefinitionRegistry::DefinitionRegistry() {
  attributes = define_attributes(definitions);
  definitions.system_tree.push_back(
      {definitions.strings.intern("cluster"), definitions.strings.intern("machine"), kUndefined});
}

void DefinitionRegistry::define_ranks(std::uint32_t ranks) {
  ranks_ = ranks;
  archive::Comm world{definitions.strings.intern("MPI_COMM_WORLD"), {}, {}, kUndefined, false};
  for (std::uint32_t rank = 0; rank < ranks; ++rank) world.members.push_back(rank);
  comms_[{world.members, {}, 0}] = 0;
  definitions.comms.push_back(std::move(world));
}

archive::StringId DefinitionRegistry::string(std::string_view text) {
  const archive::StringId id = definitions.strings.intern(text);
  if (journal_ && DefinitionJournal::is_first(journal_->noted_strings, id)) {
    journal_->out.put(DefinitionJournal::Entry::kString);
    journal_->out.put_text(text);
  }
  return id;
}

std::uint32_t DefinitionRegistry::region(const FunctionFact& function) {
  const auto [entry, is_new] =
      regions_.try_emplace({function.name, function.layout}, static_cast<std::uint32_t>(definitions.regions.size()));
  if (!is_new) return entry->second;
  definitions.regions.push_back({definitions.strings.intern(function.name), role_of(function), paradigm_of(function)});
  if (journal_) {
    journal_->out.put(DefinitionJournal::Entry::kRegion);
    journal_->out.put_text(function.name);
    journal_->out.put(function.layout);
  }
  return entry->second;
}

std::uint32_t DefinitionRegistry::comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id) {
  const std::uint32_t index = find_or_make_comm(rank, facts, id);
  if (is_to_be_noted(index)) {
    journal_->out.put(DefinitionJournal::Entry::kComm);
    journal_->out.put(index);
    std::vector<std::uint32_t> below;
    put_comm(rank, facts, id, below);
  }
  return index;
}

std::uint32_t DefinitionRegistry::find_or_make_comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id) {
  if (id == PL_COMM_WORLD) return ranks_ != 0 ? 0 : kUndefined;  // damaged: there are only processes without MPI
  if (const auto known = comm_of_.find({rank, id}); known != comm_of_.end()) return known->second;
  std::uint32_t index = kUndefined;
  comm_of_[{rank, id}] = kUndefined;  // ends the search for the parent of a damaged definition that is its own
  if (std::optional<NewComm> told = told_comm(rank, facts, id)) {
    const std::uint32_t parent = told->parent;
    index = define_comm(*std::move(told),
                        [&] { return parent == 0 ? kUndefined : find_or_make_comm(rank, facts, parent); });
  }
  comm_of_[{rank, id}] = index;
  return index;
}

std::optional<DefinitionRegistry::NewComm> DefinitionRegistry::told_comm(std::uint32_t rank, const ProcessFacts& facts,
                                                                         std::uint32_t id) const {
  const auto found = facts.comms.find(id);
  const bool is_self = id == PL_COMM_SELF;
  CommFact fact;
  if (found != facts.comms.end() && !found->second.members.empty())
    fact = found->second;
  else if (is_self)
    fact.members = {rank};
  else
    return std::nullopt;
  for (const std::vector<std::uint32_t>* group : {&fact.members, &fact.remote})
    for (const std::uint32_t member : *group)
      if (member >= ranks_) return std::nullopt;  // of another MPI_COMM_WORLD, or damaged
  NewComm comm{std::move(fact.members), std::move(fact.remote),   fact.sequence, is_self,
               std::move(fact.name),    is_self ? 0 : fact.parent};
  if (is_self) comm.name = "MPI_COMM_SELF";
  if (!comm.remote_members.empty() && comm.remote_members < comm.members)
    std::swap(comm.members, comm.remote_members);  // both sides tell of it, each from its own
  return comm;
}

std::uint32_t DefinitionRegistry::define_comm(NewComm made, const std::function<std::uint32_t()>& parent) {
  const CommKey key{made.members, made.remote_members, made.sequence};
  if (const auto known = comms_.find(key); known != comms_.end()) return known->second;
  archive::Comm comm;
  comm.members = std::move(made.members);
  comm.remote_members = std::move(made.remote_members);
  comm.parent = parent();
  if (const auto known = comms_.find(key); known != comms_.end()) return known->second;  // damaged: it is its ancestor
  comm.is_self = made.is_self;
  const auto index = static_cast<std::uint32_t>(definitions.comms.size());
  comm.name = definitions.strings.intern(made.name.empty() ? fmt::format("Comm {}", index) : made.name);
  definitions.comms.push_back(std::move(comm));
  comms_.emplace(key, index);
  return index;
}

std::uint32_t DefinitionRegistry::context(std::uint32_t number) {
  const auto [entry, is_new] = contexts_.try_emplace(number, static_cast<std::uint32_t>(definitions.comms.size()));
  if (is_new) {
    archive::Comm comm{definitions.strings.intern(fmt::format("context {}", number)), {}, {}, kUndefined, false, true};
    for (std::uint32_t rank = 0; rank < ranks_; ++rank) comm.members.push_back(rank);
    definitions.comms.push_back(std::move(comm));
  }
  if (is_to_be_noted(entry->second)) {
    journal_->out.put(DefinitionJournal::Entry::kContext);
    journal_->out.put(entry->second);
    journal_->out.put(number);
  }
  return entry->second;
}

// The same number of windows has been made before on that communicator by all of its ranks.
std::uint32_t DefinitionRegistry::window(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id) {
  const auto fact = facts.windows.find(id);
  if (fact == facts.windows.end()) return kUndefined;
  const std::uint32_t comm = this->comm(rank, facts, fact->second.comm);
  if (comm == kUndefined) return kUndefined;
  return window(comm, fact->second.sequence, fact->second.name);
}

std::uint32_t DefinitionRegistry::window(std::uint32_t comm, std::uint32_t sequence, const std::string& name) {
  const auto index = static_cast<std::uint32_t>(definitions.windows.size());
  const auto [entry, is_new] = windows_.try_emplace({comm, sequence}, index);
  if (!is_new) return entry->second;
  definitions.windows.push_back(
      {definitions.strings.intern(name.empty() ? fmt::format("Window {}", index) : name), comm});
  if (journal_) {
    journal_->out.put(DefinitionJournal::Entry::kWindow);
    journal_->out.put(comm);
    journal_->out.put(sequence);
    journal_->out.put_text(name);
  }
  return index;
}

std::uint32_t DefinitionRegistry::group(const std::vector<std::uint32_t>& members) {
  const auto [entry, is_new] = groups_.try_emplace(members, static_cast<std::uint32_t>(definitions.groups.size()));
  if (!is_new) return entry->second;
  definitions.groups.push_back({members});
  if (journal_) {
    journal_->out.put(DefinitionJournal::Entry::kGroup);
    journal_->out.put_all(std::span<const std::uint32_t>(members));
  }
  return entry->second;
}

std::uint32_t DefinitionRegistry::file(const std::string& path, const Mounts& mounts) {
  if (const auto known = files_.find(path); known != files_.end()) return known->second;
  const Mount* mount = mounts.of(path);
  const std::uint32_t index = file(path, mount);
  if (!journal_) return index;
  journal_->out.put(DefinitionJournal::Entry::kFile);
  journal_->out.put(index);
  journal_->out.put_text(path);
  journal_->out.put(mount != nullptr);
  if (mount != nullptr)
    for (const std::string* text : {&mount->point, &mount->type, &mount->source, &mount->options})
      journal_->out.put_text(*text);
  return index;
}

std::uint32_t DefinitionRegistry::file(const std::string& path, const Mount* mount) {
  const auto [entry, is_new] = files_.try_emplace(path, static_cast<std::uint32_t>(definitions.io_files.size()));
  if (!is_new) return entry->second;
  archive::IoFile file{definitions.strings.intern(path)};
  const auto add = [&](const char* name, const std::string& text) {
    file.properties.emplace_back(definitions.strings.intern(name), definitions.strings.intern(text));
  };
  if (mount != nullptr) {
    add(names::kPropertyFileSystem, mount->type);
    add(names::kPropertyMountPoint, mount->point);
    add(names::kPropertyMountSource, mount->source);
    add(names::kPropertyMountOptions, mount->options);
  }
  definitions.io_files.push_back(std::move(file));
  return entry->second;
}

std::uint32_t DefinitionRegistry::handle(const HandleKey& key, std::size_t slot, const std::string& name) {
  std::vector<std::uint32_t>& slots = handles_[key];
  if (slot < slots.size()) return slots[slot];
  if (journal_) {
    journal_->out.put(DefinitionJournal::Entry::kHandles);
    journal_->out.put(key);
    journal_->out.put(std::uint64_t{slots.size()});
    journal_->out.put(std::uint64_t{slot});
    journal_->out.put(std::uint64_t{definitions.io_handles.size()});
    journal_->out.put_text(name);
  }
  while (slots.size() <= slot) {
    slots.push_back(static_cast<std::uint32_t>(definitions.io_handles.size()));
    const bool is_mpi = key.paradigm == archive::IoParadigm::kMpiIo;
    definitions.io_handles.push_back(
        {definitions.strings.intern(name), key.file, key.paradigm, is_mpi ? key.owner : kUndefined, key.parent});
  }
  return slots[slot];
}

std::uint32_t DefinitionRegistry::node(const std::string& host) {
  const auto [entry, is_new] = nodes_.try_emplace(host, static_cast<std::uint32_t>(definitions.system_tree.size()));
  if (is_new)
    definitions.system_tree.push_back({definitions.strings.intern(host), definitions.strings.intern("node"), 0, {}});
  return entry->second;
}

}  // namespace plumbline::record
