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

namespace plumbline::viewer {

enum class Field : std::uint8_t {
  kCall,
  kSite,
  kFile,
  kNode,
  kKind,
  kRank,
  kOperation,
  kBytes,
  kTag,
  kPeer,
  kCommSize,
  kBegin,
  kObserved,
  kFree,
  kLower,
  kUpper,
  kBand,
  kOwn,
  kInherited,
  kStructure,
  kStack,
  kGained,
  kJudged,
  kFinding,
  kUnfinished,
  kWithheld,
  kUnmatched,
};

enum class FieldType : std::uint8_t { kText, kKindName, kNumber, kBytes, kTime, kFlag };

struct FieldInfo {
  std::string_view name;
  Field field;
  FieldType type;
};
// Null: no field is called so.
const FieldInfo* find_field(std::string_view name);

struct ValueRange {
  std::int64_t least = 0, most = 0;  // both inside

  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

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
