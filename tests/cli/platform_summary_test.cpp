#include "cli/verbs/info/platform_summary.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli {
namespace {

using testing::HasSubstr;

TEST(PlatformSummary, NamesServersTheirDevicesAndWhatFilesAreSpreadOver) {
  const std::string text = describe_platform(hw::read_platform(PLUMBLINE_CLUSTER));
  EXPECT_THAT(text, HasSubstr("server d0 on n0: hard disk 100.7 MB/s, seek 9 ms ± 10.0 %"));
  EXPECT_THAT(text, HasSubstr("aggregation with reordering of 1 GB"));
  EXPECT_THAT(text, HasSubstr("server d1 on n1: flash 1 GB/s written, 3 GB/s read, 4 channels"));
  EXPECT_THAT(text, HasSubstr("100 us a request"));
  EXPECT_THAT(text, HasSubstr("file system pvfs for /pvfs: 2 servers, stripes of 64 KiB, a file on 1; metadata on m0: "
                              "create 1 ms, lookup 200 us, stat 100 us"));
}

TEST(PlatformSummary, TellsLikeNodesAndServersTogether) {
  hw::Platform platform = hw::read_platform(PLUMBLINE_TWO_NODES);
  EXPECT_THAT(describe_platform(platform), HasSubstr("  nodes kn1 to kn2: 4 cores, memory 10 GB/s\n"
                                                     "  2 edges: 117 MB/s, latency 10 us\n"));
  hw::Server server;
  server.device.simple.emplace();
  for (const char* name : {"s1", "s2"}) {
    server.name = name;
    platform.servers.push_back(server);
    ++server.node;
  }
  EXPECT_THAT(describe_platform(platform), HasSubstr("  servers s1 to s2 on kn1 to kn2: "));
  platform.servers[1].request.value = microseconds(1);
  EXPECT_THAT(describe_platform(platform), HasSubstr("  server s2 on kn2: "));
}

}  // namespace
}  // namespace plumbline::cli
