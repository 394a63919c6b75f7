#include "replay/program/compile/compile.hpp"

#include "base/error.hpp"
#include "replay/program/compile/compilation.hpp"
#include "replay/program/compile/compile_together.hpp"
#include "replay/program/compile/context/group_properties.hpp"
#include "replay/program/compile/location/state.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {

namespace names = archive::names;

TracerCost tracer_cost(const archive::Definitions& definitions, std::uint32_t location) {
  const std::uint32_t group = definitions.locations[location].group;
  if (group >= definitions.location_groups.size()) return {};
  const archive::LocationGroup& process = definitions.location_groups[group];
  TracerCost cost;
  cost.inside = Duration{number(process, names::kPropertyCostInside)};
  cost.outside = Duration{number(process, names::kPropertyCostOutside)};
  if (process.properties.contains(names::kPropertyPollGap))
    cost.poll_gap = Duration{number(process, names::kPropertyPollGap)};
  return cost;
}

Program compile(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary, std::string source,
                Damage damage, Workers* workers) {
  const std::uint32_t useful = useful_processes(reader.definitions());
  if (workers != nullptr && workers->size() > 1 && useful > 1) try {
      return compile_together(*workers, reader, file, summary, source, damage, useful);
    } catch (const Error& error) {
      if (error.code() != ExitCode::kCannotRunHere) throw;  // else: without the others it may be possible
    }
  ProgramBuilder builder(file);
  Compilation compilation(reader, builder, damage);
  compilation.compile({0, reader.definitions().world_size()}, true);
  summary = compilation.finish(compilation.found(), source);
  return builder.finish();
}

}  // namespace plumbline::replay
