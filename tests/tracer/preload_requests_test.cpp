// Persistent requests, matched receives, neighbourhoods, MPI 4, and switching recording off: what the tracer records of
// real MPI programs, against what tests/tracer/programs do.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;

class Requests : public OnBothMpis {};
INSTANTIATE_TEST_SUITE_P(Mpi, Requests, kBothMpis, name_of_mpi);

constexpr std::uint64_t kSent = PL_COMPLETED | PL_COMPLETED_SEND;

// "request bytes source:tag" of each request that a wait or test completed.
std::vector<std::string> completed(const Content& c) {
  std::vector<std::string> found;
  for (const Call& call : c.calls) {
    if (call.layout != PL_LAYOUT_WAIT) continue;
    const auto n = static_cast<std::size_t>(call.low(0)), first = 2 + (n + 1) / 2;
    for (std::size_t i = 0; i < n; ++i) {
      const std::uint64_t flags = call.words.at(first + 2 * i);
      if ((flags & PL_COMPLETED) == 0) continue;
      const int id = i % 2 == 0 ? call.low(2 + i / 2) : call.high(2 + i / 2);
      if (id == 0) continue;  // MPI_REQUEST_NULL or inactive
      found.push_back(fmt::format("{} {} {}:{}", id, flags == kSent ? "sent" : std::to_string(flags & ~PL_COMPLETED),
                                  call.low(first + 2 * i + 1), call.high(first + 2 * i + 1)));
    }
  }
  return found;
}

// "persistent:request" of every start, in order.
std::vector<std::pair<int, int>> starts(const Content& c) {
  std::vector<std::pair<int, int>> found;
  for (const Call& call : c.calls) {
    if (call.layout != PL_LAYOUT_START) continue;
    EXPECT_EQ(call.words.size(), 1U + static_cast<std::size_t>(call.low(0)));
    for (std::size_t i = 1; i < call.words.size(); ++i) found.emplace_back(call.low(i), call.high(i));
  }
  return found;
}

TEST_P(Requests, EachStartOfAPersistentRequestHasANumberOfItsOwn) {
  const auto ranks = record("persistent", 2);
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  const std::vector<std::pair<int, int>> started = starts(*ranks[0]);
  ASSERT_EQ(started.size(), 7U);
  std::vector<int> persistent;
  for (const auto& [number, request] : started) persistent.push_back(number);
  EXPECT_THAT(persistent, ElementsAre(1, 2, 3, 2, 1, 4, 5));

  const auto request = [&](std::size_t i) { return std::to_string(started[i].second); };
  std::vector<std::string> sends;
  for (const Call& call : ranks[0]->of("MPI_Isend")) sends.push_back(std::to_string(call.high(2)));
  const std::string sent = " sent -1:-1";
  EXPECT_THAT(completed(*ranks[0]),
              ElementsAre(request(0) + sent, request(1) + sent, request(2) + sent, request(3) + sent, request(4) + sent,
                          request(5) + sent, sends.at(0) + sent, request(6) + sent, sends.at(1) + sent));
}

TEST_P(Requests, WhatAPersistentRequestStandsForIsDefined) {
  const auto ranks = record("persistent", 2);
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  const auto words = [](const Content& c, std::uint32_t number) {
    const std::vector<std::uint64_t>& payload = c.persistents.at(number);  // [function | 0], then as SEND or RECV
    return fmt::format("{}:{} {} comm {}", static_cast<int>(payload.at(1)), static_cast<int>(payload.at(1) >> 32),
                       payload.at(2), payload.at(3));
  };
  EXPECT_EQ(words(*ranks[0], 1), "1:10 16 comm 1");
  EXPECT_EQ(words(*ranks[0], 2), "1:11 8 comm 1");
  EXPECT_EQ(words(*ranks[0], 3), "-2:12 0 comm 1");
  EXPECT_EQ(words(*ranks[1], 1), "-1:10 16 comm 1");
  EXPECT_EQ(words(*ranks[1], 2), "0:-1 16 comm 1");

  const std::vector<std::pair<int, int>> started = starts(*ranks[1]);
  ASSERT_EQ(started.size(), 7U);
  const std::vector<std::string> received = completed(*ranks[1]);
  ASSERT_EQ(received.size(), 9U);
  EXPECT_EQ(received[0], fmt::format("{} 16 0:10", started[0].second));
  EXPECT_EQ(received[1], fmt::format("{} 8 0:11", started[1].second));
  EXPECT_EQ(received[3], fmt::format("{} 8 0:11", started[3].second));
  EXPECT_EQ(received[4], fmt::format("{} 16 0:10", started[4].second));
  EXPECT_EQ(received[7], fmt::format("{} 4 0:21", started[6].second));
}

