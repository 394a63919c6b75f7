#pragma once
// The services that the components of a network have been granted and that may not be over: what lies between what a
// component has been granted and what it has done. How they are used: docs/internals/store-and-forward.md, "Use".

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/units.hpp"

namespace plumbline::hw {

struct GrantedService {
  Time arrival;  // of the packet at the component; any later time up to that of the grant, where it was there before
  Time begin;
  Duration service;
  Bytes size;
  std::uint32_t pair_queue = 0;

  Time end() const { return begin + service; }
};

class GrantedServices {
 public:
  // `now`: no service that is over by then is asked for any more.
  void add(const GrantedService& granted, Time now) {
    if (count_ == services_.size()) make_room(now);
    services_[count_++] = granted;
  }

  // Those that end at `now` are kept.
  void forget_before(Time now) {
    const auto kept = std::remove_if(services_.begin(), services_.begin() + static_cast<std::ptrdiff_t>(count_),
                                     [&](const GrantedService& each) { return each.end() < now; });
    count_ = static_cast<std::size_t>(kept - services_.begin());
  }

  std::span<const GrantedService> all() const { return {services_.data(), count_}; }

 private:
  // So much that those that are not over, which are looked at each time, cost little.
  void make_room(Time now) {
    constexpr std::size_t kLeast = 1024;  // 40 KiB: in a second cache
    forget_before(now);
    if (services_.size() < std::max(kLeast, 2 * count_)) services_.resize(std::max(kLeast, 2 * services_.size()));
  }

  std::vector<GrantedService> services_;  // the first `count_`
  std::size_t count_ = 0;
};

}  // namespace plumbline::hw
