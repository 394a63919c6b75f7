#include "decoded_strips.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace plumbline::viewer {
namespace {

class Reader {
 public:
  explicit Reader(std::string_view bytes) : bytes_(bytes) {}

  std::uint64_t number(std::size_t at, std::size_t bytes) const {
    if (at + bytes > bytes_.size()) throw std::out_of_range("behind the end of the batch");
    std::uint64_t value = 0;
    for (std::size_t i = bytes; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  std::uint32_t u32(std::size_t at) const { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint16_t u16(std::size_t at) const { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint8_t u8(std::size_t at) const { return static_cast<std::uint8_t>(number(at, 1)); }
  std::string_view plane(std::size_t at) const {
    number(at + 511, 1);
    return bytes_.substr(at, 512);
  }

 private:
  std::string_view bytes_;
};

DecodedBox box(const Reader& read, std::size_t at) {
  EXPECT_EQ(read.u16(at + 30), 0);
  return {.operation = read.u32(at),
          .rank = read.u16(at + 26) + 65536U * read.u16(at + 28),
          .kind = read.u8(at + 4),
          .marks = read.u8(at + 5),
          .call = read.u16(at + 6),
          .begin_ps = static_cast<std::int64_t>(read.number(at + 8, 8)),
          .observed_ps = static_cast<std::int64_t>(read.number(at + 16, 8)),
          .own = static_cast<std::int8_t>(read.u8(at + 24)),
          .inherited = static_cast<std::int8_t>(read.u8(at + 25))};
}

DecodedStrip strip(const Reader& read, std::size_t entry) {
  const std::size_t at = read.u32(entry + 8), boxes = read.u32(entry + 16);
  EXPECT_EQ(read.u32(entry + 12), 6 * 512 + boxes * 32);
  DecodedStrip strip{.lane = read.u32(entry),
                     .x = read.u32(entry + 4),
                     .worst_operation = read.u32(entry + 20),
                     .kind = read.plane(at),
                     .busy = read.plane(at + 512),
                     .count = read.plane(at + 1024),
                     .own = read.plane(at + 1536),
                     .inherited = read.plane(at + 2048),
                     .marks = read.plane(at + 2560),
                     .boxes = {}};
  for (std::size_t i = 0; i < boxes; ++i) strip.boxes.push_back(box(read, at + 3072 + i * 32));
  return strip;
}

}  // namespace

DecodedBatch decoded(std::string_view body) {
  const Reader read(body);
  EXPECT_EQ(body.substr(0, 4), "PLST");
  EXPECT_EQ(read.u16(4), 1);
  EXPECT_EQ(read.u16(6), 32);
  EXPECT_EQ(read.u8(17), 9);
  EXPECT_EQ(read.number(24, 8), 0U);
  DecodedBatch batch{
      .key = read.number(8, 8), .level = read.u8(16), .source = read.u8(18), .flags = read.u8(19), .strips = {}};
  for (std::size_t i = 0; i < read.u32(20); ++i) batch.strips.push_back(strip(read, 32 + i * 24));
  return batch;
}

}  // namespace plumbline::viewer
