// Recordings of several nodes, whose clocks differ.

#include <gmock/gmock.h>

#include "tests/tracer/assemble_fixture.hpp"
#include "tracer/record/clocks/clock_file.hpp"

namespace plumbline::record {
namespace {

using archive::EventKind;
using archive::Reader;
using archive::test::OwnedEvent;
using test::Assemble;
using test::pair;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

// A node whose clock is a second behind, a minute long; messages of 5 us both ways, exchanges of 40 us.
class AssembleNodes : public Assemble {
 protected:
  static constexpr std::int64_t kBehind = 1'000'000'000, kMessages = 60;

  AssembleNodes() {
    std::strcpy(away_.header.boot_id, "boot-2");
    std::strcpy(away_.header.host, "kn2");
    const std::uint64_t length = 60'000'000'000;
    here_.header.first = {kFrom, kFrom, SpoolBuilder::kRealtime};
    here_.header.last = {kFrom + length, kFrom + length, SpoolBuilder::kRealtime + length};
    away_.header.first = {kFrom - kBehind, kFrom - kBehind, SpoolBuilder::kRealtime + 30'000'000};  // NTP: 30 ms off
    away_.header.last = {kFrom - kBehind + length, kFrom - kBehind + length,
                         SpoolBuilder::kRealtime + 30'000'000 + length};
    for (std::int64_t i = 0; i < kMessages; ++i) {
      const std::uint64_t t = kFrom + 500'000 + static_cast<std::uint64_t>(i) * 1'000'000'000;
      send(here_, t, 1);
      receive(away_, t + 3'000 - kBehind, t + 5'000 - kBehind, 0);
      send(away_, t + 10'000 - kBehind, 0);
      receive(here_, t + 13'000, t + 15'000, 1);
    }
  }

  static void send(SpoolBuilder& spool, std::uint64_t begin, int to) {
    spool.call("MPI_Send", PL_LAYOUT_SEND, begin, begin + 1'000, {pair(to, 7), 64, pair(PL_COMM_WORLD, 0)});
  }
  static void receive(SpoolBuilder& spool, std::uint64_t begin, std::uint64_t end, int from) {
    spool.call("MPI_Recv", PL_LAYOUT_RECV, begin, end, {pair(from, 7), 64, pair(PL_COMM_WORLD, 0), pair(from, 7)});
  }

  // Exchanges with the given delays, at the start and at the end.
  void compare(std::int64_t there, std::int64_t back) {
    ExchangeFile file(directory_ / "kn2.exchanges", {{"boot-2", 0}, {"boot-1", 0}, "kn2", "kn1", {}, 0});
    for (const std::int64_t t : {std::int64_t{kFrom}, std::int64_t{kFrom} + 60'000'000'000}) {
      const clocks::Exchange one{t - kBehind, t + there, t + there, t + there + back - kBehind};
      file.add({one}, 20);
    }
  }

  AssembleSummary run_both(AssembleOptions options = {}) {
    options.exchanges = find_exchanges(directory_.path());
    const AssembleSummary summary = assemble({here_.write(directory_.path()), away_.write(directory_.path())},
                                             directory_.path() / "obs", Overwrite::kYes, options);
    reader_ = std::make_unique<Reader>(directory_.path() / "obs");
    return summary;
  }

  // Over all messages, received - sent.
  std::pair<std::int64_t, std::int64_t> least_and_most_ns() {
    std::vector<std::int64_t> sent[2], received[2];
    for (const std::uint32_t rank : {0U, 1U}) {
      for (const OwnedEvent& e : archive::test::read_all(*reader_, rank)) {
        if (e.event.kind == EventKind::kMpiSend) sent[rank].push_back(e.event.time.ps / 1000);
        if (e.event.kind == EventKind::kMpiRecv) received[rank].push_back(e.event.time.ps / 1000);
      }
    }
    std::vector<std::int64_t> all;
    for (std::size_t i = 0; i < sent[0].size(); ++i) {
      all.push_back(received[1].at(i) - sent[0][i]);
      all.push_back(received[0].at(i) - sent[1].at(i));
    }
    return {*std::min_element(all.begin(), all.end()), *std::max_element(all.begin(), all.end())};
  }

  const std::map<std::string, std::string>& properties(std::size_t rank) const {
    return definitions().location_groups[rank].properties;
  }

  static constexpr std::uint64_t kFrom = 5'000'000'000;
  SpoolBuilder here_{0, 2}, away_{1, 2};
};

TEST_F(AssembleNodes, ExchangesLineThemUpAndTheBoundIsInTheArchive) {
  compare(20'000, 20'000);
  const AssembleSummary summary = run_both();
  EXPECT_THAT(summary.remarks, ElementsAre());
  EXPECT_NEAR(static_cast<double>(least_and_most_ns().first), 5'000, 10);
  EXPECT_NEAR(static_cast<double>(least_and_most_ns().second), 5'000, 10);
  EXPECT_EQ(properties(0).at("PLUMBLINE::CLOCK_METHOD"), "reference");
  EXPECT_EQ(properties(0).at("PLUMBLINE::CLOCK_UNCERTAINTY_NS"), "0");
  EXPECT_EQ(properties(1).at("PLUMBLINE::CLOCK_METHOD"), "exchanges");
  EXPECT_EQ(properties(1).at("PLUMBLINE::CLOCK_REFERENCE"), "kn1");
  EXPECT_EQ(properties(1).at("PLUMBLINE::CLOCK_EXCHANGES"), "40");
  EXPECT_NEAR(std::stod(properties(1).at("PLUMBLINE::CLOCK_OFFSET_NS")), kBehind, 10);
  EXPECT_NEAR(std::stod(properties(1).at("PLUMBLINE::CLOCK_UNCERTAINTY_NS")), 20'000, 10);
  EXPECT_NEAR(std::stod(properties(1).at("PLUMBLINE::CLOCK_DRIFT_PPM")), 0, 0.001);
}

TEST_F(AssembleNodes, NoMessageArrivesBeforeItWasSentHoweverAsymmetricTheExchangesWere) {
  compare(500'000, 10'000);  // the middle of these is 245 us off
  const AssembleSummary summary = run_both();
  EXPECT_THAT(summary.remarks, ElementsAre());
  EXPECT_GT(least_and_most_ns().first, 0);
  EXPECT_LT(least_and_most_ns().second, 11'000);
  EXPECT_GE(std::stod(properties(1).at("PLUMBLINE::CLOCK_UNCERTAINTY_NS")), 245'000);
}

TEST_F(AssembleNodes, WithoutExchangesItIsSaidAndMessagesStillArriveAfterTheyWereSent) {
  const AssembleSummary summary = run_both();
  EXPECT_THAT(summary.remarks, ElementsAre(HasSubstr("clocks were not compared: ")));
  EXPECT_GT(least_and_most_ns().first, 0);
  EXPECT_LT(least_and_most_ns().second, 11'000);
}

TEST_F(AssembleNodes, MessagesThatContradictTheExchangesAreTold) {
  compare(-200'000, 240'000);  // as if answered before it was asked
  const AssembleSummary summary = run_both();
  EXPECT_THAT(summary.remarks, ElementsAre(HasSubstr("exchanges and messages disagree")));
}

TEST_F(AssembleNodes, UnderPseudonymsTheReferenceIsTheNodeThatItIsInTheArchive) {
  compare(20'000, 20'000);
  AssembleOptions options;
  options.anonymize = true;
  run_both(options);
  EXPECT_EQ(properties(1).at("PLUMBLINE::CLOCK_REFERENCE"), properties(0).at("PLUMBLINE::HOST"));
  for (const std::uint32_t rank : {0U, 1U})
    for (const auto& [key, value] : properties(rank)) EXPECT_THAT(value, Not(HasSubstr("kn"))) << key;
}

TEST_F(AssembleNodes, DamagedExchangesAreLeftOut) {
  std::ofstream(directory_ / "kn2.exchanges") << "nonsense\n";
  EXPECT_THAT(run_both().remarks, ElementsAre(HasSubstr("kn2.exchanges"), HasSubstr("clocks were not compared: ")));
}

TEST_F(AssembleNodes, OneNodeHasNoClockToCompare) {
  run({SpoolBuilder(0, 1)});
  EXPECT_EQ(properties(0).count("PLUMBLINE::CLOCK_METHOD"), 0u);
}

}  // namespace
}  // namespace plumbline::record
