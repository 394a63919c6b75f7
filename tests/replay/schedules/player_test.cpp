// The player finds what the properties rely on it to find.
#include <gtest/gtest.h>

#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

Round round(std::vector<Transfer> posted) { return {std::move(posted)}; }

TEST(SchedulePlayer, FindsTwoRanksThatSendToEachOtherFirst) {
  const Schedule zero = {round({{true, 1, 8}}), round({{false, 1, 8}})};
  const Schedule one = {round({{true, 0, 8}}), round({{false, 0, 8}})};
  EXPECT_EQ(play({zero, one}).fault, "rank 0 waits in round 0; rank 1 waits in round 0; ");
}

TEST(SchedulePlayer, FindsAReceiveOfAnotherSize) {
  EXPECT_EQ(play({{round({{true, 1, 8}})}, {round({{false, 0, 4}})}}).fault, "0 sends 8 B, 1 expects 4");
}

TEST(SchedulePlayer, FindsAMessageThatNobodyReceives) {
  EXPECT_EQ(play({{round({{true, 1, 8}})}, {}}).fault, "rank 0 waits in round 0; ");
}

TEST(SchedulePlayer, AMessageCarriesWhatItsSenderKnewWhenItPosted) {
  // 0 -> 1 and 1 -> 2 in one round of 1: what 0 knows does not reach 2.
  const std::vector<Schedule> at_once = {
      {round({{true, 1, 8}})}, {round({{false, 0, 8}, {true, 2, 8}})}, {round({{false, 1, 8}})}};
  EXPECT_EQ(play(at_once).knows[2], (std::set<std::uint32_t>{1, 2}));
}

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
