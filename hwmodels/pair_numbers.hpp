#pragma once
// Numbers of pairs of nodes, looked up once for each message.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace plumbline::hw {

// A hash table that only grows: open addressing, so that most look-ups read one place.
class PairNumbers {
 public:
  static constexpr std::uint32_t kUnknown = 0xffff'ffff;

  // kUnknown: the pair has none.
  std::uint32_t find(std::uint32_t source, std::uint32_t target) const {
    return slots_[place_of(key_of(source, target))].number;
  }

  // Of a pair that has none.
  void add(std::uint32_t source, std::uint32_t target, std::uint32_t number) {
    if (++size_ * 2 > slots_.size()) grow();
    const std::uint64_t key = key_of(source, target);
    slots_[place_of(key)] = {key, number};
  }

 private:
  struct Slot {
    std::uint64_t key = 0;
    std::uint32_t number = kUnknown;
  };

  static std::uint64_t key_of(std::uint32_t source, std::uint32_t target) {
    return static_cast<std::uint64_t>(source) << 32 | target;
  }

  // Where the key is, or would be.
  std::size_t place_of(std::uint64_t key) const {
    std::size_t place = static_cast<std::size_t>(key * 0x9e37'79b9'7f4a'7c15ULL >> 32) & (slots_.size() - 1);
    while (slots_[place].number != kUnknown && slots_[place].key != key) place = (place + 1) & (slots_.size() - 1);
    return place;
  }

  void grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    for (const Slot& slot : old)
      if (slot.number != kUnknown) slots_[place_of(slot.key)] = slot;
  }

  std::vector<Slot> slots_ = std::vector<Slot>(64);  // a power of two, at most half of it in use
  std::size_t size_ = 0;
};

}  // namespace plumbline::hw
