#include "base/text/text_table.hpp"

#include <algorithm>
#include <array>

#include "base/check.hpp"

namespace plumbline {
namespace {

constexpr std::size_t kGap = 2;

bool starts_code_point(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// The first `count` code points from the front, or the last ones.
std::string_view front(std::string_view text, std::size_t count) {
  std::size_t end = 0;
  for (; end < text.size(); ++end)
    if (starts_code_point(text[end]) && count-- == 0) break;
  return text.substr(0, end);
}

std::string_view back(std::string_view text, std::size_t count) {
  std::size_t begin = text.size();
  while (begin > 0 && count > 0)
    if (starts_code_point(text[--begin])) --count;
  return text.substr(begin);
}

std::string padded(const std::string& text, std::size_t width, TextTable::Align align) {
  const std::string blanks(width - std::min(width, display_width(text)), ' ');
  return align == TextTable::Align::kLeft ? text + blanks : blanks + text;
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_unit(std::string_view word) {
  constexpr std::array<std::string_view, 17> kUnits{"%", "s",  "ms", "us", "ns", "ps",  "min", "h",  "d",
                                                    "B", "kB", "MB", "GB", "TB", "KiB", "MiB", "GiB"};
  word = word.substr(0, word.find_last_not_of(".,;:)") + 1);
  if (word.ends_with("/s")) word.remove_suffix(2);
  return std::ranges::find(kUnits, word) != kUnits.end();
}

// Length of the first word; a number and its unit are one.
std::size_t first_word(std::string_view text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  if (end == 0 || end == text.size() || !is_digit(text[end - 1])) return end;
  const std::size_t next = std::min(text.find(' ', end + 1), text.size());
  return is_unit(text.substr(end + 1, next - end - 1)) ? next : end;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(text, starts_code_point));
}

std::string shortened(std::string_view text, std::size_t width) {
  if (display_width(text) <= width) return std::string(text);
  const std::size_t kept = width - 2;
  return std::string(front(text, kept - kept / 2)) + ".." + std::string(back(text, kept / 2));
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = indent;
  bool first = true;
  while (!text.empty()) {
    const std::size_t end = first_word(text);
    const std::string_view word = text.substr(0, end);
    const std::size_t length = display_width(word);
    if (!first && column + 1 + length > width) {
      out += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!first) {
      out += ' ';
      ++column;
    }
    out += word;
    column += length;
    first = false;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

void TextTable::add(std::vector<std::string> cells, std::string below) {
  PLUMBLINE_CHECK(cells.size() == columns_.size(), "one cell per column");
  rows_.push_back({std::move(cells), std::move(below)});
}

std::vector<std::string> TextTable::lines() const {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    widths.push_back(display_width(columns_[i].title));
    for (const TableRow& row : rows_) widths[i] = std::max(widths[i], display_width(row.cells[i]));
  }
  const auto line_of = [&](auto&& cell) {
    std::string line;
    for (std::size_t i = 0; i < columns_.size(); ++i)
      line += (i == 0 ? "" : std::string(kGap, ' ')) + padded(cell(i), widths[i], columns_[i].align);
    line.erase(line.find_last_not_of(' ') + 1);
    return line;
  };
  std::vector<std::string> lines{line_of([&](std::size_t i) { return columns_[i].title; })};
  for (const TableRow& row : rows_) {
    lines.push_back(line_of([&](std::size_t i) { return row.cells[i]; }));
    if (!row.below.empty()) lines.back() += "\n    " + row.below;
  }
  return lines;
}

std::string aligned(const std::vector<std::vector<std::string>>& rows) {
  if (rows.empty()) return {};
  std::vector<TextTable::Column> columns;
  for (const std::string& title : rows.front()) columns.push_back({title});
  columns.back().align = TextTable::Align::kLeft;
  TextTable table(std::move(columns));
  for (std::size_t i = 1; i < rows.size(); ++i) table.add(rows[i]);
  std::string text;
  for (const std::string& line : table.lines()) text += line.empty() ? "\n" : "  " + line + "\n";
  return text;
}

}  // namespace plumbline
