#include "replay/model/language/expression.hpp"

#include <algorithm>

namespace plumbline::replay::model {
namespace {

// Of the whole depth of an expression, which the parser bounds.
class Evaluator {
 public:
  Evaluator(const Expression& expression, const std::vector<Value>& slots)
      : nodes_(expression.nodes), tables_(expression.tables), slots_(slots) {}

  Value of(std::size_t index) const {
    const Node& node = nodes_[index];
    switch (node.kind) {
      case Node::Kind::kLiteral:
        return node.literal;
      case Node::Kind::kName:
        return slots_[node.slot];
      case Node::Kind::kChoice:
        return of(of(node.a).is_true() ? node.b : node.c);
      case Node::Kind::kTwo:
        if (node.op == Operator::kBoth || node.op == Operator::kEither) return logic(node);
        return guarded(node, [&, a = of(node.a), b = of(node.b)] { return apply(node.op, a, b); });
      case Node::Kind::kOne:
        return guarded(node, [&, a = of(node.a)] { return apply(node.op, a); });
      case Node::Kind::kCallOne:
        return guarded(node, [&, a = of(node.a)] { return apply(node.function, a); });
      case Node::Kind::kCallTwo:
        return guarded(node, [&, a = of(node.a), b = of(node.b)] { return apply(node.function, a, b); });
      case Node::Kind::kTable:
        return look_up(node, of(node.a));
    }
    return {};
  }

 private:
  Value logic(const Node& node) const {
    const bool first = of(node.a).is_true();
    if (first == (node.op == Operator::kEither)) return Value::of(first);
    return Value::of(of(node.b).is_true());
  }

  template <class Compute>
  static Value guarded(const Node& node, Compute compute) {
    try {
      return compute();
    } catch (const ArithmeticFault& fault) {
      throw Fault{node.place, "the expression " + fault.what};
    }
  }

  // What is not in it is nothing, in the unit of what is.
  Value look_up(const Node& node, const Value& number) const {
    if (!number.is_integer()) throw Fault{node.place, "the number of a table is " + to_string(number)};
    const auto& values = tables_[node.slot].values;
    const auto found =
        std::ranges::lower_bound(values, number.integer, {}, [](const auto& entry) { return entry.first; });
    if (found != values.end() && found->first == number.integer) return found->second;
    return values.front().second.is_time() ? Value::of_time({}) : Value::of(std::int64_t{0});
  }

  const std::vector<Node>& nodes_;
  const std::vector<Table>& tables_;
  const std::vector<Value>& slots_;
};

}  // namespace

Value evaluate(const Expression& expression, const std::vector<Value>& slots) {
  return Evaluator(expression, slots).of(expression.nodes.size() - 1);
}

std::optional<Names::Known> Names::find(std::string_view name) const {
  if (name == "procnum") return Known{kProcnum, false};
  if (name == "numprocs") return Known{kNumprocs, false};
  const auto found = std::ranges::find(names_.rbegin(), names_.rend(), name, &Entry::name);
  return found == names_.rend() ? std::nullopt : std::optional(found->known);
}

Slot Names::declare(std::string_view name, bool varies) {
  names_.push_back({name, {next_, varies}});
  return next_++;
}

}  // namespace plumbline::replay::model
