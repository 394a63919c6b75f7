#include "cli/workflows/view/what_ifs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "cli/workflows/view/choices.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/engine/replay.hpp"
#include "replay/expect/columns/times_file.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"
#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::cli::view {
namespace {

namespace fs = std::filesystem;

// Of what runs write until it is read: gone with whoever holds it.
std::shared_ptr<const fs::path> temporary_directory() {
  std::string name = (fs::temp_directory_path() / "plumbline-view-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) throw Error(name, "cannot be created", "set TMPDIR");
  return {new fs::path(name), [](const fs::path* path) {
            std::error_code ignored;
            fs::remove_all(*path, ignored);
            delete path;
          }};
}

}  // namespace

void set_what_ifs(viewer::Opened& opened, const Options& options, const fs::path& platform, const Scratch& scratch) {
  if (platform.empty()) return;
  std::vector<viewer::WhatIfChoice> choices;
  try {
    const hw::Platform read = hw::read_platform(platform);
    replay::place_ranks(opened.runs.observed, read);
    choices = what_if_choices(opened.runs.observed, read, opened.report);
  } catch (const Error& error) {
    opened.runs.banners.push_back(
        fmt::format("what would be cannot be asked: {}", to_string(error.problems().front())));
    return;
  }
  const std::shared_ptr<const fs::path> directory = temporary_directory();
  viewer::WhatIfCommand command;
  command.arguments = {"replay", fs::absolute(options.observed).string(), "-p", fs::absolute(platform).string()};
  command.directory = *directory;
  const auto take = [&opened, scratch, directory](std::uint32_t number, const fs::path& file) {
    viewer::add_whatif(opened.pyramid, opened.runs, number, replay::read_times(file, opened.runs.observed, scratch),
                       scratch);
  };
  const auto drop = [&opened](std::uint32_t number) { viewer::remove_whatif(opened.pyramid, number); };
  opened.what_ifs = std::make_unique<viewer::WhatIfs>(std::move(command), std::move(choices), take, drop);
}

}  // namespace plumbline::cli::view
