#include "tracer/archive/write/definitions.hpp"

#include <array>

#include "tracer/archive/inside.hpp"
#include "tracer/archive/otf2_values.hpp"

namespace plumbline::archive {
namespace {

// Numbers of the I/O paradigms in the file, by IoParadigm.
struct ParadigmText {
  const char* identification;
  const char* name;
  OTF2_IoParadigmClass io_class;
  OTF2_IoParadigmFlag flags;
};
constexpr std::array<ParadigmText, 3> kIoParadigms = {{
    {"MPI-IO", "MPI I/O", OTF2_IO_PARADIGM_CLASS_PARALLEL, OTF2_IO_PARADIGM_FLAG_NONE},
    {"POSIX", "POSIX I/O", OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS},
    {"ISOC", "ISO C I/O", OTF2_IO_PARADIGM_CLASS_SERIAL, OTF2_IO_PARADIGM_FLAG_OS},
}};

static_assert(kMetricAccumulatedStart == OTF2_METRIC_ACCUMULATED_START &&
              kMetricAbsolutePoint == OTF2_METRIC_ABSOLUTE_POINT && kMetricAsynchronous == OTF2_METRIC_ASYNCHRONOUS &&
              kRecorderAbstract == OTF2_RECORDER_KIND_ABSTRACT && kBaseDecimal == OTF2_BASE_DECIMAL &&
              kScopeSystemTreeNode == OTF2_SCOPE_SYSTEM_TREE_NODE);

class DefinitionsWriter {
 public:
  DefinitionsWriter(OTF2_GlobalDefWriter* writer, const Definitions& definitions) : writer_(writer), d_(definitions) {}

  OTF2_ErrorCode write(const std::vector<std::uint64_t>& events) {
    keep(OTF2_GlobalDefWriter_WriteClockProperties(
        writer_, 1'000'000'000'000, 0, static_cast<std::uint64_t>(d_.length.ps),
        d_.start_realtime_ns != 0 ? d_.start_realtime_ns : OTF2_UNDEFINED_TIMESTAMP));
    for (StringId id = 0; id < d_.strings.size(); ++id) write_string(id, d_.strings[id].c_str());
    next_string_ = static_cast<StringId>(d_.strings.size());
    paradigms();
    system_tree();
    processes(events);
    regions();
    communicators();
    windows();
    files();
    for (std::uint32_t i = 0; i < d_.attributes.size(); ++i)
      keep(OTF2_GlobalDefWriter_WriteAttribute(writer_, i, d_.attributes[i].name, d_.attributes[i].description,
                                               to_otf2(d_.attributes[i].type)));
    metrics();
    return result_;
  }

 private:
  void keep(OTF2_ErrorCode code) {
    if (result_ == OTF2_SUCCESS) result_ = code;
  }

  void write_string(StringId id, const char* text) { keep(OTF2_GlobalDefWriter_WriteString(writer_, id, text)); }

  // The number of a text that is not among the definitions' own; written at its first use.
  StringId string(const std::string& text) {
    const auto [entry, is_new] = extra_.try_emplace(text, next_string_);
    if (is_new) write_string(next_string_++, text.c_str());
    return entry->second;
  }

  void paradigms() {
    keep(OTF2_GlobalDefWriter_WriteParadigm(writer_, OTF2_PARADIGM_MPI, string("MPI"), OTF2_PARADIGM_CLASS_PROCESS));
    OTF2_IoParadigmRef i = 0;
    for (const ParadigmText& p : kIoParadigms) {
      const StringId identification = string(p.identification);
      keep(OTF2_GlobalDefWriter_WriteIoParadigm(writer_, i++, identification, string(p.name), p.io_class, p.flags, 0,
                                                nullptr, nullptr, nullptr));
    }
  }

