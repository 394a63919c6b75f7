#include "viewer/index/filter/lexer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::string_view kSpace = " \t\r\n", kCompares = "!<>=~", kEndsWord = " \t\r\n&|!()<>=~\"";

class Lexer {
 public:
  explicit Lexer(std::string_view text) : text_(text) {}

  std::vector<Token> run() {
    while (true) {
      at_ = std::min(text_.find_first_not_of(kSpace, at_), text_.size());
      if (at_ == text_.size()) break;
      next();
    }
    tokens_.push_back({TokenKind::kEnd, {}, text_.size()});
    return std::move(tokens_);
  }

 private:
  void next() {
    const char c = text_[at_];
    if (c == '"') return quoted();
    if (c == '&' || c == '|') return add(c == '&' ? TokenKind::kAnd : TokenKind::kOr, is_next(c) ? 2 : 1);
    if (c == '(' || c == ')') return add(c == '(' ? TokenKind::kOpen : TokenKind::kClose, 1);
    if (c == '!' && !is_next('=')) return add(TokenKind::kNot, 1);
    if (kCompares.find(c) != std::string_view::npos) return compare();
    const std::size_t end = std::min(text_.find_first_of(kEndsWord, at_), text_.size());
    add(TokenKind::kWord, end - at_);
  }

  bool is_next(char c) const { return at_ + 1 < text_.size() && text_[at_ + 1] == c; }

  void compare() {
    add(TokenKind::kCompare, text_[at_] != '~' && is_next('=') ? 2 : 1);
    if (tokens_.back().text == "=") tokens_.back().text = "==";
  }

  void add(TokenKind kind, std::size_t length) {
    tokens_.push_back({kind, std::string(text_.substr(at_, length)), at_});
    at_ += length;
  }

  void quoted() {
    const std::size_t begin = at_++;
    std::string text;
    for (; at_ < text_.size() && text_[at_] != '"'; ++at_) {
      const bool escapes = text_[at_] == '\\' && (is_next('"') || is_next('\\'));
      text += text_[escapes ? ++at_ : at_];
    }
    if (at_ == text_.size()) fail_at(begin, "this quote has no end", "close it with \"");
    ++at_;
    tokens_.push_back({TokenKind::kQuoted, std::move(text), begin});
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

void fail_at(std::size_t position, std::string what, std::string hint) {
  throw Error(fmt::format("filter:{}", position + 1), std::move(what), std::move(hint), ExitCode::kWrongUse);
}

std::vector<Token> tokens_of(std::string_view expression) {
  if (expression.size() > kLongestExpression)
    fail_at(kLongestExpression, fmt::format("the expression has more than {} bytes", kLongestExpression),
            "make it shorter");
  return Lexer(expression).run();
}

}  // namespace plumbline::viewer
