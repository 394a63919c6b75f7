#pragma once
// How Open MPI cuts a buffer into segments (COLL_BASE_COMPUTED_SEGCOUNT).

#include <vector>

#include "replay/collectives/schedules/types.hpp"

namespace plumbline::replay::collectives::schedules {

// Elements of a whole segment of about `segment_bytes`; all `count` where that is 0, less than an element or not less
// than the buffer.
inline std::uint64_t segment_count(std::uint64_t segment_bytes, std::uint64_t count, std::uint64_t type_bytes) {
  if (segment_bytes < type_bytes || segment_bytes >= type_bytes * count || type_bytes == 0) return count;
  const std::uint64_t whole = segment_bytes / type_bytes;
  return segment_bytes - whole * type_bytes > type_bytes / 2 ? whole + 1 : whole;
}

// Bytes of each segment of `count` elements, `per_segment` elements in all but the last.
inline std::vector<std::uint64_t> segments_of(std::uint64_t count, std::uint64_t per_segment,
                                              std::uint64_t type_bytes) {
  std::vector<std::uint64_t> bytes;
  for (std::uint64_t done = 0; done < count; done += per_segment)
    bytes.push_back((count - done < per_segment ? count - done : per_segment) * type_bytes);
  return bytes;
}

inline std::vector<std::uint64_t> segments_of(const Call& call, std::uint64_t segment_bytes) {
  return segments_of(call.count, segment_count(segment_bytes, call.count, call.type_bytes), call.type_bytes);
}

}  // namespace plumbline::replay::collectives::schedules
