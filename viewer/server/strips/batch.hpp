#pragma once
// The bytes of a batch of strips (docs/reference/viewer-api.md, strips).

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

struct Box {
  std::uint32_t operation = 0;
  std::uint8_t kind = 0, marks = 0;
  std::uint16_t call = 0;
  Duration begin, observed;  // begin: from that of the run
  std::int8_t own = 0, inherited = 0;
  std::uint32_t rank = 0;
};

class StripBatch {
 public:
  // Room for so many strips, all of which have to be added.
  StripBatch(std::uint64_t key, unsigned level, std::uint8_t source, std::uint32_t strips);

  void add(std::uint32_t lane, std::uint32_t x, const Strip& strip, std::span<const Box> boxes);
  void set_damaged() { flags_ |= 1; }
  void set_truncated() { flags_ |= 2; }
  std::string finish();

 private:
  std::string bytes_;
  std::uint32_t added_ = 0;
  const std::uint32_t strips_;
  std::uint8_t flags_ = 0;
};

}  // namespace plumbline::viewer
