// The bare event loop in the hold model: each process has one event pending, which is popped and pushed again, later.
// CPU seconds, best of five.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <limits>
#include <vector>

#include "sim/event_queue.hpp"
#include "sim/random.hpp"

namespace {

using plumbline::picoseconds;
using plumbline::Time;
using plumbline::sim::Event;
using plumbline::sim::EventQueue;
using plumbline::sim::RandomStream;

enum class Increments { kExponential, kTies };

std::int64_t increment(RandomStream& random, Increments kind) {
  constexpr std::int64_t kTies[] = {0, 1'000'000, 5'000'000, 250'000'000};  // 0, 1, 5, 250 us
  if (kind == Increments::kTies) return kTies[random.below(4)];
  return static_cast<std::int64_t>(-std::log(1 - random.uniform()) * 1e6);
}

double seconds_for(std::uint32_t events, std::uint32_t processes, Increments kind) {
  constexpr std::uint32_t kTable = 1U << 16;  // increments are drawn beforehand
  RandomStream random(1, "event queue bench");
  std::vector<std::int64_t> ahead(kTable);
  for (std::int64_t& ps : ahead) ps = increment(random, kind);
  EventQueue queue;
  for (std::uint32_t i = 0; i < processes; ++i) queue.push({Time{ahead[i % kTable]}, i, 0, 0, 0, 0, i});
  const std::clock_t begin = std::clock();
  for (std::uint32_t i = 0; i < events; ++i) {
    Event event = queue.pop();
    event.at += picoseconds(ahead[i % kTable]);
    ++event.sequence;
    queue.push(event);
  }
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

double millions_per_second(std::uint32_t processes, Increments kind) {
  constexpr std::uint32_t kEvents = 4'000'000;
  double best = std::numeric_limits<double>::max();
  for (int i = 0; i < 5; ++i) best = std::min(best, seconds_for(kEvents, processes, kind));
  return kEvents / best * 1e-6;
}

}  // namespace

int main() {
  for (const std::uint32_t processes : {1'000U, 10'000U, 100'000U, 1'000'000U})
    fmt::print("bare event loop, {:>7} processes: {:.1f} M events/s, {:.1f} M with many equal times\n", processes,
               millions_per_second(processes, Increments::kExponential),
               millions_per_second(processes, Increments::kTies));
}
