// Loops of tests and probes: what of them is in the spool, under both MPIs. Every part of programs/polls.c begins with
// a message to nobody, whose tag is the number of the part.

#include <gmock/gmock.h>

#include <numeric>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

constexpr std::uint64_t kTimes = 1000;

bool is_poll(const Call& call) {
  return call.name.starts_with("MPI_Test") || call.name == "MPI_Iprobe" || call.name == "MPI_Improbe" ||
         call.name == "MPI_Request_get_status";
}

std::uint64_t polls(const Call& call) { return call.run.polls == 0 ? 1 : call.run.polls; }

// The polls of one part.
struct Part {
  std::vector<Call> calls;

  std::uint64_t count() const {
    return std::accumulate(calls.begin(), calls.end(), std::uint64_t{0},
                           [](std::uint64_t sum, const Call& call) { return sum + polls(call); });
  }
  std::uint64_t sum(std::uint64_t PollRun::*column) const {
    return std::accumulate(calls.begin(), calls.end(), std::uint64_t{0},
                           [&](std::uint64_t sum, const Call& call) { return sum + call.run.*column; });
  }
  const Call& longest() const {
    return *std::max_element(calls.begin(), calls.end(),
                             [](const Call& a, const Call& b) { return polls(a) < polls(b); });
  }
};

class Polls : public OnBothMpis {
 protected:
  const Content& recorded(std::vector<std::string> arguments = {}) {
    spools_ = record("polls", 2, std::move(arguments));
    if (outcome_.status != 0 || spools_.size() != 2) throw std::runtime_error("not recorded: " + outcome_.errors);
    return *spools_[0];
  }
  static Part part(const Content& c, int number) {
    Part found;
    int current = 0;
    for (const Call& call : c.calls) {
      if (call.name == "MPI_Send" && call.low(0) == PL_PROC_NULL)
        current = call.high(0);
      else if (current == number && is_poll(call))
        found.calls.push_back(call);
      else if (current == number && !found.calls.empty())
        break;
    }
    return found;
  }
  // In nanoseconds, as the clock of the spool counts.
  static double ns(const Content& c, std::uint64_t ticks) {
    const pl_file_header& h = c.spool.header();
    const double rate = static_cast<double>(h.last.monotonic_ns - h.first.monotonic_ns) /
                        static_cast<double>(h.last.ticks - h.first.ticks);
    return static_cast<double>(ticks) * rate;
  }

  std::vector<std::unique_ptr<Content>> spools_;
};

TEST_P(Polls, ALoopThatAsksSeveralThingsInTurnIsAFewRecords) {
  const Content& c = recorded();
  const Part eight = part(c, 1);
  EXPECT_EQ(eight.count(), 8 * kTimes);
  EXPECT_LT(eight.calls.size(), 8 + 100U);
  const Call& run = eight.longest();
  std::vector<std::string> others;
  for (const Poll& other : run.run.others) others.push_back(std::to_string(other.function));
  EXPECT_EQ(others.size(), 7U) << "each thing that was asked is told once";
  const Part many = part(c, 3);
  EXPECT_EQ(many.count(), kTimes);
  EXPECT_LT(many.calls.size(), 100U);
  EXPECT_LE(many.longest().run.others.size(), PL_MOST_POLLED);
}

TEST_P(Polls, ThePollThatIsToldSomethingEndsTheRunAndBeginsWithIt) {
  for (const std::string threads : {"", "threads"}) {
    const Content& c = recorded({threads});
    const Part two = part(c, 4);
    ASSERT_FALSE(two.calls.empty());
    const Call& last = two.calls.back();
    EXPECT_EQ(last.name, "MPI_Test");
    ASSERT_EQ(last.low(1), 1);
    EXPECT_NE(last.words.at(3) & PL_COMPLETED, 0U);
    EXPECT_GT(two.count(), 100U);
    const Part crowd = part(c, 13);
    ASSERT_FALSE(crowd.calls.empty());
    const Call& one = crowd.calls.back();
    ASSERT_EQ(one.low(0), 1) << "of 200 requests the one that was answered";
    EXPECT_NE(one.words.at(3) & PL_COMPLETED, 0U);
    for (std::size_t i = 1; i < two.calls.size(); ++i) EXPECT_GE(two.calls[i].begin, two.calls[i - 1].end);
  }
}

TEST_P(Polls, WhatAThreadSleepsBetweenPollsEndsNoRunWhatItComputesDoes) {
  const Content& c = recorded();
  const Part sleeps = part(c, 5), computes = part(c, 6), a_little = part(c, 7);
  EXPECT_EQ(sleeps.count(), 50U);
  EXPECT_LT(sleeps.calls.size(), 25U);
  EXPECT_GT(ns(c, sleeps.sum(&PollRun::off_cpu)), 25 * 2e6);
  EXPECT_EQ(computes.count(), 50U);
  EXPECT_GT(computes.calls.size(), 25U) << "3 ms each";
  EXPECT_EQ(a_little.count(), kTimes);
  EXPECT_LT(a_little.calls.size(), 500U) << "6 us each";
  EXPECT_GT(ns(c, a_little.sum(&PollRun::computed)), 0.5 * kTimes * 6e3);
}

TEST_P(Polls, ToBeToldTheSameAgainIsNoNews) {
  const Content& c = recorded();
  for (const int number : {8, 9, 10}) {
    const Part same = part(c, number);
    EXPECT_EQ(same.count(), kTimes) << number;
    EXPECT_LT(same.calls.size(), 100U) << number;
  }
  for (const Call& found : part(c, 8).calls) EXPECT_EQ(found.low(4), 1);
}

TEST_P(Polls, WhatIsAskedWhileRecordingIsOffIsNotCounted) {
  const Content& c = recorded();
  std::uint64_t asked = 0;
  bool inside = false;
  for (const Call& call : c.calls) {
    if (call.name == "MPI_Send") inside = call.high(0) == 11 && call.low(0) == PL_PROC_NULL;
    if (inside && is_poll(call)) asked += polls(call);
  }
  EXPECT_EQ(asked, 200U);
}

// Records of a run in which waits take `microseconds` each, and the messages sent.
struct Size {
  std::size_t records = 0, messages = 0;
  std::uint64_t polls = 0;
};

class PollingPrograms : public OnBothMpis {
 protected:
  Size size(const std::string& program, const std::string& microseconds) {
    Size size;
    for (const auto& rank : record(program, 4, {"4", microseconds})) {
      for (const Call& call : rank->calls) {
        ++size.records;
        if (is_poll(call)) size.polls += polls(call);
        if ((call.name == "MPI_Isend" || call.name == "MPI_Issend") && call.low(0) >= 0) ++size.messages;
      }
    }
    std::filesystem::remove_all(outcome_.work);
    return size;
  }
};

// A core that is taken away in the middle of a wait may cost a record; so many are more than enough.
TEST_P(PollingPrograms, WriteAsManyRecordsForLongWaitsAsForShortOnes) {
  for (const std::string program : {"sweep", "consensus"}) {
    for (const std::string microseconds : {"100", "20000"}) {
      const Size s = size(program, microseconds);
      ASSERT_GT(s.messages, 0U);
      EXPECT_LT(s.records, 25 * s.messages + 200) << program << " " << microseconds << " us, " << s.polls << " polls";
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mpi, Polls, kBothMpis, name_of_mpi);
INSTANTIATE_TEST_SUITE_P(Mpi, PollingPrograms, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
