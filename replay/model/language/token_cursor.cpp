#include "replay/model/language/token_cursor.hpp"

#include <fmt/format.h>

#include <utility>

namespace plumbline::replay::model {

std::string_view TokenCursor::attribute_name() {
  if (!is_name()) throw Fault{token().place, fmt::format("'{}' where an attribute is expected", token().text)};
  return tokens[at++].text;
}

void TokenCursor::equals(std::string_view name) {
  if (!is("=")) throw Fault{here(), fmt::format("'=' is missing behind {}", name)};
  ++at;
}

Expression TokenCursor::expression() {
  Expression parsed = parse_expression(tokens, at, names);
  for (const Node& node : parsed.nodes)
    if (node.kind == Node::Kind::kName) used.insert(node.slot);
  return parsed;
}

void TokenCursor::refuse_word(std::string_view what, std::string hint) const {
  throw Fault{
      here(),
      at_end_of_directive() ? fmt::format("the {} is missing", what) : fmt::format("'{}' is no {}", token().text, what),
      std::move(hint)};
}

std::string TokenCursor::word_or_string(std::string_view what) {
  const bool fits = is_name() || token().kind == Token::Kind::kString;
  if (!fits) refuse_word(what);
  return std::string(tokens[at++].text);
}

void throw_given_twice(Place place, std::string_view attribute) {
  throw Fault{place, fmt::format("'{}' is given twice", attribute)};
}

}  // namespace plumbline::replay::model
