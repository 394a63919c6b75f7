#include "cli/workflows/view/model_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/files/nameless_file.hpp"
#include "base/memory/scratch.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/model/compile/compile.hpp"
#include "replay/model/compile/timed.hpp"

namespace plumbline::cli::view {
namespace {

replay::Program played(const replay::Program& program, const hw::Platform& platform) {
  const NamelessFile file;
  replay::ReplayOptions how{.mode = replay::Mode::kFree, .form = replay::Form::kAsConfigured};
  const replay::ReplayResult result = replay::replay(program, platform, how);
  const auto source_of = [&](std::uint32_t rank, std::uint32_t operation) {
    const auto& matches = result.wildcards[rank];
    return std::ranges::lower_bound(matches, operation, {}, &replay::mpi::WildcardMatch::operation)->source;
  };
  return replay::model::with_times(program, result.times, source_of, file.path());
}

}  // namespace

Observed open_program(const std::filesystem::path& path, const std::filesystem::path& platform) {
  replay::Program program = replay::Program::open(path);
  const std::filesystem::path absolute = std::filesystem::absolute(path);
  if (!replay::model::is_of_model(program)) return {std::move(program), absolute, {}};
  if (platform.empty())
    throw Error(path.string(), "is a model, of which nothing was observed",
                "name the platform that it runs on: -p FILE", ExitCode::kWrongUse);
  Observed observed{played(program, hw::read_platform(platform)), absolute, {}};
  observed.banners.push_back(fmt::format("a prediction: the model {} on {}",
                                         program.property(replay::model::kModelProperty),
                                         platform.filename().string()));
  observed.is_model = true;
  return observed;
}

}  // namespace plumbline::cli::view
