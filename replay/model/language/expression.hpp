#pragma once
// Expressions of a model, parsed once and evaluated for every rank.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "replay/model/language/faults.hpp"
#include "replay/model/language/tokens.hpp"
#include "replay/model/language/value.hpp"

namespace plumbline::replay::model {

// Values by number: 0 is procnum, 1 numprocs, then constants and loop variables as they are declared.
using Slot = std::uint32_t;
inline constexpr Slot kProcnum = 0, kNumprocs = 1, kFirstSlot = 2;

// In `from` and `to`: no rank has these numbers.
inline constexpr std::int64_t kAnyRank = -(std::int64_t{1} << 40), kNobody = kAnyRank - 1;

struct Node {
  enum class Kind : std::uint8_t { kLiteral, kName, kOne, kTwo, kChoice, kCallOne, kCallTwo, kTable };
  Kind kind = Kind::kLiteral;
  Operator op = Operator::kAdd;        // kOne, kTwo
  Function function = Function::kMin;  // kCallOne, kCallTwo
  Slot slot = 0;                       // kName; kTable: of Expression::tables
  std::uint32_t a = 0, b = 0, c = 0;   // parts, by index; of a choice: condition, then, else
  Place place;
  Value literal = {};
};

struct Table {
  std::vector<std::pair<std::int64_t, Value>> values;  // by number, ascending; the first of equal ones counts
};

// Parts come before what they are parts of; the last node is the whole.
struct Expression {
  std::vector<Node> nodes;
  std::vector<Table> tables;
  bool varies = false;  // with a loop variable

  Place place() const { return nodes.back().place; }
};

// Throws Fault.
Value evaluate(const Expression& expression, const std::vector<Value>& slots);

// Names and the numbers of their values.
class Names {
 public:
  // Nothing where the name is not known, or where its loop is over.
  struct Known {
    Slot slot = 0;
    bool varies = false;
  };
  std::optional<Known> find(std::string_view name) const;
  Slot declare(std::string_view name, bool varies);
  void forget_last() { names_.pop_back(); }
  Slot slots() const { return next_; }

 private:
  struct Entry {
    std::string_view name;
    Known known;
  };
  std::vector<Entry> names_;
  Slot next_ = kFirstSlot;
};

// Parses the expression that begins at `at`, which is moved behind it. Throws Fault.
Expression parse_expression(const std::vector<Token>& tokens, std::size_t& at, const Names& names);

}  // namespace plumbline::replay::model
