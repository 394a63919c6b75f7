#include "viewer/report/html.hpp"

#include <fmt/format.h>

namespace plumbline::viewer {

std::string wrap(std::string_view tag, std::string_view markup, std::string_view attributes) {
  return fmt::format("<{}{}{}>{}</{}>", tag, attributes.empty() ? "" : " ", attributes, markup, tag);
}

std::string element(std::string_view tag, std::string_view text, std::string_view attributes) {
  return wrap(tag, escaped(text), attributes);
}

std::string section(std::string_view id, std::string_view heading, std::string_view markup) {
  if (markup.empty()) return {};
  return fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n{}</section>\n", id, escaped(heading), markup);
}

Cell text_cell(std::string_view text) { return {escaped(text)}; }
Cell number_cell(std::string_view text) { return {escaped(text), true}; }

std::string Table::markup() const {
  if (rows_.empty()) return {};
  const auto line = [](const std::vector<Cell>& cells, std::string_view tag) {
    std::string text = "<tr>";
    for (const Cell& cell : cells) text += wrap(tag, cell.markup, cell.number ? "class=\"number\"" : "");
    return text + "</tr>\n";
  };
  std::string text = "<div class=\"wide\"><table>\n<thead>" + line(titles_, "th") + "</thead>\n<tbody>\n";
  for (const std::vector<Cell>& row : rows_) text += line(row, "td");
  return text + "</tbody></table></div>\n";
}

}  // namespace plumbline::viewer
