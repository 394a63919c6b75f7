#include "tracer/archive/read/definitions.hpp"

#include <fmt/format.h>

#include "tracer/archive/inside.hpp"
#include "tracer/archive/otf2_errors.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::archive {
namespace {

constexpr std::size_t kShownProblems = 20;

struct RawGroup {
  std::uint32_t id = kUndefined;
  OTF2_GroupType type = OTF2_GROUP_TYPE_UNKNOWN;
  OTF2_Paradigm paradigm = OTF2_PARADIGM_UNKNOWN;
  OTF2_GroupFlag flags = OTF2_GROUP_FLAG_NONE;
  std::vector<std::uint64_t> members;
};

struct RawComm {
  std::uint32_t name, group, remote_group, parent;
};

struct RawWindow {
  std::uint32_t name, comm;
  bool has_lifetime;
};

struct RawAttribute {
  std::uint32_t name, description;
  OTF2_Type type;
};

struct RawProperty {
  std::uint32_t owner, name;
  OTF2_Type type;
  OTF2_AttributeValue value;
};

struct RawLocationProperty {
  std::uint64_t location;
  RawProperty property;  // owner: nothing
};

struct RawHandle {
  std::uint32_t name, file;
  OTF2_IoParadigmRef paradigm;
  std::uint32_t comm, parent;
};

// What the file says, by its own numbers: a reference may come before what it refers to (EZTrace 2.0 does that), so
// they are resolved when everything has been read.
struct Collector {
  explicit Collector(std::string place) : where(std::move(place)) {}

  template <typename T>
  void add(const char* what, IdMap& ids, std::vector<T>& list, std::uint64_t id, T value) {
    if (!ids.add(id, static_cast<std::uint32_t>(list.size())))
      complain(fmt::format("{} {} is defined twice", what, id));
    list.push_back(std::move(value));
  }

  // Our index of what the file calls `id`; kUndefined may stand where the reference is optional.
  std::uint32_t resolve(const char* what, const IdMap& ids, std::uint64_t id, bool optional, const std::string& user) {
    if (optional && id == kUndefined) return kUndefined;
    const std::uint32_t index = ids.find(id);
    if (index == kUndefined) complain(fmt::format("{} refers to {} {}, which is not defined", user, what, id));
    return index;
  }

  StringId text(std::uint32_t id, const std::string& user) {
    if (id == kUndefined) return out.definitions.strings.intern("");
    const std::uint32_t index = resolve("string", out.ids.strings, id, false, user);
    return index == kUndefined ? out.definitions.strings.intern("") : index;
  }

  void complain(std::string what) {
    if (++problems <= kShownProblems) diagnostics.add(where, std::move(what), "the archive is damaged: record again");
  }

  std::string where;
  ReadDefinitions out;
  Diagnostics diagnostics;
  std::size_t problems = 0;

