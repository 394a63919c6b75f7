#include "base/node/consumers.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <thread>

#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr double kLeast = 0.05;  // of a processor
constexpr std::string_view kBegin = "busy.", kCommand = ".command", kShare = ".processors";

std::optional<int> process_of(std::string_view name) {
  int process = 0;
  const auto [end, fault] = std::from_chars(name.data(), name.data() + name.size(), process);
  return fault == std::errc() && end == name.data() + name.size() && process > 0 ? std::optional(process)
                                                                                 : std::nullopt;
}

// "12 (a (strange) name) S 1 ..": the command ends at the last parenthesis. utime, stime and starttime are the fields
// 14, 15 and 22 (proc(5)), of which the state is the third.
std::optional<ProcessTime> parse_stat(std::string_view text) {
  constexpr std::size_t kUser = 11, kSystem = 12, kStart = 19;  // behind the command
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  const auto fields = words_of(text.substr(close + 1));
  if (fields.size() <= kStart) return {};
  const auto user = number_of(fields[kUser]), system = number_of(fields[kSystem]), start = number_of(fields[kStart]);
  if (!user || !system || !start) return {};
  return ProcessTime{std::string(text.substr(open + 1, close - open - 1)), *user + *system, *start};
}

void sort_by_share(std::vector<Consumer>& consumers) {
  std::ranges::stable_sort(consumers, std::greater<>(), &Consumer::processors);
}

}  // namespace

ProcessTimes read_process_times(const std::filesystem::path& root) {
  ProcessTimes times;
  std::error_code fault;
  for (std::filesystem::directory_iterator entry(root / "proc", fault), end; !fault && entry != end;
       entry.increment(fault)) {
    const std::optional<int> process = process_of(entry->path().filename().string());
    if (!process) continue;
    std::ifstream file(entry->path() / "stat");
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    if (std::optional<ProcessTime> time = parse_stat(text)) times.emplace(*process, *std::move(time));
  }
  return times;
}

std::vector<Consumer> consumers_between(const ProcessTimes& before, const ProcessTimes& after, double seconds,
                                        double ticks_per_second) {
  std::vector<Consumer> found;
  for (const auto& [process, now] : after) {
    const auto then = before.find(process);
    if (then == before.end() || then->second.began != now.began || now.ticks < then->second.ticks) continue;
    const double used = static_cast<double>(now.ticks - then->second.ticks) / ticks_per_second / seconds;
    if (used >= kLeast) found.push_back({process, now.command, used});
  }
  sort_by_share(found);
  return found;
}

bool is_of_launch(std::string_view command) {
  constexpr std::array<std::string_view, 8> kBegins{"plumbline", "mpirun", "mpiexec",    "orte",
                                                    "prte",      "hydra_", "slurmstepd", "srun"};
  return std::ranges::any_of(kBegins, [&](std::string_view begin) { return command.starts_with(begin); });
}

void add_consumers(Facts& facts, std::chrono::milliseconds between) {
  using Clock = std::chrono::steady_clock;
  const ProcessTimes before = read_process_times();
  const auto began = Clock::now();
  std::this_thread::sleep_for(between);
  const double seconds = std::chrono::duration<double>(Clock::now() - began).count();
  const double ticks_per_second = static_cast<double>(::sysconf(_SC_CLK_TCK));
  for (const Consumer& each : consumers_between(before, read_process_times(), seconds, ticks_per_second)) {
    if (is_of_launch(each.command)) continue;
    const std::string source = fmt::format("/proc/{}/stat", each.process);
    const auto put = [&](std::string_view what, std::string value) {
      facts.facts[fmt::format("{}{}{}", kBegin, each.process, what)] = {std::move(value), source};
    };
    put(kCommand, each.command);
    put(kShare, fmt::format("{:.2f}", each.processors));
  }
}

std::vector<Consumer> consumers_in(const Facts& facts) {
  std::vector<Consumer> found;
  for (auto fact = facts.facts.lower_bound(kBegin); fact != facts.facts.end() && fact->first.starts_with(kBegin);
       ++fact) {
    const std::string_view name = std::string_view(fact->first).substr(kBegin.size());
    if (!name.ends_with(kShare)) continue;
    const std::string_view number = name.substr(0, name.size() - kShare.size());
    if (const auto process = process_of(number))
      found.push_back({*process, std::string(facts.value(fmt::format("{}{}{}", kBegin, number, kCommand))),
                       std::strtod(fact->second.value.c_str(), nullptr)});
  }
  sort_by_share(found);
  return found;
}

std::vector<Consumer> seen_twice(const std::vector<Consumer>& before, const std::vector<Consumer>& after) {
  std::vector<Consumer> both;
  for (const Consumer& each : after) {
    const auto same = std::ranges::find(before, each.process, &Consumer::process);
    if (same == before.end() || same->command != each.command) continue;
    both.push_back(each);
    both.back().processors = std::min(each.processors, same->processors);
  }
  sort_by_share(both);
  return both;
}

}  // namespace plumbline::node
