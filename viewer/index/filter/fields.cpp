#include "viewer/index/filter/fields.hpp"

#include <algorithm>
#include <array>

namespace plumbline::viewer {
namespace {

constexpr std::array<FieldInfo, 27> kFields{{
    {"call", Field::kCall, FieldType::kText},
    {"site", Field::kSite, FieldType::kText},
    {"file", Field::kFile, FieldType::kText},
    {"node", Field::kNode, FieldType::kText},
    {"kind", Field::kKind, FieldType::kKindName},
    {"rank", Field::kRank, FieldType::kNumber},
    {"operation", Field::kOperation, FieldType::kNumber},
    {"bytes", Field::kBytes, FieldType::kBytes},
    {"tag", Field::kTag, FieldType::kNumber},
    {"peer", Field::kPeer, FieldType::kNumber},
    {"comm_size", Field::kCommSize, FieldType::kNumber},
    {"begin", Field::kBegin, FieldType::kTime},
    {"observed", Field::kObserved, FieldType::kTime},
    {"free", Field::kFree, FieldType::kTime},
    {"lower", Field::kLower, FieldType::kTime},
    {"upper", Field::kUpper, FieldType::kTime},
    {"band", Field::kBand, FieldType::kTime},
    {"own", Field::kOwn, FieldType::kTime},
    {"inherited", Field::kInherited, FieldType::kTime},
    {"structure", Field::kStructure, FieldType::kTime},
    {"stack", Field::kStack, FieldType::kTime},
    {"gained", Field::kGained, FieldType::kTime},
    {"judged", Field::kJudged, FieldType::kFlag},
    {"finding", Field::kFinding, FieldType::kFlag},
    {"unfinished", Field::kUnfinished, FieldType::kFlag},
    {"withheld", Field::kWithheld, FieldType::kFlag},
    {"unmatched", Field::kUnmatched, FieldType::kFlag},
}};

}  // namespace

const FieldInfo* find_field(std::string_view name) {
  const auto found = std::ranges::find(kFields, name, &FieldInfo::name);
  return found == kFields.end() ? nullptr : &*found;
}

std::string names_of_fields() {
  std::string names;
  for (const FieldInfo& field : kFields) names += (names.empty() ? "" : ", ") + std::string(field.name);
  return names;
}

}  // namespace plumbline::viewer
