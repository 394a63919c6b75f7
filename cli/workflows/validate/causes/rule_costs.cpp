#include "cli/workflows/validate/causes/rule_costs.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <utility>

namespace plumbline::cli::validate {
namespace {

// "allgather" of "MPI_Allgather", "MPI_Iallgather" and "MPI_Allgather_c".
std::string operation_of(std::string call) {
  if (call.starts_with("MPI_")) call.erase(0, 4);
  if (call.ends_with("_c")) call.erase(call.size() - 2);
  std::ranges::transform(call, call.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return call;
}

// Of messages any call that moves one.
bool is_of(const replay::Row& row, const std::string& operation) {
  if (operation == "round_trip" || operation == "exchange")
    return !row.collective && (row.key.kind == replay::OpKind::kRecv || row.key.kind == replay::OpKind::kSendrecv ||
                               row.key.kind == replay::OpKind::kWait);
  const std::string name = operation_of(row.call);
  return name == operation || name == "i" + operation;
}

double distance(double one, double other) { return std::abs(std::log2(std::max(one, 1.0) / std::max(other, 1.0))); }

// Of two at the same distance the one that loses more: a rule may hold several things against an operation.
const LossOfCall* nearest(const std::vector<const LossOfCall*>& losses, double bytes) {
  const auto order = [&](const LossOfCall* loss) {
    return std::pair{distance(bytes, static_cast<double>(loss->bytes)), -loss->seconds};
  };
  const auto found = std::ranges::min_element(losses, {}, order);
  return found == losses.end() ? nullptr : *found;
}

// Those of the calls of a row, as its ranks have threads.
std::vector<const LossOfCall*> losses_for(const replay::Row& row, bool thread_multiple,
                                          std::span<const LossOfCall> losses) {
  std::vector<const LossOfCall*> same, without;
  for (const LossOfCall& loss : losses) {
    if (!is_of(row, loss.operation)) continue;
    if (loss.thread_multiple == thread_multiple) same.push_back(&loss);
    if (!loss.thread_multiple) without.push_back(&loss);
  }
  return same.empty() ? without : same;
}

// Of one call of `bytes` that took `observed` seconds. The other way is not faster with fewer bytes than in proportion.
double lost_by_call(const LossOfCall& loss, double bytes, double observed) {
  const double share = loss.bytes == 0 ? 1 : std::min(bytes / static_cast<double>(loss.bytes), 1.0);
  return std::clamp(observed - share * loss.otherwise, 0.0, loss.seconds);
}

double cost_of_run(const SuiteResult& run, std::span<const LossOfCall> losses) {
  std::map<std::uint32_t, double> of_rank;
  for (const replay::Row& row : run.judged.report.rows) {
    if (row.judged == 0) continue;
    const double bytes = static_cast<double>(row.bytes) / static_cast<double>(row.judged);
    const LossOfCall* loss = nearest(losses_for(row, run.judged.thread_multiple, losses), bytes);
    if (loss == nullptr) continue;
    for (const replay::RankPart& part : row.parts) {
      const double calls = static_cast<double>(part.operations);
      if (calls > 0) of_rank[part.rank] += calls * lost_by_call(*loss, bytes, part.observed.seconds() / calls);
    }
  }
  double busiest = 0;
  for (const auto& [rank, seconds] : of_rank) busiest = std::max(busiest, seconds);
  return busiest;
}

bool has_thread_multiple(const bench::RuleCell& cell) {
  const auto threads = cell.settings.find(bench::kThreads);
  return threads != cell.settings.end() && threads->second == "multiple";
}

}  // namespace

std::vector<LossOfCall> losses_of(const bench::RulesVerdict& verdict, const bench::Rule& rule, std::string_view mpi) {
  std::vector<LossOfCall> losses;
  for (const bench::RuleOutcome& outcome : verdict.outcomes) {
    const bool is_judged = outcome.not_judged.empty() && !outcome.cells.empty();
    if (outcome.rule != &rule || outcome.mpi != mpi || !is_judged) continue;
    const double otherwise = outcome.allowed * outcome.slow_s;
    losses.push_back({outcome.operation, outcome.bytes, outcome.violated ? bench::lost_s(outcome) : 0, otherwise,
                      has_thread_multiple(outcome.cells.front())});
    // What rules on sizes hold against a call is the same operation at another size, which has no outcome of its own at
    // the end of the sizes.
    if (rule.kind == bench::Rule::Kind::kPattern) continue;
    const bench::RuleCell& other = outcome.cells.back();
    losses.push_back({other.operation, other.bytes, 0, 0, has_thread_multiple(other)});
  }
  return losses;
}

double cost_in_suite(std::span<const SuiteResult> runs, const Mpi& mpi, std::span<const LossOfCall> losses) {
  double cost = 0;
  for (const SuiteResult& run : runs)
    if (run.mpi == &mpi) cost += cost_of_run(run, losses);
  return cost;
}

}  // namespace plumbline::cli::validate