  IdMap nodes, groups, processes, locations, files, metric_members;
  std::vector<RawGroup> raw_groups;
  std::vector<RawComm> raw_comms;
  std::vector<RawWindow> raw_windows;
  std::vector<RawHandle> raw_handles;
  std::vector<RawAttribute> raw_attributes;
  std::vector<RawProperty> raw_properties, raw_file_properties, raw_node_properties;
  std::vector<RawLocationProperty> raw_location_properties;
  std::map<std::uint32_t, std::uint32_t> paradigm_texts;  // I/O paradigm → string that identifies it
};

Collector& collector(void* user) { return *static_cast<Collector*>(user); }

OTF2_CallbackCode on_clock(void* user, std::uint64_t resolution, std::uint64_t offset, std::uint64_t length,
                           std::uint64_t realtime) {
  Collector& c = collector(user);
  FileClock& clock = c.out.clock;
  if (resolution == 0 || resolution > 1'000'000'000'000'000) {
    c.complain(fmt::format("the clock has {} ticks per second", resolution));
    return OTF2_CALLBACK_SUCCESS;
  }
  clock = {resolution, offset, true};
  if (Time end; to_time({resolution, 0, true}, length, end)) c.out.definitions.length = end - Time{};
  c.out.definitions.start_realtime_ns = realtime == OTF2_UNDEFINED_TIMESTAMP ? 0 : realtime;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_string(void* user, OTF2_StringRef self, const char* text) {
  Collector& c = collector(user);
  if (!c.out.ids.strings.add(self, c.out.definitions.strings.intern(text)))
    c.complain(fmt::format("string {} is defined twice", self));
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_attribute(void* user, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description,
                               OTF2_Type type) {
  Collector& c = collector(user);
  c.add("attribute", c.out.ids.attributes, c.raw_attributes, self, {name, description, type});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_node(void* user, OTF2_SystemTreeNodeRef self, OTF2_StringRef name, OTF2_StringRef class_name,
                          OTF2_SystemTreeNodeRef parent) {
  Collector& c = collector(user);
  c.add("system tree node", c.nodes, c.out.definitions.system_tree, self, {name, class_name, parent, {}});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_process(void* user, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType,
                             OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef) {
  Collector& c = collector(user);
  c.add("location group", c.processes, c.out.definitions.location_groups, self, {name, parent, {}});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location(void* user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type,
                              std::uint64_t events, OTF2_LocationGroupRef group) {
  Collector& c = collector(user);
  c.add("location", c.locations, c.out.definitions.locations, self,
        {self, name, group, events, std::nullopt, location_type_from_otf2(type)});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_region(void* user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical,
                            OTF2_StringRef, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag,
                            OTF2_StringRef, std::uint32_t, std::uint32_t) {
  Collector& c = collector(user);
  const Role ours = role_from_otf2(role);
  c.add("region", c.out.ids.regions, c.out.definitions.regions, self,
        {name != kUndefined ? name : canonical, ours, paradigm_from_otf2(paradigm, ours)});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_group(void* user, OTF2_GroupRef self, OTF2_StringRef, OTF2_GroupType type, OTF2_Paradigm paradigm,
                           OTF2_GroupFlag flags, std::uint32_t count, const std::uint64_t* members) {
  Collector& c = collector(user);
  c.add("group", c.groups, c.raw_groups, self, {self, type, paradigm, flags, {members, members + count}});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_comm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
                          OTF2_CommFlag) {
  Collector& c = collector(user);
  c.add("communicator", c.out.ids.comms, c.raw_comms, self, {name, group, kUndefined, parent});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_intercomm(void* user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef a, OTF2_GroupRef b,
                               OTF2_CommRef common, OTF2_CommFlag) {
  Collector& c = collector(user);
  c.add("communicator", c.out.ids.comms, c.raw_comms, self, {name, a, b, common});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_window(void* user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef comm,
                            OTF2_RmaWinFlag flags) {
  Collector& c = collector(user);
  c.add("window", c.out.ids.windows, c.raw_windows, self,
        {name, comm, (flags & OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS) != 0});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_io_paradigm(void* user, OTF2_IoParadigmRef self, OTF2_StringRef identification, OTF2_StringRef,
                                 OTF2_IoParadigmClass, OTF2_IoParadigmFlag, std::uint8_t,
                                 const OTF2_IoParadigmProperty*, const OTF2_Type*, const OTF2_AttributeValue*) {
  Collector& c = collector(user);
  if (!c.paradigm_texts.emplace(self, identification).second)
    c.complain(fmt::format("I/O paradigm {} is defined twice", self));
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_file(void* user, OTF2_IoFileRef self, OTF2_StringRef name, OTF2_SystemTreeNodeRef) {
  Collector& c = collector(user);
  c.add("file", c.files, c.out.definitions.io_files, self, {name});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_handle(void* user, OTF2_IoHandleRef self, OTF2_StringRef name, OTF2_IoFileRef file,
                            OTF2_IoParadigmRef paradigm, OTF2_IoHandleFlag, OTF2_CommRef comm,
                            OTF2_IoHandleRef parent) {
  Collector& c = collector(user);
  c.add("I/O handle", c.out.ids.io_handles, c.raw_handles, self, {name, file, paradigm, comm, parent});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_process_property(void* user, OTF2_LocationGroupRef group, OTF2_StringRef name, OTF2_Type type,
                                      OTF2_AttributeValue value) {
  collector(user).raw_properties.push_back({group, name, type, value});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_node_property(void* user, OTF2_SystemTreeNodeRef node, OTF2_StringRef name, OTF2_Type type,
                                   OTF2_AttributeValue value) {
  collector(user).raw_node_properties.push_back({node, name, type, value});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_location_property(void* user, OTF2_LocationRef location, OTF2_StringRef name, OTF2_Type type,
                                       OTF2_AttributeValue value) {
  collector(user).raw_location_properties.push_back({location, {kUndefined, name, type, value}});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_file_property(void* user, OTF2_IoFileRef file, OTF2_StringRef name, OTF2_Type type,
                                   OTF2_AttributeValue value) {
  collector(user).raw_file_properties.push_back({file, name, type, value});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_metric_member(void* user, OTF2_MetricMemberRef self, OTF2_StringRef name,
                                   OTF2_StringRef description, OTF2_MetricType kind, OTF2_MetricMode mode,
                                   OTF2_Type type, OTF2_Base base, std::int64_t exponent, OTF2_StringRef unit) {
  Collector& c = collector(user);
  c.add("metric member", c.metric_members, c.out.definitions.metric_members, self,
        {name, description, unit, attribute_type_from_otf2(type), kind, mode, base, exponent});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_metric_class(void* user, OTF2_MetricRef self, std::uint8_t count,
                                  const OTF2_MetricMemberRef* members, OTF2_MetricOccurrence occurrence,
                                  OTF2_RecorderKind recorder_kind) {
  Collector& c = collector(user);
  c.add("metric", c.out.ids.metrics, c.out.definitions.metrics, self,
        {{members, members + count}, occurrence, recorder_kind});
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode on_metric_instance(void* user, OTF2_MetricRef self, OTF2_MetricRef metric_class,
                                     OTF2_LocationRef recorder, OTF2_MetricScope scope, std::uint64_t scope_of) {
  Collector& c = collector(user);
  c.add("metric", c.out.ids.metrics, c.out.definitions.metrics, self,
        {{}, OTF2_METRIC_ASYNCHRONOUS, OTF2_RECORDER_KIND_ABSTRACT, metric_class, recorder, scope, scope_of});
  if (metric_class == kUndefined) c.complain(fmt::format("metric {} is an instance of nothing", self));
  return OTF2_CALLBACK_SUCCESS;
}

void resolve_tree(Collector& c) {
  Definitions& d = c.out.definitions;
  for (std::size_t i = 0; i < d.system_tree.size(); ++i) {
    SystemTreeNode& node = d.system_tree[i];
    const std::string user = fmt::format("system tree node {}", i);
    node = {c.text(node.name, user),
            c.text(node.class_name, user),
            c.resolve("system tree node", c.nodes, node.parent, true, user),
            {}};
  }
  for (std::size_t i = 0; i < d.location_groups.size(); ++i) {
    LocationGroup& group = d.location_groups[i];
    const std::string user = fmt::format("location group {}", i);
    group.name = c.text(group.name, user);
    group.system_tree_node = c.resolve("system tree node", c.nodes, group.system_tree_node, true, user);
  }
  for (Location& location : d.locations) {
    const std::string user = fmt::format("location {}", location.otf2_id);
    location.name = c.text(location.name, user);
    location.group = c.resolve("location group", c.processes, location.group, true, user);
  }
  for (std::size_t i = 0; i < d.regions.size(); ++i)
    d.regions[i].name = c.text(d.regions[i].name, fmt::format("region {}", i));
}

// The value of a property, whatever its type, as text.
StringId property_text(Collector& c, const RawProperty& p) {
  Definitions& d = c.out.definitions;
  const AttributeType type = attribute_type_from_otf2(p.type);
  AttributeValue value;
  value_from_otf2(p.type, p.value, type, value);
  if (type == AttributeType::kString) return c.text(value.string, "a property");
  if (type == AttributeType::kDouble) return d.strings.intern(fmt::format("{}", value.f64));
  return d.strings.intern(type == AttributeType::kInt64 ? fmt::format("{}", value.i64) : fmt::format("{}", value.u64));
}

void resolve_location_properties(Collector& c) {
  Definitions& d = c.out.definitions;
  const std::string user = "a property";
  for (const auto& [number, p] : c.raw_location_properties) {
    const std::uint32_t location = c.resolve("location", c.locations, number, false, user);
    const StringId name = c.text(p.name, user);
    if (location == kUndefined) continue;
    const StringId text = property_text(c, p);
    d.locations[location].properties[d.strings[name]] = d.strings[text];
  }
}

void resolve_properties(Collector& c) {
  Definitions& d = c.out.definitions;
  const std::string user = "a property";
  for (const RawProperty& p : c.raw_properties) {
    const std::uint32_t group = c.resolve("location group", c.processes, p.owner, false, user);
    const StringId name = c.text(p.name, user);
    if (group == kUndefined) continue;
    const StringId text = property_text(c, p);
    d.location_groups[group].properties[d.strings[name]] = d.strings[text];
  }
  for (const RawProperty& p : c.raw_node_properties) {
    const std::uint32_t node = c.resolve("system tree node", c.nodes, p.owner, false, user);
    const StringId name = c.text(p.name, user);
    if (node == kUndefined) continue;
    const StringId text = property_text(c, p);
    d.system_tree[node].properties[d.strings[name]] = d.strings[text];
  }
  for (const RawProperty& p : c.raw_file_properties) {
    const std::uint32_t file = c.resolve("file", c.files, p.owner, false, user);
    const StringId name = c.text(p.name, user);
    if (file != kUndefined) d.io_files[file].properties.emplace_back(name, property_text(c, p));
  }
}

// What a metric is measured for. A group of locations, which is not kept, becomes the location that measures.
void resolve_scope(Collector& c, Metric& metric, const std::string& user) {
  const auto resolved = [&](const char* what, const IdMap& ids) {
    metric.scope_of = c.resolve(what, ids, metric.scope_of, false, user);
  };
  switch (metric.scope) {
    case OTF2_SCOPE_LOCATION:
      c.resolve("location", c.locations, metric.scope_of, false, user);
      break;
    case OTF2_SCOPE_LOCATION_GROUP:
      resolved("location group", c.processes);
      break;
    case OTF2_SCOPE_SYSTEM_TREE_NODE:
      resolved("system tree node", c.nodes);
      break;
    default:
      metric.scope = OTF2_SCOPE_LOCATION;
      metric.scope_of = metric.recorder;
      break;
  }
}

void resolve_metrics(Collector& c) {
  Definitions& d = c.out.definitions;
  for (std::size_t i = 0; i < d.metric_members.size(); ++i) {
    MetricMember& member = d.metric_members[i];
    const std::string user = fmt::format("metric member {}", i);
    member.name = c.text(member.name, user);
    member.description = c.text(member.description, user);
    member.unit = c.text(member.unit, user);
    if (member.type == AttributeType::kString) c.complain(fmt::format("{} is a text", user));
  }
  for (std::size_t i = 0; i < d.metrics.size(); ++i) {
    Metric& metric = d.metrics[i];
    const std::string user = fmt::format("metric {}", i);
    for (std::uint32_t& member : metric.members)
      member = c.resolve("metric member", c.metric_members, member, false, user);
    if (metric.instance_of == kUndefined) continue;
    metric.instance_of = c.resolve("metric", c.out.ids.metrics, metric.instance_of, false, user);
    c.resolve("location", c.locations, metric.recorder, false, user);
    resolve_scope(c, metric, user);
  }
  for (Metric& metric : d.metrics) {  // an instance may be one of an instance
    for (std::size_t steps = 0; metric.instance_of < d.metrics.size() &&
                                d.metrics[metric.instance_of].instance_of != kUndefined && steps < d.metrics.size();
         ++steps)
      metric.instance_of = d.metrics[metric.instance_of].instance_of;
    if (metric.instance_of < d.metrics.size() && d.metrics[metric.instance_of].instance_of != kUndefined)
      c.complain("a metric is an instance of itself");
  }
}

// The locations that take part in MPI, by their number in the group of these.
struct MpiLocations {
  std::map<std::uint64_t, std::uint32_t> number_of;  // by otf2_id
  std::vector<std::uint32_t> ranks;                  // that it speaks for, or is inside of
  std::size_t world = 0;                             // the first ones speak for ranks
};

void add_rank(Collector& c, MpiLocations& mpi, std::uint32_t location) {
  const auto rank = static_cast<std::uint32_t>(mpi.ranks.size());
  mpi.ranks.push_back(rank);
  if (mpi.world + 1 != mpi.ranks.size()) c.complain("a rank comes after what is inside of ranks");
  mpi.world = mpi.ranks.size();
  if (location != kUndefined) c.out.definitions.locations[location].rank = rank;
}

void add_inside(Collector& c, MpiLocations& mpi, std::uint64_t number, std::uint64_t outer) {
  const auto rank = mpi.number_of.find(outer);
  const bool is_known = rank != mpi.number_of.end() && rank->second < mpi.world;
  if (!is_known) c.complain(fmt::format("location {} is inside of {}, which has no rank", number, outer));
  mpi.ranks.push_back(is_known ? rank->second : 0);
}

MpiLocations mpi_locations(Collector& c) {
  MpiLocations mpi;
  for (const RawGroup& group : c.raw_groups) {
    if (group.type != OTF2_GROUP_TYPE_COMM_LOCATIONS || group.paradigm != OTF2_PARADIGM_MPI) continue;
    if (!mpi.ranks.empty()) {
      c.complain("there are two groups of MPI locations");
      break;
    }
    for (const std::uint64_t number : group.members) {
      const std::uint32_t location = c.resolve("location", c.locations, number, false, "the group of MPI locations");
      if (!mpi.number_of.emplace(number, static_cast<std::uint32_t>(mpi.ranks.size())).second)
        c.complain(fmt::format("location {} has two ranks", number));
      const auto outer =
          location != kUndefined ? inside_of(c.out.definitions.locations[location]) : std::optional<std::uint64_t>{};
      if (outer)
        add_inside(c, mpi, number, *outer);
      else
        add_rank(c, mpi, location);
    }
  }
  return mpi;
}

struct Members {
  std::vector<std::uint32_t> ranks;
  bool is_self = false, is_inside = false;
};

Members members_of(Collector& c, std::uint32_t group_id, const MpiLocations& mpi, const std::string& user) {
  Members members;
  const std::uint32_t index = c.resolve("group", c.groups, group_id, false, user);
  if (index == kUndefined) return members;
  const RawGroup& group = c.raw_groups[index];
  members.is_self = group.type == OTF2_GROUP_TYPE_COMM_SELF;
  if (members.is_self || group.paradigm != OTF2_PARADIGM_MPI) return members;  // of thread teams: no ranks
  for (const std::uint64_t member : group.members) {
    std::uint64_t number = member;
    if ((group.flags & OTF2_GROUP_FLAG_GLOBAL_MEMBERS) != 0) {
      const auto entry = mpi.number_of.find(member);
      number = entry == mpi.number_of.end() ? kUndefined : entry->second;
    }
    if (number >= mpi.ranks.size()) {
      c.complain(fmt::format("{} has member {}, but there are {} ranks", user, member, mpi.ranks.size()));
      return {};
    }
    const bool is_inside = number >= mpi.world;
    if (members.ranks.empty()) members.is_inside = is_inside;
    if (members.is_inside != is_inside) {
      c.complain(fmt::format("{} has ranks and what is inside of ranks", user));
      return {};
    }
    members.ranks.push_back(mpi.ranks[number]);
  }
  return members;
}

// Groups of ranks that no communicator has, in the order of the file: windows are synchronised on them.
void resolve_groups(Collector& c, const MpiLocations& mpi) {
  std::vector<bool> is_free(c.raw_groups.size(), true);
  const auto take = [&](std::uint32_t id) {
    if (const std::uint32_t index = c.groups.find(id); index != kUndefined) is_free[index] = false;
  };
  for (const RawComm& raw : c.raw_comms) {
    take(raw.group);
    take(raw.remote_group);
  }
  for (std::size_t i = 0; i < c.raw_groups.size(); ++i) {
    const RawGroup& raw = c.raw_groups[i];
    if (!is_free[i] || raw.type != OTF2_GROUP_TYPE_COMM_GROUP || raw.paradigm != OTF2_PARADIGM_MPI) continue;
    c.out.ids.groups.add(raw.id, static_cast<std::uint32_t>(c.out.definitions.groups.size()));
    c.out.definitions.groups.push_back({members_of(c, raw.id, mpi, fmt::format("group {}", raw.id)).ranks});
  }
}

void resolve_comms(Collector& c) {
  const MpiLocations mpi = mpi_locations(c);
  Definitions& d = c.out.definitions;
  for (std::size_t i = 0; i < c.raw_comms.size(); ++i) {
    const RawComm& raw = c.raw_comms[i];
    const std::string user = fmt::format("communicator {}", i);
    Comm comm;
    comm.name = c.text(raw.name, user);
    Members members = members_of(c, raw.group, mpi, user);
    comm.members = std::move(members.ranks);
    comm.is_self = members.is_self;
    if (raw.remote_group != kUndefined) comm.remote_members = members_of(c, raw.remote_group, mpi, user).ranks;
    comm.is_inside = members.is_inside && comm.remote_members.empty();
    comm.parent = c.resolve("communicator", c.out.ids.comms, raw.parent, true, user);
    if (comm.members.size() == 1 && d.strings[comm.name] == "MPI_COMM_SELF") comm.is_self = true;
    d.comms.push_back(std::move(comm));
  }
  resolve_groups(c, mpi);
}

void resolve_windows(Collector& c) {
  for (std::size_t i = 0; i < c.raw_windows.size(); ++i) {
    const RawWindow& raw = c.raw_windows[i];
    const std::string user = fmt::format("window {}", i);
    c.out.definitions.windows.push_back(
        {c.text(raw.name, user), c.resolve("communicator", c.out.ids.comms, raw.comm, true, user), raw.has_lifetime});
  }
}

void resolve_io(Collector& c) {
  Definitions& d = c.out.definitions;
  for (std::size_t i = 0; i < d.io_files.size(); ++i)
    d.io_files[i].path = c.text(d.io_files[i].path, fmt::format("file {}", i));
  for (std::size_t i = 0; i < c.raw_handles.size(); ++i) {
    const RawHandle& raw = c.raw_handles[i];
    const std::string user = fmt::format("I/O handle {}", i);
    IoHandle handle;
    handle.name = c.text(raw.name, user);
    handle.file = c.resolve("file", c.files, raw.file, true, user);
    handle.comm = c.resolve("communicator", c.out.ids.comms, raw.comm, true, user);
    handle.parent = c.resolve("I/O handle", c.out.ids.io_handles, raw.parent, true, user);
    handle.paradigm = IoParadigm::kOther;
    if (const auto paradigm = c.paradigm_texts.find(raw.paradigm); paradigm != c.paradigm_texts.end()) {
      const std::string& text = d.strings[c.text(paradigm->second, user)];
      if (text == "MPI-IO") handle.paradigm = IoParadigm::kMpiIo;
      if (text == "POSIX") handle.paradigm = IoParadigm::kPosix;
    } else {
      c.complain(fmt::format("{} refers to I/O paradigm {}, which is not defined", user, raw.paradigm));
    }
    d.io_handles.push_back(handle);
  }
  for (std::size_t i = 0; i < c.raw_attributes.size(); ++i) {
    const RawAttribute& raw = c.raw_attributes[i];
    const std::string user = fmt::format("attribute {}", i);
    d.attributes.push_back({c.text(raw.name, user), c.text(raw.description, user), attribute_type_from_otf2(raw.type)});
  }
}

// Parents of parents must end: a reader of ours that climbs may rely on it.
void check_parents(Collector& c) {
  const Definitions& d = c.out.definitions;
  const auto check = [&](const char* what, const auto& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      std::size_t steps = 0;
      for (std::uint32_t at = list[i].parent; at != kUndefined && steps <= list.size(); ++steps) at = list[at].parent;
      if (steps > list.size()) {
        c.complain(fmt::format("{} {} is its own ancestor", what, i));
        return;
      }
    }
  };
  if (c.problems != 0) return;
  check("system tree node", d.system_tree);
  check("communicator", d.comms);
  check("I/O handle", d.io_handles);
}

using Callbacks = std::unique_ptr<OTF2_GlobalDefReaderCallbacks, decltype(&OTF2_GlobalDefReaderCallbacks_Delete)>;

Callbacks make_callbacks() {
  Callbacks callbacks(OTF2_GlobalDefReaderCallbacks_New(), OTF2_GlobalDefReaderCallbacks_Delete);
  OTF2_GlobalDefReaderCallbacks* c = callbacks.get();
  OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(c, on_clock);
  OTF2_GlobalDefReaderCallbacks_SetStringCallback(c, on_string);
  OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(c, on_attribute);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodeCallback(c, on_node);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(c, on_process);
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
  OTF2_GlobalDefReaderCallbacks_SetRegionCallback(c, on_region);
  OTF2_GlobalDefReaderCallbacks_SetGroupCallback(c, on_group);
  OTF2_GlobalDefReaderCallbacks_SetCommCallback(c, on_comm);
  OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(c, on_intercomm);
  OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(c, on_window);
  OTF2_GlobalDefReaderCallbacks_SetIoParadigmCallback(c, on_io_paradigm);
  OTF2_GlobalDefReaderCallbacks_SetIoRegularFileCallback(c, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoDirectoryCallback(c, on_file);
  OTF2_GlobalDefReaderCallbacks_SetIoHandleCallback(c, on_handle);
  OTF2_GlobalDefReaderCallbacks_SetLocationGroupPropertyCallback(c, on_process_property);
  OTF2_GlobalDefReaderCallbacks_SetLocationPropertyCallback(c, on_location_property);
  OTF2_GlobalDefReaderCallbacks_SetSystemTreeNodePropertyCallback(c, on_node_property);
  OTF2_GlobalDefReaderCallbacks_SetIoFilePropertyCallback(c, on_file_property);
  OTF2_GlobalDefReaderCallbacks_SetMetricMemberCallback(c, on_metric_member);
  OTF2_GlobalDefReaderCallbacks_SetMetricClassCallback(c, on_metric_class);
  OTF2_GlobalDefReaderCallbacks_SetMetricInstanceCallback(c, on_metric_instance);
  return callbacks;
}

}  // namespace

bool IdMap::add(std::uint64_t id, std::uint32_t index) {
  if (id >= kDense) return sparse_.emplace(id, index).second;
  if (id >= dense_.size()) dense_.resize(id + 1, kUndefined);
  if (dense_[id] != kUndefined) return false;
  dense_[id] = index;
  return true;
}

std::optional<Time> scaled_time(const FileClock& clock, std::uint64_t ticks) {
  __extension__ using Wide = __int128;
  constexpr Wide kPerSecond = 1'000'000'000'000;
  const Wide scaled = (static_cast<Wide>(ticks) - static_cast<Wide>(clock.offset)) * kPerSecond;
  const Wide half = static_cast<Wide>(clock.resolution) / 2;
  const Wide ps = (scaled + (scaled < 0 ? -half : half)) / static_cast<Wide>(clock.resolution);
  constexpr Wide kLimit = std::numeric_limits<std::int64_t>::max() / 2;
  if (ps > kLimit || ps < -kLimit) return std::nullopt;
  return Time{static_cast<std::int64_t>(ps)};
}

ReadDefinitions read_definitions(OTF2_Reader* reader, const std::string& where) {
  const ErrorCapture errors;
  Collector c(where);
  const Callbacks callbacks = make_callbacks();
  OTF2_GlobalDefReader* global = OTF2_Reader_GetGlobalDefReader(reader);
  if (global == nullptr)
    throw Error(where, "the global definitions cannot be opened: " + explain(errors, OTF2_ERROR_FILE_CAN_NOT_OPEN),
                "the archive is incomplete: copy all of it, or record again");
  OTF2_Reader_RegisterGlobalDefCallbacks(reader, global, callbacks.get(), &c);
  std::uint64_t promised = 0, count = 0;
  OTF2_Reader_GetNumberOfGlobalDefinitions(reader, &promised);
  const OTF2_ErrorCode code = OTF2_Reader_ReadAllGlobalDefinitions(reader, global, &count);
  OTF2_Reader_CloseGlobalDefReader(reader, global);
  if (code != OTF2_SUCCESS || count < promised)
    throw Error(where,
                fmt::format("the definitions end after {} of {}: {}", count, promised,
                            code != OTF2_SUCCESS ? explain(errors, code) : "the file is too short"),
                "the archive is damaged: copy it again, or record again");
  if (!c.out.clock.known) c.complain("there are no clock properties");
  resolve_tree(c);
  resolve_location_properties(c);
  resolve_comms(c);
  resolve_windows(c);
  resolve_io(c);
  resolve_properties(c);
  resolve_metrics(c);
  check_parents(c);
  if (c.problems > kShownProblems)
    c.diagnostics.add(where, fmt::format("and {} more faults in its definitions", c.problems - kShownProblems));
  c.diagnostics.throw_if_any();
  return std::move(c.out);
}

}  // namespace plumbline::archive
