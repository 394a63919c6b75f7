#pragma once
// One statement of the text form as a row of words, taken from the front; every complaint is located.

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"

namespace plumbline::replay {

struct TextWord {
  std::string text;
  bool quoted = false;
};

class TextLine {
 public:
  TextLine(std::string where, std::vector<TextWord> words) : where_(std::move(where)), words_(std::move(words)) {}

  bool empty() const { return next_ >= words_.size(); }
  // The next word, unquoted, without taking it; "" at the end and for words in quotes.
  std::string_view peek() const { return empty() || words_[next_].quoted ? std::string_view() : words_[next_].text; }
  bool take_if(std::string_view word);
  std::string take(std::string_view what);  // any word; `what` names it when it is missing
  void expect(std::string_view word);

  std::uint64_t number(std::string_view what);
  std::int64_t integer(std::string_view what);
  std::uint32_t index(std::string_view what);  // below 2^32 - 1
  std::int32_t rank_or_none();                 // "none": -1
  std::uint64_t bytes();                       // "1024B", "64KiB"
  Duration duration(std::string_view text) const;
  std::vector<std::uint32_t> ranks();                         // "0 1 4-7", up to the first word that is no range
  std::vector<std::uint64_t> numbers(std::string_view what);  // "8,16,8"

  void expect_end() const;
  [[noreturn]] void fail(std::string_view what, std::string_view hint = {}) const;
  const std::string& where() const { return where_; }

 private:
  std::string where_;
  std::vector<TextWord> words_;
  std::size_t next_ = 0;
};

// Statements of the text: lines, and parts of lines between semicolons; comments and blank ones left out.
std::vector<TextLine> text_lines(const std::string& text, const std::string& name);

}  // namespace plumbline::replay