TEST_P(Requests, AMatchedReceiveTellsWhatItsProbePosted) {
  const auto ranks = record("matched", 2);
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  const Content& c = *ranks[0];
  const std::vector<Call> blocking = c.of("MPI_Mrecv");
  ASSERT_EQ(blocking.size(), 2U);
  EXPECT_EQ(blocking[0].layout, PL_LAYOUT_RECV);
  EXPECT_THAT((std::vector{blocking[0].low(0), blocking[0].high(0), blocking[0].low(1), blocking[0].low(2),
                           blocking[0].low(3), blocking[0].high(3)}),
              ElementsAre(-1, -1, 20, 1, 1, 5));
  EXPECT_EQ(blocking[1].low(0), PL_PROC_NULL);
  EXPECT_EQ(blocking[1].low(3), PL_PROC_NULL);
  const Call& later = c.only("MPI_Imrecv");
  EXPECT_THAT((std::vector{later.low(0), later.high(0), later.low(1), later.low(2)}), ElementsAre(1, 6, 16, 1));
  EXPECT_THAT(completed(c), ElementsAre(fmt::format("{} 12 1:6", later.high(2))));
}

// "ranks: bytes to each / ranks: bytes from each".
std::string exchange(const Content& c, const Call& call) {
  const auto comm = static_cast<std::uint32_t>(call.low(0));
  std::string text;
  std::size_t word = 2;
  for (const auto& ranks : {c.neighbours_to.at(comm), c.neighbours_from.at(comm)}) {
    text += text.empty() ? "" : " /";
    for (const std::uint32_t rank : ranks) text += fmt::format(" {}:{}", static_cast<int>(rank), call.words.at(word++));
  }
  EXPECT_EQ(word, call.words.size());
  return text;
}

