#pragma once
// Text and bytes on their way into a stream, collected to large pieces.

#include <charconv>
#include <concepts>
#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

namespace plumbline::viewer {

class Output {
 public:
  // `name`: of what is written, for errors.
  Output(std::ostream& to, std::string name) : to_(to), name_(std::move(name)) { buffer_.reserve(kPiece + kPiece / 4); }

  void add(std::string_view text) {
    buffer_ += text;
    if (buffer_.size() >= kPiece) flush();
  }
  void add(char character) {
    buffer_ += character;
    if (character == '\n' && buffer_.size() >= kPiece) flush();
  }
  template <std::integral Number>
  void number(Number value) {
    char digits[24];
    buffer_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
  }

  // Error when what was added cannot be written. To be called at the end: without it the last piece is lost.
  void flush();

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  std::ostream& to_;
  std::string name_;
  std::string buffer_;
};

}  // namespace plumbline::viewer
