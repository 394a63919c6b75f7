#pragma once
// Arithmetic on moments of which some may be damaged: 128 bits wide, then limited to what 64 bits hold.

#include <algorithm>
#include <cstdint>
#include <limits>

namespace plumbline::record {

__extension__ using Wide = __int128;

inline constexpr std::int64_t kPsPerNs = 1000;

// 53 days in ps: sums and differences of two such are within 64 bits.
inline constexpr std::int64_t kLimitPs = std::numeric_limits<std::int64_t>::max() / 2;

inline std::int64_t limited(Wide ps) { return static_cast<std::int64_t>(std::clamp<Wide>(ps, -kLimitPs, kLimitPs)); }

}  // namespace plumbline::record
