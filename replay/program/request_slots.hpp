#pragma once
// Dense numbers for outstanding requests, used again after completion; the last one given back is given out first.

#include <cstdint>
#include <vector>

namespace plumbline::replay {

class RequestSlots {
 public:
  std::uint32_t take() {
    if (free_.empty()) return count_++;
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    return slot;
  }
  std::uint32_t take_unused() { return count_++; }  // one that nobody has had before
  void give_back(std::uint32_t slot) { free_.push_back(slot); }
  std::uint32_t count() const { return count_; }

 private:
  std::vector<std::uint32_t> free_;
  std::uint32_t count_ = 0;
};

}  // namespace plumbline::replay
