#include <algorithm>
#include <cctype>

#include "viewer/index/filter/filter.hpp"

namespace plumbline::viewer {
namespace {

char lower(char c) { return static_cast<char>(std::tolower(static_cast<unsigned char>(c))); }

bool has_part(std::string_view text, std::string_view part) {
  return !std::ranges::search(text, part, {}, lower, lower).empty() || part.empty();
}

bool fits(const FieldTest& test, std::string_view text) {
  return (test.part ? has_part(text, test.text) : text == test.text) != test.negated;
}

// One entry for each index below `count`, and one more for none.
template <class TextOf>
std::vector<std::uint8_t> table_of(const FieldTest& test, std::uint32_t count, TextOf text_of) {
  std::vector<std::uint8_t> table;
  for (std::uint32_t i = 0; i < count; ++i) table.push_back(fits(test, text_of(i)) ? 1 : 0);
  table.push_back(fits(test, {}) ? 1 : 0);
  return table;
}

CompiledTest compiled(const replay::Program& program, const FieldTest& test) {
  CompiledTest result{test.field, {}, test.ranges};
  switch (test.field) {
    case Field::kCall:
      result.table =
          table_of(test, program.calls(), [&](std::uint32_t i) { return program.call(static_cast<std::uint16_t>(i)); });
      break;
    case Field::kSite:
      result.table = table_of(test, program.sites(), [&](std::uint32_t i) { return program.site(i); });
      break;
    case Field::kFile:
      result.table = table_of(test, program.files(), [&](std::uint32_t i) { return program.file(i); });
      break;
    case Field::kNode:
      result.table = table_of(test, program.nodes(), [&](std::uint32_t i) { return program.node(i); });
      break;
    default:
      break;
  }
  return result;
}

}  // namespace

Filter compile(const Runs& runs, const Expression& expression) {
  Filter filter{&runs, facts_of_calls(runs.observed), expression.nodes, {}};
  for (const FieldTest& test : expression.tests) filter.tests.push_back(compiled(runs.observed, test));
  return filter;
}

}  // namespace plumbline::viewer
