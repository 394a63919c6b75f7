#include "bench/ranks/environment/transports.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

namespace plumbline::bench {
namespace {

constexpr std::array<std::string_view, 2> kShared = {"vader", "sm"};

TEST(ListOfTransports, LosesWhatIsNotWanted) {
  EXPECT_EQ(without("tcp,self,vader", kShared, kShared), "tcp,self");
  EXPECT_EQ(without("sm,tcp", kShared, kShared), "tcp");
}

TEST(ListOfTransports, ThatNamesWhatIsNotWantedNamesMoreOfIt) {
  EXPECT_EQ(without("^openib", kShared, kShared), "^openib,vader,sm");
  EXPECT_EQ(without("^sm", kShared, kShared), "^vader,sm");
  EXPECT_EQ(without("^ib,sm", kShared, std::array<std::string_view, 1>{"shm"}), "^ib,shm");
}

TEST(ListOfTransports, ThatIsMissingOrWouldHaveNoTransportLeftIsOneOfWhatIsNotWanted) {
  EXPECT_EQ(without("", kShared, kShared), "^vader,sm");
  EXPECT_EQ(without("all", kShared, kShared), "^vader,sm");
  EXPECT_EQ(without("self,sm", kShared, kShared), "^vader,sm");
}

TEST(LeaveSharedMemory, ChangesWhatTheLauncherSaid) {
  ::setenv("OMPI_MCA_btl", "tcp,self,vader", 1);
  ::setenv("UCX_TLS", "tcp,self,sm", 1);
  leave_shared_memory();
  EXPECT_STREQ(std::getenv("OMPI_MCA_btl"), "tcp,self");
  EXPECT_STREQ(std::getenv("UCX_TLS"), "tcp,self");
  EXPECT_STREQ(std::getenv("MPIR_CVAR_NOLOCAL"), "1");
  ::unsetenv("OMPI_MCA_btl");
  ::unsetenv("UCX_TLS");
  leave_shared_memory();
  EXPECT_EQ(std::string(std::getenv("UCX_TLS")), "^shm");
}

}  // namespace
}  // namespace plumbline::bench
