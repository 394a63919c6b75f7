#include "cli/workflows/view/components.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::cli::view {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

MATCHER_P2(Piece, begin_ps, busy, "") {
  return arg.begin.ps == begin_ps && std::abs(arg.busy - static_cast<float>(busy)) < 1e-6F;
}

// Steps of 100 ps from 0 on.
class Histories : public testing::Test {
 protected:
  // What component 0 was busy in all at the ends of the steps.
  std::vector<viewer::ComponentHistory> of(const std::vector<std::int64_t>& busy) {
    hw::UseRecord use;
    use.names = {"a > b"};
    use.kinds = {"link"};
    use.history.emplace(1, Time{}, picoseconds(100));
    for (const std::int64_t ps : busy)
      use.history->sample([&](std::size_t) { return hw::ComponentUse{picoseconds(ps), {}, 0}; });
    return component_histories(use);
  }
};

TEST_F(Histories, TellTheBusyShareOfEachStep) {
  const auto histories = of({50, 150, 150, 150, 175});
  ASSERT_THAT(histories, SizeIs(1));
  EXPECT_EQ(histories[0].name, "a > b");
  EXPECT_EQ(histories[0].kind, "link");
  // Step 4 ends at 500: 25 of its 100 ps.
  EXPECT_THAT(histories[0].pieces,
              ElementsAre(Piece(0, 0.5), Piece(100, 1.0), Piece(200, 0.0), Piece(400, 0.25), Piece(500, 0.0)));
}

TEST_F(Histories, JoinStepsThatAreAlike) {
  EXPECT_THAT(of({50, 100, 150}).at(0).pieces, ElementsAre(Piece(0, 0.5), Piece(300, 0.0)));
}

TEST_F(Histories, BeginWhenAComponentIsFirstUsed) {
  EXPECT_THAT(of({0, 0, 10, 20}).at(0).pieces, ElementsAre(Piece(200, 0.1), Piece(400, 0.0)));
}

TEST_F(Histories, LeaveOutWhatWasNeverUsed) { EXPECT_THAT(of({0, 0, 0}), IsEmpty()); }

}  // namespace
}  // namespace plumbline::cli::view
