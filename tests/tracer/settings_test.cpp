#include "tracer/record/launch/settings.hpp"

#include <gtest/gtest.h>

namespace plumbline::record {
namespace {

using Variables = std::vector<std::pair<std::string, std::string>>;

const Settings kAll{"/data/**:!*.log", "4194304B", "last", "0-3,8", "10s:", "off", "/host"};

TEST(Settings, ReachARankAsVariablesAndItsKeeperAsOptions) {
  EXPECT_EQ(environment_of(kAll), (Variables{{"PLUMBLINE_IO_PATHS", "/data/**:!*.log"},
                                             {"PLUMBLINE_MAX_SIZE", "4194304B"},
                                             {"PLUMBLINE_KEEP", "last"},
                                             {"PLUMBLINE_RANKS", "0-3,8"},
                                             {"PLUMBLINE_WINDOW", "10s:"},
                                             {"PLUMBLINE_INTERNALS", "off"},
                                             {"PLUMBLINE_NODE_FACTS", "/host"}}));
  EXPECT_EQ(options_of(kAll),
            (Command{"--io-paths", "/data/**", "--io-paths", "!*.log", "--max-size", "4194304B", "--keep", "last",
                     "--ranks", "0-3,8", "--window", "10s:", "--internals", "off", "--node-facts", "/host"}));
}

TEST(Settings, WhatIsNotSetIsLeftAsItWas) {
  EXPECT_EQ(environment_of({}), Variables{});
  EXPECT_EQ(options_of({}), Command{});
}

}  // namespace
}  // namespace plumbline::record
