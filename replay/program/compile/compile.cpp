#include "replay/program/compile/compile.hpp"

#include "base/error.hpp"
#include "replay/program/compile/compilation.hpp"
#include "replay/program/compile/compile_together.hpp"

namespace plumbline::replay {

Program compile(archive::Reader& reader, const std::filesystem::path& file, CompileSummary& summary,
                const std::string& source, Damage damage, Workers* workers) {
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
