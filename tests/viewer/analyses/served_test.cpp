#include "viewer/index/aggregates/served.hpp"

#include <gtest/gtest.h>

#include "worlds.hpp"

namespace plumbline::viewer {
namespace {

class ServedTest : public testing::Test {
 protected:
  // A write that is expected from 5 us to 9 us, and a message.
  Runs runs() {
    replay::Program program = programs_.parse(R"(ranks 1
rank 0
  @5us posix_write 8B file /out +10us
  @20us send none tag 0 0B +2us
)");
    replay::Expected expected = replay::as_observed(program);
    expected.ranks[0].free[0].end = Time{} + microseconds(9);
    Runs runs = compared(std::move(program), std::move(expected));
    const auto at = [](std::int64_t us, float busy) { return BusyPiece{Time{} + microseconds(us), busy}; };
    runs.components = {{"n0-s0", "link", {at(0, 1)}},
                       {"d0", "server", {at(0, 0), at(6, 0.5F), at(8, 0)}},
                       {"d0 disk", "device", {at(8, 1), at(30, 0)}},
                       {"d1", "server", {at(10, 1), at(12, 0)}}};
    return runs;
  }

  replay::Programs programs_;
};

// Links are no storage, and d1 works only later.
TEST_F(ServedTest, NamesTheStorageThatWorkedMeanwhileInTheExpectedRun) {
  const Runs given = runs();
  const std::vector<Served> served = served_by(given, {0, 0});
  ASSERT_EQ(served.size(), 2U);
  EXPECT_EQ(served[0].component, 1U);
  EXPECT_EQ(served[0].begin, Time{} + microseconds(6));
  EXPECT_EQ(served[0].end, Time{} + microseconds(8));
  EXPECT_EQ(served[0].busy, microseconds(1));
  EXPECT_EQ(served[1].component, 2U);
  EXPECT_EQ(served[1].begin, Time{} + microseconds(8));
  EXPECT_EQ(served[1].end, Time{} + microseconds(9));
  EXPECT_EQ(served[1].busy, microseconds(1));
}

TEST_F(ServedTest, IsNothingOfAMessageOrWithoutAnExpectation) {
  Runs given = runs();
  EXPECT_TRUE(served_by(given, {0, 1}).empty());
  given.reference = replay::ReferenceRun::kObserved;
  EXPECT_TRUE(served_by(given, {0, 0}).empty());
  given.expected.reset();
  EXPECT_TRUE(served_by(given, {0, 0}).empty());
}

}  // namespace
}  // namespace plumbline::viewer
