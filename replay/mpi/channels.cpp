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

}  // namespace

Channels::Channels() : slots_(64) {}

std::size_t Channels::home(const Channel& c) const {
  const std::uint64_t who = static_cast<std::uint64_t>(c.receiver) << 32 | c.source;
  const std::uint64_t what = static_cast<std::uint64_t>(c.comm) << 32 | static_cast<std::uint32_t>(c.tag);
  return mix(who * 0x9e3779b97f4a7c15ULL + what) & (slots_.size() - 1);
}

std::size_t Channels::find(const Channel& channel) const {
  std::size_t slot = home(channel);
  while (slots_[slot].head != kEmpty && !(slots_[slot].channel == channel)) slot = (slot + 1) & (slots_.size() - 1);
  return slot;
}

std::optional<std::uint32_t> Channels::front(const Channel& channel) const {
  const std::size_t slot = find(channel);
  return empty_at(slot) ? std::nullopt : std::optional(slots_[slot].head);
}

void Channels::add_at(std::size_t at, const Channel& channel, std::uint32_t message, std::vector<std::uint32_t>& next) {
  next[message] = kEmpty;
  Slot& slot = slots_[at];
  if (slot.head != kEmpty) {
    next[slot.tail] = message;
    slot.tail = message;
    return;
  }
  slot = {channel, message, message};
  if (++used_ * 2 > slots_.size()) grow();
}

void Channels::pop_at(std::size_t at, const std::vector<std::uint32_t>& next) {
  Slot& slot = slots_[at];
  slot.head = next[slot.head];
  if (slot.head == kEmpty) erase(at);
}

void Channels::grow() {
  std::vector<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  for (const Slot& slot : old)
    if (slot.head != kEmpty) slots_[find(slot.channel)] = slot;
}

// Moves back what had to evade the slot (Knuth, 6.4 R).
void Channels::erase(std::size_t hole) {
  --used_;
  const std::size_t mask = slots_.size() - 1;
  slots_[hole].head = kEmpty;
  for (std::size_t slot = (hole + 1) & mask; slots_[slot].head != kEmpty; slot = (slot + 1) & mask) {
    const std::size_t wanted = home(slots_[slot].channel);
    if (((slot - wanted) & mask) < ((slot - hole) & mask)) continue;
    slots_[hole] = slots_[slot];
    slots_[slot].head = kEmpty;
    hole = slot;
  }
}

}  // namespace plumbline::replay::mpi
