#pragma once
// The words of directives.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/model/language/faults.hpp"
#include "replay/model/language/source.hpp"
#include "replay/model/language/value.hpp"

namespace plumbline::replay::model {

struct Token {
  enum class Kind : std::uint8_t {
    kName,
    kLiteral,  // a number, or one with a unit: "3.24ms", "64KiB"
    kString,   // without its quotes
    kSymbol,   // "{", "<=", ..
    kBegin,    // of a directive
    kEnd,      // of the model
  };
  Kind kind = Kind::kEnd;
  std::string_view text;
  Place place;
  Value value = {};  // of a literal
};

// Of the token, or of the last one before it where that is the end of a directive.
Place place_at(const std::vector<Token>& tokens, std::size_t at);

// Every directive begins with a kBegin; the last token is kEnd. What is no token is a fault, and left out. The views
// are into the text of the lines.
std::vector<Token> tokens_of(const std::vector<DirectiveLine>& lines, Faults& faults);

}  // namespace plumbline::replay::model
