#include "replay/program/compile/context/context.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "replay/program/compile/context/inside_locations.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

std::uint32_t id(const archive::Definitions& definitions, const char* name, archive::AttributeType type) {
  const std::optional<std::uint32_t> found = definitions.find_attribute(name);
  return found && definitions.attributes[*found].type == type ? *found : kNone;
}

bool recorded_by_us(const archive::Definitions& definitions) {
  return definitions.properties.contains(names::kPropertyKind);
}

bool every_process_finalized(const archive::Definitions& definitions) {
  return std::ranges::all_of(definitions.location_groups, [](const archive::LocationGroup& group) {
    const auto end = group.properties.find(names::kPropertyEnd);
    return end == group.properties.end() || end->second == "finalized";
  });
}

void check_members(const std::string& where, const archive::Comm& comm, std::size_t index, std::uint32_t world) {
  for (const std::vector<std::uint32_t>* group : {&comm.members, &comm.remote_members})
    for (const std::uint32_t member : *group)
      if (member >= world)
        throw Error(where, fmt::format("communicator {} has rank {} of {} as a member", index, member, world));
}

std::uint32_t& entry(std::vector<std::uint32_t>& cache, std::size_t index) {
  if (index >= cache.size()) cache.resize(index + 1, kNone);
  return cache[index];
}

}  // namespace

AttributeIds::AttributeIds(const archive::Definitions& d) {
  using archive::AttributeType;
  site = id(d, names::kSite, AttributeType::kString);
  offset = id(d, names::kOffset, AttributeType::kUint64);
  absolute_offset = id(d, names::kAbsoluteOffset, AttributeType::kUint64);
  layout = id(d, names::kLayout, AttributeType::kString);
  view_position = id(d, names::kViewPosition, AttributeType::kUint64);
  posted_source = id(d, names::kPostedSource, AttributeType::kInt64);
  posted_tag = id(d, names::kPostedTag, AttributeType::kInt64);
  found_source = id(d, names::kFoundSource, AttributeType::kInt64);
  found_tag = id(d, names::kFoundTag, AttributeType::kInt64);
  error_class = id(d, names::kErrorClass, AttributeType::kString);
  waits = id(d, names::kWaits, AttributeType::kString);
  poll_computed = id(d, names::kPollComputed, AttributeType::kUint64);
  unfinished = id(d, names::kUnfinished, AttributeType::kUint64);
  run_delay = id(d, names::kRunDelay, AttributeType::kUint64);
  send_mode = id(d, names::kSendMode, AttributeType::kString);
  counts_sent = id(d, names::kCountsSent, AttributeType::kString);
  counts_received = id(d, names::kCountsReceived, AttributeType::kString);
  buffer_bytes = id(d, names::kBufferBytes, AttributeType::kUint64);
  collective = id(d, names::kCollective, AttributeType::kUint64);
  root = id(d, names::kRoot, AttributeType::kUint64);
  bytes_sent = id(d, names::kCollectiveSent, AttributeType::kUint64);
  bytes_received = id(d, names::kCollectiveReceived, AttributeType::kUint64);
  hints = id(d, names::kHints, AttributeType::kString);
  call = id(d, names::kCall, AttributeType::kUint64);
  belongs_to = id(d, names::kBelongsTo, AttributeType::kUint64);
  unknown_bytes = id(d, names::kUnknownBytes, AttributeType::kUint64);
  inner_records = id(d, names::kInnerRecords, AttributeType::kUint64);
  comm = id(d, names::kCommId, AttributeType::kUint64);
  neighbours_sent = id(d, names::kNeighboursSent, AttributeType::kString);
  neighbours_received = id(d, names::kNeighboursReceived, AttributeType::kString);
  request = id(d, names::kRequest, AttributeType::kUint64);
  completed = id(d, names::kCompleted, AttributeType::kString);
  window = id(d, names::kWindow, AttributeType::kUint64);
  window_kind = id(d, names::kWindowKind, AttributeType::kString);
  target = id(d, names::kTarget, AttributeType::kUint64);
  assertion = id(d, names::kAssertion, AttributeType::kString);
}

std::uint64_t other_threads(const archive::Definitions& definitions) {
  std::vector<bool> of_rank(definitions.location_groups.size());
  for (const archive::Location& location : definitions.locations)
    if (location.rank && location.group < of_rank.size()) of_rank[location.group] = true;
  const std::vector<bool> is_inside = is_inside_location(definitions);
  std::uint64_t threads = 0;
  for (std::size_t i = 0; i < definitions.locations.size(); ++i) {
    const archive::Location& location = definitions.locations[i];
    if (location.rank || is_inside[i] || location.events == 0) continue;
    if (location.type != archive::LocationType::kCpuThread) continue;
    threads += location.group < of_rank.size() && of_rank[location.group] ? 1 : 0;
  }
  return threads;
}

