#pragma once
// Where a parser of directives is: the words that all directives are made of. Each function throws Fault where the next
// word is another one.

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "replay/model/language/expression.hpp"

namespace plumbline::replay::model {

struct TokenCursor {
  const std::vector<Token>& tokens;
  std::size_t at = 0;
  Names names = {};
  std::set<Slot> used = {};  // in an expression

  const Token& token() const { return tokens[at]; }
  bool is(std::string_view symbol) const { return token().kind == Token::Kind::kSymbol && token().text == symbol; }
  bool is_name() const { return token().kind == Token::Kind::kName; }
  bool at_end_of_directive() const {
    return token().kind == Token::Kind::kBegin || token().kind == Token::Kind::kEnd || is("{") || is("}");
  }
  Place here() const { return place_at(tokens, at); }
  void skip_begins() {
    while (token().kind == Token::Kind::kBegin) ++at;
  }
  void skip_directive() {
    while (!at_end_of_directive()) ++at;
  }

  std::string_view attribute_name();
  void equals(std::string_view name);
  Expression expression();
  std::string word_or_string(std::string_view what);
  // Throws that the next word, which is not what it ought to be, is none of these, or that it is missing.
  [[noreturn]] void refuse_word(std::string_view what, std::string hint = {}) const;
};

[[noreturn]] void throw_given_twice(Place place, std::string_view attribute);

}  // namespace plumbline::replay::model
