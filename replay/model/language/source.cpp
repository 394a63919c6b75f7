#include "replay/model/language/source.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <string>

namespace plumbline::replay::model {
namespace {

constexpr std::string_view kMarker = "PEVPM", kSpace = " \t\r\f\v";

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Position of the first character from `at` on that is no space; the size of the line where there is none.
std::size_t skip_space(std::string_view line, std::size_t at) {
  return std::min(line.find_first_not_of(kSpace, at), line.size());
}

bool is_marker(std::string_view line, std::size_t at) {
  if (!line.substr(std::min(at, line.size())).starts_with(kMarker)) return false;
  const std::size_t behind = at + kMarker.size();
  return behind == line.size() || !is_of_word(line[behind]);
}

bool opens_comment(std::string_view before) {
  constexpr std::array<std::string_view, 3> kOpening = {"//", "/*", "!"};
  const std::size_t last = before.find_last_not_of(kSpace);
  if (last == before.npos) return false;
  const std::string_view upto = before.substr(0, last + 1);
  const bool opens = std::ranges::any_of(kOpening, [&](std::string_view word) { return upto.ends_with(word); });
  return opens && std::ranges::count(upto, '"') % 2 == 0;
}

// Of the marker; nothing where the line is no directive.
std::optional<std::size_t> marker_of(std::string_view line) {
  const std::size_t first = skip_space(line, 0);
  if (is_marker(line, first)) return first;
  const bool is_fixed_form = !line.empty() && (line[0] == 'C' || line[0] == 'c');
  const bool is_in_comment = first < line.size() && line[first] == '*';
  if (is_fixed_form || is_in_comment)
    if (const std::size_t at = skip_space(line, first + 1); at > first + 1 && is_marker(line, at)) return at;
  for (std::size_t at = line.find(kMarker); at != line.npos; at = line.find(kMarker, at + 1))
    if (is_marker(line, at) && opens_comment(line.substr(0, at))) return at;
  return std::nullopt;
}

// From `at` on, up to the end of the comment.
DirectiveLine directive_at(std::string_view line, std::uint32_t number, std::size_t at) {
  std::size_t begin = skip_space(line, at);
  DirectiveLine directive;
  if (begin < line.size() && line[begin] == '&') {
    directive.continues = true;
    begin = skip_space(line, begin + 1);
  }
  const std::size_t end = std::min(line.find("*/", begin), line.size());
  directive.text = line.substr(begin, end - begin);
  directive.begin = {number, static_cast<std::uint32_t>(begin + 1)};
  return directive;
}

bool is_comment(std::string_view line) {
  const std::string_view text = line.substr(skip_space(line, 0));
  return text.empty() || text.starts_with("//") || text.starts_with('!') || text.starts_with('#');
}

// What a file of directives alone begins with.
bool begins_directive(std::string_view text) {
  constexpr std::array<std::string_view, 7> kDirectives = {"loop",  "runon",    "message", "serial",
                                                           "delay", "constant", "property"};
  std::string word;
  for (std::size_t i = 0; i < text.size() && is_of_word(text[i]); ++i)
    word += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  return std::ranges::find(kDirectives, word) != kDirectives.end();
}

template <class Visit>
void for_each_line(std::string_view text, Visit visit) {
  std::uint32_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    visit(text.substr(begin, end - begin), ++number);
    begin = end + 1;
  }
}

}  // namespace

std::vector<DirectiveLine> directive_lines(std::string_view text) {
  std::vector<DirectiveLine> lines;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (const std::optional<std::size_t> marker = marker_of(line))
      lines.push_back(directive_at(line, number, *marker + kMarker.size()));
  });
  if (!lines.empty()) return lines;
  for_each_line(text, [&](std::string_view line, std::uint32_t number) {
    if (!is_comment(line)) lines.push_back(directive_at(line, number, 0));
  });
  if (!lines.empty() && !begins_directive(lines.front().text)) lines.clear();
  return lines;
}

}  // namespace plumbline::replay::model