  void system_tree() {
    for (std::uint32_t i = 0; i < d_.system_tree.size(); ++i) {
      const SystemTreeNode& node = d_.system_tree[i];
      keep(OTF2_GlobalDefWriter_WriteSystemTreeNode(writer_, i, node.name, node.class_name, node.parent));
      const std::string& class_name = d_.strings[node.class_name];
      if (class_name == "machine")
        keep(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer_, i, OTF2_SYSTEM_TREE_DOMAIN_MACHINE));
      if (class_name == "node")
        keep(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(writer_, i, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
      for (const auto& [name, text] : node.properties) {
        OTF2_AttributeValue value;
        value.stringRef = string(text);
        keep(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(writer_, i, string(name), OTF2_TYPE_STRING, value));
      }
    }
  }

  void processes(const std::vector<std::uint64_t>& events) {
    for (std::uint32_t i = 0; i < d_.location_groups.size(); ++i) {
      const LocationGroup& group = d_.location_groups[i];
      keep(OTF2_GlobalDefWriter_WriteLocationGroup(writer_, i, group.name, OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                   group.system_tree_node, OTF2_UNDEFINED_LOCATION_GROUP));
      for (const auto& [name, text] : group.properties) {
        OTF2_AttributeValue value;
        value.stringRef = string(text);
        keep(OTF2_GlobalDefWriter_WriteLocationGroupProperty(writer_, i, string(name), OTF2_TYPE_STRING, value));
      }
    }
    for (std::size_t i = 0; i < d_.locations.size(); ++i) {
      const Location& location = d_.locations[i];
      keep(OTF2_GlobalDefWriter_WriteLocation(writer_, location.otf2_id, location.name, to_otf2(location.type),
                                              events[i], location.group));
      for (const auto& [name, text] : location.properties) {
        OTF2_AttributeValue value;
        value.stringRef = string(text);
        keep(OTF2_GlobalDefWriter_WriteLocationProperty(writer_, location.otf2_id, string(name), OTF2_TYPE_STRING,
                                                        value));
      }
    }
  }

  void regions() {
    for (std::uint32_t i = 0; i < d_.regions.size(); ++i) {
      const Region& region = d_.regions[i];
      keep(OTF2_GlobalDefWriter_WriteRegion(writer_, i, region.name, region.name, string(""),
                                            to_otf2(region.role, d_.strings[region.name]), to_otf2(region.paradigm),
                                            OTF2_REGION_FLAG_NONE, OTF2_UNDEFINED_STRING, 0, 0));
    }
  }

  void group(std::uint32_t id, OTF2_GroupType type, const std::vector<std::uint64_t>& members) {
    keep(OTF2_GlobalDefWriter_WriteGroup(writer_, id, string(""), type, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE,
                                         static_cast<std::uint32_t>(members.size()), members.data()));
  }

  std::uint32_t group_of_ranks(const std::vector<std::uint32_t>& members) {
    group(next_group_, OTF2_GROUP_TYPE_COMM_GROUP, {members.begin(), members.end()});
    return next_group_++;
  }

  // Those of the ranks, and behind them those that are inside of them.
  void mpi_locations() {
    std::map<std::uint32_t, std::uint64_t> location_of_rank, inside_of_rank;
    std::map<std::uint64_t, std::uint32_t> rank_of_location;
    for (const Location& location : d_.locations)
      if (location.rank && location_of_rank.emplace(*location.rank, location.otf2_id).second)
        rank_of_location.emplace(location.otf2_id, *location.rank);
    for (const Location& location : d_.locations) {
      const std::optional<std::uint64_t> outer = inside_of(location);
      const auto rank = outer ? rank_of_location.find(*outer) : rank_of_location.end();
      if (rank != rank_of_location.end()) inside_of_rank.emplace(rank->second, location.otf2_id);
    }
    std::vector<std::uint64_t> all;
    for (const auto& [rank, location] : location_of_rank) all.push_back(location);
    for (const auto& [rank, location] : inside_of_rank) {
      inside_members_[rank] = static_cast<std::uint32_t>(all.size());
      all.push_back(location);
    }
    if (!all.empty()) group(0, OTF2_GROUP_TYPE_COMM_LOCATIONS, all);
  }

  // One for all communicators of the same ranks: there is one per context of the library, and most have them all.
  std::uint32_t group_of_inside(const std::vector<std::uint32_t>& ranks) {
    if (const auto known = inside_groups_.find(ranks); known != inside_groups_.end()) return known->second;
    std::vector<std::uint32_t> members;
    for (const std::uint32_t rank : ranks) {
      const auto member = inside_members_.find(rank);
      if (member == inside_members_.end()) keep(OTF2_ERROR_INVALID_ARGUMENT);
      members.push_back(member == inside_members_.end() ? 0 : member->second);
    }
    return inside_groups_[ranks] = group_of_ranks(members);
  }

  void communicators() {
    mpi_locations();
    for (const RankGroup& one : d_.groups) group_of_ranks(one.members);

    std::optional<std::uint32_t> self_group;
    for (std::uint32_t i = 0; i < d_.comms.size(); ++i) {
      const Comm& comm = d_.comms[i];
      if (!comm.remote_members.empty()) {
        const std::uint32_t a = group_of_ranks(comm.members), b = group_of_ranks(comm.remote_members);
        keep(OTF2_GlobalDefWriter_WriteInterComm(writer_, i, comm.name, a, b, comm.parent, OTF2_COMM_FLAG_NONE));
        continue;
      }
      std::uint32_t members = 0;
      if (comm.is_self && comm.members.empty()) {  // one group for every rank's own: OTF2 allows only one
        if (!self_group) group(self_group.emplace(next_group_++), OTF2_GROUP_TYPE_COMM_SELF, {});
        members = *self_group;
      } else {
        members = comm.is_inside ? group_of_inside(comm.members) : group_of_ranks(comm.members);
      }
      keep(OTF2_GlobalDefWriter_WriteComm(writer_, i, comm.name, members, comm.parent, OTF2_COMM_FLAG_NONE));
    }
  }

  void windows() {
    for (std::uint32_t i = 0; i < d_.windows.size(); ++i) {
      const Window& window = d_.windows[i];
      keep(OTF2_GlobalDefWriter_WriteRmaWin(
          writer_, i, window.name, window.comm,
          window.has_lifetime ? OTF2_RMA_WIN_FLAG_CREATE_DESTROY_EVENTS : OTF2_RMA_WIN_FLAG_NONE));
    }
  }

  void files() {
    for (std::uint32_t i = 0; i < d_.io_files.size(); ++i)
      keep(OTF2_GlobalDefWriter_WriteIoRegularFile(writer_, i, d_.io_files[i].path, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (std::uint32_t i = 0; i < d_.io_files.size(); ++i)
      for (const auto& [name, text] : d_.io_files[i].properties) {
        OTF2_AttributeValue value;
        value.stringRef = text;
        keep(OTF2_GlobalDefWriter_WriteIoFileProperty(writer_, i, name, OTF2_TYPE_STRING, value));
      }
    for (std::uint32_t i = 0; i < d_.io_handles.size(); ++i) {
      const IoHandle& handle = d_.io_handles[i];
      keep(OTF2_GlobalDefWriter_WriteIoHandle(writer_, i, handle.name, handle.file,
                                              static_cast<OTF2_IoParadigmRef>(handle.paradigm),
                                              OTF2_IO_HANDLE_FLAG_NONE, handle.comm, handle.parent));
    }
  }

  void metrics() {
    for (std::uint32_t i = 0; i < d_.metric_members.size(); ++i) {
      const MetricMember& m = d_.metric_members[i];
      keep(OTF2_GlobalDefWriter_WriteMetricMember(writer_, i, m.name, m.description, m.kind, m.mode, to_otf2(m.type),
                                                  m.base, m.exponent, m.unit));
    }
    for (std::uint32_t i = 0; i < d_.metrics.size(); ++i) {
      const Metric& m = d_.metrics[i];
      if (m.instance_of == kUndefined)
        keep(OTF2_GlobalDefWriter_WriteMetricClass(writer_, i, static_cast<std::uint8_t>(m.members.size()),
                                                   m.members.data(), m.occurrence, m.recorder_kind));
      else
        keep(OTF2_GlobalDefWriter_WriteMetricInstance(writer_, i, m.instance_of, m.recorder, m.scope, m.scope_of));
    }
  }

  OTF2_GlobalDefWriter* writer_;
  const Definitions& d_;
  OTF2_ErrorCode result_ = OTF2_SUCCESS;
  std::map<std::string, StringId> extra_;
  std::map<std::uint32_t, std::uint32_t> inside_members_;  // number among the MPI locations, by rank
  std::map<std::vector<std::uint32_t>, std::uint32_t> inside_groups_;
  StringId next_string_ = 0;
  std::uint32_t next_group_ = kFirstGroup;
};

}  // namespace

OTF2_ErrorCode write_definitions(OTF2_GlobalDefWriter* writer, const Definitions& definitions,
                                 const std::vector<std::uint64_t>& events) {
  return DefinitionsWriter(writer, definitions).write(events);
}

}  // namespace plumbline::archive
