// Whole replays of small programs with the computation by hand beside the expected times (tests/golden/*/expected.txt).
// PLUMBLINE_BLESS=1 writes the times anew below the comments; look at the difference before you keep it.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/io/hints.hpp"
#include "support.hpp"

namespace plumbline::replay {
namespace {

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

// "== free device as-run cb_nodes=2": any words that differ from free, cached, ideal; hints.
ReplayOptions options_of(const std::string& heading) {
  ReplayOptions options;
  options.mode = Mode::kFree;
  std::istringstream words(heading.substr(2));
  for (std::string word; words >> word;) {
    if (word == "anchored") options.mode = Mode::kAnchored;
    if (word == "device") options.cache = hw::CacheCase::kDevice;
    if (word == "as-run") options.form = Form::kAsRun;
    if (word == "as-configured") options.form = Form::kAsConfigured;
    if (word.find('=', 1) != std::string::npos && !word.starts_with("="))
      io::ask_hint(word, heading, options.choices.hints);
  }
  return options;
}

// "whole-ns" in the heading: picoseconds that rounding leaves of messages that cost nothing are not looked at.
std::string time_text(Time time, bool whole_ns) {
  return format_exact(Duration{whole_ns ? time.ps / 1000 * 1000 : time.ps});
}

std::string rows(const Program& program, const hw::Platform& platform, const ReplayOptions& options, bool whole_ns) {
  std::string out;
  try {
    const ReplayResult result = replay(program, platform, options);
    for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
      for (std::size_t i = 0; i < result.times[rank].size(); ++i) {
        const OperationTimes& t = result.times[rank][i];
        out += fmt::format("{} {} {} {} {}\n", rank, i, program.call(program.rank(rank).operations[i].call),
                           time_text(t.begin, whole_ns), time_text(t.end, whole_ns));
      }
  } catch (const Error& error) {
    std::istringstream lines(error.problems().front().what);
    for (std::string line; std::getline(lines, line);) out += fmt::format("error: {}\n", line);
  }
  return out;
}

// The text of expected.txt with the rows of this replay in place of its own.
std::string replayed(const std::filesystem::path& folder) {
  const Program program = test::program_of(read_file(folder / "program.txt"));
  const hw::Platform platform = hw::read_platform(folder / "platform.xml");
  std::istringstream lines(read_file(folder / "expected.txt"));
  std::string out;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) out += line + '\n';
    if (line.starts_with("=="))
      out += line + '\n' + rows(program, platform, options_of(line), line.ends_with(" whole-ns"));
  }
  return out;
}

class Golden : public testing::TestWithParam<std::string> {};

TEST_P(Golden, ReplaysAsComputedByHand) {
  const std::filesystem::path folder = std::filesystem::path(PLUMBLINE_GOLDEN) / GetParam();
  const std::string actual = replayed(folder);
  if (std::getenv("PLUMBLINE_BLESS") != nullptr) std::ofstream(folder / "expected.txt") << actual;
  EXPECT_EQ(read_file(folder / "expected.txt"), actual);
}

std::vector<std::string> cases() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(PLUMBLINE_GOLDEN))
    if (std::filesystem::exists(entry.path() / "program.txt") && std::filesystem::exists(entry.path() / "expected.txt"))
      names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Cases, Golden, testing::ValuesIn(cases()), [](const auto& param) {
  std::string name = param.param;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
});

}  // namespace
}  // namespace plumbline::replay
