#pragma once
// Runs to export, written by hand and at random.

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include "replay/compare/pairing/pairing.hpp"
#include "tests/replay/compare/fixture.hpp"
#include "viewer/index/matches/matches.hpp"
#include "viewer/index/runs/runs.hpp"

namespace plumbline::viewer {

inline Runs recorded(replay::Program program) {
  Runs runs{.observed = std::move(program), .expected = {}, .comparison = {}};
  runs.observed_name = "obs";
  return runs;
}

inline Runs with_expected(replay::Program program, replay::Expected expected) {
  Runs runs = recorded(std::move(program));
  runs.expected = std::move(expected);
  runs.reference_name = "exp";
  return runs;
}

inline Runs two_runs(replay::Program program, const replay::Program& reference) {
  Runs runs = recorded(std::move(program));
  runs.expected = replay::columns_of_run(runs.observed, reference, {});
  runs.reference = replay::ReferenceRun::kObserved;
  runs.reference_name = "last month";
  return runs;
}

// A late sender: rank 1 waits 30 us for what rank 0 sends; 10 us were expected. Then a write that took 25 us, of which
// 20 us are not its own.
inline Runs late_sender(replay::Programs& programs) {
  replay::Program program = programs.parse(
      "ranks 2\nnode n0 ranks 0-0 cores 2\nnode n1 ranks 1-1 cores 2\n"
      "rank 0\n@30us send 1 tag 7 1024B +5us site \"exchange (ring.c:12)\"\n"
      "rank 1\n@10us recv 0 tag 7 1024B +30us site \"exchange (ring.c:14)\"\n"
      "@50us pwrite 0..4096 file /out/a +25us\n");
  replay::Expected expected = replay::as_observed(program);
  replay::ExpectedRank &first = expected.ranks[0], &second = expected.ranks[1];
  first.free[0] = {Time{} + microseconds(20), Time{} + microseconds(24)};
  first.lower[0] = first.upper[0] = first.as_run[0] = first.as_run_upper[0] = microseconds(4);
  second.free[0] = {Time{} + microseconds(10), Time{} + microseconds(27)};
  second.lower[0] = second.upper[0] = second.as_run[0] = second.as_run_upper[0] = microseconds(28);
  second.free[1] = {Time{} + microseconds(37), Time{} + microseconds(42)};
  second.lower[1] = microseconds(5);
  second.upper[1] = second.as_run_upper[1] = microseconds(20);
  second.band[1] = microseconds(1);
  return with_expected(std::move(program), std::move(expected));
}

// Two recordings that differ: of three messages of rank 0 the first is in both. Of the second only the send is here,
// and of the third only the receive pairs: there it was sent by another call.
inline Runs differing_runs(replay::Programs& programs) {
  const replay::Program reference = programs.parse(
      "ranks 2\nrank 0\n@100us barrier +1us\n@102us send 1 tag 1 8B +1us\n@110us isend 1 tag 3 24B -> a +1us\n"
      "@112us wait a +1us\n"
      "rank 1\n@100us barrier +1us\n@101us recv 0 tag 1 8B +5us\n@109us recv 0 tag 3 24B +5us\n");
  return two_runs(
      programs.parse("ranks 2\nrank 0\n@0us barrier +1us\n@2us send 1 tag 1 8B +1us\n@4us send 1 tag 2 16B +1us\n"
                     "@10us send 1 tag 3 24B +1us\n"
                     "rank 1\n@0us barrier +1us\n@1us recv 0 tag 1 8B +5us\n@7us recv 0 tag 2 16B +1us\n"
                     "@9us recv 0 tag 3 24B +5us\n"),
      reference);
}

// Messages between three ranks, each received by a receive or by a wait, at times that do not care for each other; so
// are those of the reference.
struct RandomMessages {
  Runs runs;
  std::uint64_t messages = 0;
};
RandomMessages random_messages(replay::Programs& programs, std::mt19937_64& random);

// Every kind of operation; times of the reference in order, and some of its operations not judged.
Runs random_pair(std::uint64_t seed, const std::filesystem::path& file);

}  // namespace plumbline::viewer
