#include "runs_of_text.hpp"

#include <array>
#include <string>
#include <utility>

#include "tests/replay/program/random_program.hpp"

namespace plumbline::viewer {
namespace {

replay::ExpectedRank columns_of_another_run(const replay::RankProgram& rank, std::mt19937_64& random) {
  const auto below = [&](std::int64_t n) {
    return Duration{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n))};
  };
  replay::ExpectedRank columns;
  Time now{static_cast<std::int64_t>(random() % 5000) - 2500};
  for (std::size_t i = 0; i < rank.operations.size(); ++i) {
    now += below(3) * 700;
    const Time begin = now;
    now += below(60000);
    columns.free.push_back({begin, now});
    const Duration lower = below(100000), upper = lower + below(2) * 30000;
    columns.lower.push_back(lower);
    columns.upper.push_back(upper);
    columns.band.push_back(below(2000));
    columns.as_run.push_back(lower);
    columns.as_run_upper.push_back(upper + below(2) * 10000);
    columns.ideal_io.push_back(0);
    columns.not_judged.push_back(random() % 5 == 0 ? 0 : replay::kNone);
  }
  return columns;
}

}  // namespace

RandomMessages random_messages(replay::Programs& programs, std::mt19937_64& random) {
  std::array<std::string, 3> ranks;
  const auto time = [&] { return std::to_string(random() % 5000) + "ps"; };
  const std::uint64_t messages = 1 + random() % 30;
  for (std::uint64_t i = 0; i < messages; ++i) {
    const std::uint64_t from = random() % 3, to = random() % 3;
    const std::string end = " tag " + std::to_string(random() % 2) + " 8B";
    const std::string send = "send " + std::to_string(to) + end + " +" + time() + "\n";
    const std::string receive = std::to_string(from) + end;
    const std::string name = "r" + std::to_string(i);
    ranks[from] += "compute " + time() + "\n" + send;
    ranks[to] += random() % 2 == 0 ? "recv " + receive + " +" + time() + "\n"
                                   : "irecv " + receive + " -> " + name + "\ncompute " + time() + "\nwait " + name +
                                         " +" + time() + "\n";
  }
  std::string text = "ranks 3\n";
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    text += "rank " + std::to_string(rank) + "\n@" + time() + " barrier\n" + ranks[rank];
  replay::Program program = programs.parse(text);
  replay::Expected expected;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    expected.ranks.push_back(columns_of_another_run(program.rank(rank), random));
  expected.reasons = {"a reason"};
  return {with_expected(std::move(program), std::move(expected)), messages};
}

Runs random_pair(std::uint64_t seed, const std::filesystem::path& file) {
  std::mt19937_64 random(seed);
  replay::Program program = replay::random_program(seed, file);
  replay::Expected expected;
  expected.reasons = {"a \"reason\", with all\nthat needs quotes"};
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    expected.ranks.push_back(columns_of_another_run(program.rank(rank), random));
  return with_expected(std::move(program), std::move(expected));
}

}  // namespace plumbline::viewer
