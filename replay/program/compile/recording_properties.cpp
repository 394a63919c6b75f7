#include "replay/program/compile/recording_properties.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "replay/program/compile/context/group_properties.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

// "Open MPI v4.1.4, package: .." and "MPICH Version:\t4.0.2" as people say it, and as platform files do.
std::string library_name(std::string_view version) {
  std::string name(version.substr(0, version.find(", package")));
  constexpr std::string_view kMpich = "MPICH Version:";
  if (!name.starts_with(kMpich)) return name;
  const std::size_t number = name.find_first_not_of(" \t", kMpich.size());
  return number == std::string::npos ? "MPICH" : "MPICH " + name.substr(number);
}

// Of Open MPI, what decides how it accesses files and windows; from the environment, where mpirun puts its options
// too.
void write_file_parameters(ProgramBuilder& builder, const archive::LocationGroup& group) {
  constexpr std::string_view kMeta = "PLUMBLINE::META::", kParameter = "env.OMPI_MCA_";
  for (const auto& [key, value] : group.properties) {
    std::string_view name = key;
    if (!name.starts_with(kMeta)) continue;
    name.remove_prefix(kMeta.size());
    if (name == "thread_level") builder.property("thread_level", value);
    if (name == "cvar.io") builder.property("mca:io", value);
    if (!name.starts_with(kParameter)) continue;
    name.remove_prefix(kParameter.size());
    for (const std::string_view framework : {"io", "fcoll", "fbtl", "fs", "sharedfp", "osc"})
      if (name.starts_with(framework) && (name.size() == framework.size() || name[framework.size()] == '_'))
        builder.property(fmt::format("mca:{}", name), value);
  }
}

void write_file_systems(ProgramBuilder& builder, const archive::Definitions& definitions) {
  for (const archive::IoHandle& handle : definitions.io_handles) {
    if (handle.paradigm != archive::IoParadigm::kMpiIo || handle.file >= definitions.io_files.size()) continue;
    const archive::IoFile& file = definitions.io_files[handle.file];
    for (const auto& [name, value] : file.properties)
      if (definitions.strings[name] == names::kPropertyFileSystem)
        builder.property(fmt::format("filesystem:{}", definitions.strings[file.path]), definitions.strings[value]);
  }
}

// Algorithms of collectives that were forced: "setting:coll_tuned_allreduce_algorithm" = "4", in force only with
// dynamic rules; "setting:coll_libnbc_ibcast_algorithm" = "2"; "setting:MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM" =
// "ring".
void write_forced_algorithms(ProgramBuilder& builder, const archive::LocationGroup& group) {
  constexpr std::string_view kVariable = "PLUMBLINE::META::cvar.", kEnvironment = "PLUMBLINE::META::env.";
  const bool has_rules = property(group, "PLUMBLINE::META::cvar.coll_tuned_use_dynamic_rules") == "1";
  for (const auto& [key, value] : group.properties) {
    const std::string_view full = key;
    const std::string_view name = full.starts_with(kVariable)      ? full.substr(kVariable.size())
                                  : full.starts_with(kEnvironment) ? full.substr(kEnvironment.size())
                                                                   : std::string_view();
    const bool in_force = (has_rules && name.starts_with("coll_tuned_")) || name.starts_with("coll_libnbc_");
    const bool openmpi = in_force && full.starts_with(kVariable) && name.ends_with("_algorithm");
    const bool mpich =
        full.starts_with(kEnvironment) && name.starts_with("MPIR_CVAR_") && name.ends_with("_INTRA_ALGORITHM");
    if (openmpi || mpich) builder.property(fmt::format("setting:{}", name), value);
  }
}

}  // namespace

void write_recording_properties(ProgramBuilder& builder, const archive::Definitions& definitions) {
  builder.property("creator", definitions.creator);
  std::int64_t lost = 0;
  for (const archive::LocationGroup& group : definitions.location_groups) lost += number(group, names::kPropertyLost);
  builder.property("lost_records", std::to_string(lost));
  for (const archive::LocationGroup& group : definitions.location_groups) {
    if (property(group, names::kPropertyLibrary).empty()) continue;
    builder.property("library", library_name(property(group, names::kPropertyLibrary)));
    builder.property("program", property(group, names::kPropertyProgram));
    write_forced_algorithms(builder, group);
    write_file_parameters(builder, group);
    break;
  }
  write_file_systems(builder, definitions);
}

}  // namespace plumbline::replay
