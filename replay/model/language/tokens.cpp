#include "replay/model/language/tokens.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <charconv>
#include <limits>
#include <optional>

#include "base/quantity.hpp"

namespace plumbline::replay::model {
namespace {

// Longer ones first.
constexpr std::array<std::string_view, 30> kSymbols = {"<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "{", "}",
                                                       "(",  ")",  ",",  "=",  "<",  ">",  "+",  "-",  "*", "/",
                                                       "%",  "!",  "~",  "&",  "|",  "^",  "?",  ":",  ";", "."};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool continues_name(char c) { return begins_name(c) || is_digit(c); }

std::optional<Value> number_of(std::string_view digits) {
  if (digits.find_first_not_of("0123456789") == digits.npos) {
    std::int64_t integer = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), integer);
    if (error == std::errc() && end == digits.data() + digits.size()) return Value::of(integer);
    return std::nullopt;
  }
  double real = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), real);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return Value::of(real);
}

// With a unit of time or of bytes.
std::optional<Value> quantity_of(std::string_view text) {
  if (const std::optional<Duration> time = parse_duration(text)) return Value::of_time(*time);
  const std::optional<Bytes> bytes = parse_bytes(text);
  constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
  if (!bytes || bytes->count > kMost) return std::nullopt;
  return Value::of(static_cast<std::int64_t>(bytes->count));
}

class Lexer {
 public:
  Lexer(Faults& faults, std::vector<Token>& tokens) : faults_(faults), tokens_(tokens) {}

  void line(const DirectiveLine& line) {
    text_ = line.text;
    begin_ = line.begin;
    at_ = 0;
    while (skip_space(), at_ < text_.size() && !text_.substr(at_).starts_with("//")) token();
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_])) != 0) ++at_;
  }

  Place place() const { return {begin_.line, begin_.column + static_cast<std::uint32_t>(at_)}; }

  void add(Token::Kind kind, std::size_t length, const Value& value = {}) {
    tokens_.push_back({kind, text_.substr(at_, length), place(), value});
    at_ += length;
  }

  std::size_t length_while(bool (*is_part)(char), std::size_t from) const {
    std::size_t end = from;
    while (end < text_.size() && is_part(text_[end])) ++end;
    return end;
  }

  void token() {
    const char c = text_[at_];
    if (begins_name(c)) return add(Token::Kind::kName, length_while(continues_name, at_) - at_);
    if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) return literal();
    if (c == '"' || c == '\'') return string(c);
    for (const std::string_view symbol : kSymbols)
      if (text_.substr(at_).starts_with(symbol)) return add(Token::Kind::kSymbol, symbol.size());
    faults_.add({place(), fmt::format("'{}' is no part of a directive", printable(c)), ""});
    ++at_;
  }

  static std::string printable(char c) {
    return std::isprint(static_cast<unsigned char>(c)) != 0
               ? std::string(1, c)
               : fmt::format("\\x{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
  }

  void literal() {
    std::size_t end = length_while([](char c) { return is_digit(c) || c == '.'; }, at_);
    if (const std::size_t exponent = exponent_end(end); exponent > end) end = exponent;
    const std::size_t unit_end = length_while(continues_name, end);
    const std::string_view text = text_.substr(at_, unit_end - at_);
    const std::optional<Value> value = unit_end == end ? number_of(text) : quantity_of(text);
    if (!value)
      faults_.add({place(),
                   unit_end == end ? fmt::format("'{}' is no number, or too large a one", text)
                                   : fmt::format("'{}' is no number with a unit of time or bytes", text),
                   "write 3.24ms or 64KiB"});
    add(Token::Kind::kLiteral, text.size(), value.value_or(Value{}));
  }

  // Of "e-3"; `from` where there is no exponent.
  std::size_t exponent_end(std::size_t from) const {
    if (from >= text_.size() || (text_[from] != 'e' && text_[from] != 'E')) return from;
    std::size_t digits = from + 1;
    if (digits < text_.size() && (text_[digits] == '+' || text_[digits] == '-')) ++digits;
    const std::size_t end = length_while(is_digit, digits);
    return end > digits ? end : from;
  }

  void string(char quote) {
    const Place opening = place();
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == text_.npos) {
      faults_.add({opening, "a quote is not closed", ""});
      at_ = text_.size();
      return;
    }
    tokens_.push_back({Token::Kind::kString, text_.substr(at_ + 1, end - at_ - 1), opening, {}});
    at_ = end + 1;
  }

  Faults& faults_;
  std::vector<Token>& tokens_;
  std::string_view text_;
  Place begin_;
  std::size_t at_ = 0;
};

}  // namespace

Place place_at(const std::vector<Token>& tokens, std::size_t at) {
  const bool ends = tokens[at].kind == Token::Kind::kBegin || tokens[at].kind == Token::Kind::kEnd;
  return tokens[ends && at > 0 ? at - 1 : at].place;
}

std::vector<Token> tokens_of(const std::vector<DirectiveLine>& lines, Faults& faults) {
  std::vector<Token> tokens;
  Lexer lexer(faults, tokens);
  Place last;
  for (const DirectiveLine& line : lines) {
    if (!line.continues)
      tokens.push_back({Token::Kind::kBegin, line.text, line.begin, {}});
    else if (tokens.empty())
      faults.add({line.begin, "continues no directive", "an & goes on with the directive of the line before"});
    lexer.line(line);
    last = line.begin;
  }
  tokens.push_back({Token::Kind::kEnd, {}, last, {}});
  return tokens;
}

}  // namespace plumbline::replay::model
