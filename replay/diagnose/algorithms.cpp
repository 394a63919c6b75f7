#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/quantity.hpp"
#include "replay/compare/result/wording.hpp"
#include "replay/diagnose/algorithm_delays.hpp"
#include "replay/diagnose/kinds.hpp"

namespace plumbline::replay {
namespace {

// All rows of one collective at one place in the program, whatever its sizes and communicators.
struct CostlyCall {
  std::vector<const Row*> rows;
  TimeSum delay;   // of the last rank of each call, over all calls
  TimeSum beyond;  // sum over ranks
};

bool is_collective_call(const Row& row) { return is_data_collective(row.key.kind) && row.judged > 0; }

std::vector<CostlyCall> costly_calls(const Comparison& comparison, const Program& observed, const Expected& expected) {
  std::map<std::pair<std::string, std::uint32_t>, CostlyCall> calls;
  for (const Row& row : comparison.rows) {
    if (!is_collective_call(row) || row.structure <= TimeSum{}) continue;
    CostlyCall& call = calls[{row.call, row.key.site}];
    call.rows.push_back(&row);
    call.beyond += row.own.beyond_above;
  }
  std::vector<CostlyCall> costly;
  if (calls.empty()) return costly;
  const std::map<CallPlace, TimeSum> delays = delays_by_algorithms(observed, expected);
  for (auto& [key, call] : calls) {
    const auto delay = delays.find({call.rows.front()->key.call, key.second});
    if (delay != delays.end()) call.delay = delay->second;
  }
  for (auto& [key, call] : calls) costly.push_back(std::move(call));
  return costly;
}

// "allreduce", "ALLREDUCE": in the names of the libraries' variables.
std::string operation_word(std::string_view call, int (*change)(int)) {
  if (call.starts_with("MPI_")) call.remove_prefix(4);
  if (call.ends_with("_c")) call.remove_suffix(2);
  std::string word(call);
  std::ranges::transform(word, word.begin(), [change](unsigned char c) { return static_cast<char>(change(c)); });
  return word;
}

std::vector<std::string> advice_on(const Row& row) {
  const bool starts = row.call.starts_with("MPI_I");
  return {
      fmt::format("let the library use the algorithm that is the fastest here (`plumbline replay --details` names it): "
                  "coll_{}_{}_algorithm of Open MPI{}; MPIR_CVAR_{}_INTRA_ALGORITHM of MPICH",
                  starts ? "libnbc" : "tuned", operation_word(row.call, std::tolower),
                  starts ? "" : ", with coll_tuned_use_dynamic_rules", operation_word(row.call, std::toupper))};
}

}  // namespace

std::vector<Finding> costly_algorithms(const Comparison& comparison, const Program& observed,
                                       const Expected& expected) {
  std::vector<Finding> findings;
  if (comparison.reference != ReferenceRun::kExpected) return findings;
  for (const CostlyCall& call : costly_calls(comparison, observed, expected)) {
    if (!matters(call.delay, comparison) || !matters(call.beyond, comparison) || !is_shown(call.rows)) continue;
    const Row& row = costliest_by_structure(call.rows);
    Finding finding = structure_finding(call.rows, call.delay, comparison);
    finding.component = "algorithm of " + row.call;
    finding.title = fmt::format("the algorithm of {}{} is slower than the fastest one here", row.call, at_site(row));
    finding.cost_is_of = "the last rank of each call";
    finding.advice = advice_on(row);
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace plumbline::replay