CompileContext::CompileContext(const archive::Definitions& defs, std::string archive_name, ProgramBuilder& program)
    : definitions(defs),
      where(std::move(archive_name)),
      scratch(scratch_in(std::filesystem::path(where).parent_path())),
      builder(program),
      attributes(defs),
      calls(call_table(defs)),
      contexts(is_context(defs)),
      is_ours(recorded_by_us(defs)),
      has_other_threads(other_threads(defs) > 0),
      all_finalized(every_process_finalized(defs)) {
  std::vector<std::uint32_t> world(defs.world_size());
  for (std::uint32_t rank = 0; rank < world.size(); ++rank) world[rank] = rank;
  builder.comm(world);
  bool world_is_known = false;  // others with all ranks are contexts of their own: their messages do not mix with its
  for (std::size_t i = 0; i < defs.comms.size(); ++i) {
    const archive::Comm& comm = defs.comms[i];
    if (contexts[i]) {
      comms_.push_back(kNone);
      continue;
    }
    check_members(where, comm, i, static_cast<std::uint32_t>(world.size()));
    const bool is_world = !world_is_known && !comm.is_self && !comm.is_inside && comm.parent == archive::kUndefined &&
                          comm.remote_members.empty() && comm.members == world;
    world_is_known = world_is_known || is_world;
    if (comm.is_inside || (comm.is_self && comm.members.size() != 1))
      comms_.push_back(kNone);  // no communicator of the program's, or another one on each rank
    else if (is_world)
      comms_.push_back(0);
    else
      comms_.push_back(builder.comm(comm.members, comm.remote_members));
  }
}

std::uint16_t CompileContext::call(std::uint32_t region) {
  std::uint32_t& index = entry(call_names_, region);
  if (index == kNone) index = builder.call(definitions.strings[definitions.regions[region].name]);
  return static_cast<std::uint16_t>(index);
}

std::uint32_t CompileContext::site(archive::StringId text) {
  std::uint32_t& index = entry(sites_, text);
  if (index == kNone) index = builder.site(definitions.strings[text]);
  return index;
}

std::uint32_t CompileContext::layout(archive::StringId notation) {
  std::uint32_t& index = entry(layouts_, notation);
  if (index == kNone) index = builder.layout(definitions.strings[notation]);
  return index;
}

std::uint32_t CompileContext::file(std::uint32_t handle) {
  std::uint32_t& index = entry(files_, handle);
  if (index != kNone) return index;
  const archive::IoHandle& definition = definitions.io_handles[handle];
  const bool known = definition.file < definitions.io_files.size();
  const archive::StringId name = known ? definitions.io_files[definition.file].path : definition.name;
  index = builder.file(definitions.strings[name]);
  return index;
}

std::uint16_t CompileContext::hints(archive::StringId lines) {
  std::uint32_t& index = entry(hints_, lines);
  if (index == kNone) index = builder.hints(definitions.strings[lines]);
  return static_cast<std::uint16_t>(index);
}

std::optional<CommOfRank> CompileContext::comm(std::uint32_t comm, std::uint32_t rank) {
  if (comm >= comms_.size()) return std::nullopt;
  const archive::Comm& definition = definitions.comms[comm];
  if (comms_[comm] == kNone) return CommOfRank{builder.comm(std::span(&rank, 1)), 1, 1, 0, false};
  const CommView view{definition.members, definition.remote_members};
  const std::span<const std::uint32_t> group = group_of(view, rank);
  CommOfRank seen{.index = comms_[comm], .size = static_cast<std::uint32_t>(group.size())};
  seen.is_inter = !definition.remote_members.empty();
  seen.peers = static_cast<std::uint32_t>(peers_of(view, rank).size());
  const auto own = std::ranges::find(group, rank);
  if (own != group.end()) seen.own = static_cast<std::uint32_t>(own - group.begin());
  return seen;
}

std::uint32_t CompileContext::window(std::uint32_t window, const CommOfRank& comm) {
  if (comms_[definitions.windows[window].comm] == kNone) return builder.window({.comm = comm.index});  // one per rank
  std::uint32_t& index = entry(windows_, window);
  if (index == kNone) index = builder.window({.comm = comm.index}, window);
  return index;
}

}  // namespace plumbline::replay
