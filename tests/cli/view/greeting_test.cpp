#include "cli/workflows/view/greeting.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::cli::view {
namespace {

const Place kLoopback{"127.0.0.1", 8080, "0123"};

TEST(Address, KeepsTheTokenBehindTheFragment) {
  EXPECT_EQ(url_of(kLoopback), "http://127.0.0.1:8080/#t=0123");
  EXPECT_EQ(url_of({"::1", 8080, "0123"}), "http://[::1]:8080/#t=0123");
  EXPECT_EQ(url_of({"0.0.0.0", 8080, "0123"}), "http://localhost:8080/#t=0123");
}

TEST(Tunnel, IsToldOverSshAndWithoutADisplay) {
  const Surroundings over_ssh{true, true, true, "ada", "login1"}, headless{false, false, true, "ada", "login1"};
  EXPECT_EQ(tunnel_to(kLoopback, over_ssh), "ssh -N -L 8080:127.0.0.1:8080 ada@login1");
  EXPECT_EQ(tunnel_to(kLoopback, headless), "ssh -N -L 8080:127.0.0.1:8080 ada@login1");
}

TEST(Tunnel, IsNoneForWhoSitsHereOrCanReachTheServerAnyway) {
  const Surroundings here{false, true, true, "ada", "desk"}, over_ssh{true, false, true, "ada", "login1"};
  EXPECT_EQ(tunnel_to(kLoopback, here), std::nullopt);
  EXPECT_EQ(tunnel_to({"0.0.0.0", 8080, "0123"}, over_ssh), std::nullopt);
}

TEST(Browser, IsOpenedOnlyWhereSomebodyLooksAtAScreenOfThisMachine) {
  EXPECT_TRUE(opens_browser({false, true, true, "", ""}));
  EXPECT_FALSE(opens_browser({true, true, true, "", ""})) << "over ssh";
  EXPECT_FALSE(opens_browser({false, false, true, "", ""})) << "no display";
  EXPECT_FALSE(opens_browser({false, true, false, "", ""})) << "a script reads what is printed";
}

}  // namespace
}  // namespace plumbline::cli::view
