#pragma once
// Text, elements and tables of a page that is HTML and well-formed XML alike. Whatever is given as text is escaped
// here; what is given as `markup` has been already.

#include <string>
#include <string_view>
#include <vector>

#include "base/text/xml_text.hpp"

namespace plumbline::viewer {

// <tag>text</tag>, and with attributes ('class="x"', which are not escaped).
std::string element(std::string_view tag, std::string_view text, std::string_view attributes = {});
std::string wrap(std::string_view tag, std::string_view markup, std::string_view attributes = {});

// <section> with a heading, of the second level; "" where the markup is empty.
std::string section(std::string_view id, std::string_view heading, std::string_view markup);

struct Cell {
  std::string markup;
  bool number = false;  // aligned to the right
};
Cell text_cell(std::string_view text);
Cell number_cell(std::string_view text);

class Table {
 public:
  explicit Table(std::vector<Cell> titles) : titles_(std::move(titles)) {}
  void add(std::vector<Cell> cells) { rows_.push_back(std::move(cells)); }
  bool empty() const { return rows_.empty(); }
  std::string markup() const;  // "" without rows

 private:
  std::vector<Cell> titles_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace plumbline::viewer
