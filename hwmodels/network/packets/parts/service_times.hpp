#pragma once
// How long packets take at one rate. Most have one of few sizes, and a division costs more than to look.

#include <array>
#include <cstdint>

#include "base/units.hpp"

namespace plumbline::hw {

class ServiceTimes {
 public:
  explicit ServiceTimes(BytesPerSecond rate) : rate_(rate) {}

  BytesPerSecond rate() const { return rate_; }

  [[gnu::always_inline]] Duration of(Bytes size) {
    Known& known = known_[(size.count ^ size.count >> 4 ^ size.count >> 9) % known_.size()];
    if (known.size != size) [[unlikely]]
      learn(known, size);
    return known.time;
  }

 private:
  struct Known {
    Bytes size;  // no bytes take no time
    Duration time;
  };

  [[gnu::noinline]] void learn(Known& known, Bytes size) const { known = {size, transfer_time(size, rate_)}; }

  BytesPerSecond rate_;
  std::array<Known, 16> known_;
};

}  // namespace plumbline::hw
