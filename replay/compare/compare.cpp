#include "replay/compare/compare.hpp"

#include <algorithm>

#include "base/quantity.hpp"
#include "replay/compare/pairing/pairing.hpp"
#include "replay/compare/tally.hpp"
#include "replay/compare/test_rows.hpp"

namespace plumbline::replay {

Comparison compare(const Program& observed, const Expected& expected, const CompareOptions& options) {
  require_same_run(observed, expected, options);
  return compare_columns(observed, expected, ReferenceRun::kExpected, options);
}

Comparison compare(const Program& observed, const Program& reference, const CompareOptions& options) {
  return compare_columns(observed, columns_of_run(observed, reference, options), ReferenceRun::kObserved, options);
}

Comparison compare_columns(const Program& observed, const Expected& expected, ReferenceRun reference,
                           const CompareOptions& options) {
  Comparison comparison = tally(observed, expected, reference, options);
  test_rows(comparison);
  return comparison;
}

bool Comparison::shares_core(std::uint32_t rank) const {
  return std::ranges::any_of(shared_cores,
                             [&](const SharedCores& node) { return std::ranges::binary_search(node.ranks, rank); });
}

std::string_view word(Verdict verdict) {
  switch (verdict) {
    case Verdict::kAsExpected:
      return "as expected";
    case Verdict::kSlower:
      return "slower";
    case Verdict::kFaster:
      return "faster";
    case Verdict::kTooNoisy:
      return "too noisy";
    case Verdict::kNotJudged:
      return "not judged";
  }
  return "";
}

std::string size_class_text(std::uint8_t size_class) {
  if (size_class <= 1) return size_class == 0 ? "0 B" : "1 B";
  const std::string from = format(Bytes{std::uint64_t{1} << (size_class - 1)});
  if (size_class == 64) return from + " or more";
  const std::string to = format(Bytes{std::uint64_t{1} << size_class});
  const std::string unit = from.substr(from.find(' '));
  return to.ends_with(unit) ? from.substr(0, from.size() - unit.size()) + "-" + to : from + "-" + to;
}

}  // namespace plumbline::replay
