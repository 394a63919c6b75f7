#include "viewer/index/filter/parser.hpp"

#include <fmt/format.h>

#include <cctype>

#include "viewer/index/filter/lexer.hpp"
#include "viewer/index/filter/values.hpp"

namespace plumbline::viewer {
namespace {

constexpr int kDeepest = 64;  // parentheses and ! inside of each other

constexpr std::string_view kExample = "write for example: call == MPI_Send & bytes > 1MiB";

bool is_number(std::string_view text) {
  return !text.empty() && (std::isdigit(static_cast<unsigned char>(text.back())) != 0);
}

class Parser {
 public:
  explicit Parser(std::string_view text) : tokens_(tokens_of(text)) {}

  Expression run() {
    if (peek().kind == TokenKind::kEnd) return {};
    either();
    if (peek().kind == TokenKind::kClose) fail_at(peek().position, "nothing was opened here", "remove the )");
    if (peek().kind != TokenKind::kEnd)
      fail_at(peek().position, fmt::format("'{}' follows a test", peek().text), "join tests with & or |");
    return std::move(expression_);
  }

 private:
  const Token& peek() const { return tokens_[at_]; }
  Token take() { return tokens_[at_ + 1 == tokens_.size() ? at_ : at_++]; }

  std::uint32_t node(const FilterNode& node) {
    expression_.nodes.push_back(node);
    return static_cast<std::uint32_t>(expression_.nodes.size() - 1);
  }

  std::uint32_t either() {
    std::uint32_t left = both();
    while (peek().kind == TokenKind::kOr) {
      take();
      const std::uint32_t right = both();
      left = node({NodeKind::kOr, left, right});
    }
    return left;
  }

  std::uint32_t both() {
    std::uint32_t left = test();
    while (peek().kind == TokenKind::kAnd) {
      take();
      const std::uint32_t right = test();
      left = node({NodeKind::kAnd, left, right});
    }
    return left;
  }

  std::uint32_t test() {
    const Token first = take();
    if (first.kind == TokenKind::kNot || first.kind == TokenKind::kOpen) return nested(first);
    if (first.kind == TokenKind::kEnd) fail_at(first.position, "a test is missing", std::string(kExample));
    if (first.kind != TokenKind::kWord && first.kind != TokenKind::kQuoted)
      fail_at(first.position, fmt::format("'{}' stands where a test should", first.text), std::string(kExample));
    const bool compares =
        peek().kind == TokenKind::kCompare || (peek().kind == TokenKind::kWord && peek().text == "in");
    const FieldInfo* const field = first.kind == TokenKind::kWord ? find_field(first.text) : nullptr;
    if (compares && field == nullptr)
      fail_at(first.position, fmt::format("no field is called '{}'", first.text), "fields are " + names_of_fields());
    if (compares) return add(compared(*field));
    if (field == nullptr) return add({Field::kCall, first.text, true, false, {}});
    if (field->type != FieldType::kFlag)
      fail_at(peek().position, fmt::format("'{}' is not compared with anything", field->name),
              "follow it with one of == != < <= > >= ~ in");
    return add({field->field, {}, false, false, {{1, 1}}});
  }

  std::uint32_t nested(const Token& first) {
    if (++depth_ > kDeepest)
      fail_at(first.position, fmt::format("more than {} levels inside of each other", kDeepest), "make it simpler");
    std::uint32_t inside = 0;
    if (first.kind == TokenKind::kNot) {
      const std::uint32_t negated = test();
      inside = node({NodeKind::kNot, negated, 0});
    } else {
      inside = either();
      if (take().kind != TokenKind::kClose) fail_at(first.position, "this parenthesis is not closed", "add )");
    }
    --depth_;
    return inside;
  }

  std::uint32_t add(FieldTest test) {
    expression_.tests.push_back(std::move(test));
    return node({NodeKind::kTest, static_cast<std::uint32_t>(expression_.tests.size() - 1), 0});
  }

  FieldTest compared(const FieldInfo& field) {
    const Token compare = take();
    Token value = take();
    if (value.kind != TokenKind::kWord && value.kind != TokenKind::kQuoted)
      fail_at(value.position, fmt::format("a value for '{}' is missing", field.name), std::string(kExample));
    if (field.type == FieldType::kFlag)
      fail_at(compare.position, fmt::format("'{}' is true or not", field.name), "write it alone, or with ! before it");
    if (field.type == FieldType::kText) return text_test(field, compare, value);
    if (compare.text == "~")
      fail_at(compare.position, fmt::format("'{}' is no text", field.name), "compare it with == != < <= > >= in");
    if (compare.text == "in") return {field.field, {}, false, false, list_of(field, value)};
    const bool in_order = compare.text != "==" && compare.text != "!=";
    if (field.type == FieldType::kKindName && in_order)
      fail_at(compare.position, "kinds have no order", "compare them with == or !=");
    join_unit(field, value);
    return {field.field, {}, false, false, ranges_of(compare.text, value_of(field, value))};
  }

  // "1 MiB": the unit is a word of its own.
  void join_unit(const FieldInfo& field, Token& value) {
    const bool has_unit = field.type == FieldType::kBytes || field.type == FieldType::kTime;
    if (has_unit && is_number(value.text) && peek().kind == TokenKind::kWord) value.text += take().text;
  }

  static FieldTest text_test(const FieldInfo& field, const Token& compare, const Token& value) {
    if (compare.text != "==" && compare.text != "!=" && compare.text != "~")
      fail_at(compare.position, fmt::format("'{}' is text", field.name), "compare it with == != or ~");
    return {field.field, value.text, compare.text == "~", compare.text == "!=", {}};
  }

  std::vector<Token> tokens_;
  std::size_t at_ = 0;
  int depth_ = 0;
  Expression expression_;
};

}  // namespace

Expression parse_expression(std::string_view text) { return Parser(text).run(); }

}  // namespace plumbline::viewer
