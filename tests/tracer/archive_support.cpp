#include "tests/tracer/archive_support.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "tracer/archive/inside.hpp"

namespace plumbline::archive::test {
namespace {

std::uint32_t below(std::mt19937_64& random, std::size_t n) { return static_cast<std::uint32_t>(random() % n); }

std::uint32_t maybe(std::mt19937_64& random, std::size_t n) {
  return random() % 3 == 0 ? kUndefined : below(random, n);
}

void random_processes(Definitions& d, std::mt19937_64& random) {
  d.system_tree.push_back({d.strings.intern("cluster"), d.strings.intern("machine"), kUndefined});
  for (std::uint32_t n = 0; n < 2; ++n)
    d.system_tree.push_back({d.strings.intern(fmt::format("kn{}", n)), d.strings.intern("node"), 0});
  const std::uint32_t ranks = 1 + below(random, 4);
  for (std::uint32_t r = 0; r < ranks; ++r) {
    LocationGroup group{d.strings.intern(fmt::format("MPI Rank {}", r)), 1 + r % 2, {}};
    group.properties["PLUMBLINE::HOST"] = fmt::format("kn{}", r % 2);
    group.properties["PLUMBLINE::PROGRAM"] = "a.out \"x y\"";
    d.location_groups.push_back(group);
    d.locations.push_back({r, d.strings.intern("Master thread"), r, 0, r});
  }
  d.locations.push_back({(std::uint64_t{1} << 32) | 0, d.strings.intern("Thread 1"), 0, 0, std::nullopt});
  d.locations.back().properties["colour"] = "red";
}

// Of all ranks, in any order, and of a thread.
void random_insides(Definitions& d, std::mt19937_64& random) {
  std::vector<std::uint64_t> outer{std::uint64_t{1} << 32};
  for (std::uint64_t r = 0; r < d.world_size(); ++r) outer.push_back(r);
  std::ranges::shuffle(outer, random);
  for (const std::uint64_t id : outer) {
    Location inside{id + kInsideLocation, d.strings.intern("Inside"),
                    static_cast<std::uint32_t>(id >> 32 != 0 ? 0 : id), 0, std::nullopt};
    inside.properties["PLUMBLINE::INSIDE_OF"] = fmt::format("{}", id);
    d.locations.push_back(inside);
  }
}

void random_objects(Definitions& d, std::mt19937_64& random) {
  const std::uint32_t ranks = d.world_size();
  Comm world{d.strings.intern("MPI_COMM_WORLD"), {}, {}, kUndefined, false};
  for (std::uint32_t r = 0; r < ranks; ++r) world.members.push_back(r);
  d.comms.push_back(world);
  d.comms.push_back({d.strings.intern("MPI_COMM_SELF"), {}, {}, kUndefined, true});
  d.comms.push_back({d.strings.intern("MPI_COMM_SELF"), {ranks - 1}, {}, kUndefined, true});
  d.comms.push_back({d.strings.intern("backwards"), {world.members.rbegin(), world.members.rend()}, {}, 0, false});
  if (ranks > 1) d.comms.push_back({d.strings.intern("inter"), {0}, {1}, 0, false});
  d.comms.push_back({d.strings.intern("context 1"), world.members, {}, kUndefined, false, true});
  d.comms.push_back({d.strings.intern("context 2"), world.members, {}, kUndefined, false, true});
  d.comms.push_back({d.strings.intern("context 3"), {ranks - 1}, {}, kUndefined, false, true});
  for (std::uint32_t i = 0; i < 3; ++i)
    d.windows.push_back({d.strings.intern(fmt::format("window {}", i)), maybe(random, d.comms.size()), i != 0});
  d.groups = {{{}}, {{ranks - 1, 0}}};
  const Role roles[] = {Role::kFunction,       Role::kPointToPoint, Role::kCollective, Role::kFileIo,
                        Role::kFileIoMetadata, Role::kOther,        Role::kOneSided};
  for (const Role role : roles)
    for (const Paradigm paradigm : {Paradigm::kUser, Paradigm::kMpi, Paradigm::kOther})
      d.regions.push_back({d.strings.intern(fmt::format("region {}", d.regions.size())), role, paradigm});
  d.regions.push_back({d.strings.intern("pwrite"), Role::kFileIo, Paradigm::kPosixIo});
  for (int i = 0; i < 3; ++i) d.io_files.push_back({d.strings.intern(fmt::format("/tmp/file {}", i))});
  d.io_files[1].properties = {{d.strings.intern("PLUMBLINE::FILE_SYSTEM"), d.strings.intern("nfs4")}};
  for (std::uint32_t i = 0; i < 6; ++i)
    d.io_handles.push_back({d.strings.intern(fmt::format("handle {}", i)), maybe(random, d.io_files.size()),
                            static_cast<IoParadigm>(random() % 3), maybe(random, d.comms.size()),
                            i == 0 ? kUndefined : maybe(random, i)});
  d.attribute("Offset", AttributeType::kUint64, "absolute read/write offset within a file");
  d.attribute("PLUMBLINE::POSTED_TAG", AttributeType::kInt64);
  d.attribute("score", AttributeType::kDouble);
  d.attribute("PLUMBLINE::SITE", AttributeType::kString);
}

// A class of three members of each type, and an instance of it for a node.
void random_metrics(Definitions& d, std::mt19937_64& random) {
  const std::uint64_t recorder = (std::uint64_t{1} << 52) + below(random, 9);
  d.location_groups.push_back({d.strings.intern("Node kn0"), 1, {{"PLUMBLINE::HOST", "kn0"}}});
  d.locations.push_back({recorder, d.strings.intern("Counters"),
                         static_cast<std::uint32_t>(d.location_groups.size() - 1), 0, std::nullopt,
                         LocationType::kMetric});
  for (const AttributeType type : {AttributeType::kUint64, AttributeType::kInt64, AttributeType::kDouble})
    d.metric_members.push_back({d.strings.intern(fmt::format("member {}", d.metric_members.size())),
                                d.strings.intern("of a test"), d.strings.intern("B"), type,
                                static_cast<std::uint8_t>(random() % 4),
                                random() % 2 == 0 ? kMetricAccumulatedStart : kMetricAbsolutePoint, kBaseDecimal,
                                -static_cast<std::int64_t>(random() % 10)});
  d.metrics.push_back({{2, 0, 1}, kMetricAsynchronous, kRecorderAbstract});
  d.metrics.push_back({{}, kMetricAsynchronous, kRecorderAbstract, 0, recorder, kScopeSystemTreeNode, 1});
}

std::vector<std::uint64_t> random_values(const Definitions& d, const Event& e, std::mt19937_64& random) {
  std::vector<std::uint64_t> values;
  if (e.kind == EventKind::kMetric)
    for (std::size_t i = 0; i < d.members_of(e.tag).size(); ++i) values.push_back(random() >> (random() % 64));
  return values;
}

std::vector<AttributeValue> random_attributes(const Definitions& d, std::mt19937_64& random) {
  std::vector<AttributeValue> values;
  for (std::uint32_t i = 0; i < d.attributes.size(); ++i) {
    if (random() % 4 != 0) continue;
    AttributeValue value;
    value.attribute = i;
    if (d.attributes[i].type == AttributeType::kUint64) value.u64 = random() >> (random() % 64);
    if (d.attributes[i].type == AttributeType::kInt64) value.i64 = static_cast<std::int64_t>(random());
    if (d.attributes[i].type == AttributeType::kDouble) value.f64 = static_cast<double>(random() % 1000) / 7;
    if (d.attributes[i].type == AttributeType::kString) value.string = below(random, d.strings.size());
    values.push_back(value);
  }
  return values;
}

Event random_event(const Definitions& d, std::mt19937_64& random) {
  Event e;
  e.kind = static_cast<EventKind>(random() % (static_cast<int>(EventKind::kMetric) + 1));
  const auto with_comm = [&] { e.comm = below(random, d.comms.size()); };
  const auto with_handle = [&] { e.io_handle = below(random, d.io_handles.size()); };
  const auto with_bytes = [&] { e.bytes = random() >> (random() % 64); };
  const auto with_request = [&] { e.request = random() >> (random() % 64); };
  const auto with_message = [&] {
    with_comm();
    with_bytes();
    e.peer = below(random, 8);
    e.tag = below(random, 1U << 31);
  };
  const auto with_collective = [&] {
    with_comm();
    with_bytes();
    e.received = random() % 1000;
    e.peer = random() % 2 == 0 ? kRootNone : below(random, 8);
    e.collective =
        static_cast<CollectiveOp>(random() % (static_cast<int>(CollectiveOp::kDestroyHandleAndDeallocate) + 1));
  };
  const auto with_window = [&] { e.window = below(random, d.windows.size()); };
  const auto with_target = [&](std::uint32_t last) {  // `last`: of the small numbers that the kind has
    with_window();
    e.peer = maybe(random, 8);
    e.rma = static_cast<std::uint8_t>(below(random, last + 1));
  };
  switch (e.kind) {
    case EventKind::kEnter:
    case EventKind::kLeave:
      e.region = below(random, d.regions.size());
      break;
    case EventKind::kMpiSend:
    case EventKind::kMpiRecv:
      with_message();
      break;
    case EventKind::kMpiIsend:
    case EventKind::kMpiIrecv:
      with_message();
      with_request();
      break;
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiIrecvRequest:
    case EventKind::kMpiRequestTest:
    case EventKind::kMpiRequestCancelled:
    case EventKind::kNonBlockingCollectiveRequest:
      with_request();
      break;
    case EventKind::kMpiCollectiveBegin:
      break;
    case EventKind::kMpiCollectiveEnd:
      with_collective();
      break;
    case EventKind::kNonBlockingCollectiveComplete:
      with_collective();
      with_request();
      break;
    case EventKind::kCommCreate:
    case EventKind::kCommDestroy:
      with_comm();
      break;
    case EventKind::kIoCreateHandle:
      with_handle();
      e.offset = static_cast<std::int64_t>(below(random, 3)) |
                 static_cast<std::int64_t>(below(random, 1U << 11)) << kIoCreationShift |
                 static_cast<std::int64_t>(below(random, 1U << 9)) << kIoStatusShift;
      break;
    case EventKind::kIoDestroyHandle:
      with_handle();
      break;
    case EventKind::kIoSeek:
      with_handle();
      e.offset = static_cast<std::int64_t>(random() >> 1);
      break;
    case EventKind::kIoOperationBegin:
      with_handle();
      with_bytes();
      with_request();
      e.io_mode = static_cast<IoMode>(random() % 3);
      e.io_flags = static_cast<std::uint8_t>(random() % 4);
      break;
    case EventKind::kIoOperationIssued:
      with_handle();
      with_request();
      break;
    case EventKind::kIoOperationComplete:
      with_handle();
      with_bytes();
      with_request();
      break;
    case EventKind::kProgramBegin:
      e.tag = below(random, d.strings.size());
      break;
    case EventKind::kProgramEnd:
      e.offset = static_cast<std::int64_t>(random());
      break;
    case EventKind::kBufferFlush:
      e.offset = static_cast<std::int64_t>(random() >> 4);
      break;
    case EventKind::kMeasurementOnOff:
      e.offset = static_cast<std::int64_t>(random() % 2);
      break;
    case EventKind::kThreadBegin:
    case EventKind::kThreadEnd:
      with_comm();
      with_request();
      break;
    case EventKind::kRmaWinCreate:
    case EventKind::kRmaWinDestroy:
    case EventKind::kRmaWaitChange:
      with_window();
      break;
    case EventKind::kRmaCollectiveBegin:
      break;
    case EventKind::kRmaCollectiveEnd:
      with_collective();
      e.comm = kUndefined;
      with_window();
      e.rma = static_cast<std::uint8_t>(random() % 4);
      break;
    case EventKind::kRmaGroupSync:
      with_window();
      e.rma = static_cast<std::uint8_t>(random() % 4);
      e.tag = below(random, d.groups.size());
      break;
    case EventKind::kRmaRequestLock:
    case EventKind::kRmaAcquireLock:
    case EventKind::kRmaTryLock:
      with_target(1);
      with_request();
      break;
    case EventKind::kRmaReleaseLock:
      with_target(0);
      with_request();
      break;
    case EventKind::kRmaSync:
      with_target(2);
      break;
    case EventKind::kRmaPut:
    case EventKind::kRmaGet:
      with_target(0);
      with_bytes();
      with_request();
      break;
    case EventKind::kRmaAtomic:
      with_target(7);
      with_bytes();
      e.received = random() % 1000;
      with_request();
      break;
    case EventKind::kRmaOpCompleteBlocking:
    case EventKind::kRmaOpCompleteNonBlocking:
    case EventKind::kRmaOpTest:
    case EventKind::kRmaOpCompleteRemote:
      with_window();
      with_request();
      break;
    case EventKind::kMetric:
      e.tag = below(random, d.metrics.size());
      break;
  }
  return e;
}

}  // namespace

std::string describe(const OwnedEvent& owned, const Definitions& d) {
  const Event& e = owned.event;
  std::string text = fmt::format(
      "kind {} op {} mode {} flags {} region {} comm {} peer {} tag {} handle {} at {} bytes {} received {} "
      "request {} offset {} window {} rma {}",
      static_cast<int>(e.kind), static_cast<int>(e.collective), static_cast<int>(e.io_mode), e.io_flags, e.region,
      e.comm, e.peer, e.tag, e.io_handle, e.time.ps, e.bytes, e.received, e.request, e.offset, e.window, e.rma);
  for (const AttributeValue& value : owned.attributes) {
    const AttributeDefinition& definition = d.attributes[value.attribute];
    text += fmt::format(" {}=", d.strings[definition.name]);
    if (definition.type == AttributeType::kUint64) text += fmt::format("{}", value.u64);
    if (definition.type == AttributeType::kInt64) text += fmt::format("{}", value.i64);
    if (definition.type == AttributeType::kDouble) text += fmt::format("{}", value.f64);
    if (definition.type == AttributeType::kString) text += d.strings[value.string];
  }
  for (const std::uint64_t value : owned.values) text += fmt::format(" value {}", value);
  return text;
}

std::vector<std::string> describe_all(const Definitions& d) {
  const StringTable& s = d.strings;
  std::vector<std::string> lines = {
      fmt::format("{} / {} / {} ps from {} ns", d.creator, d.description, d.length.ps, d.start_realtime_ns)};
  for (const auto& [name, value] : d.properties) lines.push_back(name + "=" + value);
  for (const SystemTreeNode& n : d.system_tree)
    lines.push_back(fmt::format("node {} {} in {}", s[n.name], s[n.class_name], n.parent));
  for (const LocationGroup& g : d.location_groups) {
    lines.push_back(fmt::format("process {} on {}", s[g.name], g.system_tree_node));
    for (const auto& [name, value] : g.properties) lines.push_back(name + "=" + value);
  }
  for (const Location& l : d.locations)
    lines.push_back(fmt::format("location {} {} of {} rank {} type {}", l.otf2_id, s[l.name], l.group,
                                l.rank.value_or(99), static_cast<int>(l.type)));
  for (const Location& l : d.locations)
    for (const auto& [name, value] : l.properties) lines.push_back(fmt::format("{} {}={}", l.otf2_id, name, value));
  for (const Region& r : d.regions)
    lines.push_back(fmt::format("region {} {} {}", s[r.name], static_cast<int>(r.role), static_cast<int>(r.paradigm)));
  for (const Comm& c : d.comms) {
    std::string line = fmt::format("comm {} parent {} self {} inside {}:", s[c.name], c.parent, c.is_self, c.is_inside);
    for (const std::uint32_t member : c.members) line += fmt::format(" {}", member);
    for (const std::uint32_t member : c.remote_members) line += fmt::format(" remote {}", member);
    lines.push_back(line);
  }
  for (const Window& w : d.windows)
    lines.push_back(fmt::format("window {} on {} lifetime {}", s[w.name], w.comm, w.has_lifetime));
  for (const RankGroup& g : d.groups) {
    lines.emplace_back("group");
    for (const std::uint32_t member : g.members) lines.back() += fmt::format(" {}", member);
  }
  for (const IoFile& f : d.io_files) {
    lines.push_back("file " + s[f.path]);
    for (const auto& [name, value] : f.properties) lines.push_back(s[name] + "=" + s[value]);
  }
  for (const MetricMember& m : d.metric_members)
    lines.push_back(fmt::format("member {} {} in {} type {} kind {} mode {} base {} exponent {}", s[m.name],
                                s[m.description], s[m.unit], static_cast<int>(m.type), m.kind, m.mode, m.base,
                                m.exponent));
  for (const Metric& m : d.metrics)
    lines.push_back(fmt::format("metric {} of {} at {} for {} {} {} {}", fmt::join(m.members, ","), m.instance_of,
                                m.recorder, m.scope, m.scope_of, m.occurrence, m.recorder_kind));
  for (const IoHandle& h : d.io_handles)
    lines.push_back(fmt::format("handle {} of {} by {} in {} under {}", s[h.name], h.file, static_cast<int>(h.paradigm),
                                h.comm, h.parent));
  for (const AttributeDefinition& a : d.attributes)
    lines.push_back(fmt::format("attribute {} {} {}", s[a.name], s[a.description], static_cast<int>(a.type)));
  return lines;
}

std::vector<OwnedEvent> read_all(Reader& reader, std::uint32_t location) {
  std::vector<OwnedEvent> events;
  reader.read(location, [&](const Event& event) {
    events.push_back(
        {event, {event.attributes.begin(), event.attributes.end()}, {event.values.begin(), event.values.end()}});
    events.back().event.attributes = {};
    events.back().event.values = {};
  });
  return events;
}

std::vector<std::string> describe_location(Reader& reader, std::uint32_t location) {
  std::vector<std::string> lines;
  for (const OwnedEvent& event : read_all(reader, location)) lines.push_back(describe(event, reader.definitions()));
  return lines;
}

Archive random_archive(std::mt19937_64& random, std::size_t events_per_location) {
  Archive archive;
  Definitions& d = archive.definitions;
  d.creator = "a test";
  d.description = "made up";
  d.properties["PLUMBLINE::KIND"] = "observed";
  d.properties["PLUMBLINE::SOURCE"] = "x=1; y=\"2\"";
  d.start_realtime_ns = 1'700'000'000'000'000'000 + random() % 1000;
  random_processes(d, random);
  random_insides(d, random);
  random_objects(d, random);
  random_metrics(d, random);
  for (std::size_t i = 0; i < d.locations.size(); ++i) {
    std::vector<OwnedEvent>& events = archive.events.emplace_back();
    Time now;
    for (std::size_t n = random() % events_per_location; n != 0; --n) {
      now += picoseconds(static_cast<std::int64_t>(random() >> (20 + random() % 44)));
      events.push_back({random_event(d, random), random_attributes(d, random)});
      events.back().values = random_values(d, events.back().event, random);
      events.back().event.time = now;
    }
    d.length = std::max(d.length, now - Time{});
  }
  return archive;
}

void write_archive(const Archive& archive, const std::filesystem::path& directory) {
  Writer writer(directory, Overwrite::kNo);
  writer.declare(archive.definitions);
  for (std::size_t i = 0; i < archive.events.size(); ++i) {
    writer.begin_location(archive.definitions.locations[i].otf2_id);
    for (const OwnedEvent& owned : archive.events[i]) {
      Event event = owned.event;
      event.attributes = owned.attributes;
      event.values = owned.values;
      writer.write(event);
    }
    writer.end_location();
  }
  writer.finish(archive.definitions);
}

void copy_archive(const std::filesystem::path& from, const std::filesystem::path& to) {
  Reader reader(from);
  Writer writer(to, Overwrite::kNo);
  writer.declare(reader.definitions());
  for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i) {
    writer.begin_location(reader.definitions().locations[i].otf2_id);
    reader.read(i, [&](const Event& event) { writer.write(event); });
    writer.end_location();
  }
  writer.finish(reader.definitions());
}

}  // namespace plumbline::archive::test
