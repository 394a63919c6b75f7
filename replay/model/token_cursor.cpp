#include "replay/model/token_cursor.hpp"

#include <fmt/format.h>

namespace plumbline::replay::model {

std::string_view TokenCursor::attribute_name() {
  if (!is_name()) throw Fault{token().place, fmt::format("'{}' where an attribute is expected", token().text)};
  return tokens[at++].text;
}

void TokenCursor::equals(std::string_view name) {
  if (!is("=")) throw Fault{token().place, fmt::format("'=' is missing behind {}", name)};
  ++at;
}

std::string TokenCursor::word_or_string(std::string_view what) {
  const bool fits = is_name() || token().kind == Token::Kind::kString;
  if (!fits) throw Fault{token().place, fmt::format("'{}' is no {}", token().text, what)};
  return std::string(tokens[at++].text);
}

}  // namespace plumbline::replay::model
