#include "cli/workflows/validate/measure/shown.hpp"

#include <algorithm>
#include <utility>

#include "cli/workflows/validate/measure/component_findings.hpp"
#include "cli/workflows/validate/measure/findings.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;

}  // namespace

std::vector<Diagnosis> shown_by(const Judged& judged, const SuiteResult& run) {
  std::vector<Diagnosis> shown = diagnoses_of(judged.report, run.entry->name, run.mpi->installed.flavour);
  for (Diagnosis& each : blamed_in(judged, run)) {
    const auto same = std::ranges::find_if(shown, [&](const Diagnosis& one) { return accuse_the_same(one, each); });
    if (same == shown.end())
      shown.push_back(std::move(each));
    else if (each.cost_s > same->cost_s)
      *same = std::move(each);
  }
  return joined(std::move(shown));  // so that the same is held against itself when it is measured again
}

bool accuse_the_same(const Diagnosis& a, const Diagnosis& b) {
  const auto may_be = [](const Diagnosis& one, const std::string& component) {
    return one.component == component || std::ranges::count(one.one_of, component) > 0;
  };
  return a.id == b.id && (may_be(a, b.component) || may_be(b, a.component));
}

}  // namespace plumbline::cli::validate
