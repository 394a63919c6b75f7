// The header of messages, by what the kernel counted of the frames of small messages.
#include "hwmodels/calibrate/observations/frames.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "tests/hwmodels/calibrate/synthetic_network.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw::calibration {
namespace {

bench::Cell frames_of(std::uint64_t bytes, double wire_bytes, double wire_frames, double acknowledgement,
                      bool ethernet) {
  return cell_of("frames", "", bytes, {0, 1},
                 {{"wire_bytes", wire_bytes},
                  {"wire_frames", wire_frames},
                  {"acknowledgement_bytes", acknowledgement},
                  {"ethernet", ethernet ? 1.0 : 0.0}});
}

struct Case {
  const char* what;
  bench::Cell cell;
  double header;  // 0: cannot be told
};

TEST(HeaderOfFrames, IsWhatIsLeftOfThem) {
  const Case cases[] = {
      {"1 B, 14 of Ethernet, 20 of IP, 32 of TCP, 22 of MPI; 24 that no interface counts", frames_of(1, 89, 1, 0, true),
       112},
      {"the same, and each message acknowledged by a frame of 66 B", frames_of(1, 155, 2, 66, true), 112},
      {"every second message acknowledged", frames_of(1, 122, 1.5, 66, true), 112},
      {"a frame more now and then", frames_of(1, 89 + 0.04 * 66, 1.04, 66, true), 112},
      {"the same where nobody knows of what size", frames_of(1, 89, 1.04, 0, true), 112},
      {"no Ethernet", frames_of(8, 108, 1, 0, false), 100},
      {"frames more, and nobody knows of what size", frames_of(1, 155, 2, 0, true), 0},
      {"fewer frames than messages", frames_of(1, 40, 0.5, 66, true), 0},
      {"a message that may take several frames", frames_of(4096, 4300, 1, 66, true), 0},
      {"fewer bytes than the message has", frames_of(100, 60, 1, 0, false), 0},
      {"a campaign without numbers", cell_of("frames", "", 1, {0, 1}), 0},
      {"what is no number", frames_of(1, std::nan(""), 1, 0, true), 0},
  };
  for (const Case& each : cases) {
    const auto header = header_in(each.cell);
    EXPECT_EQ(header.has_value(), each.header > 0) << each.what;
    EXPECT_NEAR(header.value_or(0), each.header, 1e-9) << each.what;
  }
}

// Cables keep their latencies, whatever small messages have beside them on the wire.
TEST(HeaderOfFrames, IsTheirsAndNotTheLatencyOfCables) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937_64 random(seed);
  for (int i = 0; i < 20; ++i) {
    const std::uint64_t header = 60 + random() % 100;
    Platform truth = platform_of({.groups = {4}, .link = {10'000'000 + random() % 100'000'000}});
    truth.packets.header = Bytes{header};
    SCOPED_TRACE(fmt::format("machine {}: {} B/s, header {} B", i, truth.edges[0].rate.value.count, header));
    bench::Campaign campaign = SyntheticMeasurer(truth, {}).campaign({.runs = 2, .repetitions = 2, .contentions = 20});
    const Platform without = calibrate(campaign).platform;
    bench::Cell cell = frames_of(1, static_cast<double>(1 + header - 24), 1, 0, true);
    cell.seconds = {1e-4};
    cell.flags = {0};
    campaign.cells.push_back(cell);
    const Platform made = calibrate(campaign).platform;
    EXPECT_EQ(without.packets.header.count, 40u);
    EXPECT_EQ(made.packets.header.count, header);
    const double rate = static_cast<double>(truth.edges[0].rate.value.count);
    EXPECT_NEAR(static_cast<double>(made.edges[0].rate.value.count), rate, 0.005 * rate);
    const auto software = truth.between.ranges[0].latency.value.seconds();
    const auto lengthened_by = [&](const Platform& platform) {
      return platform.edges[0].latency.value.seconds() - truth.edges[0].latency.value.seconds() - software / 2;
    };
    EXPECT_NEAR(lengthened_by(made) * 1e6, 0, 0.5);
    EXPECT_NEAR(lengthened_by(without) * 1e6, (static_cast<double>(header) - 40) / rate * 1e6, 0.5);
  }
}

}  // namespace
}  // namespace plumbline::hw::calibration
