#include "replay/mpi/channels.hpp"

#include <utility>

namespace plumbline::replay::mpi {
namespace {

// Finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Of Channels::kStep, modulo 2^64.
constexpr std::uint64_t kInverse = 0xf0f0'f0f0'f0f0'f0f1ULL;
static_assert(kInverse * 17 == 1);

}  // namespace

Channels::Channels() : slots_(64) {}

std::size_t Channels::home(const Channel& c) const {
  const std::uint64_t who = static_cast<std::uint64_t>(c.receiver / 4) << 32 | c.source / 4;
  const std::uint64_t what = static_cast<std::uint64_t>(c.comm) << 32 | static_cast<std::uint32_t>(c.tag);
  const std::uint64_t mixed = mix(who * 0x9e3779b97f4a7c15ULL + what);
  const std::size_t block = mixed & (slots_.size() / kBlock - 1);
  // Each block begins somewhere else, or ranks four apart would all want the same place of theirs.
  return block * kBlock + (c.receiver % 4 * 4 + c.source % 4 + (mixed >> 60)) % kBlock;
}

std::size_t Channels::find(const Channel& channel) const {
  std::size_t slot = home(channel);
  while (slots_[slot].head != kEmpty && !(slots_[slot].channel == channel)) slot = (slot + kStep) & (slots_.size() - 1);
  return slot;
}

std::optional<std::uint32_t> Channels::front(const Channel& channel) const {
  const std::size_t slot = find(channel);
  return empty_at(slot) ? std::nullopt : std::optional(slots_[slot].head);
}

void Channels::grow() {
  LargeVector<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  for (const Slot& slot : old)
    if (slot.head != kEmpty) slots_[find(slot.channel)] = slot;
}

// Moves back what had to evade the slot (Knuth, 6.4 R).
void Channels::erase(std::size_t hole) {
  --used_;
  const std::size_t mask = slots_.size() - 1;
  const auto steps = [mask](std::size_t from, std::size_t to) { return (to - from) * kInverse & mask; };
  slots_[hole].head = kEmpty;
  for (std::size_t slot = (hole + kStep) & mask; slots_[slot].head != kEmpty; slot = (slot + kStep) & mask) {
    const std::size_t wanted = home(slots_[slot].channel);
    if (steps(wanted, slot) < steps(hole, slot)) continue;
    slots_[hole] = slots_[slot];
    slots_[slot].head = kEmpty;
    hole = slot;
  }
}

}  // namespace plumbline::replay::mpi
