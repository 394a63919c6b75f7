#include "replay/validate/preflight/transport_lists.hpp"

#include <gtest/gtest.h>

namespace plumbline::replay::validate {
namespace {

TEST(TransportLists, AreNamesOrThoseThatAreNotWanted) {
  EXPECT_EQ(parse_transports("tcp, self,").names, (std::vector<std::string>{"tcp", "self"}));
  EXPECT_FALSE(parse_transports("tcp").excludes);
  EXPECT_TRUE(parse_transports("^vader,sm").excludes);
  EXPECT_TRUE(parse_transports("").names.empty());
}

TEST(TransportLists, LeaveOutWhatTheyDoNotNameOrExclude) {
  constexpr std::string_view kLocal[] = {"vader", "sm"};
  EXPECT_TRUE(leaves_out(parse_transports("tcp,self"), kLocal));
  EXPECT_FALSE(leaves_out(parse_transports("tcp,self,vader"), kLocal));
  EXPECT_FALSE(leaves_out(parse_transports(""), kLocal));
  EXPECT_FALSE(leaves_out(parse_transports("all"), kLocal));
  EXPECT_FALSE(leaves_out(parse_transports("^vader"), kLocal));
  EXPECT_TRUE(leaves_out(parse_transports("^vader,sm"), kLocal));
  EXPECT_FALSE(leaves_out(parse_transports("^uct,openib,ofi"), kLocal));
}

TEST(TransportLists, OfUcxHaveSharedMemoryUnlessItIsLeftOut) {
  for (const char* tls : {"", "all", "tcp,sm", "posix,tcp", "^tcp", "^cma", "^posix", "rc_x,shm", "xpmem,tcp", "^ib"})
    EXPECT_TRUE(has_shared_memory_of_ucx(tls)) << tls;
  for (const char* tls : {"tcp", "tcp,self", "^sm", "^shm", "^mm", "^posix,sysv", "^all", "cma,tcp", "rc"})
    EXPECT_FALSE(has_shared_memory_of_ucx(tls)) << tls;
}

TEST(TransportLists, OfUcxHaveSingleCopyUnlessItIsLeftOut) {
  for (const char* tls : {"", "all", "sm,tcp", "cma,posix", "^tcp", "^posix", "knem,posix"})
    EXPECT_TRUE(has_single_copy_of_ucx(tls)) << tls;
  for (const char* tls : {"^cma", "posix,tcp", "^sm", "tcp"}) EXPECT_FALSE(has_single_copy_of_ucx(tls)) << tls;
}

TEST(TransportLists, OfUcxHaveRdmaUnlessItIsLeftOut) {
  for (const char* tls : {"", "all", "rc", "ud_x,sm", "ib", "^tcp", "^rc"}) EXPECT_TRUE(has_rdma_of_ucx(tls)) << tls;
  for (const char* tls : {"tcp", "tcp,sm,self", "^ib", "^rc,ud,dc"}) EXPECT_FALSE(has_rdma_of_ucx(tls)) << tls;
}

}  // namespace
}  // namespace plumbline::replay::validate
