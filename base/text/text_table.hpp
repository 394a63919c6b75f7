#pragma once
// Columns of text that line up in a terminal, and paragraphs that fit into it. Text is UTF-8.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline {

// Columns that a text takes on a terminal: one per code point.
std::size_t display_width(std::string_view text);

// At most `width` columns; what is cut is the middle, and shown as "..".
std::string shortened(std::string_view text, std::size_t width);

// Words in lines of at most `width` columns; every line but the first starts with `indent` blanks, the first does not.
// A word that is longer than a line stays whole, and so do a number and its unit.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

class TextTable {
 public:
  enum class Align { kLeft, kRight };
  struct Column {
    std::string title;
    Align align = Align::kRight;
  };

  explicit TextTable(std::vector<Column> columns) : columns_(std::move(columns)) {}
  // One cell per column; `below` is printed on a line of its own, indented, when it is not empty.
  void add(std::vector<std::string> cells, std::string below = {});
  // Lines of the table without trailing blanks; the first is the titles, then each row as one string (with `below`).
  std::vector<std::string> lines() const;

 private:
  struct TableRow {
    std::vector<std::string> cells;
    std::string below;
  };
  std::vector<Column> columns_;
  std::vector<TableRow> rows_;
};

// A line for each row, indented by two blanks: the last column to the left, the others to the right. Rows have as many
// cells as the first, whose cells are the titles; "" without rows.
std::string aligned(const std::vector<std::vector<std::string>>& rows);

}  // namespace plumbline
