#pragma once
// The wire format of protocol buffers (https://protobuf.dev/programming-guides/encoding), as far as Perfetto needs it.
// A message is its bytes; one inside another is put like a text.

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::viewer::proto {

inline void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

namespace wire {
inline constexpr std::uint32_t kVarint = 0, kFixed64 = 1, kLength = 2;
inline void put_key(std::string& to, std::uint32_t field, std::uint32_t type) { put_varint(to, field << 3 | type); }
}  // namespace wire

// uint32, uint64, enum; int64 too, whose negative values are those of two's complement.
inline void put_number(std::string& to, std::uint32_t field, std::uint64_t value) {
  wire::put_key(to, field, wire::kVarint);
  put_varint(to, value);
}

inline void put_signed(std::string& to, std::uint32_t field, std::int64_t value) {
  put_number(to, field, static_cast<std::uint64_t>(value));
}

inline void put_fixed64(std::string& to, std::uint32_t field, std::uint64_t value) {
  wire::put_key(to, field, wire::kFixed64);
  for (int byte = 0; byte < 8; ++byte) to += static_cast<char>(value >> (8 * byte));
}

inline void put_text(std::string& to, std::uint32_t field, std::string_view text) {
  wire::put_key(to, field, wire::kLength);
  put_varint(to, text.size());
  to += text;
}

}  // namespace plumbline::viewer::proto
