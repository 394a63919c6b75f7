#pragma once
// Filter expressions as a tree. Grammar, loosest first:
//   either     both { "|" both }
//   both       test { "&" test }
//   test       "!" test | "(" either ")" | FIELD compare VALUE | FIELD "in" A-B,C,.. | FLAG | part of a call's name
//   compare    == != < <= > >= ~ ; ~: VALUE is a part of it, in capitals or not

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "viewer/index/filter/fields.hpp"

namespace plumbline::viewer {

// Of a field with text: it equals `text`, or has it as a part. Of others: it lies in one of the ranges; bytes in B,
// times in ps, flags as 0 and 1, kinds by number.
struct FieldTest {
  Field field = Field::kCall;
  std::string text;
  bool part = false;
  bool negated = false;            // text only
  std::vector<ValueRange> ranges;  // ascending
};

enum class NodeKind : std::uint8_t { kTest, kAnd, kOr, kNot };

struct FilterNode {
  NodeKind kind = NodeKind::kTest;
  std::uint32_t left = 0, right = 0;  // nodes; kTest: left is a test; kNot: left alone
};

struct Expression {
  std::vector<FilterNode> nodes;  // operands before what they belong to: the last is the root. Empty: everything
  std::vector<FieldTest> tests;
};

// Error: "filter:7: no field is called 'sze'; fields are call, site, ..".
Expression parse_expression(std::string_view text);

}  // namespace plumbline::viewer
