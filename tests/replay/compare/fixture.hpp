#pragma once
// Programs from their text form, and expectations that start as what was observed and are then changed by hand.

#include <string>

#include "replay/expect/columns/columns.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay {

class Programs {
 public:
  Program parse(const std::string& text) {
    return parse_program(text, "test.txt", directory_ / ("p" + std::to_string(count_++)));
  }

 private:
  test::TemporaryDirectory directory_;
  int count_ = 0;
};

// Everything took as long as expected, with an error bar of 0.
inline Expected as_observed(const Program& program) {
  Expected expected;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ExpectedRank columns;
    for (const OperationTimes& times : program.rank(rank).times) {
      const Duration duration = times.end - times.begin;
      columns.free.push_back(times);
      columns.lower.push_back(duration);
      columns.upper.push_back(duration);
      columns.band.push_back({});
      columns.as_run.push_back(duration);
      columns.as_run_upper.push_back(duration);
      columns.ideal_io.push_back(0);
      columns.not_judged.push_back(kNone);
    }
    expected.ranks.push_back(std::move(columns));
  }
  return expected;
}

// Sets what is expected of one operation; as-run is the same.
inline void expect(ExpectedRank& rank, std::size_t operation, Duration lower, Duration upper, Duration band = {}) {
  rank.lower[operation] = rank.as_run[operation] = lower;
  rank.upper[operation] = rank.as_run_upper[operation] = upper;
  rank.band[operation] = band;
  rank.free[operation].end = rank.free[operation].begin + lower;
}

// The same of all operations of one call.
inline void expect_all(const Program& program, Expected& expected, std::string_view call, Duration duration,
                       Duration band = {}) {
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    for (std::size_t i = 0; i < program.rank(rank).operations.size(); ++i)
      if (program.call(program.rank(rank).operations[i].call) == call)
        expect(expected.ranks[rank], i, duration, duration, band);
}

inline std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

}  // namespace plumbline::replay
