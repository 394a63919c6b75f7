#include "replay/expect/what_if.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/team/team.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/engine/replay.hpp"
#include "replay/io/hints.hpp"

namespace plumbline::replay::expect {
namespace {

constexpr std::size_t kMostRuns = 10'000;
constexpr const char* kWhere = "--set";

[[noreturn]] void refuse_sweep(std::string_view text, std::string what) {
  throw Error("--sweep", fmt::format("'{}' {}", text, what), "for example --sweep hint.cb_nodes=1..16",
              ExitCode::kWrongUse);
}

std::optional<std::uint64_t> number_of(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Of "1..16" or "1..64*2".
std::vector<std::string> range_of(std::string_view text, std::string_view range, std::size_t dots) {
  const std::size_t star = range.find('*');
  const auto first = number_of(range.substr(0, dots));
  const auto last = number_of(range.substr(dots + 2, star == range.npos ? star : star - dots - 2));
  const auto factor = star == range.npos ? std::optional<std::uint64_t>(1) : number_of(range.substr(star + 1));
  if (!first || !last || !factor) refuse_sweep(text, "is no range of numbers: FIRST..LAST or FIRST..LAST*FACTOR");
  if (*first > *last) refuse_sweep(text, "ends before it begins");
  if (star != range.npos && (*factor < 2 || *first == 0)) refuse_sweep(text, "never ends");
  std::vector<std::string> values;
  for (std::uint64_t value = *first; value <= *last;) {
    if (values.size() == kMostRuns) refuse_sweep(text, fmt::format("has more than {} values", kMostRuns));
    values.push_back(std::to_string(value));
    const std::uint64_t next = star == range.npos ? value + 1 : value * *factor;
    if (next <= value || (star != range.npos && next / *factor != value)) break;  // beyond what a number holds
    value = next;
  }
  return values;
}

std::vector<std::string> list_of(std::string_view text, std::string_view list) {
  std::vector<std::string> values;
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    if (end == begin) refuse_sweep(text, "has an empty value");
    values.emplace_back(list.substr(begin, end - begin));
    begin = end + 1;
  }
  return values;
}

void choose_library(const std::string& library, replay::Choices& choices) {
  const auto& known = replay::collectives::schedules::kLibraries;
  if (std::ranges::find(known, library) == known.end())
    throw Error("library", fmt::format("no algorithms of the library '{}' are known", library),
                fmt::format("known are {}", fmt::join(known, ", ")));
  choices.library = library;
}

// True: the setting is a choice, and was made or found wrong.
bool choose(const hw::Setting& setting, replay::Choices& choices, Diagnostics& diagnostics) {
  constexpr std::string_view kHint = "hint.", kCollective = "collective.";
  const std::string_view name = setting.name;
  try {
    if (name == "library")
      choose_library(setting.value, choices);
    else if (name.starts_with(kHint))
      replay::io::ask_hint(fmt::format("{}={}", name.substr(kHint.size()), setting.value), kWhere, choices.hints);
    else if (name.starts_with(kCollective))
      replay::force_collective(fmt::format("{}={}", name.substr(kCollective.size()), setting.value), choices);
    else
      return false;
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) diagnostics.add(kWhere, problem.what, problem.hint);
  }
  return true;
}

}  // namespace

WhatIf what_if(const hw::Platform& platform, std::span<const hw::Setting> settings) {
  WhatIf result{platform, {}};
  Diagnostics diagnostics;
  for (const hw::Setting& setting : settings)
    if (!choose(setting, result.choices, diagnostics)) hw::apply(setting, result.platform, diagnostics);
  hw::check_settings(result.platform, diagnostics);
  diagnostics.throw_if_any();
  return result;
}

