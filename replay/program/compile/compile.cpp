#include "replay/program/compile/compile.hpp"

#include <fmt/format.h>

#include <optional>

#include "base/error.hpp"
#include "replay/program/compile/compilation.hpp"
#include "replay/program/compile/compile_together.hpp"

namespace plumbline::replay {

std::vector<std::uint32_t> locations_by_rank(const archive::Definitions& definitions, const std::string& where) {
  std::vector<std::uint32_t> locations(definitions.world_size(), kNone);
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    const std::optional<std::uint32_t> rank = definitions.locations[i].rank;
    if (!rank) continue;
    if (*rank >= locations.size() || locations[*rank] != kNone)
      throw Error(where, fmt::format("locations speak for {} ranks, but not once for each", locations.size()));
    locations[*rank] = i;
  }
  if (locations.empty()) throw Error(where, "no location speaks for an MPI rank", "record an MPI program");
  return locations;
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
