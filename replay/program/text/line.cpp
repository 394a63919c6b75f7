#include "replay/program/text/line.hpp"

#include <fmt/format.h>

#include "base/quantity.hpp"

namespace plumbline::replay {
namespace {

template <class T>
std::optional<T> parse_number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

constexpr std::uint32_t kMostRanks = 1U << 24;

}  // namespace

void TextLine::fail(std::string_view what, std::string_view hint) const {
  throw Error(where_, std::string(what), std::string(hint));
}

bool TextLine::take_if(std::string_view word) {
  if (word.empty() || peek() != word) return false;
  ++next_;
  return true;
}

std::string TextLine::take(std::string_view what) {
  if (empty()) fail(fmt::format("{} is missing", what));
  return words_[next_++].text;
}

void TextLine::expect(std::string_view word) {
  if (!take_if(word))
    fail(fmt::format("'{}' expected before '{}'", word, empty() ? "end of line" : words_[next_].text));
}

std::uint64_t TextLine::number(std::string_view what) {
  const std::string word = take(what);
  const std::optional<std::uint64_t> value = parse_number<std::uint64_t>(word);
  if (!value) fail(fmt::format("'{}' is not a number ({})", word, what));
  return *value;
}

std::int64_t TextLine::integer(std::string_view what) {
  const std::string word = take(what);
  const std::optional<std::int64_t> value = parse_number<std::int64_t>(word);
  if (!value) fail(fmt::format("'{}' is not a whole number ({})", word, what));
  return *value;
}

std::uint32_t TextLine::index(std::string_view what) {
  const std::uint64_t value = number(what);
  if (value >= 0xffffffff) fail(fmt::format("{} is not that large ({})", value, what));
  return static_cast<std::uint32_t>(value);
}

std::int32_t TextLine::rank_or_none() {
  if (take_if("none")) return -1;
  const std::uint32_t rank = index("rank");
  if (rank >= kMostRanks) fail(fmt::format("no rank is {}", rank));
  return static_cast<std::int32_t>(rank);
}

std::uint64_t TextLine::bytes() {
  const std::string word = take("number of bytes");
  if (const std::optional<Bytes> bytes = parse_bytes(word)) return bytes->count;
  // Beyond what a quantity in floating point keeps.
  if (word.ends_with('B'))
    if (const auto count = parse_number<std::uint64_t>(std::string_view(word).substr(0, word.size() - 1)))
      return *count;
  fail(fmt::format("'{}' is not a number of bytes", word), "write 1024B or 64KiB");
}

Duration TextLine::duration(std::string_view text) const {
  const std::optional<Duration> duration = parse_duration(text);
  if (!duration) fail(fmt::format("'{}' is not a time", text), "write 12us or 1.5ms");
  return *duration;
}

std::vector<std::uint32_t> TextLine::ranks() {
  std::vector<std::uint32_t> ranks;
  while (!peek().empty() && peek().find_first_not_of("0123456789-") == std::string_view::npos) {
    const std::string word = take("ranks");
    const std::size_t dash = word.find('-');
    const std::optional<std::uint32_t> first = parse_number<std::uint32_t>(std::string_view(word).substr(0, dash));
    const std::optional<std::uint32_t> last =
        dash == std::string::npos ? first : parse_number<std::uint32_t>(std::string_view(word).substr(dash + 1));
    if (!first || !last || *last < *first || *last >= kMostRanks) fail(fmt::format("'{}' is no range of ranks", word));
    for (std::uint32_t rank = *first; rank <= *last; ++rank) ranks.push_back(rank);
  }
  return ranks;
}

std::vector<std::uint64_t> TextLine::numbers(std::string_view what) {
  const std::string word = take(what);
  std::vector<std::uint64_t> numbers;
  for (std::size_t begin = 0; begin <= word.size();) {
    const std::size_t end = std::min(word.find(',', begin), word.size());
    const auto value = parse_number<std::uint64_t>(std::string_view(word).substr(begin, end - begin));
    if (!value) fail(fmt::format("'{}' is no list of numbers ({})", word, what), "write 8,16,8");
    numbers.push_back(*value);
    begin = end + 1;
  }
  return numbers;
}

void TextLine::expect_end() const {
  if (!empty()) fail(fmt::format("'{}' is not understood here", words_[next_].text));
}

namespace {

class Splitter {
 public:
  Splitter(const std::string& text, const std::string& name) : text_(text), name_(name) {}

  std::vector<TextLine> run() {
    while (position_ < text_.size()) step();
    end_statement();
    return std::move(lines_);
  }

 private:
  std::string where() const { return fmt::format("{}:{}", name_, line_); }

  void end_statement() {
    if (!words_.empty()) lines_.emplace_back(where(), std::move(words_));
    words_.clear();
  }

  void step() {
    const char c = text_[position_];
    if (c == '\n') {
      end_statement();
      ++line_;
      ++position_;
    } else if (c == ';') {
      end_statement();
      ++position_;
    } else if (c == '#') {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else if (c == '"') {
      words_.push_back({quoted(), true});
    } else if (c == ' ' || c == '\t' || c == '\r') {
      ++position_;
    } else {
      const std::size_t end = std::min(text_.find_first_of(" \t\r\n;#\"", position_), text_.size());
      words_.push_back({text_.substr(position_, end - position_), false});
      position_ = end;
    }
  }

  std::string quoted() {
    std::string out;
    for (++position_; position_ < text_.size() && text_[position_] != '\n'; ++position_) {
      const char c = text_[position_];
      if (c == '"') {
        ++position_;
        return out;
      }
      if (c == '\\' && position_ + 1 < text_.size()) {
        const char escaped = text_[++position_];
        out += escaped == 'n' ? '\n' : escaped;
      } else {
        out += c;
      }
    }
    throw Error(where(), "a quotation has no end", "close it with \" on the same line");
  }

  const std::string& text_;
  const std::string& name_;
  std::size_t position_ = 0;
  int line_ = 1;
  std::vector<TextWord> words_;
  std::vector<TextLine> lines_;
};

}  // namespace

std::vector<TextLine> text_lines(const std::string& text, const std::string& name) {
  return Splitter(text, name).run();
}

}  // namespace plumbline::replay
