#include "opened_world.hpp"
#include "replay/report/make_report.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"

#include <string>

#include "replay/compare/compare.hpp"
#include "replay/report/json.hpp"
#include "replay/report/report.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

constexpr int kRounds = 25;

replay::Program four_ranks() {
  std::string text =
      "ranks 4\nnode alpha ranks 0-1 cores 4\nnode beta ranks 2-3 cores 4\nproperty library = \"MPICH 4.0.2\"\n";
  for (int rank = 0; rank < 4; ++rank) {
    const std::string write = rank == 2 ? "400ms" : "100ms";
    const std::string message =
        rank % 2 == 0 ? "send " + std::to_string(rank + 1) + " tag 7 4096B +1ms site \"exchange (a.c:8)\"\n"
                      : "recv " + std::to_string(rank - 1) + " tag 7 4096B +1ms site \"exchange (a.c:9)\"\n";
    text +=
        "rank " + std::to_string(rank) + "\n" +
        replay::repeated(
            "pwrite 0..52000000 file /scratch/a +" + write + "\n" + message + "barrier +2ms\ncompute 10ms\n", kRounds);
  }
  replay::Programs programs;
  return programs.parse(text);
}

void index(Opened& opened) {
  std::vector<OperationId> worst;
  for (const auto& finding : opened.report.value("findings", nlohmann::ordered_json::array()))
    for (const auto& instance : finding["instances"]) worst.push_back({instance["rank"], instance["operation"]});
  set_marks(opened.runs, worst);
  opened.pyramid = make_pyramid(opened.runs);
  opened.lanes = make_lanes(opened.runs);
  opened.matches = match_operations(opened.runs.observed);
  opened.runs.unmatched = opened.matches.without_partner;
  opened.folds = fold_ranks(opened.runs);
  opened.key = "0123456789abcdef";
  opened.version = "0.1.0";
}

std::unique_ptr<Opened> with(replay::Program program) {
  auto opened =
      std::make_unique<Opened>(Opened{.runs = {.observed = std::move(program), .expected = {}, .comparison = {}}});
  opened->runs.observed_name = "obs";
  return opened;
}

}  // namespace

std::unique_ptr<Opened> opened_pair() {
  auto opened = with(four_ranks());
  Runs& runs = opened->runs;
  runs.expected = replay::as_observed(runs.observed);
  replay::expect_all(runs.observed, *runs.expected, "pwrite", milliseconds(50), milliseconds(10));
  runs.reference_name = "exp";
  runs.comparison = replay::compare(runs.observed, *runs.expected);
  opened->report = replay::to_json(replay::make_report(runs.observed, *runs.expected));
  index(*opened);
  return opened;
}

std::unique_ptr<Opened> opened_alone() {
  auto opened = with(four_ranks());
  opened->report = nlohmann::ordered_json::object();
  index(*opened);
  opened->report = nullptr;
  return opened;
}

}  // namespace plumbline::viewer
