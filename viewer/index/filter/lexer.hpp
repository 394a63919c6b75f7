#pragma once
// The words of a filter expression.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::viewer {

// Throws Error: "filter:COLUMN: what; hint", the column counted from 1.
[[noreturn]] void fail_at(std::size_t position, std::string what, std::string hint);

enum class TokenKind { kWord, kQuoted, kCompare, kAnd, kOr, kNot, kOpen, kClose, kEnd };

struct Token {
  TokenKind kind = TokenKind::kEnd;
  std::string text;          // of kQuoted: without the quotes, \" and \\ replaced
  std::size_t position = 0;  // in the expression, from 0
};

inline constexpr std::size_t kLongestExpression = 4096;  // bytes

// The last one is kEnd. && || and = are read as & | and ==.
std::vector<Token> tokens_of(std::string_view expression);

}  // namespace plumbline::viewer
