// Exchanges over a real connection, between clocks that are wrong by intention.

#include "tracer/record/clocks/exchange.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <thread>

#include "base/error.hpp"
#include "tests/support/simulated_clock.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/record/clocks/node_clock.hpp"

namespace plumbline::record {
namespace {

using plumbline::test::SimulatedClock;
using plumbline::test::TemporaryDirectory;
using std::chrono::milliseconds;
using testing::HasSubstr;

constexpr Effort kSome{20'000, 16, 300, 64, milliseconds(500)};

TEST(ClockExchange, ASecondAndFiftyPpmAreFoundWithinTheBound) {
  const SimulatedClock wrong{1'000'000'000, 50};
  ClockServer server(monotonic_ns);
  server.start();
  ClockClient client([&] { return wrong.node_ns(monotonic_ns()); });
  ASSERT_TRUE(client.connect(server.address(), milliseconds(1000)));
  const std::int64_t begin = monotonic_ns();
  std::vector<clocks::Burst> bursts{exchange_repeatedly([&] { return client.exchange(milliseconds(250)); }, kSome)};
  std::this_thread::sleep_for(milliseconds(300));
  bursts.push_back(exchange_repeatedly([&] { return client.exchange(milliseconds(250)); }, kSome));
  const std::int64_t end = monotonic_ns();
  const auto fit = clocks::fit_clock(bursts, wrong.node_ns(begin), wrong.node_ns(end));
  ASSERT_TRUE(fit.has_value());
  EXPECT_EQ(fit->slack_ns, 0);
  for (const std::int64_t now : {begin, (begin + end) / 2, end}) {
    const std::int64_t node = wrong.node_ns(now);
    EXPECT_LE(std::abs(now - node - fit->difference(node)), fit->uncertainty_ns);
  }
  EXPECT_LT(fit->uncertainty_ns, 50e6) << "far below the second that was to be found";
}

TEST(ClockExchange, AStrangerGetsNoAnswer) {
  ClockServer server(monotonic_ns);
  server.start();
  ClockAddress address = server.address();
  address.token.assign(address.token.size(), '0');
  ClockClient client(monotonic_ns);
  EXPECT_FALSE(client.connect(address, milliseconds(1000)));
  EXPECT_FALSE(client.exchange(milliseconds(10)).has_value());
}

TEST(ClockExchange, AnAnswerThatIsLateCostsTheConnectionButNotTheNextOne) {
  ClockServer server(monotonic_ns);
  server.start();
  ClockClient client(monotonic_ns);
  ASSERT_TRUE(client.connect(server.address(), milliseconds(1000)));
  EXPECT_FALSE(client.exchange(milliseconds(-1)).has_value());
  EXPECT_FALSE(client.connected());
  ASSERT_TRUE(client.connect(server.address(), milliseconds(1000)));
  EXPECT_TRUE(client.exchange(milliseconds(1000)).has_value());
}

TEST(ClockExchange, WhereNobodyListensConnectingEndsInTime) {
  ClockAddress address;
  {
    address = ClockServer(monotonic_ns).address();  // and gone
  }
  const std::int64_t begin = monotonic_ns();
  EXPECT_FALSE(ClockClient(monotonic_ns).connect(address, milliseconds(500)));
  EXPECT_LT(monotonic_ns() - begin, 5'000'000'000);
}

TEST(ClockExchange, ServingEndsWhenTheLastClientHasLeft) {
  ClockServer server(monotonic_ns);
  server.start();
  auto client = std::make_unique<ClockClient>(monotonic_ns);
  ASSERT_TRUE(client->connect(server.address(), milliseconds(1000)));
  std::thread leaves([&] {
    std::this_thread::sleep_for(milliseconds(50));
    client.reset();
  });
  const std::int64_t begin = monotonic_ns();
  server.finish(milliseconds(20'000));
  EXPECT_LT(monotonic_ns() - begin, 10'000'000'000);
  leaves.join();
}

TEST(ExchangeRepeatedly, EndsWhenTheTargetIsReached) {
  std::size_t asked = 0;
  const auto exact = [&]() -> std::optional<clocks::Exchange> {
    return clocks::Exchange{0, 1'000, 1'000, static_cast<int>(++asked)};
  };
  EXPECT_EQ(exchange_repeatedly(exact, {20'000, 16, 300, 64, milliseconds(10'000)}).size(), 16u);
}

TEST(ExchangeRepeatedly, EndsWhenNothingComesCloserAnyMore) {
  const auto coarse = []() -> std::optional<clocks::Exchange> {
    return clocks::Exchange{0, 500'000, 500'000, 1'000'000};
  };
  EXPECT_EQ(exchange_repeatedly(coarse, {20'000, 16, 300, 64, milliseconds(10'000)}).size(), 65u);
}

TEST(ExchangeRepeatedly, KeepsWhatItHasWhenOneFails) {
  int left = 5;
  const auto dies = [&]() -> std::optional<clocks::Exchange> {
    if (left-- == 0) return {};
    return clocks::Exchange{0, 500'000, 500'000, 1'000'000};
  };
  EXPECT_EQ(exchange_repeatedly(dies, kSome).size(), 5u);
}

// Two "nodes" of one machine.
class NodeClocks : public testing::Test {
 protected:
  const NodeClockName first_{"boot-1", 0}, second_{"boot-1", 5'000'000'000};
  const SimulatedClock behind_{-5'000'000'000, 0};
  const Now second_now_ = [this] { return behind_.node_ns(monotonic_ns()); };
  TemporaryDirectory gather_;
};

TEST_F(NodeClocks, TheFirstServesAndOneOfEveryOtherNodeCompares) {
  NodeClock server(gather_.path(), first_), same_node(gather_.path(), first_);
  server.watch();
  NodeClock client(gather_.path(), second_, second_now_), same_as_client(gather_.path(), second_, second_now_);
  EXPECT_TRUE(server.serves());
  EXPECT_FALSE(same_node.serves() || same_node.compares());
  EXPECT_TRUE(client.compares());
  EXPECT_FALSE(same_as_client.serves() || same_as_client.compares());
  client.watch(milliseconds(20));
  std::this_thread::sleep_for(milliseconds(100));
  client.finish();
  server.finish();
  const auto files = find_exchanges(gather_.path());
  ASSERT_EQ(files.size(), 1u);
  const ExchangeRecord record = read_exchanges(files[0]);
  EXPECT_EQ(record.node, second_);
  EXPECT_EQ(record.reference, first_);
  EXPECT_GE(record.bursts.size(), 3u) << "at the start, in between, at the end";
  const auto fit = clocks::fit_clock(record.bursts, record.bursts[0][0].sent, record.bursts[0][0].sent);
  ASSERT_TRUE(fit.has_value());
  EXPECT_LE(std::abs(fit->difference(fit->begin) + 5'000'000'000), fit->uncertainty_ns);
  EXPECT_FALSE(std::filesystem::exists(gather_ / "clock-server")) << "the next run meets anew";
}

TEST_F(NodeClocks, ANodeThatReachesNobodySaysSoAndGoesOn) {
  std::ofstream(gather_ / "clock-server")
      << "plumbline clock server 1\nclock boot-2 0 gone\nport 1\ntoken x\naddress 127.0.0.1\n";
  testing::internal::CaptureStderr();
  NodeClock clock(gather_.path(), first_);
  clock.watch();
  clock.finish();
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("cannot reach the clock of gone"));
  EXPECT_THAT(said, HasSubstr("by real time only"));
}

TEST_F(NodeClocks, WithoutAPlaceToMeetTheProgramRunsNevertheless) {
  testing::internal::CaptureStderr();
  NodeClock clock(gather_ / "missing", first_);
  clock.watch();
  clock.finish();
  EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("by real time only"));
}

TEST(ExchangeFile, IsReadAsItWasWrittenUpToWhereItWasCutOff) {
  TemporaryDirectory directory;
  const std::filesystem::path path = directory / "n1.exchanges";
  {
    ExchangeFile file(path, {{"boot-2", -7}, {"boot-1", 0}, "n1", "n0", {}, 0});
    file.add({{1, 2, 3, 4}, {5, 6, 7, 8}}, 60);
    file.add({{-9, 10, 11, 12}}, 3);
  }
  std::ofstream(path, std::ios::app) << "exchange 13 14 15";
  const ExchangeRecord record = read_exchanges(path);
  EXPECT_EQ(record.node.namespace_ns, -7);
  EXPECT_EQ(record.reference_host, "n0");
  EXPECT_EQ(record.rounds, 63u);
  ASSERT_EQ(record.bursts.size(), 2u);
  EXPECT_EQ(record.bursts[0].size(), 2u);
  EXPECT_EQ(record.bursts[1].at(0).sent, -9);
}

TEST(ExchangeFile, DamageIsLocated) {
  TemporaryDirectory directory;
  const std::filesystem::path path = directory / "n1.exchanges";
  std::ofstream(path) << "plumbline clock exchanges 1\nnode boot-2 0 n1\nreference boot-1 0 n0\nexchange 1 2 3 4\n";
  try {
    read_exchanges(path);
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("n1.exchanges:4"));
  }
}

TEST(MonotonicOffset, IsThatOfTheTimeNamespace) {
  std::istringstream shifted("monotonic          -2 500000000\nboottime           5 0\n"), old("1 5 0\n"), none("");
  EXPECT_EQ(monotonic_offset(shifted), -1'500'000'000);
  EXPECT_EQ(monotonic_offset(old), 5'000'000'000);
  EXPECT_EQ(monotonic_offset(none), 0);
}

}  // namespace
}  // namespace plumbline::record
