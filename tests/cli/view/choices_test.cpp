#include "cli/workflows/view/choices.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::view {
namespace {

using nlohmann::ordered_json;
using viewer::WhatIfChoice;

class ChoicesOf : public testing::Test {
 protected:
  replay::Program parse(const std::string& calls) {
    const std::string head = "ranks 2\nproperty library = \"MPICH 4.0.2\"\n";
    return replay::parse_program(head + "rank 0\n" + calls + "rank 1\n" + calls, "test.txt", directory_ / "program");
  }

  std::vector<WhatIfChoice> of(const std::string& calls, const ordered_json& report = nullptr) {
    return what_if_choices(parse(calls), platform_, report);
  }

  static bool has(const std::vector<WhatIfChoice>& choices, const std::string& name, const std::string& value) {
    return std::ranges::any_of(
        choices, [&](const WhatIfChoice& choice) { return choice.name == name && choice.value == value; });
  }

  test::TemporaryDirectory directory_;
  const hw::Platform platform_ = hw::read_platform(PLUMBLINE_TWO_NODES);
};

TEST_F(ChoicesOf, HintsAreThereForProgramsThatUseMpiIo) {
  EXPECT_TRUE(has(of("open /f collective\nwrite_at_all 0..8192\n"), "hint.romio_cb_write", "enable"));
  EXPECT_FALSE(has(of("barrier\n"), "hint.romio_cb_write", "enable"));
}

TEST_F(ChoicesOf, AlgorithmsAreThoseOfTheLibraryForCallsOfTheProgram) {
  const std::vector<WhatIfChoice> choices = of("allreduce 8B\n");
  EXPECT_TRUE(has(choices, "collective.allreduce", "mpich:recursive_doubling"));
  EXPECT_FALSE(
      std::ranges::any_of(choices, [](const WhatIfChoice& choice) { return choice.name == "collective.bcast"; }));
}

TEST_F(ChoicesOf, WhatFindingsAdviseComesFirstAndOnce) {
  const ordered_json report{
      {"findings",
       {{{"component", "MPI-IO on /f"},
         {"advice",
          {"the hint romio_cb_write=disable switches collective buffering off: set romio_cb_write=enable, or remove it",
           "before you do, ask the model whether that pays here: plumbline replay obs -p PLATFORM --set "
           "hint.cb_nodes=2"}}},
        {{"component", "algorithm of MPI_Allreduce"}, {"advice", {"no setting"}}}}}};
  const std::vector<WhatIfChoice> choices = of("allreduce 8B\nopen /f collective\nwrite_at_all 0..8192\n", report);
  ASSERT_GT(choices.size(), 3U);
  EXPECT_EQ(choices[0].options(), (std::vector<std::string>{"--set", "hint.romio_cb_write=enable"}));
  EXPECT_EQ(choices[0].from_finding, 0U);
  EXPECT_EQ(choices[1].options()[1], "hint.cb_nodes=2");
  EXPECT_EQ(choices[2].name, "collective.allreduce");
  EXPECT_EQ(choices[2].from_finding, 1U);
  EXPECT_EQ(std::ranges::count(choices, "hint romio_cb_write=enable", &WhatIfChoice::id), 1);
  EXPECT_FALSE(std::ranges::any_of(choices, [](const WhatIfChoice& choice) {
    return choice.from_finding && choice.value == "disable";
  })) << "what is wrong is no advice";
}

TEST_F(ChoicesOf, EachIsOneThatReplayTakes) {
  const std::vector<WhatIfChoice> choices =
      of("allreduce 8B\nbcast root 0 8B\nalltoall 16B\nopen /f collective\nwrite_at_all 0..8192\n");
  EXPECT_GT(choices.size(), 20U);
  for (const WhatIfChoice& choice : choices) {
    const std::vector<std::string> options = choice.options();
    EXPECT_EQ(viewer::fault_of(choices, options), std::nullopt) << options[1];
    const std::vector<hw::Setting> settings{hw::parse_setting(options[1])};
    EXPECT_NO_THROW(replay::expect::what_if(platform_, settings)) << options[1];
  }
}

}  // namespace
}  // namespace plumbline::cli::view
