#include "compare_world.hpp"
#include "replay/report/make_report.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/pyramid/make_pyramid.hpp"

#include <gtest/gtest.h>

#include <random>

#include "replay/compare/compare.hpp"
#include "replay/report/json.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

std::string rank_text(int rank, int rounds, std::mt19937& random) {
  const auto up_to = [&random](unsigned most) { return std::to_string(1 + random() % most); };
  std::string text = "rank " + std::to_string(rank) + "\n";
  for (int round = 0; round < rounds; ++round)
    text += "pwrite 0..4096 file /scratch/a +" + up_to(rank == 5 ? 90'000 : 900) + "us\nbarrier +" + up_to(2000) +
            "us\ncompute " + up_to(5000) + "us\n";
  return text;
}

}  // namespace

replay::Report report_of(const Opened& opened) {
  const Runs& runs = opened.runs;
  return replay::make_report(*runs.comparison, runs.observed, *runs.expected, nullptr,
                             {.compare = runs.comparison->options, .lateness = {}, .notes = {}});
}

std::unique_ptr<Opened> opened_many(int ranks, int rounds) {
  std::mt19937 random(7);
  std::string text = "ranks " + std::to_string(ranks) + "\nnode alpha ranks 0-" + std::to_string(ranks - 1) +
                     " cores " + std::to_string(ranks) + "\nproperty library = \"MPICH 4.0.2\"\n";
  for (int rank = 0; rank < ranks; ++rank) text += rank_text(rank, rounds, random);
  replay::Programs programs;
  auto opened =
      std::make_unique<Opened>(Opened{.runs = {.observed = programs.parse(text), .expected = {}, .comparison = {}}});
  Runs& runs = opened->runs;
  runs.observed_name = "obs";
  runs.reference_name = "exp";
  runs.expected = replay::as_observed(runs.observed);
  replay::expect_all(runs.observed, *runs.expected, "pwrite", microseconds(300), microseconds(10));
  runs.comparison = replay::compare(runs.observed, *runs.expected);
  opened->report = replay::to_json(report_of(*opened));
  std::vector<OperationId> worst;
  for (const auto& finding : opened->report["findings"])
    for (const auto& instance : finding["instances"]) worst.push_back({instance["rank"], instance["operation"]});
  set_marks(runs, worst);
  opened->pyramid = make_pyramid(runs);
  opened->lanes = make_lanes(runs);
  opened->matches = match_operations(runs.observed);
  opened->folds = fold_ranks(runs);
  opened->key = "0123456789abcdef";
  opened->version = "0.1.0";
  return opened;
}

std::vector<std::string> all_between(std::string_view text, std::string_view before, std::string_view after) {
  std::vector<std::string> found;
  for (std::size_t at = text.find(before); at != text.npos; at = text.find(before, at)) {
    at += before.size();
    const std::size_t end = text.find(after, at);
    if (end == text.npos) break;
    found.emplace_back(text.substr(at, end - at));
    at = end;
  }
  return found;
}

nlohmann::json data_of(const std::string& page) {
  const std::vector<std::string> data =
      all_between(page, "<script type=\"application/json\" id=\"plumbline-data\">", "</script>");
  EXPECT_EQ(data.size(), 1U);
  return data.empty() ? nlohmann::json() : nlohmann::json::parse(data.front(), nullptr, false);
}

}  // namespace plumbline::viewer
