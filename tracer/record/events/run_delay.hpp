#pragma once
// How long a thread has waited for a CPU before its next call, from readings of its run delay after long gaps.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "base/units.hpp"

namespace plumbline::record {

class RunDelay {
 public:
  // A reading: ns since the thread began. What was waited since the last one counts, but not more than `most`, the gaps
  // that it was read after. The first one is the base line.
  void read(std::uint64_t ns, Duration most) {
    if (latest_ && ns > *latest_) {
      const auto waited = static_cast<std::int64_t>(std::min<std::uint64_t>(ns - *latest_, kLongestNs));
      pending_ += std::min(nanoseconds(waited), most);
    }
    latest_ = ns;
  }

  // What has come together since it was taken last.
  Duration take() { return std::exchange(pending_, Duration{}); }

 private:
  static constexpr std::uint64_t kLongestNs = 1'000'000'000'000'000;  // more is damage; ps of it are within 64 bits

  std::optional<std::uint64_t> latest_;
  Duration pending_;
};

}  // namespace plumbline::record
