#include "cli/workflows/view/open_observed.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

#include "base/error.hpp"
#include "cli/workflows/view/model_run.hpp"
#include "replay/expect/archive/expected_archive.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli::view {
namespace {

// The whole program; of a damaged archive what is left of it.
Observed read(const std::filesystem::path& path, const std::filesystem::path& anchor, bool whole, Workers* workers) {
  replay::CompileSummary summary;
  try {
    replay::Program program = replay::program_of(path, summary, workers);
    return {std::move(program), anchor, summary.remarks};
  } catch (const Error& damage) {
    if (whole) throw;
    try {
      summary = {};
      replay::Program program = replay::readable_part_of(path, summary, workers);
      if (summary.operations == 0) throw damage;
      Observed observed{std::move(program), anchor, summary.remarks};
      observed.is_damaged = true;
      observed.banners.push_back(fmt::format("the archive is damaged, and shown as far as it can be read: {}",
                                             to_string(damage.problems().front())));
      return observed;
    } catch (const Error&) {
      throw damage;
    }
  }
}

}  // namespace

Observed open_observed(const Options& options, Workers* workers) {
  const std::filesystem::path& path = options.observed;
  if (replay::is_program_file(path)) return open_program(path, options.platform);
  replay::require_observed(archive::Reader(path).definitions(), path.string(), "view");
  Observed observed = read(path, std::filesystem::absolute(archive::find_anchor(path)), options.whole, workers);
  constexpr std::string_view kIncomplete = "incomplete: ";
  for (const std::string& remark : observed.remarks)
    if (remark.starts_with(kIncomplete) && !observed.is_damaged)
      observed.banners.push_back("the recording is incomplete: " + remark.substr(kIncomplete.size()));
  return observed;
}

viewer::WatchedArchive watched(const std::filesystem::path& name, const std::filesystem::path& anchor) {
  if (replay::is_program_file(anchor)) return viewer::watch(name.string(), std::array{anchor});
  std::filesystem::path definitions = anchor;
  definitions.replace_extension(".def");
  return viewer::watch(name.string(), std::array{anchor, definitions});
}

}  // namespace plumbline::cli::view
