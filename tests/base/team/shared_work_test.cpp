// Work that several processes share: what they tell each other, and how each of their ends is told.

#include "base/team/shared_work.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <random>
#include <set>

#include "base/check.hpp"
#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "base/team/forked.hpp"
#include "tests/support/seed.hpp"

namespace plumbline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string join(const std::vector<std::string>& texts) { return fmt::format("{}", fmt::join(texts, ",")); }

std::uint32_t number(std::string_view text) { return static_cast<std::uint32_t>(std::stoul(std::string(text))); }

constexpr SharedWork kExchange{"exchange", [](Processes& processes, std::string_view argument) {
                                 const std::string own = fmt::format("{}{}", argument, processes.rank());
                                 const std::string first = join(processes.exchange(own));
                                 // What the others have heard comes back, so that it is seen too.
                                 return join(processes.gather(first)) + (processes.rank() == 0 ? "." : "!");
                               }};

class Sharing : public testing::Test {
 protected:
  void SetUp() override {
#ifdef __SANITIZE_THREAD__
    GTEST_SKIP() << "ThreadSanitizer has a thread of its own, and what has threads is not forked";
#endif
  }
};

TEST_F(Sharing, OneProcessHearsItself) { EXPECT_EQ(OneWorker().run(kExchange, "p"), "p0."); }

TEST_F(Sharing, AllHearWhatEachBringsByRank) {
  EXPECT_EQ(ForkedWorkers(1).run(kExchange, "p"), "p0.");
  EXPECT_EQ(ForkedWorkers(2).run(kExchange, "p"), "p0,p1,p0,p1.");
  EXPECT_EQ(ForkedWorkers(3).run(kExchange, "p"), "p0,p1,p2,p0,p1,p2,p0,p1,p2.");
}

// Argument: the rank for which it is not so.
TEST_F(Sharing, WhatIsNotSoForOneIsSoForNone) {
  constexpr SharedWork kAsked{"asked", [](Processes& processes, std::string_view argument) {
                                const bool all = processes.is_so_for_all(processes.rank() != number(argument));
                                return join(processes.gather(all ? "yes" : "no"));
                              }};
  EXPECT_EQ(ForkedWorkers(3).run(kAsked, "7"), "yes,yes,yes");
  EXPECT_EQ(ForkedWorkers(3).run(kAsked, "0"), "no,no,no");
  EXPECT_EQ(ForkedWorkers(3).run(kAsked, "2"), "no,no,no");
}

TEST_F(Sharing, WhatIsToldMayBeLongOrEmpty) {
  constexpr SharedWork kLong{"long", [](Processes& processes, std::string_view) {
                               const std::string own(processes.rank() * 3'000'000, 'x');
                               std::string sizes;
                               for (const std::string& bytes : processes.exchange(own))
                                 sizes += fmt::format("{} ", bytes.size());
                               for (const std::string& bytes : processes.gather(own))
                                 sizes += fmt::format("{} ", bytes.size());
                               return sizes;
                             }};
  EXPECT_EQ(ForkedWorkers(3).run(kLong, ""), "0 3000000 6000000 0 3000000 6000000 ");
}

TEST_F(Sharing, TheErrorOfTheLowestRankComesToTheCaller) {
  constexpr SharedWork kFails{"fails", [](Processes& processes, std::string_view first) {
                                if (processes.rank() >= number(first))
                                  throw Error(fmt::format("spool {}", processes.rank()), "is damaged", "leave it out",
                                              ExitCode::kNotComparable);
                                processes.exchange("well");
                                return std::string("not reached");
                              }};
  for (const char* first : {"0", "1", "3"}) try {
      ForkedWorkers(4).run(kFails, first);
      FAIL() << "nobody was told";
    } catch (const Error& error) {
      ASSERT_EQ(error.problems().size(), 1U);
      EXPECT_EQ(to_string(error.problems()[0]), fmt::format("spool {}: is damaged; leave it out", first));
      EXPECT_EQ(error.code(), ExitCode::kNotComparable);
    }
}

TEST_F(Sharing, AnErrorBehindTheLastExchangeIsToldToo) {
  constexpr SharedWork kFails{"fails late", [](Processes& processes, std::string_view) {
                                processes.exchange("well");
                                if (processes.rank() == 2) throw Error("", "the disk is full");
                                return std::string();
                              }};
  EXPECT_THROW(ForkedWorkers(4).run(kFails, ""), Error);
}

TEST_F(Sharing, AFailedCheckOfAHelperIsAFaultOfOurs) {
  constexpr SharedWork kFails{"checks", [](Processes& processes, std::string_view) {
                                PLUMBLINE_CHECK(processes.rank() != 1, "ranks are even");
                                processes.exchange({});
                                return std::string();
                              }};
  try {
    ForkedWorkers(2).run(kFails, "");
    FAIL() << "nobody was told";
  } catch (const InternalFault& fault) {
    EXPECT_THAT(fault.what(), HasSubstr("ranks are even"));
  }
}

TEST_F(Sharing, AProcessThatIsKilledIsNamed) {
  constexpr SharedWork kKilled{"killed", [](Processes& processes, std::string_view) {
                                 if (processes.rank() == 1) ::raise(SIGKILL);
                                 processes.exchange({});
                                 return std::string();
                               }};
  try {
    ForkedWorkers(3).run(kKilled, "");
    FAIL() << "nobody was told";
  } catch (const Error& error) {
    EXPECT_THAT(to_string(error.problems()[0]),
                HasSubstr("process 2 of the 3 that share the work was killed by signal 9"));
    EXPECT_EQ(error.code(), ExitCode::kCannotRunHere);
  }
}

