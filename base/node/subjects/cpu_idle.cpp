#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/node/cpu_list.hpp"
#include "base/node/subjects.hpp"
#include "base/node/subjects/processors.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

// All processors together, of an idle state of one name.
struct State {
  std::optional<std::uint64_t> usage, time_us;
  std::map<std::uint32_t, std::string> disabled;
  std::string latency_us;
};

void add(std::optional<std::uint64_t>& sum, const std::optional<std::string>& line) {
  if (const auto number = line ? number_of(*line) : std::nullopt) sum = sum.value_or(0) + *number;
}

template <class Visit>
void for_each_state(Source& source, Visit visit) {
  for (const std::uint32_t processor : processors_in(source)) {
    const std::string directory = fmt::format("{}/cpu{}/cpuidle", kProcessors, processor);
    for (const std::string& state : source.names(directory))
      if (const auto name = source.line(fmt::format("{}/{}/name", directory, state)))
        visit(processor, as_part(*name), fmt::format("{}/{}/", directory, state));
  }
}

std::string path_of(const char* file) { return fmt::format("{}/cpu*/cpuidle/state*/{}", kProcessors, file); }

}  // namespace

void read_cpu_idle_settings(Source& source) {
  source.put_line("cpu.idle_driver", "/sys/devices/system/cpu/cpuidle/current_driver");
  source.put_line("cpu.idle_governor", "/sys/devices/system/cpu/cpuidle/current_governor");
  std::map<std::string, State> states;
  for_each_state(source, [&](std::uint32_t processor, const std::string& name, const std::string& directory) {
    State& state = states[name];
    if (state.latency_us.empty()) state.latency_us = source.line(directory + "latency").value_or("");
    if (const auto disabled = source.line(directory + "disable")) state.disabled.emplace(processor, *disabled);
  });
  for (const auto& [name, state] : states) {
    source.put(fmt::format("cpu.idle.{}.latency_us", name), state.latency_us, path_of("latency"));
    if (!state.disabled.empty())
      source.put(fmt::format("cpu.idle.{}.disabled", name), joined(state.disabled), path_of("disable"));
  }
}

void read_cpu_idle_counters(Source& source) {
  std::map<std::string, State> states;
  for_each_state(source, [&](std::uint32_t, const std::string& name, const std::string& directory) {
    add(states[name].usage, source.line(directory + "usage"));
    add(states[name].time_us, source.line(directory + "time"));
  });
  for (const auto& [name, state] : states) {
    if (state.usage) source.put(fmt::format("cpu.idle.{}.usage", name), std::to_string(*state.usage), path_of("usage"));
    if (state.time_us)
      source.put(fmt::format("cpu.idle.{}.time_us", name), std::to_string(*state.time_us), path_of("time"));
  }
}

}  // namespace plumbline::node
