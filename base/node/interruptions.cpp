#include "base/node/interruptions.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <chrono>
#include <functional>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

namespace plumbline::node {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kLooked = 1.0, kLeastBetween = 10e-6;  // s
constexpr std::size_t kMostInterruptions = 16'384;      // what comes then is not counted: a sixth is lost already

bool run_on(std::uint32_t processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  return ::sched_setaffinity(0, sizeof set, &set) == 0;
}

std::vector<std::uint32_t> usable_processors() {
  cpu_set_t own;
  CPU_ZERO(&own);
  std::vector<std::uint32_t> usable;
  if (::sched_getaffinity(0, sizeof own, &own) != 0) return usable;
  for (int processor = 0; processor < CPU_SETSIZE; ++processor)
    if (CPU_ISSET(processor, &own)) usable.push_back(static_cast<std::uint32_t>(processor));
  return usable;
}

std::vector<double> interruptions_until(Clock::time_point end) {
  std::vector<double> seconds;
  seconds.reserve(kMostInterruptions);
  for (Clock::time_point before = Clock::now(), now = before; now < end; before = now) {
    now = Clock::now();
    const double between = Seconds(now - before).count();
    if (between >= kLeastBetween && seconds.size() < kMostInterruptions) seconds.push_back(between);
  }
  return seconds;
}

double sum_of(const std::vector<double>& values) { return std::reduce(values.begin(), values.end()); }

// The longest ones that make half of all.
double length_of(std::vector<double> seconds) {
  const double half = sum_of(seconds) / 2;
  std::ranges::sort(seconds, std::greater<>());
  double sum = 0;
  for (const double each : seconds)
    if ((sum += each) >= half) return each;
  return 0;
}

std::optional<double> value_in(const Facts& facts, std::string_view name) {
  const std::string_view text = facts.value(name);
  double value = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || fault != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<Interruptions> interruptions_of(const Interrupted& seen) {
  std::vector<std::pair<double, std::uint32_t>> lost;
  for (const auto& [processor, seconds] : seen.of_processors) lost.emplace_back(sum_of(seconds), processor);
  if (lost.empty() || seen.seconds <= 0) return std::nullopt;
  std::ranges::sort(lost);
  const auto share = [&](double seconds) { return std::min(1.0, seconds / seen.seconds); };
  const auto& [usual, processor] = lost[(lost.size() - 1) / 2];
  return Interruptions{share(usual), share(lost.back().first), length_of(seen.of_processors.at(processor)),
                       lost.back().second, static_cast<std::uint32_t>(lost.size())};
}

Interrupted time_interruptions() {
  const std::vector<std::uint32_t> processors = usable_processors();
  std::vector<std::vector<double>> seconds(processors.size());
  std::vector<char> was_there(processors.size());
  std::atomic<std::size_t> waiting{0};
  std::atomic<bool> begun{false};
  Clock::time_point end;
  const auto look = [&](std::size_t i) {
    was_there[i] = run_on(processors[i]);
    ++waiting;
    while (!begun) std::this_thread::yield();
    if (was_there[i]) seconds[i] = interruptions_until(end);
  };
  std::vector<std::thread> threads;
  try {
    for (std::size_t i = 0; i < processors.size(); ++i) threads.emplace_back(look, i);
  } catch (const std::system_error&) {  // a limit of threads: those that are there look
  }
  while (waiting < threads.size()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  end = Clock::now() + std::chrono::duration_cast<Clock::duration>(Seconds(kLooked));
  begun = true;
  for (std::thread& thread : threads) thread.join();
  Interrupted seen{kLooked, {}};
  for (std::size_t i = 0; i < processors.size(); ++i)
    if (was_there[i]) seen.of_processors[processors[i]] = std::move(seconds[i]);
  return seen;
}

void add_interruptions(Facts& facts, const Interruptions& of) {
  const auto put = [&](const char* name, std::string value) { facts.facts[name] = {std::move(value), "timed"}; };
  put("noise.usual_share", fmt::format("{:.5f}", of.usual));
  put("noise.worst_share", fmt::format("{:.5f}", of.worst));
  put("noise.worst_processor", fmt::format("{}", of.worst_processor));
  put("noise.length_s", fmt::format("{:.6f}", of.length));
  put("noise.processors", fmt::format("{}", of.processors));
}

std::optional<Interruptions> interruptions_in(const Facts& facts) {
  const auto usual = value_in(facts, "noise.usual_share"), worst = value_in(facts, "noise.worst_share"),
             length = value_in(facts, "noise.length_s"), processor = value_in(facts, "noise.worst_processor"),
             processors = value_in(facts, "noise.processors");
  if (!usual || !worst || !length || !processor || !processors) return std::nullopt;
  return Interruptions{*usual, *worst, *length, static_cast<std::uint32_t>(*processor),
                       static_cast<std::uint32_t>(*processors)};
}

}  // namespace plumbline::node
