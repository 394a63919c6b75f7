#include "bench/ranks/environment/socket.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "bench/results/campaign.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

class SocketOfCpus : public testing::Test {
 protected:
  void put(const std::string& cpu, const std::string& package) const {
    const std::filesystem::path topology = directory_ / cpu / "topology";
    std::filesystem::create_directories(topology);
    std::ofstream(topology / "physical_package_id") << package;
  }

  std::uint32_t socket_of(const std::vector<std::uint32_t>& cpus) const {
    return socket_of_cpus(cpus, directory_.path());
  }

  const plumbline::test::TemporaryDirectory directory_;
};

TEST_F(SocketOfCpus, IsThePackageThatAllOfThemAreOn) {
  put("cpu0", "0\n");
  put("cpu1", "36\n");
  put("cpu2", "0\n");
  put("cpu17", "36");
  EXPECT_EQ(socket_of({0, 2}), 0U);
  EXPECT_EQ(socket_of({17, 1}), 36U);
  EXPECT_EQ(socket_of({1}), 36U);
}

TEST_F(SocketOfCpus, IsNoneWhereTheyAreOnSeveral) {
  put("cpu0", "0\n");
  put("cpu1", "1\n");
  EXPECT_EQ(socket_of({0, 1}), kNoSocket);
}

TEST_F(SocketOfCpus, IsNoneWhereTheKernelDoesNotTell) {
  put("cpu0", "-1\n");
  put("cpu1", "");
  put("cpu2", "99999999999999999999\n");
  put("cpu3", "4294967295\n");
  put("cpu4", "0\n");
  put("cpu6", "none\n");
  for (const std::uint32_t cpu : {0, 1, 2, 3, 5, 6}) EXPECT_EQ(socket_of({cpu}), kNoSocket) << cpu;
  EXPECT_EQ(socket_of({4, 5}), kNoSocket);
  EXPECT_EQ(socket_of({}), kNoSocket);
}

TEST(AllowedCpus, AreAtLeastTheOneThatThisRunsOn) { EXPECT_THAT(allowed_cpus(), Not(IsEmpty())); }

}  // namespace
}  // namespace plumbline::bench
