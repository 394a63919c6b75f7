#pragma once
// The numbers of pairs of endpoints, looked up once a message: open addressing, because the buckets of a standard map
// cost a division and a line of the cache each.

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace plumbline::hw {

class PairTable {
 public:
  static constexpr std::uint32_t kUnknown = 0xffff'ffff;

  PairTable() : slots_(16) {}

  std::uint32_t find(std::uint32_t source, std::uint32_t target) const {
    return slots_[slot_of(source, target)].number;
  }

  // Of a pair that is not in it.
  void add(std::uint32_t source, std::uint32_t target, std::uint32_t number) {
    if (++used_ * 2 > slots_.size()) grow();
    slots_[slot_of(source, target)] = {source, target, number};
  }

 private:
  struct Slot {
    std::uint32_t source = 0, target = 0, number = kUnknown;
  };

  // Where the pair is, or is to be.
  std::size_t slot_of(std::uint32_t source, std::uint32_t target) const {
    // By the golden ratio (Knuth, The Art of Computer Programming 3, 6.4); its upper bits are the better ones.
    const std::uint64_t mixed = (static_cast<std::uint64_t>(source) << 32 | target) * 0x9e37'79b9'7f4a'7c15ULL;
    std::size_t slot = static_cast<std::size_t>(mixed >> 32) & (slots_.size() - 1);
    while (slots_[slot].number != kUnknown && (slots_[slot].source != source || slots_[slot].target != target))
      slot = (slot + 1) & (slots_.size() - 1);
    return slot;
  }

  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(slots_.size() * 2));
    for (const Slot& each : old)
      if (each.number != kUnknown) slots_[slot_of(each.source, each.target)] = each;
  }

  std::vector<Slot> slots_;  // a power of two, at most half of it in use
  std::size_t used_ = 0;
};

}  // namespace plumbline::hw
