// Runs of polls (end of tracer/spool/format/format.h) are read as the call that ended them.

#include <gmock/gmock.h>

#include <string>

#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/spool/spool.hpp"

namespace plumbline::spool {
namespace {

using record::test::pair;
using record::test::Payload;
using record::test::SpoolBuilder;
using ::testing::ElementsAre;

Payload joined(std::initializer_list<Payload> parts) {
  Payload all;
  for (const Payload& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Of the last call.
struct Read {
  std::string layout;
  bool done = false;
  std::uint64_t begin = 0, end = 0;
  std::uint16_t function = 0;
  Payload payload;
  bool is_run = false;
  PollRun run;
};

class PollRuns : public ::testing::Test {
 protected:
  Read read() const {
    const Spool spool(builder_.write(directory_.path()));
    Read last;
    spool.for_each(0, [&](const Record& r) {
      if (r.function >= PL_DEFINITIONS) return;
      last = {{}, r.done, r.begin, r.end, r.function, {r.payload.begin(), r.payload.end()}, r.polls != nullptr, {}};
      if (r.polls != nullptr) last.run = *r.polls;
    });
    return last;
  }

  const Payload probe_{pair(3, 7), 0, pair(1, 0)};            // from 3, tag 7
  const Payload test_{pair(2, 0), pair(11, 12), pair(0, 0)};  // requests 11 and 12
  const Payload polls_{1'000, 30, 50, 70, 60, 900};
  SpoolBuilder builder_{0, 1};
  test::TemporaryDirectory directory_;
};

TEST_F(PollRuns, OneThatNothingEndedIsItsFirstPoll) {
  builder_.polled("MPI_Iprobe", PL_LAYOUT_PROBE, 100, 200,
                  joined({probe_, polls_, builder_.item("MPI_Testall", PL_LAYOUT_WAIT, false, test_)}));
  const Read r = read();
  EXPECT_EQ(r.function, builder_.function("MPI_Iprobe", PL_LAYOUT_PROBE));
  EXPECT_THAT(r.payload, ElementsAre(pair(3, 7), 0, pair(1, 0), pair(-1, -1), pair(0, 999)));
  EXPECT_EQ(r.run.polls, 1'000U);
  EXPECT_EQ(r.run.longest_gap, 30U);
  EXPECT_EQ(r.run.computed, 50U);
  EXPECT_EQ(r.run.off_cpu, 70U);
  EXPECT_EQ(r.run.long_gaps, 60U);
  EXPECT_EQ(r.run.run_delay_ns, 900U);
  ASSERT_EQ(r.run.others.size(), 1U);
  EXPECT_THAT(r.run.others[0].payload, ElementsAre(pair(2, 0), pair(0, 0), pair(11, 12), 0, 0, 0, 0));
}

TEST_F(PollRuns, OneThatAnotherPollEndedIsThatFromTheBeginningOfTheRun) {
  const Payload found{pair(4, 8), 16, pair(1, PL_WAS_ANY)};
  builder_.polled("MPI_Testall", PL_LAYOUT_WAIT, 100, 200,
                  joined({test_, polls_, builder_.item("MPI_Iprobe", PL_LAYOUT_PROBE, true, found)}));
  const Read r = read();
  EXPECT_EQ(r.function, builder_.function("MPI_Iprobe", PL_LAYOUT_PROBE));
  EXPECT_EQ(r.begin, 100U);
  EXPECT_EQ(r.end, 200U);
  EXPECT_THAT(r.payload, ElementsAre(pair(4, 8), 16, pair(1, 0), pair(4, 8), pair(1, 999)));
  ASSERT_EQ(r.run.others.size(), 1U);
  EXPECT_EQ(r.run.others[0].function, builder_.function("MPI_Testall", PL_LAYOUT_WAIT));
}

TEST_F(PollRuns, TheRoomOfAPollInProgressIsNoItem) {
  builder_.polled("MPI_Iprobe", PL_LAYOUT_PROBE, 100, 0, joined({probe_, polls_, Payload(6, 0)}));
  const Read r = read();
  EXPECT_FALSE(r.done);
  EXPECT_TRUE(r.is_run);
  EXPECT_TRUE(r.run.others.empty());
}

TEST_F(PollRuns, AThousandMillionsAreCounted) {
  Payload polls = polls_;
  polls[0] = 10'000'000'000;
  builder_.polled("MPI_Iprobe", PL_LAYOUT_PROBE, 100, 200, joined({probe_, polls}));
  const Read r = read();
  EXPECT_EQ(r.run.polls, 10'000'000'000U);
  EXPECT_EQ(r.payload.at(4), pair(0, 0xffffffff)) << "where there is less room, as many as fit";
}

TEST_F(PollRuns, ADamagedOneHasNoPayload) {
  for (const Payload& damaged : {joined({probe_, Payload(3, 1)}), Payload{pair(1'000'000, 0)},
                                 joined({probe_, polls_, Payload{pair(1 | 200 << 16, PL_BEGUN), 5}})}) {
    builder_.polled("MPI_Iprobe", PL_LAYOUT_PROBE, 100, 200, damaged);
    const Read r = read();
    EXPECT_FALSE(r.is_run);
    EXPECT_TRUE(r.payload.empty());
  }
}

TEST_F(PollRuns, SpoolsOfVersion4AreRead) {
  builder_.header.version = 4;
  builder_.packed("MPI_Iprobe", PL_LAYOUT_PROBE, 100, 200, {pair(3, 7), 0, pair(1, 2)});
  EXPECT_THAT(read().payload, ElementsAre(pair(3, 7), 0, pair(1, 0), pair(-1, -1), pair(0, 2)));
}

}  // namespace
}  // namespace plumbline::spool
