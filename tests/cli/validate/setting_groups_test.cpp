#include "cli/workflows/validate/settings/groups.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace plumbline::cli::validate {
namespace {

using testing::ElementsAre;

// What settings cost that are costly alone or, in pairs, only together; and how often a group was measured.
class SettingGroups : public testing::Test {
 protected:
  GroupCost cost_of(const SettingGroup& group) {
    const auto has = [&](std::size_t setting) { return std::ranges::count(group, setting) > 0; };
    GroupCost cost;
    for (const auto& [setting, part] : alone_) cost.lost += has(setting) ? part : 0;
    for (const auto& [pair, part] : together_) cost.lost += has(pair.first) && has(pair.second) ? part : 0;
    cost.is_suspect = cost.lost > 0;
    if (!fails_.empty() && group.size() > 1 && has(*fails_.begin())) return {true, 0};  // ranks fail without it
    return cost;
  }

  std::vector<SettingGroup> found() {
    const SettingGroup all{0, 1, 2, 3, 4, 5, 6, 7};
    const auto measure = [&](const SettingGroup& group) {
      ++measured_;
      GroupCost cost = cost_of(group);
      if (group.front() == by_chance_) cost = {true, cost.lost + 0.4};
      return cost;
    };
    const auto confirm = [&](const SettingGroup& group) { return cost_of(group).lost > 0; };
    return costly_groups(all, cost_of(all), measure, confirm);
  }

  std::optional<std::size_t> by_chance_;  // groups that begin with this one seem to cost much, and do not
  std::set<std::size_t> fails_;
  std::map<std::size_t, double> alone_;
  std::map<std::pair<std::size_t, std::size_t>, double> together_;
  int measured_ = 0;
};

TEST_F(SettingGroups, NameTheOnlyCostlySettingByFewMeasurements) {
  for (std::size_t setting = 0; setting < 8; ++setting) {
    alone_ = {{setting, 0.3}};
    measured_ = 0;
    EXPECT_THAT(found(), ElementsAre(SettingGroup{setting}));
    EXPECT_LE(measured_, 6);
  }
}

TEST_F(SettingGroups, NameSeveralCostlySettings) {
  alone_ = {{1, 0.3}, {2, 0.2}, {7, 0.4}};
  EXPECT_THAT(found(), ElementsAre(SettingGroup{1}, SettingGroup{2}, SettingGroup{7}));
}

TEST_F(SettingGroups, DoNotLookForALittleRestWhereMostIsFound) {
  alone_ = {{1, 0.36}, {7, 0.04}};
  EXPECT_THAT(found(), ElementsAre(SettingGroup{1}));
}

// A path of messages that takes a third of the time beside a file of hints that takes a fourteenth.
TEST_F(SettingGroups, LookForARestThatIsMuchByItself) {
  alone_ = {{1, 0.34}, {7, 0.07}};
  EXPECT_THAT(found(), ElementsAre(SettingGroup{1}, SettingGroup{7}));
}

TEST_F(SettingGroups, AreLookedThroughWhereOneSeemedToCostAllByChance) {
  alone_ = {{7, 0.3}};
  by_chance_ = 0;
  EXPECT_THAT(found(), ElementsAre(SettingGroup{7}));
}

TEST_F(SettingGroups, NameNothingThatIsNotConfirmed) {
  by_chance_ = 4;
  EXPECT_THAT(found(), testing::IsEmpty());
}

TEST_F(SettingGroups, AreLookedThroughWhereRanksFailWithoutOneOfThem) {
  alone_ = {{6, 0.3}};
  fails_ = {1};
  EXPECT_THAT(found(), testing::Contains(SettingGroup{6}));
}

TEST_F(SettingGroups, NameTheSmallestHalfOfThoseThatCostOnlyTogether) {
  together_ = {{{4, 5}, 0.3}};
  EXPECT_THAT(found(), ElementsAre(SettingGroup{4, 5}));
  together_ = {{{3, 4}, 0.3}};
  EXPECT_THAT(found(), ElementsAre(SettingGroup{0, 1, 2, 3, 4, 5, 6, 7})) << "one of them in each half";
}

}  // namespace
}  // namespace plumbline::cli::validate
