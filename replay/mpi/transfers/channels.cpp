#include "replay/mpi/transfers/channels.hpp"

#include <utility>

namespace plumbline::replay::mpi {
namespace {

// Of Channels::kStep, modulo 2^64.
constexpr std::uint64_t kInverse = 0xf0f0'f0f0'f0f0'f0f1ULL;
static_assert(kInverse * 17 == 1);

}  // namespace

void Channels::grow() {
  LargeVector<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  const std::size_t mask = slots_.size() - 1;
  for (const Slot& moved : old) {
    if (moved.last == kEmpty) continue;
    std::size_t slot = home(moved.hash);
    while (slots_[slot].last != kEmpty) slot = (slot + kStep) & mask;
    slots_[slot] = moved;
  }
}

// Moves back what had to evade the slot (Knuth, 6.4 R).
void Channels::erase(std::size_t hole) {
  --used_;
  const std::size_t mask = slots_.size() - 1;
  const auto steps = [mask](std::size_t from, std::size_t to) { return (to - from) * kInverse & mask; };
  slots_[hole].last = kEmpty;
  for (std::size_t slot = (hole + kStep) & mask; slots_[slot].last != kEmpty; slot = (slot + kStep) & mask) {
    const std::size_t wanted = home(slots_[slot].hash);
    if (steps(wanted, slot) < steps(hole, slot)) continue;
    slots_[hole] = slots_[slot];
    slots_[slot].last = kEmpty;
    hole = slot;
  }
}

}  // namespace plumbline::replay::mpi
