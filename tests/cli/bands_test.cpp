#include "replay/expect/bands.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/program/text/text.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli {
namespace {

namespace expect = replay::expect;

hw::Platform cluster() { return hw::read_platform(PLUMBLINE_CLUSTER); }

// The calls to files of the file system that have the spread, of which there is no other.
std::string calls_with(const std::function<void(hw::Platform&)>& set, std::size_t file_system = 0) {
  hw::Platform platform = cluster();
  platform.servers[0].device.disk->average_seek.spread = 0;  // the only one in the file
  set(platform);
  const expect::FileSpreads spreads = expect::spreads_of(platform, platform.file_systems[file_system]);
  std::string calls;
  for (const auto& [name, spread] : {std::pair{"open ", spreads.open},
                                     {"close ", spreads.close},
                                     {"sync ", spreads.sync},
                                     {"read ", spreads.read},
                                     {"write ", spreads.write}}) {
    EXPECT_TRUE(spread == 0 || spread == 0.25) << name << spread;
    if (spread > 0) calls += name;
  }
  return calls;
}

using P = hw::Platform;
constexpr double kQuarter = 0.25;

TEST(Spreads, OfAFileOnServersAreThoseOfWhatItsCallsUse) {
  const std::string data = "sync read write ", all = "open close sync read write ";
  EXPECT_EQ(calls_with([](P&) {}), "");
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].request.spread = kQuarter; }), data);
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].device.disk->average_seek.spread = kQuarter; }), data);
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].device.disk->track_to_track.spread = kQuarter; }), data);
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].device.disk->turn.spread = kQuarter; }), data);
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].device.disk->rate.spread = kQuarter; }), data);
  EXPECT_EQ(calls_with([](P& p) { p.servers[1].device.flash->read_latency.spread = kQuarter; }), "read ");
  EXPECT_EQ(calls_with([](P& p) { p.servers[1].device.flash->read_rate.spread = kQuarter; }), "read ");
  EXPECT_EQ(calls_with([](P& p) { p.servers[1].device.flash->write_latency.spread = kQuarter; }), "sync write ");
  EXPECT_EQ(calls_with([](P& p) { p.servers[1].device.flash->write_rate.spread = kQuarter; }), "sync write ");
  EXPECT_EQ(calls_with([](P& p) { p.servers[2].device.simple->rate.spread = kQuarter; }), "") << "it has no data";
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].distribution.create.spread = kQuarter; }), "open ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].distribution.lookup.spread = kQuarter; }), "open ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].distribution.close->spread = kQuarter; }), "close ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].cached_write.call.spread = kQuarter; }), "write ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].cached_read.rate.spread = kQuarter; }), "read ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[0].sync.spread = kQuarter; }), "sync ");
  EXPECT_EQ(calls_with([](P& p) { p.edges[1].rate.spread = kQuarter; }), all);
  EXPECT_EQ(calls_with([](P& p) { p.switches[0].rate.spread = kQuarter; }), all);
  EXPECT_EQ(calls_with([](P& p) { p.nodes[1].interface_rate.spread = kQuarter; }), all);
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[1].open.spread = kQuarter; }), "") << "another file system";
}

TEST(Spreads, OfAFileOnTheDiskOfItsNodeHaveNothingOfTheNetwork) {
  EXPECT_EQ(calls_with([](P& p) { p.edges[0].rate.spread = kQuarter; }, 1), "");
  EXPECT_EQ(calls_with([](P& p) { p.nodes[0].memory_rate.spread = kQuarter; }, 1), "sync read write ");
  EXPECT_EQ(calls_with([](P& p) { p.servers[0].device.disk->rate.spread = kQuarter; }, 1), "sync read write ");
  EXPECT_EQ(calls_with([](P& p) { p.file_systems[1].open.spread = kQuarter; }, 1), "open ");
}

constexpr char kTwoDisks[] = R"(<platform version="1">
  <node name="n0" cores="2" memory-rate="1GB/s"/>
  <inside> <range upto="1KiB" protocol="eager" send="1us" receive="1us" latency="1us" latency-spread="1%"/>
           <range protocol="rendezvous" send="1us" receive="1us" latency="1us" latency-spread="50%"/> </inside>
  <filesystem name="good"> <path prefix="/"/>
    <cached-write call="1us" rate="1GB/s" rate-spread="20%"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s" rate-spread="30%"/>
    <metadata open="1us" close="1us" close-spread="4%" sync="1us"/>
  </filesystem>
  <filesystem name="bad"> <path prefix="/bad"/>
    <cached-write call="1us" call-spread="90%" rate="1GB/s"/> <cached-read call="1us" rate="1GB/s"/>
    <device-write call="100us" rate="100MB/s"/> <device-read call="100us" rate="100MB/s"/>
    <metadata open="1us" close="1us" sync="1us"/>
  </filesystem>
</platform>)";

TEST(Spreads, OfAnOperationAreTheLargestOfItsOwnFileSystemAndKind) {
  const test::TemporaryDirectory directory;
  const replay::Program program = replay::parse_program(
      "ranks 1\nnode n0 ranks 0-0 cores 2\nrank 0\n@0us posix_open /data +1us\npwrite 0..1000 +5ms\npread 0..1000 "
      "+5ms\n"
      "posix_close +1us\nposix_open /bad/data +1us\npwrite 0..1000 +5ms\nposix_close +1us\n",
      "test", directory / "program");
  const hw::Platform platform = hw::parse_platform(kTwoDisks, "platform.xml");
  const expect::Spreads spreads(program, platform);
  std::vector<double> of_all;
  for (const replay::Operation& operation : program.rank(0).operations) of_all.push_back(spreads.of(operation));
  EXPECT_EQ(of_all, (std::vector<double>{0, 0.2, 0.3, 0.04, 0, 0.9, 0}));

  replay::Operation write = program.rank(0).operations[1];
  write.flags |= replay::kIoIsMpi;
  EXPECT_EQ(spreads.of(write), 0.3) << "it may read what it writes around";
  write.flags |= replay::kIoIsCollective;
  EXPECT_EQ(spreads.of(write), 0.3) << "1000 B are of the first range";
  write.bytes = 4096;
  EXPECT_EQ(spreads.of(write), 0.5) << "messages of the second range";
  hw::Platform buffering = platform;
  buffering.inside.send_buffer.spread = 0.7;
  const expect::Spreads with_buffer(program, buffering);
  EXPECT_EQ(with_buffer.of(write), 0.7) << "of a rendezvous it frees the sender";
  write.bytes = 1000;
  EXPECT_EQ(with_buffer.of(write), 0.3) << "eager messages have nothing of it";
}

}  // namespace
}  // namespace plumbline::cli