hw::Platform read_platform_for(std::span<const hw::Setting> settings, const std::filesystem::path& path) {
  try {
    return hw::read_platform(path);
  } catch (const Error& error) {
    Diagnostics all;
    for (const Problem& problem : error.problems()) all.add(problem.where, problem.what, problem.hint);
    replay::Choices choices;
    for (const hw::Setting& setting : settings) choose(setting, choices, all);
    all.throw_if_any(error.code());
    throw;
  }
}

Sweep parse_sweep(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size()) refuse_sweep(text, "is not NAME=VALUES");
  const std::string_view values = text.substr(equals + 1);
  const std::size_t dots = values.find("..");
  return {std::string(text.substr(0, equals)),
          dots == values.npos ? list_of(text, values) : range_of(text, values, dots)};
}

std::vector<std::vector<hw::Setting>> combinations(std::span<const Sweep> sweeps) {
  std::vector<std::vector<hw::Setting>> all(1);
  for (const Sweep& sweep : sweeps) {
    if (all.size() * sweep.values.size() > kMostRuns)
      throw Error("--sweep", fmt::format("asks for more than {} replays", kMostRuns), "sweep over less",
                  ExitCode::kWrongUse);
    std::vector<std::vector<hw::Setting>> longer;
    for (const std::vector<hw::Setting>& shorter : all)
      for (const std::string& value : sweep.values) {
        longer.push_back(shorter);
        longer.back().push_back({sweep.name, value});
      }
    all = std::move(longer);
  }
  return all;
}

namespace {

// The free replay, as configured.
replay::ReplayResult replay_of(const replay::Program& program, const WhatIf& changed, const TryOutOptions& options,
                               bool keep_times, const Task& task) {
  replay::ReplayOptions how{.mode = replay::Mode::kFree,
                            .form = replay::Form::kAsConfigured,
                            .compute = options.compute,
                            .choices = changed.choices,
                            .seed = options.seed,
                            .keep_times = keep_times};
  how.progress = [&](double share) { task.tell(share); };
  return replay::replay(program, changed.platform, how);
}

}  // namespace

std::vector<std::vector<hw::Setting>> checked_points(const hw::Platform& platform,
                                                     std::span<const hw::Setting> settings,
                                                     std::span<const Sweep> sweeps) {
  std::vector<std::vector<hw::Setting>> points = combinations(sweeps);
  Diagnostics all;
  const auto is_told = [&](const Problem& problem) {
    return std::ranges::any_of(all.problems(), [&](const Problem& p) { return to_string(p) == to_string(problem); });
  };
  for (std::vector<hw::Setting>& point : points) try {
      point.insert(point.begin(), settings.begin(), settings.end());
      what_if(platform, point);
    } catch (const Error& error) {
      for (const Problem& problem : error.problems())
        if (!is_told(problem)) all.add(problem.where, problem.what, problem.hint);
    }
  all.throw_if_any();
  return points;
}

Outcomes try_out(const replay::Program& program, const hw::Platform& platform, std::span<const hw::Setting> settings,
                 std::span<const Sweep> sweeps, const TryOutOptions& options) {
  const std::vector<std::vector<hw::Setting>> points = checked_points(platform, settings, sweeps);

  // The first is without any setting.
  Outcomes result;
  run_tasks_for<replay::ReplayResult>(
      options.team, points.size() + 1,
      [&](const Task& task) {
        if (task.index() == 0) return replay_of(program, {platform, {}}, options, false, task);
        const bool keep_times = options.keep_times && task.index() == points.size();
        return replay_of(program, what_if(platform, points[task.index() - 1]), options, keep_times, task);
      },
      [&](std::size_t index, replay::ReplayResult replayed) {
        const Duration length = replayed.end - Time{};
        if (index == 0) {
          result.unchanged = length;
          return;
        }
        const std::vector<hw::Setting>& point = points[index - 1];
        result.outcomes.push_back(
            {{point.begin() + static_cast<std::ptrdiff_t>(settings.size()), point.end()}, length});
        if (index == points.size()) result.times = std::move(replayed.times);
      });
  return result;
}

}  // namespace plumbline::replay::expect
