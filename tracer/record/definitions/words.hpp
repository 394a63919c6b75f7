#pragma once
// The payload of a spool record, read by word and half word. A word that a damaged record lacks is nothing.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace plumbline::record {

class Words {
 public:
  explicit Words(std::span<const std::uint64_t> words) : words_(words) {}

  std::size_t size() const { return words_.size(); }
  bool has(std::size_t count) const { return words_.size() >= count; }
  std::uint64_t operator[](std::size_t i) const { return i < words_.size() ? words_[i] : 0; }
  std::int64_t i64(std::size_t i) const { return static_cast<std::int64_t>((*this)[i]); }
  std::uint32_t low(std::size_t i) const { return static_cast<std::uint32_t>((*this)[i]); }
  std::uint32_t high(std::size_t i) const { return static_cast<std::uint32_t>((*this)[i] >> 32); }
  std::int32_t low_signed(std::size_t i) const { return static_cast<std::int32_t>(low(i)); }
  std::int32_t high_signed(std::size_t i) const { return static_cast<std::int32_t>(high(i)); }

  // The i-th of numbers that lie two to a word, from word `first` on.
  std::uint32_t half(std::size_t first, std::size_t i) const {
    return i % 2 == 0 ? low(first + i / 2) : high(first + i / 2);
  }

  // A zero-padded text from word `first` to the end.
  std::string text(std::size_t first) const {
    if (first >= words_.size()) return {};
    const std::string_view bytes(reinterpret_cast<const char*>(words_.data() + first), (words_.size() - first) * 8);
    return std::string(bytes.substr(0, bytes.find('\0')));
  }

 private:
  std::span<const std::uint64_t> words_;
};

}  // namespace plumbline::record
