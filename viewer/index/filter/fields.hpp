#pragma once
// Fields that filter expressions may ask for, and ranges of their values.

#include <cstdint>
#include <string>
#include <string_view>

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

// "call, site, ..": for messages.
std::string names_of_fields();

struct ValueRange {
  std::int64_t least = 0, most = 0;  // both inside

  friend bool operator==(const ValueRange&, const ValueRange&) = default;
};

}  // namespace plumbline::viewer
