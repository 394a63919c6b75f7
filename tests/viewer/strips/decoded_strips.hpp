#pragma once
// A batch of strips, read by what docs/reference/viewer-api.md says and nothing else.

#include <cstdint>
#include <string_view>
#include <vector>

namespace plumbline::viewer {

struct DecodedBox {
  std::uint32_t operation = 0, rank = 0;
  std::uint8_t kind = 0, marks = 0;
  std::uint16_t call = 0;
  std::int64_t begin_ps = 0, observed_ps = 0;
  std::int8_t own = 0, inherited = 0;
};

struct DecodedStrip {
  std::uint32_t lane = 0, x = 0, worst_operation = 0;
  std::string_view kind, busy, count, own, inherited, marks;  // 512 bytes each
  std::vector<DecodedBox> boxes;
};

struct DecodedBatch {
  std::uint64_t key = 0;
  unsigned level = 0, source = 0, flags = 0;
  std::vector<DecodedStrip> strips;
};

// Fails the test where the bytes are not as documented. `body` must outlive the result.
DecodedBatch decoded(std::string_view body);

}  // namespace plumbline::viewer
