#include "cli/verbs/replay/replay_json.hpp"

#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/time_sum.hpp"
#include "replay/report/json.hpp"

namespace plumbline::cli {
namespace {

using Json = nlohmann::ordered_json;
using replay::ExpectedRank;
using replay::OperationTimes;
using replay::picoseconds_json;

// Sums over operations of all ranks, the shortest and the longest that each may take.
struct Bounds {
  TimeSum lower, upper;
};
struct Totals {
  std::uint64_t operations = 0, by_inner = 0;
  TimeSum observed;
  Bounds ideal, as_configured, as_run;
};
struct LeftOut {
  std::uint64_t operations = 0;
  TimeSum observed;
};

void add(Bounds& to, Duration lower, Duration upper) {
  to.lower += lower;
  to.upper += upper;
}

void add(Totals& to, const ExpectedRank& columns, std::size_t i, Duration observed) {
  ++to.operations;
  to.by_inner += i < columns.by_inner.size() ? columns.by_inner[i] : 0;
  to.observed += observed;
  add(to.ideal, columns.lower[i], columns.upper[i]);
  add(to.as_configured, columns.configured(i), columns.configured_upper(i));
  add(to.as_run, columns.as_run[i], columns.as_run_upper[i]);
}

Json json_of(const Bounds& bounds) {
  return {{"lower_ps", picoseconds_json(bounds.lower)}, {"upper_ps", picoseconds_json(bounds.upper)}};
}

Json json_of(const Totals& totals) {
  return {{"operations", totals.operations},
          {"as_run_by_inner", totals.by_inner},
          {"observed_ps", picoseconds_json(totals.observed)},
          {"ideal", json_of(totals.ideal)},
          {"as_configured", json_of(totals.as_configured)},
          {"as_run", json_of(totals.as_run)}};
}

Json json_of(const std::vector<LeftOut>& left_out, const std::vector<std::string>& reasons) {
  Json list = Json::array();
  for (std::size_t i = 0; i < reasons.size(); ++i)
    list.push_back({{"reason", reasons[i]},
                    {"operations", left_out[i].operations},
                    {"observed_ps", picoseconds_json(left_out[i].observed)}});
  return list;
}

const char* word_of(hw::ComponentKind kind) {
  switch (kind) {
    case hw::ComponentKind::kNetwork:
      return "network";
    case hw::ComponentKind::kServer:
      return "server";
    case hw::ComponentKind::kDevice:
      break;
  }
  return "device";
}

Json components_of(const hw::UseRecord& use) {
  Json list = Json::array();
  for (const hw::BusyComponent& each : hw::busiest(use, std::numeric_limits<std::size_t>::max()))
    list.push_back({{"name", each.name},
                    {"part", word_of(each.kind)},
                    {"busy_ps", each.use.busy.ps},
                    {"bytes", each.use.bytes.count},
                    {"most_waiting", each.use.waiting}});
  return list;
}

Json collectives_of(const std::vector<replay::CollectiveUse>& uses) {
  Json list = Json::array();
  for (const replay::CollectiveUse& use : uses)
    list.push_back({{"call", use.call}, {"algorithm", use.algorithm}, {"calls", use.calls}});
  return list;
}

}  // namespace

std::string replay_json(const replay::expect::Expectation& expectation, const replay::Program& program) {
  const replay::Expected& columns = expectation.columns;
  Totals judged;
  std::vector<LeftOut> left_out(columns.reasons.size());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    const auto times = program.rank(rank).times;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const Duration observed = times[i].end - times[i].begin;
      const std::uint32_t reason = columns.ranks[rank].not_judged[i];
      if (reason == replay::kNone) {
        add(judged, columns.ranks[rank], i, observed);
      } else {
        ++left_out[reason].operations;
        left_out[reason].observed += observed;
      }
    }
  }
  const replay::ReplayResult& anchored = expectation.anchored;
  return Json{{"format", "plumbline-replay"},
              {"version", 1},
              {"platform", columns.platform},
              {"source", columns.source},
              {"ranks", program.ranks()},
              {"observed_ps", (end_of(program) - Time{}).ps},
              {"expected_ps", (end_of(columns.ranks) - Time{}).ps},
              {"judged", json_of(judged)},
              {"not_judged", json_of(left_out, columns.reasons)},
              {"late_starts",
               {{"operations", anchored.late_starts}, {"lateness_ps", picoseconds_json(anchored.lateness)}}},
              {"messages", anchored.messages},
              {"collectives",
               {{"ideal", collectives_of(expectation.collectives)},
                {"as_configured", collectives_of(expectation.configured_collectives)}}},
              {"components", components_of(expectation.free.use)}}
             .dump(2) +
         "\n";
}

}  // namespace plumbline::cli
