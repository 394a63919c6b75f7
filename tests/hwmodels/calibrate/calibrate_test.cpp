// Measurements made from a known platform must give that platform back.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>

#include "base/error.hpp"
#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/one_way_time.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::hw::calibration {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

template <class T>
Parameter<T> exactly(T value) {
  return {value, 0, ""};
}

Parameter<BytesPerSecond> rate(std::uint64_t count) { return exactly(BytesPerSecond{count}); }

// Like Open MPI on one node: eager to 4040 B, then a single copy by the receiver.
Platform truth() {
  Platform platform;
  Node& node = platform.nodes.emplace_back();
  node.name = "node";
  node.cores = 2;
  node.memory_rate = rate(20'000'000'000);
  platform.packets.header = Bytes{0};
  MessageRange eager, rendezvous;
  eager.upto = Bytes{4040};
  eager.send = exactly(nanoseconds(40));
  eager.receive = exactly(nanoseconds(90));
  eager.latency = exactly(nanoseconds(50));
  eager.send_rate = rate(25'000'000'000);
  eager.receive_rate = rate(40'000'000'000);
  rendezvous.protocol = Protocol::kRendezvous;
  rendezvous.send = exactly(nanoseconds(55));
  rendezvous.receive = exactly(nanoseconds(90));
  rendezvous.latency = exactly(nanoseconds(2200));
  rendezvous.receive_rate = rate(15'000'000'000);
  platform.inside.ranges = {eager, rendezvous};
  FileSystem disk;
  disk.cached_write = {exactly(nanoseconds(800)), rate(5'000'000'000)};
  disk.cached_read = {exactly(nanoseconds(500)), rate(8'000'000'000)};
  disk.device_write = {exactly(microseconds(900)), rate(300'000'000)};
  disk.device_read = {exactly(microseconds(120)), rate(700'000'000)};
  disk.open = exactly(microseconds(9));
  disk.close = exactly(nanoseconds(700));
  disk.sync = exactly(milliseconds(1));
  platform.file_systems.push_back(disk);
  return platform;
}

using Noise = std::function<double()>;

void add(bench::Measurements& m, std::string_view name, std::uint64_t size, double ns, const Noise& noise) {
  for (std::uint32_t round = 0; round < 9; ++round)
    for (int i = 0; i < 5; ++i) bench::series(m, name, "ns").samples.push_back({size, round, 0, ns * noise()});
}

std::vector<std::uint64_t> message_sizes() {
  std::vector<std::uint64_t> sizes = {0, 1, 2, 4, 8, 4040, 4041};
  for (double size = 16; size <= 4 << 20; size *= std::pow(2, 0.25))
    sizes.push_back(static_cast<std::uint64_t>(std::llround(size)));
  return sizes;
}

double nanoseconds_of(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

double nanoseconds_of(const AccessCost& cost, std::uint64_t size) {
  return nanoseconds_of(cost.call.value + transfer_time(Bytes{size}, cost.rate.value));
}

// s/rate in ns, without the rounding of transfer_time: the measured time is not rounded either.
double exact_time(const Platform& platform, std::uint64_t size) {
  const MessageRange& range = range_of(platform.inside, Bytes{size});
  const MessageRange& first = platform.inside.ranges[0];
  double ns = nanoseconds_of(range.send.value + range.latency.value + range.receive.value);
  if (range.protocol == Protocol::kRendezvous)
    ns += 2 * nanoseconds_of(first.send.value + first.latency.value + first.receive.value);
  const double s = static_cast<double>(size) * 1e9;
  ns += s / static_cast<double>(platform.nodes[0].memory_rate.value.count);
  if (range.send_rate) ns += s / static_cast<double>(range.send_rate->value.count);
  if (range.receive_rate) ns += s / static_cast<double>(range.receive_rate->value.count);
  return ns;
}

void add_messages(bench::Measurements& m, const Platform& platform, const Noise& noise) {
  for (const std::uint64_t size : message_sizes()) {
    const MessageRange& range = range_of(platform.inside, Bytes{size});
    const bool eager = range.protocol == Protocol::kEager;
    const double bytes = static_cast<double>(size) * 1e9;
    double send = nanoseconds_of(range.send.value), receive = nanoseconds_of(range.receive.value);
    if (range.send_rate) send += bytes / static_cast<double>(range.send_rate->value.count);
    if (range.receive_rate) receive += bytes / static_cast<double>(range.receive_rate->value.count);
    add(m, bench::kPingPong, size, exact_time(platform, size), noise);
    add(m, eager ? bench::kSend : bench::kIsend, size, send, noise);
    add(m, bench::kReceive, size, receive, noise);
    add(m, bench::kSendLate, size, eager ? 300 : 201e3, noise);
    const bool copied = platform.inside.sender_free == SenderFree::kCopied;
    if (!eager) add(m, bench::kSendMet, size, exact_time(platform, size) - (copied ? 0 : receive), noise);
  }
}

bench::Measurements measured(const Platform& platform, const Noise& noise) {
  bench::Measurements m;
  m.environment.host = "node";
  m.environment.cores = 2;
  m.environment.late_ns = 200e3;
  m.environment.mount_point = "/scratch";
  m.environment.mpi = "Open MPI v4.1.4, package: x, ident: 4.1.4";
  for (std::uint32_t round = 0; round < 6; ++round)
    bench::series(m, bench::kCopyAllCores, "B/s")
        .samples.push_back({1 << 26, round, 0, static_cast<double>(platform.nodes[0].memory_rate.value.count)});
  add_messages(m, platform, noise);
  const FileSystem& disk = platform.file_systems[0];
  for (std::uint64_t size = 1; size <= 4 << 20; size *= 4) {
    add(m, bench::kCachedWrite, size, nanoseconds_of(disk.cached_write, size), noise);
    add(m, bench::kCachedRead, size, nanoseconds_of(disk.cached_read, size), noise);
    add(m, bench::kDeviceWrite, size, nanoseconds_of(disk.device_write, size), noise);
    add(m, bench::kDeviceRead, size, nanoseconds_of(disk.device_read, size), noise);
  }
  add(m, bench::kOpen, 0, nanoseconds_of(disk.open.value), noise);
  add(m, bench::kClose, 0, nanoseconds_of(disk.close.value), noise);
  add(m, bench::kSyncDirty, 4096, nanoseconds_of(disk.sync.value), noise);
  return m;
}

const Noise kNoNoise = [] { return 1.0; };

void expect_near(Duration got, Duration wanted) {
  EXPECT_NEAR(static_cast<double>(got.ps), static_cast<double>(wanted.ps), static_cast<double>(wanted.ps) * 1e-4);
}
void expect_near(BytesPerSecond got, BytesPerSecond wanted) {
  EXPECT_NEAR(static_cast<double>(got.count), static_cast<double>(wanted.count),
              static_cast<double>(wanted.count) * 1e-4);
}
void expect_near(const AccessCost& got, const AccessCost& wanted) {
  expect_near(got.call.value, wanted.call.value);
  expect_near(got.rate.value, wanted.rate.value);
}

TEST(Calibrate, GivesBackTheMessagesOfAKnownPlatform) {
  const Platform wanted = truth();
  const Calibration got = calibrate(measured(wanted, kNoNoise));
  ASSERT_EQ(got.platform.inside.ranges.size(), 2U);
  EXPECT_EQ(got.platform.nodes[0].memory_rate.value, wanted.nodes[0].memory_rate.value);
  for (std::size_t i = 0; i < 2; ++i) {
    SCOPED_TRACE(i);
    const MessageRange &range = got.platform.inside.ranges[i], &known = wanted.inside.ranges[i];
    EXPECT_EQ(range.upto, known.upto);
    EXPECT_EQ(range.protocol, known.protocol);
    expect_near(range.send.value, known.send.value);
    expect_near(range.receive.value, known.receive.value);
    expect_near(range.latency.value, known.latency.value);
    EXPECT_EQ(range.send_rate.has_value(), known.send_rate.has_value());
    if (range.send_rate && known.send_rate) expect_near(range.send_rate->value, known.send_rate->value);
    if (range.receive_rate) expect_near(range.receive_rate->value, known.receive_rate->value);
  }
  EXPECT_THAT(got.notes, IsEmpty());
  EXPECT_THAT(got.disturbances, IsEmpty());
  for (const RangeReport& report : got.ranges) EXPECT_LT(report.largest_deviation, 1e-4);
}

TEST(Calibrate, TellsUntilWhenTheSenderOfARendezvousWaits) {
  for (const unsigned seed : {1U, 2U, 3U}) {
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> late(20);  // skewed: mean + 5 %
    for (const Noise& noise : {kNoNoise, Noise([&] { return 1 + late(random); })})
      for (const SenderFree wanted : {SenderFree::kArrived, SenderFree::kCopied}) {
        Platform platform = truth();
        platform.inside.sender_free = wanted;
        EXPECT_EQ(calibrate(measured(platform, noise)).platform.inside.sender_free, wanted) << "seed " << seed;
      }
  }
}

// Measurements that were kept before it was measured.
TEST(Calibrate, OfSendsThatWereNotMeasuredSaysThatTheyWaitForTheArrival) {
  bench::Measurements m = measured(truth(), kNoNoise);
  bench::series(m, bench::kSendMet, "ns").samples.clear();
  EXPECT_EQ(calibrate(m).platform.inside.sender_free, SenderFree::kArrived);
}

TEST(Calibrate, TakesTheCallsOfOtherSizesWhereNoneOfARangeWereMeasured) {
  bench::Measurements m = measured(truth(), [] { return 1.0; });
  bench::series(m, bench::kIsend, "ns").samples.clear();
  const Platform platform = calibrate(m).platform;
  ASSERT_EQ(platform.inside.ranges.size(), 2U);
  EXPECT_NEAR(nanoseconds_of(platform.inside.ranges[1].send.value), 40, 1);
}

TEST(Calibrate, GivesBackTheStorageOfAKnownPlatform) {
  const FileSystem wanted = truth().file_systems[0];
  const Calibration got = calibrate(measured(truth(), kNoNoise));
  ASSERT_EQ(got.platform.file_systems.size(), 1U);
  const FileSystem& disk = got.platform.file_systems[0];
  EXPECT_EQ(disk.name, "scratch");
  EXPECT_THAT(disk.paths, ::testing::ElementsAre("/scratch"));
  expect_near(disk.cached_write, wanted.cached_write);
  expect_near(disk.cached_read, wanted.cached_read);
  expect_near(disk.device_write, wanted.device_write);
  expect_near(disk.device_read, wanted.device_read);
  expect_near(disk.open.value, wanted.open.value);
  expect_near(disk.close.value, wanted.close.value);
  expect_near(disk.sync.value, wanted.sync.value);
}

TEST(Calibrate, ReproducesThePingPongUnderNoise) {
  for (const unsigned seed : {11U, 12U, 13U}) {
    SCOPED_TRACE(seed);
    std::mt19937_64 random(seed);
    std::exponential_distribution<double> late(20);  // skewed: mean + 5 %
    std::uniform_real_distribution<double> chance(0, 1);
    const Noise noise = [&] { return chance(random) < 0.02 ? 300 : 1 + late(random); };  // and lost time slices
    const Platform wanted = truth();
    const Calibration got = calibrate(measured(wanted, noise));
    for (const std::uint64_t size : message_sizes()) {
      const double modelled = nanoseconds_of(one_way_time(got.platform, Bytes{size}));
      EXPECT_NEAR(modelled, exact_time(wanted, size), 0.15 * exact_time(wanted, size)) << size;
    }
    for (const RangeReport& report : got.ranges) EXPECT_LT(report.median_deviation, 0.1);
  }
}

TEST(Calibrate, EachSizeIsReproducedWithinTheSpreadThatIsStated) {
  std::mt19937_64 random(21);
  std::exponential_distribution<double> late(10);
  const bench::Measurements m = measured(truth(), [&] { return 1 + late(random); });
  const Calibration got = calibrate(m);
  for (std::size_t i = 0; i < got.ranges.size(); ++i)
    EXPECT_LE(got.ranges[i].largest_deviation, got.platform.inside.ranges[i].latency.spread + 1e-6);
}

TEST(Calibrate, NeverMakesANegativeParameter) {
  bench::Measurements m = measured(truth(), kNoNoise);
  for (bench::Series& series : m.series)
    if (series.name == bench::kSend || series.name == bench::kReceive)
      for (bench::Sample& sample : series.samples)
        sample.value *= 3;  // overlap: the calls take longer than the message
  const Calibration got = calibrate(m);
  for (const MessageRange& range : got.platform.inside.ranges) {
    EXPECT_GE(range.send.value, Duration{});
    EXPECT_GE(range.receive.value, Duration{});
    EXPECT_GE(range.latency.value, Duration{});
  }
  EXPECT_THAT(got.notes,
              ::testing::Contains(HasSubstr("0 to 4040 B: sending and receiving alone take 120 and 270 ns")));
  for (const RangeReport& report : got.ranges) EXPECT_LT(report.largest_deviation, 1e-4);
}

TEST(Calibrate, RaisesTheMemoryRateToWhatMessagesShow) {
  bench::Measurements m = measured(truth(), kNoNoise);
  for (bench::Series& series : m.series)
    if (series.name == bench::kCopyAllCores)
      for (bench::Sample& sample : series.samples) sample.value = 4e9;
  const Calibration got = calibrate(m);
  EXPECT_GT(got.platform.nodes[0].memory_rate.value.count, 8'000'000'000U);
  EXPECT_THAT(got.notes, ::testing::Contains(HasSubstr("messages go through memory at up to")));
  for (const RangeReport& report : got.ranges) EXPECT_LT(report.largest_deviation, 0.01);
}

TEST(Calibrate, MarksAMachineInUse) {
  bench::Measurements m = measured(truth(), kNoNoise);
  m.environment.load_before = 12;
  const Calibration got = calibrate(m);
  EXPECT_THAT(got.disturbances, ::testing::ElementsAre("load 12.0 on 2 cores before it began"));
  EXPECT_THAT(got.platform.inside.ranges[0].send.source, HasSubstr("calibrate --quick (machine in use): "));
}

TEST(Calibrate, GivesAPlatformThatItsReaderTakes) {
  const Platform made = calibrate(measured(truth(), kNoNoise)).platform;
  EXPECT_EQ(made.mpi, "Open MPI v4.1.4");
  const Platform read = parse_platform(to_xml(made), "made");
  EXPECT_EQ(to_xml(read), to_xml(made));
}

TEST(Calibrate, SaysWhatIsMissing) {
  EXPECT_THROW(calibrate(bench::Measurements{}), Error);
  bench::Measurements m = measured(truth(), kNoNoise);
  std::erase_if(m.series, [](const bench::Series& series) { return series.name == bench::kPingPong; });
  EXPECT_THROW(calibrate(m), Error);
}

}  // namespace
}  // namespace plumbline::hw::calibration
