#include "viewer/export/perfetto.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/runs/parts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "decode.hpp"
#include "runs_of_text.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "tests/viewer/index/random_runs.hpp"
#include "viewer/export/facts.hpp"

namespace plumbline::viewer {
namespace {

using replay::Programs;

struct Written {
  DecodedTrace trace;
  ExportSummary summary;
};

Written written(const Runs& runs) {
  std::ostringstream bytes;
  const ExportSummary summary = write_perfetto(runs, match_operations(runs.observed), bytes);
  return {decode_perfetto(bytes.str()), summary};
}

// Without marks.
std::vector<DecodedSlice> operations_on(const DecodedTrace& trace, std::uint64_t track) {
  std::vector<DecodedSlice> slices = slices_of(trace, track);
  std::erase_if(slices, [](const DecodedSlice& slice) { return slice.begin.type != 1; });
  return slices;
}

TEST(Perfetto, ObservedAndExpectedAreProcessesAndRanksAreThreads) {
  Programs programs;
  const DecodedTrace trace = written(late_sender(programs)).trace;
  std::set<std::int64_t> threads;
  for (const char* const name : {"observed: obs", "expected: exp"}) {
    const std::uint64_t process = trace.process(name);
    for (const char* const rank : {"rank 0 (n0)", "rank 1 (n1)"}) {
      const DecodedTrack& thread = trace.tracks.at(trace.thread(process, rank));
      EXPECT_EQ(thread.pid, trace.tracks.at(process).pid);
      EXPECT_NE(thread.tid, thread.pid) << "that would be the main thread";
      EXPECT_TRUE(threads.insert(thread.tid).second) << "Perfetto takes equal numbers for one thread";
    }
  }
}

TEST(Perfetto, SlicesAreOperationsWithTheirParts) {
  Programs programs;
  const DecodedTrace trace = written(late_sender(programs)).trace;
  const auto observed = operations_on(trace, trace.thread(trace.process("observed"), "rank 1 (n1)"));
  const auto expected = operations_on(trace, trace.thread(trace.process("expected"), "rank 1 (n1)"));
  ASSERT_EQ(observed.size(), 2U);
  ASSERT_EQ(expected.size(), 2U);
  // From the begin of the run, which is at 10 us.
  EXPECT_EQ(observed[0].begin.time_ns, 0U);
  EXPECT_EQ(observed[0].end_ns, 30'000U);
  EXPECT_EQ(observed[1].begin.time_ns, 40'000U);
  EXPECT_EQ(expected[0].end_ns, 17'000U);
  EXPECT_EQ(expected[1].begin.time_ns, 27'000U);

  const DecodedEvent& receive = observed[0].begin;
  EXPECT_EQ(receive.name, "MPI_Recv");
  EXPECT_EQ(receive.category, "point to point");
  EXPECT_EQ(receive.text("site"), "exchange (ring.c:14)");
  EXPECT_EQ(receive.number("bytes"), 1024);
  EXPECT_EQ(receive.number("peer"), 0);
  EXPECT_EQ(receive.number("tag"), 7);
  EXPECT_EQ(receive.number("comm_size"), 2);
  EXPECT_EQ(receive.number("own_ps"), 2'000'000);
  EXPECT_EQ(receive.number("inherited_ps"), 11'000'000);
  const DecodedEvent& write = observed[1].begin;
  EXPECT_EQ(write.text("file"), "/out/a");
  EXPECT_EQ(write.number("lower_ps"), 5'000'000);
  EXPECT_EQ(write.number("upper_ps"), 20'000'000);
  EXPECT_EQ(write.number("stack_ps"), 5'000'000);
  EXPECT_EQ(expected[1].begin.number("upper_ps"), 20'000'000);
}

TEST(Perfetto, AFlowEndsAtAMarkWhereTheReceiverWasThereFirst) {
  Programs programs;
  const Written result = written(late_sender(programs));
  EXPECT_EQ(result.summary.messages, 2U) << "one in each run";
  const std::uint64_t process = result.trace.process("observed");
  const auto sends = result.trace.on(result.trace.thread(process, "rank 0 (n0)"));
  ASSERT_EQ(sends.at(0).flows.size(), 1U);
  const auto slices = slices_of(result.trace, result.trace.thread(process, "rank 1 (n1)"));
  ASSERT_EQ(slices.size(), 3U);
  const DecodedSlice& mark = slices[1];
  EXPECT_EQ(mark.begin.name, "message received");
  EXPECT_EQ(mark.begin.time_ns, 30'000U);
  EXPECT_EQ(mark.depth, 1U) << "inside of the receive";
  EXPECT_EQ(mark.begin.number("from"), 0);
  EXPECT_EQ(mark.begin.ending_flows, sends[0].flows);
}

TEST(Perfetto, AFlowEndsAtTheWaitThatBeganAfterTheSend) {
  Programs programs;
  const DecodedTrace trace = written(recorded(programs.parse("ranks 2\nrank 0\n@5us send 1 tag 7 8B +1us\n"
                                                             "rank 1\n@0us irecv 0 tag 7 8B -> a +1us\n"
                                                             "@10us wait a +1us\n")))
                                 .trace;
  const std::uint64_t process = trace.process("observed");
  const auto receiver = slices_of(trace, trace.thread(process, "rank 1 (node)"));
  ASSERT_EQ(receiver.size(), 2U) << "no mark";
  EXPECT_TRUE(receiver[0].begin.ending_flows.empty());
  EXPECT_EQ(receiver[1].begin.ending_flows, trace.on(trace.thread(process, "rank 0 (node)")).at(0).flows);
}

TEST(Perfetto, AMessageThatWasThereBeforeItWasSentHasNoFlow) {
  Programs programs;
  const Written result = written(
      recorded(programs.parse("ranks 2\nrank 0\n@9us send 1 tag 7 8B +1us\nrank 1\n@0us recv 0 tag 7 8B +2us\n")));
  EXPECT_EQ(result.summary.messages, 0U);
  EXPECT_EQ(result.summary.backwards, 1U);
  for (const DecodedEvent& event : result.trace.events) EXPECT_TRUE(event.flows.empty() && event.ending_flows.empty());
}

TEST(Perfetto, TimesAreRoundedDownAndOperationsOfNoLengthStayOutsideOfEachOther) {
  Programs programs;
  const DecodedTrace trace =
      written(recorded(programs.parse("ranks 1\nrank 0\n@0ps barrier +1999ps\nbarrier\nbarrier +1ps\n"
                                      "barrier +7ns\n")))
          .trace;
  const auto slices = slices_of(trace, trace.thread(trace.process("observed"), "rank 0 (node)"));
  ASSERT_EQ(slices.size(), 4U);
  std::vector<std::pair<std::uint64_t, std::uint64_t>> places;
  for (const DecodedSlice& slice : slices) {
    EXPECT_EQ(slice.depth, 0U);
    places.emplace_back(slice.begin.time_ns, slice.end_ns);
  }
  EXPECT_EQ(places, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{{0, 1}, {1, 1}, {1, 2}, {2, 9}}));
}

TEST(Perfetto, OfTwoRunsPollsThatFoundNothingAreInTheFirstAlone) {
  Programs programs;
  const replay::Program reference = programs.parse("ranks 1\nrank 0\n@100us barrier +2us\n");
  const DecodedTrace trace =
      written(two_runs(programs.parse("ranks 1\nrank 0\nlocal MPI_Test +1us\n@5us barrier +3us\n"), reference)).trace;
  EXPECT_EQ(slices_of(trace, trace.thread(trace.process("observed"), "rank 0 (node)")).size(), 2U);
  const auto other = slices_of(trace, trace.thread(trace.process("reference: last month"), "rank 0 (node)"));
  ASSERT_EQ(other.size(), 1U);
  EXPECT_EQ(other[0].end_ns - other[0].begin.time_ns, 2000U);
}

TEST(Perfetto, OfTwoRunsThatDifferTheSecondHasWhatPairsAndMessagesOfWhichBothEndsDo) {
  Programs programs;
  const Written result = written(differing_runs(programs));
  EXPECT_EQ(result.summary.messages, 3U + 1U);
  EXPECT_EQ(result.summary.backwards, 0U);
  const std::uint64_t other = result.trace.process("reference: last month");
  std::size_t begun = 0, ended = 0;
  for (const auto& [rank, operations] :
       std::map<std::string, std::size_t>{{"rank 0 (node)", 2}, {"rank 1 (node)", 3}}) {
    const std::uint64_t thread = result.trace.thread(other, rank);
    EXPECT_EQ(operations_on(result.trace, thread).size(), operations) << rank;
    for (const DecodedEvent& event : result.trace.on(thread)) {
      begun += event.flows.size();
      ended += event.ending_flows.size();
    }
  }
  EXPECT_EQ(begun, 1U);
  EXPECT_EQ(ended, 1U);
}

using Place = std::pair<std::uint64_t, std::size_t>;  // time, and place in the file

// By its number. Each is there once.
std::map<std::uint64_t, Place> places_of(const DecodedTrace& trace, std::vector<std::uint64_t> DecodedEvent::*flows) {
  std::map<std::uint64_t, Place> places;
  for (std::size_t i = 0; i < trace.events.size(); ++i)
    for (const std::uint64_t id : trace.events[i].*flows)
      EXPECT_TRUE(places.emplace(id, Place(trace.events[i].time_ns, i)).second);
  return places;
}

// Every flow begins once and ends once, in this order: by time, and what is of one time by place in the file. Only of a
// mark that is no later than the send the end may stand first: no order could help, and Perfetto leaves that flow out.
void expect_flows(const Written& result) {
  const auto begun = places_of(result.trace, &DecodedEvent::flows);
  const auto ended = places_of(result.trace, &DecodedEvent::ending_flows);
  EXPECT_EQ(begun.size(), result.summary.messages);
  EXPECT_EQ(ended.size(), begun.size());
  for (const auto& [id, place] : begun) {
    ASSERT_TRUE(ended.contains(id));
    const Place end = ended.at(id);
    EXPECT_TRUE(end > place || (end.first == place.first && result.trace.events[end.second].type == 3));
  }
}

void expect_observed_rank(const Runs& runs, const DecodedTrace& trace, std::uint32_t rank) {
  const replay::RankProgram& program = runs.observed.rank(rank);
  const std::string name = "rank " + std::to_string(rank) + " (" + std::string(runs.observed.node(program.node)) + ")";
  const std::uint64_t thread = trace.thread(trace.process("observed"), name);
  const auto slices = operations_on(trace, thread);
  ASSERT_EQ(slices.size(), program.operations.size());
  Duration own;
  for (std::uint32_t i = 0; i < slices.size(); ++i) {
    const Parts parts = parts_of(runs, rank, i);
    EXPECT_EQ(slices[i].depth, 0U);
    const std::int64_t drawn_ps = static_cast<std::int64_t>(slices[i].end_ns - slices[i].begin.time_ns) * 1000;
    EXPECT_LT(std::abs(drawn_ps - parts.observed.ps), 1000);
    EXPECT_EQ(slices[i].begin.annotations.contains("not_judged"), !parts.judged);
    if (!parts.judged) continue;
    EXPECT_EQ(slices[i].begin.number("own_ps"), parts.own.ps);
    EXPECT_EQ(slices[i].begin.number("inherited_ps"), parts.inherited.ps);
    EXPECT_EQ(slices[i].begin.number("structure_ps") + slices[i].begin.number("stack_ps") -
                  slices[i].begin.number("gained_ps"),
              parts.own.ps);
    own += parts.own;
  }
  std::int64_t counted = 0;
  for (const DecodedEvent& event : trace.events)
    if (event.type == 4 && trace.tracks.at(event.track).parent == thread) counted = event.counter;
  EXPECT_EQ(counted, own.ps / 1000) << "the last value of the counter is the rank's whole excess";
}

TEST(Perfetto, RandomRunsKeepTheirOperationsTheirPartsAndTheirTime) {
  const std::uint64_t seed = test::random_seed();
  SCOPED_TRACE("PLUMBLINE_SEED=" + std::to_string(seed));
  const test::TemporaryDirectory directory;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(test::cases(60)); ++i) {
    const Runs runs = random_pair(seed + i, directory / "program");
    const Written result = written(runs);
    expect_flows(result);
    for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) expect_observed_rank(runs, result.trace, rank);
  }
}

TEST(Perfetto, EveryMessageThatCanBeDrawnIsAFlowForward) {
  std::mt19937_64 random = printed_random();
  Programs programs;
  std::uint64_t backwards = 0, marks = 0;
  for (int i = 0; i < test::cases(200); ++i) {
    const RandomMessages given = random_messages(programs, random);
    const Written result = written(given.runs);
    EXPECT_EQ(result.summary.messages + result.summary.backwards, 2 * given.messages);
    expect_flows(result);
    backwards += result.summary.backwards;
    marks += static_cast<std::uint64_t>(std::ranges::count(result.trace.events, 3U, &DecodedEvent::type));
  }
  EXPECT_GT(backwards, 0U);
  EXPECT_GT(marks, 0U);
}

TEST(Perfetto, TimesOfAReferenceInAnyOrderStillMakeSlicesOneBehindTheOther) {
  std::mt19937_64 random = printed_random();
  const test::TemporaryDirectory directory;
  for (int i = 0; i < test::cases(20); ++i) {
    const Runs runs = random_runs(directory / "program", {.operations = 60, .free_in_order = false}, random);
    const DecodedTrace trace = written(runs).trace;
    for (const auto& [uuid, track] : trace.tracks) {
      if (!track.is_thread) continue;
      for (const DecodedSlice& slice : operations_on(trace, uuid)) EXPECT_EQ(slice.depth, 0U);
    }
  }
}

}  // namespace
}  // namespace plumbline::viewer
