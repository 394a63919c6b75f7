// Expressions by precedence climbing, with the operators and the precedence of C.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "replay/model/language/expression.hpp"

namespace plumbline::replay::model {
namespace {

constexpr int kMostDepth = 200;
constexpr std::size_t kMostNodes = 1'000;  // evaluation is as deep as a chain of operators is long

struct Binary {
  std::string_view symbol;
  Operator op;
  int precedence;  // binds tighter the larger it is
};
constexpr std::array<Binary, 18> kBinary = {{{"||", Operator::kEither, 1},
                                             {"&&", Operator::kBoth, 2},
                                             {"|", Operator::kOr, 3},
                                             {"^", Operator::kExclusiveOr, 4},
                                             {"&", Operator::kAnd, 5},
                                             {"==", Operator::kEqual, 6},
                                             {"!=", Operator::kNotEqual, 6},
                                             {"<", Operator::kLess, 7},
                                             {"<=", Operator::kLessOrEqual, 7},
                                             {">", Operator::kGreater, 7},
                                             {">=", Operator::kGreaterOrEqual, 7},
                                             {"<<", Operator::kShiftLeft, 8},
                                             {">>", Operator::kShiftRight, 8},
                                             {"+", Operator::kAdd, 9},
                                             {"-", Operator::kSubtract, 9},
                                             {"*", Operator::kMultiply, 10},
                                             {"/", Operator::kDivide, 10},
                                             {"%", Operator::kRemainder, 10}}};

struct NamedFunction {
  std::string_view name;
  Function function;
  std::uint32_t least, most;  // arguments
};
constexpr std::array<NamedFunction, 9> kFunctions = {{{"min", Function::kMin, 2, 100},
                                                      {"max", Function::kMax, 2, 100},
                                                      {"mod", Function::kMod, 2, 2},
                                                      {"abs", Function::kAbs, 1, 1},
                                                      {"floor", Function::kFloor, 1, 1},
                                                      {"ceil", Function::kCeil, 1, 1},
                                                      {"log2", Function::kLog2, 1, 1},
                                                      {"sqrt", Function::kSqrt, 1, 1},
                                                      {"pow", Function::kPow, 2, 2}}};

// Sizes as on machines of 64 bits, of C and of Fortran.
struct NamedType {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::array<NamedType, 17> kSizes = {{{"char", 1},
                                               {"short", 2},
                                               {"int", 4},
                                               {"long", 8},
                                               {"float", 4},
                                               {"double", 8},
                                               {"int8_t", 1},
                                               {"uint8_t", 1},
                                               {"int16_t", 2},
                                               {"uint16_t", 2},
                                               {"int32_t", 4},
                                               {"uint32_t", 4},
                                               {"int64_t", 8},
                                               {"uint64_t", 8},
                                               {"size_t", 8},
                                               {"real", 4},
                                               {"integer", 4}}};

class ExpressionParser {
 public:
  ExpressionParser(const std::vector<Token>& tokens, std::size_t& at, const Names& names)
      : tokens_(tokens), at_(at), names_(names) {}

  Expression run() {
    choice();
    return std::move(expression_);
  }

 private:
  struct Deeper {
    explicit Deeper(ExpressionParser& parser) : parser_(parser) {
      if (++parser.depth_ > kMostDepth) throw Fault{parser.token().place, "an expression is nested too deeply"};
    }
    ~Deeper() { --parser_.depth_; }
    ExpressionParser& parser_;
  };

  const Token& token() const { return tokens_[at_]; }
  bool is(std::string_view symbol) const { return token().kind == Token::Kind::kSymbol && token().text == symbol; }
  bool take_if(std::string_view symbol) {
    const bool found = is(symbol);
    at_ += found ? 1 : 0;
    return found;
  }
  void expect(std::string_view symbol) {
    if (!take_if(symbol)) throw Fault{place_at(tokens_, at_), fmt::format("'{}' is missing", symbol)};
  }

  std::uint32_t add(const Node& node) {
    if (expression_.nodes.size() == kMostNodes) throw Fault{node.place, "an expression is too long"};
    expression_.nodes.push_back(node);
    return static_cast<std::uint32_t>(expression_.nodes.size() - 1);
  }
  std::uint32_t literal(Place place, const Value& value) {
    return add({.kind = Node::Kind::kLiteral, .place = place, .literal = value});
  }

  std::uint32_t choice() {
    const Deeper deeper(*this);
    const std::uint32_t condition = binary(1);
    if (!is("?")) return condition;
    const Place place = token().place;
    ++at_;
    const std::uint32_t then = choice();
    expect(":");
    const std::uint32_t otherwise = choice();
    return add({.kind = Node::Kind::kChoice, .a = condition, .b = then, .c = otherwise, .place = place});
  }

  const Binary* operator_here() const {
    if (token().kind != Token::Kind::kSymbol) return nullptr;
    for (const Binary& binary : kBinary)
      if (binary.symbol == token().text) return &binary;
    return nullptr;
  }

  std::uint32_t binary(int least) {
    const Deeper deeper(*this);
    std::uint32_t left = unary();
    while (const Binary* op = operator_here()) {
      if (op->precedence < least) break;
      const Place place = token().place;
      ++at_;
      const std::uint32_t right = binary(op->precedence + 1);
      left = add({.kind = Node::Kind::kTwo, .op = op->op, .a = left, .b = right, .place = place});
    }
    return left;
  }