TEST_P(Requests, NeighbourhoodCollectivesListWhatGoesToWhom) {
  const auto ranks = record("neighbours", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const auto all = [](const Content& c) {
    std::vector<std::string> found;
    for (const Call& call : c.calls)
      if (call.layout == PL_LAYOUT_NEIGHBOUR) found.push_back(call.name.substr(4) + exchange(c, call));
    return found;
  };
  EXPECT_THAT(all(*ranks[0]), ElementsAre("Neighbor_allgather -2:8 1:8 / -2:8 1:8",
                                          "Neighbor_allgather -2:4 1:4 / -2:4 1:4", "Neighbor_alltoallv 1:4 / 2:12",
                                          "Ineighbor_alltoallw 1:4 / 2:12", "Neighbor_alltoall 0:4 1:4 / 0:4 1:4"));
  EXPECT_THAT(all(*ranks[1]), ElementsAre("Neighbor_allgather 0:8 2:8 / 0:8 2:8",
                                          "Neighbor_allgather 0:4 2:4 / 0:4 2:4", "Neighbor_alltoallv 2:8 / 0:4",
                                          "Ineighbor_alltoallw 2:8 / 0:4", "Neighbor_alltoall 0:4 2:4 / 0:4 2:4"));
  const Call& later = ranks[1]->only("MPI_Ineighbor_alltoallw");
  EXPECT_NE(later.high(0), 0);
  EXPECT_EQ(ranks[1]->only("MPI_Wait").low(2), later.high(0));
}

TEST_P(Requests, WhatHappensWhileRecordingIsOffIsNotRecordedButKnown) {
  const auto ranks = record("pause", 2, {"WORK"});
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  const Content& c = *ranks[1];
  EXPECT_EQ(c.spool.header().end, PL_END_FINALIZED);
  EXPECT_EQ(c.spool.header().lost_records, 0U);
  std::vector<std::string> names;
  for (const Call& call : c.calls)
    if (call.name.starts_with("MPI_")) names.push_back(call.name.substr(4));
  EXPECT_THAT(names, ElementsAre("Init", "Comm_dup", "Irecv", "Pcontrol", "Pcontrol", "Pcontrol", "Pcontrol", "Barrier",
                                 "Send", "Wait", "Start", "Recv", "Wait", "File_write_at", "Request_free", "File_close",
                                 "Comm_free", "Pcontrol"));
  std::vector<std::string> levels;
  for (const Call& call : c.of("MPI_Pcontrol")) levels.push_back(fmt::format("{} {}", call.low(0), call.high(0)));
  EXPECT_THAT(levels, ElementsAre("7 1", "0 0", "1 1", "2 1", "0 0"));

  // The communicator made meanwhile, not the freed one that may have had the same handle.
  const auto made = static_cast<std::uint32_t>(c.only("MPI_Barrier").low(0));
  EXPECT_THAT(c.comms.at(made).members, ElementsAre(1));
  EXPECT_NE(static_cast<int>(made), c.only("MPI_Comm_dup").low(1));
  // The receive posted meanwhile has a number that is not that of the one completed meanwhile.
  const Call wait = c.of("MPI_Wait").at(0);
  EXPECT_NE(wait.low(2), 0);
  EXPECT_NE(wait.low(2), c.only("MPI_Irecv").high(2));
  EXPECT_EQ(wait.words[3], PL_COMPLETED | 4);
  EXPECT_EQ(c.only("MPI_Start").low(1), 1);
  EXPECT_TRUE(c.persistents.contains(1));
  EXPECT_EQ(c.only("MPI_File_write_at").low(0), 1);

  // The descriptor opened meanwhile is announced, and written to by the name that it was announced with.
  std::vector<int> announced, written;
  for (const Call& call : c.of("(open at start)"))
    if (c.files.at(static_cast<std::uint32_t>(call.low(0))) == (outcome_.work / "own.1").string())
      announced.push_back(call.low(1));
  for (const Call& call : c.calls)
    if (call.layout == PL_LAYOUT_POSIX_ACCESS && call.words.at(2) == 20) written.push_back(call.low(0));
  ASSERT_EQ(announced.size(), 1U);
  EXPECT_EQ(written, announced);
}

TEST_P(Requests, RareCallsAreThereToo) {
  const auto ranks = record("others", 1, {"WORK"});
  ASSERT_EQ(ranks.size(), 1U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0);
  const Content& c = *ranks[0];
  for (const char* name : {"Alloc_mem", "Free_mem", "Comm_set_info", "Cart_map", "Graph_map", "File_delete"})
    EXPECT_EQ(c.only(std::string("MPI_") + name).layout, PL_LAYOUT_NONE) << name;
  for (const char* name : {"preallocate", "set_size", "get_atomicity", "get_byte_offset", "close"}) {
    EXPECT_EQ(c.only(std::string("MPI_File_") + name).layout, PL_LAYOUT_FILE) << name;
    EXPECT_EQ(c.only(std::string("MPI_File_") + name).low(0), 1) << name;
  }
  const Call& read = c.only("MPI_File_iread_at_all");
  EXPECT_EQ(read.high(0), PL_ACCESS_COLLECTIVE | PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING);
  EXPECT_THAT(completed(c).back(), fmt::format("{} 8 -1:-1", read.low(4)));

  // MPI_Comm_idup: no questions to a communicator that is not there yet, and its members are known all the same.
  EXPECT_NE(c.only("MPI_Comm_idup").high(0), 0);
  const auto copy = static_cast<std::uint32_t>(c.only("MPI_Barrier").low(0));
  EXPECT_THAT(c.comms.at(copy).members, ElementsAre(0));
  EXPECT_EQ(static_cast<std::uint32_t>(c.only("MPI_Comm_free").low(0)), copy);
  // A hundred and more polls, of which those without a pause in between are one record.
  std::size_t polls = 0;
  for (const Call& call : c.of("MPI_Request_get_status")) polls += 1 + static_cast<std::size_t>(call.high(1));
  EXPECT_GT(polls, 100U);
  EXPECT_LT(c.of("MPI_Request_get_status").size(), 50U);
}

TEST_P(Requests, WhatOnlyMpi4HasIsRecordedLikeTheRest) {
  const auto ranks = record("mpi4", 2, {"WORK"});
  ASSERT_EQ(ranks.size(), 2U) << outcome_.errors;
  if (outcome_.output.find("older than MPI 4") != std::string::npos)
    GTEST_SKIP() << GetParam() << " is older than MPI 4";
  const Content& c = *ranks[1];
  EXPECT_EQ(ranks[0]->only("MPI_Send_c").number(1), 16);
  EXPECT_EQ(c.only("MPI_Recv_c").number(1), 16);
  const Call& gather = c.only("MPI_Allgatherv_c");
  EXPECT_THAT(gather.words,
              ElementsAre((std::uint64_t{0xffffffff} << 32 | PL_COMM_WORLD), 8, 12, 0, std::uint64_t{2} << 32, 4, 8));
  EXPECT_THAT(std::vector(c.only("MPI_File_write_at_c").words.begin() + 1, c.only("MPI_File_write_at_c").words.end()),
              ElementsAre(16, 16, 16, 0));

  const Call& both = c.only("MPI_Isendrecv");
  EXPECT_THAT((std::vector{both.low(0), both.high(0), both.low(1), both.low(3), both.high(3), both.low(4)}),
              ElementsAre(0, 2, 8, -1, 2, 16));
  EXPECT_NE(both.high(2), both.high(5));
  const std::vector<std::pair<int, int>> started = starts(c);
  ASSERT_EQ(started.size(), 2U);
  EXPECT_EQ(started[0].first, started[1].first);
  EXPECT_NE(started[0].second, started[1].second);
  const Call& duplicate = c.only("MPI_Comm_idup_with_info");
  EXPECT_THAT(
      completed(c),
      ElementsAre(fmt::format("{} sent -1:-1", both.high(5)), fmt::format("{} sent -1:-1", started[0].second),
                  fmt::format("{} sent -1:-1", started[1].second), fmt::format("{} sent -1:-1", duplicate.high(0))));
  const auto copy = static_cast<std::uint32_t>(c.only("MPI_Barrier").low(0));
  EXPECT_THAT(c.comms.at(copy).members, ElementsAre(0, 1));
  EXPECT_NE(copy, PL_COMM_WORLD);
}

}  // namespace
}  // namespace plumbline::spool::test
