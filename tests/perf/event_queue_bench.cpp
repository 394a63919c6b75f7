// Nanoseconds per pop and push of the event queue in the hold model: each event that is popped is pushed again, later.

#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdint>
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

double nanoseconds_per_hold(std::uint32_t pending, Increments kind) {
  constexpr std::uint32_t kHolds = 2'000'000;
  constexpr std::uint32_t kTable = 1U << 16;  // increments are drawn beforehand
  RandomStream random(1, "event queue bench");
  std::vector<std::int64_t> ahead(kTable);
  for (std::int64_t& ps : ahead) ps = increment(random, kind);
  EventQueue queue;
  for (std::uint32_t i = 0; i < pending; ++i) queue.push({Time{ahead[i % kTable]}, i, 0, 0, 0, 0, i});
  const auto begin = std::chrono::steady_clock::now();
  for (std::uint32_t i = 0; i < kHolds; ++i) {
    Event event = queue.pop();
    event.at += picoseconds(ahead[i % kTable]);
    ++event.sequence;
    queue.push(event);
  }
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
  return took.count() / kHolds;
}

}  // namespace

int main() {
  for (const std::uint32_t pending : {1'000U, 100'000U, 1'000'000U})
    fmt::print("event queue, {:>7} pending: {:.0f} ns per pop+push, {:.0f} ns with many equal times\n", pending,
               nanoseconds_per_hold(pending, Increments::kExponential),
               nanoseconds_per_hold(pending, Increments::kTies));
}