  std::uint32_t unary() {
    const Deeper deeper(*this);
    const Place place = token().place;
    if (take_if("+")) return unary();
    for (const auto& [symbol, op] :
         {std::pair{"-", Operator::kMinus}, {"!", Operator::kNot}, {"~", Operator::kComplement}})
      if (take_if(symbol)) return add({.kind = Node::Kind::kOne, .op = op, .a = unary(), .place = place});
    return primary();
  }

  std::uint32_t primary() {
    const Token first = token();
    if (first.kind == Token::Kind::kLiteral) return ++at_, literal(first.place, first.value);
    if (first.kind == Token::Kind::kName) return ++at_, named(first);
    if (first.kind == Token::Kind::kBegin || first.kind == Token::Kind::kEnd)
      throw Fault{place_at(tokens_, at_), "an expression is missing"};
    if (!take_if("(")) throw Fault{first.place, fmt::format("'{}' is no part of an expression", first.text)};
    const std::uint32_t inner = choice();
    expect(")");
    return inner;
  }

  std::uint32_t named(const Token& name) {
    if (is("(") && name.text == "sizeof") return size_of(name);
    if (is("(") && name.text == "table") return table(name);
    if (is("(")) return call(name);
    if (name.text == "any" || name.text == "MPI_ANY_SOURCE") return literal(name.place, Value::of(kAnyRank));
    if (name.text == "MPI_PROC_NULL") return literal(name.place, Value::of(kNobody));
    const std::optional<Names::Known> known = names_.find(name.text);
    if (!known)
      throw Fault{.place = name.place,
                  .what = fmt::format("there is no constant '{}'", name.text),
                  .hint = fmt::format("declare it, PEVPM Constant {} = 1, or give it a value with --set {}=1",
                                      name.text, name.text),
                  .is_of_name = true};
    expression_.varies = expression_.varies || known->varies;
    return add({.kind = Node::Kind::kName, .slot = known->slot, .place = name.place});
  }

  std::uint32_t size_of(const Token& name) {
    expect("(");
    const Token type = token();
    for (const NamedType& known : kSizes)
      if (type.kind == Token::Kind::kName && known.name == type.text) {
        ++at_;
        expect(")");
        return literal(name.place, Value::of(known.bytes));
      }
    if (type.kind == Token::Kind::kBegin || type.kind == Token::Kind::kEnd)
      throw Fault{place_at(tokens_, at_), "a type is missing", "write sizeof(double)"};
    throw Fault{type.place, fmt::format("the size of '{}' is not known", type.text), "write the number of bytes"};
  }

  // "table(i, 3, 2ms, 7, 5ms)"
  std::uint32_t table(const Token& name) {
    expect("(");
    const std::uint32_t number = choice();
    Table table;
    while (take_if(",")) {
      const Value key = written_number();
      if (!key.is_integer()) throw Fault{name.place, fmt::format("a number of a table is {}", to_string(key))};
      expect(",");
      table.values.emplace_back(key.integer, written_number());
      if (table.values.back().second.is_time() != table.values.front().second.is_time())
        throw Fault{name.place, "a table has times or numbers, not both"};
    }
    expect(")");
    if (table.values.empty()) throw Fault{name.place, "table has no values", "write table(i, 3, 2ms, 7, 5ms)"};
    std::ranges::stable_sort(table.values, {}, [](const auto& entry) { return entry.first; });
    expression_.tables.push_back(std::move(table));
    const auto index = static_cast<Slot>(expression_.tables.size() - 1);
    return add({.kind = Node::Kind::kTable, .slot = index, .a = number, .place = name.place});
  }

  Value written_number() {
    const Token written = token();
    if (written.kind != Token::Kind::kLiteral)
      throw Fault{written.place, fmt::format("'{}' where a table has a number or a time", written.text),
                  "write it out: table(i, 3, 2ms, 7, 5ms)"};
    return ++at_, written.value;
  }

  std::uint32_t call(const Token& name) {
    const NamedFunction* function = nullptr;
    for (const NamedFunction& known : kFunctions)
      if (known.name == name.text) function = &known;
    if (function == nullptr)
      throw Fault{name.place, fmt::format("there is no function '{}'", name.text),
                  "known are min, max, mod, abs, floor, ceil, log2, sqrt, pow, table and sizeof"};
    expect("(");
    std::uint32_t result = choice(), arguments = 1;
    while (take_if(",")) {
      const std::uint32_t next = choice();
      ++arguments;
      result = add(
          {.kind = Node::Kind::kCallTwo, .function = function->function, .a = result, .b = next, .place = name.place});
    }
    expect(")");
    if (arguments < function->least || arguments > function->most)
      throw Fault{name.place, fmt::format("{} has {} argument{}", name.text, arguments, arguments == 1 ? "" : "s")};
    if (function->most > 1) return result;
    return add({.kind = Node::Kind::kCallOne, .function = function->function, .a = result, .place = name.place});
  }

  const std::vector<Token>& tokens_;
  std::size_t& at_;
  const Names& names_;
  Expression expression_;
  int depth_ = 0;
};

}  // namespace

Expression parse_expression(const std::vector<Token>& tokens, std::size_t& at, const Names& names) {
  return ExpressionParser(tokens, at, names).run();
}

}  // namespace plumbline::replay::model
