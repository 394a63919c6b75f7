#include "event_script.hpp"

#include "tracer/archive/inside.hpp"

namespace plumbline::replay {

using archive::EventKind;

EventScript::EventScript(std::uint32_t ranks) : ranks_(ranks) {
  definitions.strings.intern("");  // string 0: what has no name
  std::vector<std::uint32_t> world;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    world.push_back(rank);
    definitions.locations.emplace_back().rank = rank;
  }
  definitions.properties[archive::names::kPropertyKind] = "observed";
  comm(world);
}

EventScript& EventScript::inside() {
  inside_ = events_.size();
  const std::uint64_t calls = definitions.locations[0].otf2_id;
  archive::Location& location = definitions.locations.emplace_back();
  location.otf2_id = calls + archive::kInsideLocation;
  location.properties[archive::names::kPropertyInsideOf] = std::to_string(calls);
  return *this;
}

std::uint32_t EventScript::context() {
  std::vector<std::uint32_t> world;
  for (std::uint32_t rank = 0; rank < ranks_; ++rank) world.push_back(rank);
  const std::uint32_t index = comm(world);
  definitions.comms[index].is_inside = true;
  return index;
}

std::uint32_t EventScript::comm(std::vector<std::uint32_t> members) {
  definitions.comms.emplace_back().members = std::move(members);
  return static_cast<std::uint32_t>(definitions.comms.size() - 1);
}

std::uint32_t EventScript::file_handle(const std::string& path, archive::IoParadigm paradigm, std::uint32_t comm) {
  definitions.io_files.push_back({definitions.strings.intern(path)});
  const auto file = static_cast<std::uint32_t>(definitions.io_files.size() - 1);
  definitions.io_handles.push_back({.name = 0, .file = file, .paradigm = paradigm, .comm = comm});
  return static_cast<std::uint32_t>(definitions.io_handles.size() - 1);
}

std::uint32_t EventScript::region(const std::string& name) {
  const archive::StringId text = definitions.strings.intern(name);
  for (std::uint32_t i = 0; i < definitions.regions.size(); ++i)
    if (definitions.regions[i].name == text) return i;
  const bool mpi = name.starts_with("MPI_");
  const bool user = name == "main" || name == "solve";
  definitions.regions.push_back({.name = text,
                                 .role = mpi || user ? archive::Role::kFunction : archive::Role::kFileIo,
                                 .paradigm = mpi    ? archive::Paradigm::kMpi
                                             : user ? archive::Paradigm::kUser
                                                    : archive::Paradigm::kPosixIo});
  return static_cast<std::uint32_t>(definitions.regions.size() - 1);
}

EventScript& EventScript::add(EventKind kind, std::int64_t us, std::uint32_t peer, std::uint32_t tag,
                              std::uint64_t bytes, std::uint64_t request) {
  archive::Event event;
  event.kind = kind;
  event.time = Time{} + microseconds(us);
  event.comm = 0;
  event.peer = peer;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  events_.push_back({event, {}});
  return *this;
}

EventScript& EventScript::enter(const std::string& name, std::int64_t us) {
  open_.push_back(region(name));
  add(EventKind::kEnter, us);
  last().region = open_.back();
  return *this;
}

EventScript& EventScript::leave(std::int64_t us) {
  add(EventKind::kLeave, us);
  last().region = open_.back();
  open_.pop_back();
  return *this;
}

EventScript& EventScript::collective(archive::CollectiveOp op, std::int64_t us, std::uint64_t sent,
                                     std::uint64_t received, std::uint32_t root) {
  add(EventKind::kMpiCollectiveEnd, us, root, 0, sent);
  last().collective = op;
  last().received = received;
  return *this;
}

EventScript& EventScript::io(EventKind kind, std::int64_t us, std::uint32_t handle, std::uint64_t bytes,
                             std::uint64_t id, archive::IoMode mode) {
  add(kind, us, archive::kUndefined, 0, bytes, id);
  last().io_handle = handle;
  last().io_mode = mode;
  return *this;
}

archive::AttributeValue& EventScript::attribute(const char* name, archive::AttributeType type) {
  archive::AttributeValue value;
  value.attribute = definitions.attribute(name, type);
  return events_.back().attributes.emplace_back(value);
}

EventScript& EventScript::with(const char* name, std::uint64_t value) {
  attribute(name, archive::AttributeType::kUint64).u64 = value;
  return *this;
}

EventScript& EventScript::with(const char* name, std::int64_t value) {
  attribute(name, archive::AttributeType::kInt64).i64 = value;
  return *this;
}

EventScript& EventScript::with(const char* name, const std::string& value) {
  const archive::StringId text = definitions.strings.intern(value);
  attribute(name, archive::AttributeType::kString).string = text;
  return *this;
}

Program EventScript::compile(TracerCost cost) {
  ProgramBuilder builder(directory_ / "program");
  CompileContext context(definitions, "OBS/traces.otf2", builder);
  builder.begin_rank(builder.node("n0"), 0);
  for (Scripted& scripted : events_) scripted.event.attributes = scripted.attributes;
  const std::size_t first_inside = inside_.value_or(events_.size());
  InsideCompiler inside_compiler(context);
  for (std::size_t i = first_inside; i < events_.size(); ++i) inside_compiler.event(events_[i].event);
  const InsideOfCalls inside = inside_compiler.finish();
  LocationCompiler compiler(context, 0, cost, inside.calls.empty() ? nullptr : &inside);
  for (std::size_t i = 0; i < first_inside; ++i) compiler.event(events_[i].event);
  compiler.finish();
  builder.end_rank(compiler.request_slots(), compiler.inner_slots());
  for (std::uint32_t rank = 1; rank < ranks_; ++rank) {
    builder.begin_rank(0, 0);
    builder.end_rank(0);
  }
  tally_ = context.tally;
  return builder.finish();
}

}  // namespace plumbline::replay
