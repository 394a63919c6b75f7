#include "replay/mpi/transfers/lanes.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace plumbline::replay::mpi {
namespace {

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014).
std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

std::uint64_t hash_of(const Channel& lane) {
  const std::uint64_t who = static_cast<std::uint64_t>(lane.receiver) << 32 | lane.source;
  const std::uint64_t what = static_cast<std::uint64_t>(lane.comm) << 32 | static_cast<std::uint32_t>(lane.tag);
  return mixed(who * 0x9e3779b97f4a7c15ULL + what);
}

}  // namespace

Time Lanes::enter(const Channel& lane, Time now, Time arrival) {
  Slot* slot = &find(lane);
  if (slot->last == kNever) {
    if (++used_ * 2 > slots_.size()) {
      make_room(now);
      slot = &find(lane);
      ++used_;
    }
    slot->lane = lane;
  }
  slot->last = std::max(slot->last, arrival);
  return slot->last;
}

Lanes::Slot& Lanes::find(const Channel& lane) {
  std::size_t place = hash_of(lane) & (slots_.size() - 1);
  while (slots_[place].last != kNever && !(slots_[place].lane == lane)) place = (place + 1) & (slots_.size() - 1);
  return slots_[place];
}

// Of what has arrived nothing is left; of the rest there are few, or the table grows.
void Lanes::make_room(Time now) {
  const std::vector<Slot> old = std::exchange(slots_, {});
  used_ = static_cast<std::size_t>(std::ranges::count_if(old, [&](const Slot& slot) { return slot.last > now; }));
  slots_.resize(std::max(old.size(), std::bit_ceil(used_ + 1) * 4));
  for (const Slot& slot : old)
    if (slot.last > now) find(slot.lane) = slot;
}

}  // namespace plumbline::replay::mpi