TEST_F(Sharing, WhoeverStillWorksAfterAFailureIsEnded) {
  constexpr SharedWork kSleeps{"sleeps", [](Processes& processes, std::string_view) {
                                 if (processes.rank() == 0) processes.exchange(fmt::format("{}", ::getpid()));
                                 if (processes.rank() == 1) ::raise(SIGKILL);
                                 ::pause();  // for ever
                                 return std::string();
                               }};
  EXPECT_THROW(ForkedWorkers(3).run(kSleeps, ""), Error);  // comes back at all
}

TEST_F(Sharing, NoMoreAreForkedThanAreOfUse) {
  ForkedWorkers workers(3);
  EXPECT_EQ(workers.run_among(2, kExchange, "p"), "p0,p1,p0,p1.");
  EXPECT_EQ(workers.run_among(9, kExchange, "p"), workers.run(kExchange, "p"));
  EXPECT_EQ(OneWorker().run_among(9, kExchange, "p"), "p0.");
}

TEST_F(Sharing, WorkCanFollowWork) {
  ForkedWorkers workers(3);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(workers.run(kExchange, "p").back(), '.');
}

TEST(Bytes, ComeBackAsTheyWerePut) {
  ByteWriter out;
  out.put(std::uint32_t{7});
  out.put_text("a text");
  out.put_all(std::span<const std::uint64_t>(std::vector<std::uint64_t>{1, 2, 3}));
  ByteReader in(out.bytes());
  EXPECT_EQ(in.get<std::uint32_t>(), 7U);
  EXPECT_EQ(in.get_text(), "a text");
  EXPECT_THAT(in.get_all<std::uint64_t>(), ElementsAre(1, 2, 3));
  EXPECT_TRUE(in.at_end());
}

struct Inner {
  std::string text;
  std::optional<std::uint64_t> number;
  bool operator==(const Inner&) const = default;
};

template <class Io>
void fields(Io& io, Inner& inner) {
  io(inner.text, inner.number);
}

struct Outer {
  std::vector<Inner> inner;
  std::vector<std::string> texts;
  std::map<std::string, std::uint32_t> numbers;
  std::set<std::pair<std::uint32_t, std::uint32_t>> pairs;
  std::array<std::vector<std::string>, 2> lists;
  std::filesystem::path path;
  bool operator==(const Outer&) const = default;
};

template <class Io>
void fields(Io& io, Outer& outer) {
  io(outer.inner, outer.texts, outer.numbers, outer.pairs, outer.lists, outer.path);
}

TEST(Bytes, OfAStructComeBackAsItsFieldsTellThem) {
  const Outer value{{{"a", 7}, {"", std::nullopt}}, {"x", ""}, {{"one", 1}}, {{2, 3}, {1, 9}}, {{{"l"}, {}}}, "/a/b"};
  EXPECT_EQ(from_bytes<Outer>(to_bytes(value)), value);
}

TEST(Bytes, ThatAreTooManyAreAFailedCheck) {
  const ChecksThrow throws;
  const std::string bytes = to_bytes(Inner{"a", 7}) + "x";
  EXPECT_THROW(from_bytes<Inner>(bytes), InternalFault);
}

TEST(Bytes, ThatAreMissingAreAFailedCheck) {
  const ChecksThrow throws;
  EXPECT_THROW(ByteReader(std::string_view("abc")).get<std::uint64_t>(), InternalFault);
  ByteWriter out;
  out.put(std::uint64_t{1} << 62);
  EXPECT_THROW(ByteReader(out.bytes()).get_all<std::uint64_t>(), InternalFault);
  EXPECT_THROW(ByteReader(out.bytes()).get_text(), InternalFault);
}

// items, parts, share of the first -> where each block ends
std::vector<std::size_t> ends(const std::vector<std::uint64_t>& costs, std::uint32_t parts, double first = 1) {
  std::vector<std::size_t> ends;
  for (const Block& block : split_by_cost(costs, parts, first)) ends.push_back(block.end);
  return ends;
}

TEST(Blocks, HaveAboutEqualCosts) {
  EXPECT_THAT(ends({1, 1, 1, 1}, 2), ElementsAre(2, 4));
  EXPECT_THAT(ends({3, 1, 1, 1}, 2), ElementsAre(1, 4));
  EXPECT_THAT(ends({1, 1, 1, 1, 1, 1}, 2, 2), ElementsAre(4, 6));  // the first takes twice as much
}

TEST(Blocks, MayBeEmpty) {
  EXPECT_THAT(ends({5}, 3), ElementsAre(0, 1, 1));
  EXPECT_THAT(ends({}, 2), ElementsAre(0, 0));
  EXPECT_THAT(ends({0, 0, 0}, 2), ElementsAre(0, 3));
}

TEST(Blocks, HoldEachItemOnceInOrder) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE(fmt::format("seed {}", seed));
  std::mt19937 random(static_cast<std::uint32_t>(seed));
  for (int trial = 0; trial < 500; ++trial) {
    std::vector<std::uint64_t> costs(random() % 40);
    for (std::uint64_t& cost : costs) cost = random() % 1000;
    const auto parts = static_cast<std::uint32_t>(1 + random() % 9);
    std::size_t next = 0;
    for (const Block& block : split_by_cost(costs, parts, static_cast<double>(1 + random() % 3))) {
      EXPECT_EQ(block.begin, next);
      EXPECT_GE(block.end, block.begin);
      next = block.end;
    }
    EXPECT_EQ(next, costs.size());
  }
}

}  // namespace
}  // namespace plumbline
