#include "base/node/text.hpp"

#include <algorithm>
#include <charconv>
#include <tuple>

namespace plumbline::node {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\f\v";

// The text before the number at the end, and the number; names without one come first.
std::tuple<std::string_view, std::uint64_t, std::string_view> natural_key(const std::string& name) {
  const std::size_t last = name.find_last_not_of("0123456789");
  const std::size_t digits = last == std::string::npos ? 0 : last + 1;
  const std::string_view whole = name;
  return {whole.substr(0, digits), number_of(whole.substr(digits)).value_or(0), whole};
}

}  // namespace

std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(kBlanks), line.size()));
  const std::string_view word = line.substr(0, std::min(line.find_first_of(kBlanks), line.size()));
  line.remove_prefix(word.size());
  return word;
}

std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) words.push_back(word);
  return words;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlanks) - begin + 1);
}

std::optional<std::uint64_t> number_of(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, fault] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (fault != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return value;
}

std::string_view chosen_of(std::string_view text) {
  const std::size_t open = text.find('['), close = text.find(']', std::min(open, text.size()));
  if (close == std::string_view::npos) return trimmed(text);
  return text.substr(open + 1, close - open - 1);
}

std::string as_part(std::string_view text) {
  std::string part(trimmed(text));
  std::ranges::replace_if(
      part, [](char c) { return c == '.' || kBlanks.find(c) != std::string_view::npos; }, '-');
  return part;
}

void sort_naturally(std::vector<std::string>& names) { std::ranges::sort(names, {}, natural_key); }

}  // namespace plumbline::node
