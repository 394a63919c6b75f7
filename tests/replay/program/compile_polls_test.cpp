// A wait by polls is one wait from its first poll on, whoever recorded it; what was computed between polls stays.

#include <gmock/gmock.h>

#include <random>
#include <vector>

#include "tests/replay/program/event_script.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::replay {
namespace {

using archive::EventKind;
namespace names = archive::names;
using ::testing::ElementsAre;
using ::testing::Pair;

constexpr std::uint64_t kRequest = 12;

// In microseconds, begin and end.
std::vector<std::pair<std::int64_t, std::int64_t>> times(const Program& program) {
  std::vector<std::pair<std::int64_t, std::int64_t>> all;
  for (const OperationTimes& t : program.rank(0).times)
    all.emplace_back((t.begin - Time{}).ps / 1'000'000, (t.end - Time{}).ps / 1'000'000);
  return all;
}

class CompilePolls : public ::testing::Test {
 protected:
  CompilePolls() { post(0); }
  void post(std::int64_t us) {
    script_.enter("MPI_Irecv", us).add(EventKind::kMpiIrecvRequest, us, 0, 0, 0, kRequest).leave(us + 1);
  }
  void failed(std::int64_t begin, std::int64_t end) {
    script_.enter("MPI_Test", begin).add(EventKind::kMpiRequestTest, end, 0, 0, 0, kRequest).leave(end);
  }
  void failed_probe(std::int64_t begin, std::int64_t end) {
    script_.enter("MPI_Iprobe", begin).with(names::kCommId, std::uint64_t{0}).leave(end);
  }
  void told(std::int64_t begin, std::int64_t end) {
    script_.enter("MPI_Test", begin).add(EventKind::kMpiIrecv, end, 1, 5, 8, kRequest).leave(end);
  }
  void computes_between_its_polls(std::uint64_t us) { script_.with(names::kPollComputed, us * 1'000'000); }

  EventScript script_;
};

TEST_F(CompilePolls, ARunOfTheTracersComputesFirstAndThenWaits) {
  script_.enter("MPI_Test", 10);
  computes_between_its_polls(30);
  script_.add(EventKind::kMpiIrecv, 100, 1, 5, 8, kRequest).leave(100);
  EXPECT_THAT(times(script_.compile()), ElementsAre(Pair(0, 1), Pair(40, 100)));
}

// 20 us between the second and the third are computation; 1 us is a loop.
TEST_F(CompilePolls, PollsThatWereRecordedOneByOneAreOneWaitToo) {
  failed(10, 11), failed_probe(12, 13), failed(33, 34), told(35, 40);
  EXPECT_THAT(times(script_.compile()),
              ElementsAre(Pair(0, 1), Pair(10, 10), Pair(10, 10), Pair(30, 30), Pair(30, 40)));
}

TEST_F(CompilePolls, TheRecordingSaysHowLongAGapOfALoopIs) {
  failed(10, 11), told(20, 30);
  TracerCost cost;
  cost.poll_gap = microseconds(10);
  EXPECT_THAT(times(script_.compile(cost)), ElementsAre(Pair(0, 1), Pair(10, 10), Pair(10, 30)));
  EXPECT_THAT(times(script_.compile()), ElementsAre(Pair(0, 1), Pair(10, 10), Pair(19, 30)));
}

TEST_F(CompilePolls, PollsThatAreNeverToldAnythingKeepTheirTime) {
  failed(10, 11), failed(12, 13);
  script_.enter("MPI_Wait", 20).add(EventKind::kMpiIrecv, 30, 1, 5, 8, kRequest).leave(30);
  EXPECT_THAT(times(script_.compile()), ElementsAre(Pair(0, 1), Pair(10, 11), Pair(12, 13), Pair(20, 30)));
}

TEST_F(CompilePolls, AnotherCallInBetweenEndsTheRun) {
  failed(10, 11);
  script_.enter("MPI_Comm_rank", 12).leave(13);
  told(14, 20);
  EXPECT_THAT(times(script_.compile()), ElementsAre(Pair(0, 1), Pair(10, 11), Pair(12, 13), Pair(14, 20)));
}

// Of random rows of polls and other calls: nobody else's times change, nothing overlaps, what was computed stays as
// long as it was, and a wait ends when it ended.
TEST(CompilePollsProperty, JoiningPollsMovesNothingElse) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(testing::Message() << "PLUMBLINE_SEED=" << seed);
  std::mt19937_64 random(seed);
  enum Kind : std::uint8_t { kFailed, kTold, kOther };
  for (int round = 0; round < 300; ++round) {
    EventScript script;
    std::vector<Kind> kinds;
    std::vector<std::pair<std::int64_t, std::int64_t>> recorded;
    std::int64_t now = 0;
    bool is_posted = false;
    for (int i = 0; i < 40; ++i) {
      now += static_cast<std::int64_t>(random() % 2 == 0 ? random() % 3 : random() % 50);
      const std::int64_t begin = now, end = now += static_cast<std::int64_t>(random() % 5);
      const auto kind = static_cast<Kind>(is_posted ? random() % 3 : random() % 2 * 2);
      kinds.push_back(kind);
      recorded.emplace_back(begin, end);
      if (kind == kFailed) {
        script.enter("MPI_Iprobe", begin).with(names::kCommId, std::uint64_t{0}).leave(end);
      } else if (kind == kTold) {
        script.enter("MPI_Test", begin).add(EventKind::kMpiIrecv, end, 1, 5, 8, kRequest).leave(end);
        is_posted = false;
      } else if (is_posted) {
        script.enter("MPI_Comm_rank", begin).leave(end);
      } else {
        script.enter("MPI_Irecv", begin).add(EventKind::kMpiIrecvRequest, begin, 0, 0, 0, kRequest).leave(end);
        is_posted = true;
      }
    }
    const auto joined = times(script.compile());
    ASSERT_EQ(joined.size(), recorded.size());
    std::int64_t computed = 0, stays = 0;
    for (std::size_t i = 0; i < joined.size(); ++i) {
      if (kinds[i] == kOther) {
        EXPECT_EQ(joined[i], recorded[i]);
      } else if (kinds[i] == kTold) {
        EXPECT_EQ(joined[i].second, recorded[i].second);
      }
      EXPECT_LE(joined[i].first, joined[i].second);
      if (i == 0) continue;
      EXPECT_LE(joined[i - 1].second, joined[i].first);
      const std::int64_t before = recorded[i].first - recorded[i - 1].second,
                         after = joined[i].first - joined[i - 1].second;
      if (before <= 2) {
        EXPECT_LE(after, before);
        continue;
      }
      computed += before;
      stays += after;
    }
    EXPECT_EQ(stays, computed) << "round " << round;
  }
}

}  // namespace
}  // namespace plumbline::replay
