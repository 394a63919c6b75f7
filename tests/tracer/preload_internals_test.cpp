// What Open MPI does inside of calls, as the hooks in its PML see it (tests/tracer/programs/inner.c).
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include "tests/tracer/traced.hpp"

namespace plumbline::spool::test {
namespace {

using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::IsEmpty;
using testing::Not;

struct Inner {
  bool is_send = false, complete = false;
  int peer = 0, tag = 0;
  std::uint64_t bytes = 0;
  unsigned flags = 0;
  std::uint32_t context = 0, number = 0;
  std::uint64_t begin = 0, end = 0;
  std::string inside = {};  // the call in which it was posted; empty: none
};

void take_words(Inner& message, std::uint64_t peer_tag, std::uint64_t bytes_flags) {
  message.peer = static_cast<std::int32_t>(peer_tag);
  message.tag = static_cast<std::int32_t>(peer_tag >> 32);
  message.bytes = bytes_flags & PL_INNER_BYTES;
  message.flags = static_cast<unsigned>(bytes_flags >> 48);
}

bool is_inner(const Call& call) { return call.layout == PL_LAYOUT_INNER_MESSAGE || call.layout == PL_LAYOUT_INNER_END; }

// Messages in the order of their records; ends that lie elsewhere are put to them. A second end of one is a failure.
std::vector<Inner> messages_of(const Content& content) {
  std::vector<Inner> messages;
  std::map<std::uint32_t, std::size_t> by_number;
  std::map<std::uint32_t, const Call*> outer;  // by thread
  for (const Call& call : content.calls) {
    if (!is_inner(call)) outer[call.thread] = &call;
    if (call.layout != PL_LAYOUT_INNER_MESSAGE) continue;
    Inner message{.is_send = call.name == "(inner send)", .complete = call.done};
    take_words(message, call.words[0], call.words[1]);
    message.context = static_cast<std::uint32_t>(call.low(2));
    message.number = static_cast<std::uint32_t>(call.high(2));
    message.begin = call.begin;
    message.end = call.end;
    const Call* in = outer[call.thread];
    if (in != nullptr && in->begin <= call.begin && (in->end >= call.begin || !in->done)) message.inside = in->name;
    EXPECT_TRUE(by_number.emplace(message.number, messages.size()).second) << "number " << message.number << " twice";
    messages.push_back(message);
  }
  for (const Call& call : content.calls) {
    if (call.layout != PL_LAYOUT_INNER_END) continue;
    const auto found = by_number.find(static_cast<std::uint32_t>(call.low(0)));
    if (found == by_number.end()) continue;  // its record has given way
    Inner& message = messages[found->second];
    EXPECT_FALSE(message.complete) << "message " << message.number << " ended twice";
    take_words(message, call.words[1], call.words[2]);
    message.complete = true;
    message.end = call.end;
  }
  return messages;
}

std::vector<std::vector<Inner>> messages_of(const std::vector<std::unique_ptr<Content>>& all) {
  std::vector<std::vector<Inner>> messages;
  for (const auto& content : all) messages.push_back(messages_of(*content));
  return messages;
}

// Sender, receiver, tag, context, bytes.
using MessagePair = std::tuple<int, int, int, std::uint32_t, std::uint64_t>;

// Every message is complete, after it was posted, and what one rank has sent another one has received.
void expect_whole(const std::vector<std::vector<Inner>>& messages) {
  std::map<MessagePair, int> sent;
  std::size_t failures = 0;
  for (std::size_t rank = 0; rank < messages.size(); ++rank)
    for (const Inner& m : messages[rank]) {
      const int own = static_cast<int>(rank);
      // osc/pt2pt waits for whom it may concern, and cancels that in the end.
      if ((m.flags & PL_INNER_ANY_SOURCE) != 0 && (m.flags & PL_INNER_FAILED) != 0) continue;
      failures += !m.complete || m.end < m.begin || (m.flags & PL_INNER_FAILED) != 0;
      if (m.is_send)
        ++sent[{own, m.peer, m.tag, m.context, m.bytes}];
      else
        --sent[{m.peer, own, m.tag, m.context, m.bytes}];
    }
  EXPECT_EQ(failures, 0U);
  std::vector<std::string> alone;
  for (const auto& [pair, more] : sent)
    if (more != 0)
      alone.push_back(fmt::format("{} -> {} tag {} context {}, {} B: {:+}", std::get<0>(pair), std::get<1>(pair),
                                  std::get<2>(pair), std::get<3>(pair), std::get<4>(pair), more));
  EXPECT_THAT(alone, IsEmpty());
}

std::string fact(const Content& content, const std::string& key) {
  for (const std::string& meta : content.meta)
    if (meta.starts_with(key + "=")) return meta.substr(key.size() + 1);
  return "";
}

class Internals : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> found = flavours();
    if (std::find(found.begin(), found.end(), "openmpi") == found.end()) GTEST_SKIP() << "Open MPI is not installed";
  }
  void TearDown() override {
    if (!outcome_.work.empty()) std::filesystem::remove_all(outcome_.work);
  }

  // Skips the test where the tracer was built without the private headers.
  std::vector<std::unique_ptr<Content>> record(int ranks, std::vector<std::string> arguments,
                                               const std::string& environment = "") {
    if (!outcome_.work.empty()) std::filesystem::remove_all(outcome_.work);
    outcome_ = run({.flavour = "openmpi",
                    .program = "inner",
                    .ranks = ranks,
                    .arguments = std::move(arguments),
                    .environment = environment});
    return contents(outcome_);
  }
  static bool can_look_inside(const std::vector<std::unique_ptr<Content>>& all) {
    return !all.empty() && !fact(*all[0], "internals").starts_with("built without");
  }

  Outcome outcome_;
};

#define SKIP_WITHOUT_HEADERS(all) \
  if (!can_look_inside(all)) GTEST_SKIP() << "the tracer was built without Open MPI's own headers"

TEST_F(Internals, ABroadcastOf16KiBToEightRanksIsABinomialTree) {
  const auto all = record(8, {"bcast", "16384"});
  ASSERT_EQ(all.size(), 8U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const std::vector<std::vector<int>> to{{1, 2, 4}, {3, 5}, {6}, {7}, {}, {}, {}, {}};
  for (std::size_t rank = 0; rank < 8; ++rank) {
    std::vector<int> sent;
    for (const Inner& m : messages_of(*all[rank])) {
      if (m.inside != "MPI_Bcast") continue;
      EXPECT_EQ(m.bytes, 16384U);
      EXPECT_EQ(m.tag, -17);
      if (m.is_send) sent.push_back(m.peer);
    }
    EXPECT_EQ(sent, to[rank]) << "rank " << rank;
  }
  expect_whole(messages_of(all));
  EXPECT_EQ(fact(*all[0], "internals"), "on");
  EXPECT_EQ(fact(*all[0], "internals.by"), "pml ob1");
}

class InternalsOfRanks : public Internals, public ::testing::WithParamInterface<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, InternalsOfRanks, ::testing::Values(2, 3, 4, 8));

TEST_P(InternalsOfRanks, EverySendHasItsReceiveAndTheProgramsOwnMessagesAreNotAmongThem) {
  const auto all = record(GetParam(), {"mix", "120"});
  ASSERT_EQ(all.size(), static_cast<std::size_t>(GetParam())) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const auto messages = messages_of(all);
  expect_whole(messages);
  std::size_t later = 0;
  for (const Inner& m : messages[0]) {
    EXPECT_LT(m.tag, 0) << "in " << m.inside;  // the program's own have 0 to 99
    EXPECT_THAT(m.inside, Not(IsEmpty()));
    later += m.tag <= -27 && (m.inside == "MPI_Wait" || m.inside == "MPI_Test" || m.inside == "MPI_Recv");
  }
  EXPECT_TRUE(later > 0 || GetParam() == 2) << "of non-blocking collectives, posted after the call that began them";
  const std::string traced = outcome_.output;
  const Outcome plain = run(
      {.flavour = "openmpi", .program = "inner", .ranks = GetParam(), .arguments = {"mix", "120"}, .traced = false});
  EXPECT_EQ(traced, plain.output);
  std::filesystem::remove_all(plain.work);
}

// Other ways through the library: its other PMLs, and collectives and windows that set callbacks of their own or use
// persistent requests.
struct Way {
  const char *name, *by, *variables;
  std::vector<std::string> arguments;
};
class InternalsByWay : public Internals, public ::testing::WithParamInterface<Way> {};
const Way kWays[] = {
    {"ucx",
     "pml ucx",
     "OMPI_MCA_pml=ucx OMPI_MCA_opal_common_ucx_tls=any OMPI_MCA_opal_common_ucx_devices=any OMPI_MCA_osc=ucx,pt2pt ",
     {"mix", "60"}},
    {"cm",
     "pml cm",
     "OMPI_MCA_pml=cm OMPI_MCA_mtl=ofi OMPI_MCA_mtl_ofi_provider_include='tcp;ofi_rxm' ",
     {"mix", "60"}},
    {"adapt",
     "pml ob1",
     "OMPI_MCA_coll=adapt,basic,libnbc,self,inter OMPI_MCA_coll_adapt_priority=100 "
     "OMPI_MCA_coll_adapt_bcast_segment_size=65536 ",
     {"bcast", "4000000"}},
    {"adapt_mix",
     "pml ob1",
     "OMPI_MCA_coll=adapt,basic,libnbc,self,inter OMPI_MCA_coll_adapt_priority=100 ",
     {"mix", "60"}},
    {"linear",
     "pml ob1",
     "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_alltoall_algorithm=1 "
     "OMPI_MCA_coll_tuned_alltoallv_algorithm=1 ",
     {"mix", "60"}},
    {"windows", "pml ob1", "", {"one_sided", "10"}},
    {"windows_by_messages", "pml ob1", "OMPI_MCA_osc=pt2pt ", {"one_sided", "10"}},
    {"threads", "pml ob1", "", {"threads", "40"}},
};
INSTANTIATE_TEST_SUITE_P(Ways, InternalsByWay, ::testing::ValuesIn(kWays),
                         [](const auto& way) { return std::string(way.param.name); });

TEST_P(InternalsByWay, EverySendHasItsReceive) {
  const Way& way = GetParam();
  const auto all = record(4, way.arguments, way.variables);
  if (outcome_.status != 0 && std::string(way.by) != "pml ob1") GTEST_SKIP() << "not here: " << way.by;
  ASSERT_EQ(outcome_.status, 0) << outcome_.errors;
  ASSERT_EQ(all.size(), 4U);
  SKIP_WITHOUT_HEADERS(all);
  EXPECT_EQ(fact(*all[0], "internals.by"), way.by);
  const auto messages = messages_of(all);
  EXPECT_GE(messages[0].size(), 2U);
  expect_whole(messages);
}

TEST_F(Internals, WritingTogetherShowsTheMessagesToTheAggregator) {
  const auto all = record(4, {"file", "WORK", "2048"});
  ASSERT_EQ(all.size(), 4U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const auto messages = messages_of(all);
  expect_whole(messages);
  for (int rank = 1; rank < 4; ++rank) {
    std::vector<int> to;
    for (const Inner& m : messages[static_cast<std::size_t>(rank)])
      if (m.is_send && m.tag == 123 && m.bytes == 8192) to.push_back(m.peer);
    EXPECT_THAT(to, ElementsAre(0)) << "rank " << rank;  // fcoll/vulcan, one cycle
  }
}

TEST_F(Internals, ReadingAloneTenTimesOnFourRanksNeverFails) {
  for (int i = 0; i < 10; ++i) {
    record(4, {"file", "WORK", "64"});
    ASSERT_EQ(outcome_.status, 0) << "repetition " << i << ": " << outcome_.errors;
  }
}

TEST_F(Internals, ACallKeepsItsRecordWhileItsMessagesFillManySegments) {
  const auto all = record(2, {"bcast", "2000000"},
                          "OMPI_MCA_coll_tuned_use_dynamic_rules=1 OMPI_MCA_coll_tuned_bcast_algorithm=3 "
                          "OMPI_MCA_coll_tuned_bcast_algorithm_segmentsize=64 ");
  ASSERT_EQ(all.size(), 2U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const auto messages = messages_of(all);
  expect_whole(messages);
  EXPECT_GE(messages[0].size(), 31250U);  // a segment has room for 21,000
  for (const auto& content : all) {
    const Call& bcast = content->only("MPI_Bcast");
    EXPECT_TRUE(bcast.done);
    EXPECT_GT(bcast.end, bcast.begin);
    EXPECT_GT(content->clocks, 1U);
  }
}

// The program's own account of what it has received: "received TAG BYTES".
std::vector<std::string> received_lines(const std::string& output) {
  std::vector<std::string> lines;
  std::istringstream in(output);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("received")) lines.push_back(line);
  std::sort(lines.begin(), lines.end());
  return lines;
}

void expect_truth(const std::vector<Inner>& messages, const std::string& output) {
  std::vector<std::string> seen;
  std::size_t cancelled = 0, let_go = 0, wild = 0;
  for (const Inner& m : messages) {
    EXPECT_EQ(m.peer, 0);
    EXPECT_TRUE(m.complete || !m.is_send);
    if (m.is_send) continue;
    cancelled += m.flags & PL_INNER_FAILED ? 1 : 0;
    let_go += m.complete ? 0 : 1;
    wild += m.flags & (PL_INNER_ANY_SOURCE | PL_INNER_ANY_TAG) ? 1 : 0;
    if (m.complete && (m.flags & PL_INNER_FAILED) == 0) seen.push_back(fmt::format("received {} {}", m.tag, m.bytes));
  }
  std::sort(seen.begin(), seen.end());
  EXPECT_THAT(seen, ElementsAreArray(received_lines(output)));
  EXPECT_EQ(cancelled, 1U);
  EXPECT_EQ(let_go, 1U);
  EXPECT_GT(wild, messages.size() / 8);
}

TEST_F(Internals, MessagesThatALibrarySendsForItselfAreAsTheyWere) {
  const auto all = record(1, {"own", "4000"});
  ASSERT_EQ(all.size(), 1U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  expect_truth(messages_of(*all[0]), outcome_.output);
}

TEST_F(Internals, OfTheLastCallsNoMessageEndsTwice) {
  const auto all = record(1, {"own", "20000"}, "PLUMBLINE_MAX_SIZE=4MiB PLUMBLINE_KEEP=last ");
  ASSERT_EQ(all.size(), 1U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const std::vector<Inner> messages = messages_of(*all[0]);
  EXPECT_GT(messages.size(), 20000U);
  for (const Inner& m : messages) EXPECT_EQ(m.peer, 0);
}

TEST_F(Internals, ABuildThatIsNotKnownHasToPassATrial) {
  const auto all = record(2, {"mix", "30"}, "PLUMBLINE_INTERNALS=trial ");
  ASSERT_EQ(all.size(), 2U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  EXPECT_EQ(fact(*all[0], "internals"), "on");
  const auto messages = messages_of(all);
  EXPECT_GT(messages[0].size(), 10U);
  expect_whole(messages);
}

TEST_F(Internals, AreLeftOutWhenTheyAreSwitchedOff) {
  const auto all = record(2, {"mix", "30"}, "PLUMBLINE_INTERNALS=off ");
  ASSERT_EQ(all.size(), 2U) << outcome_.errors;
  for (const auto& content : all) {
    EXPECT_THAT(messages_of(*content), IsEmpty());
    EXPECT_EQ(fact(*content, "internals"), "off");
  }
}

TEST_F(Internals, AreNotRecordedWhileRecordingIsOff) {
  const auto all = record(4, {"paused"});
  ASSERT_EQ(all.size(), 4U) << outcome_.errors;
  SKIP_WITHOUT_HEADERS(all);
  const auto messages = messages_of(all);
  expect_whole(messages);
  for (const std::vector<Inner>& of_rank : messages) {
    EXPECT_THAT(of_rank, Not(IsEmpty()));
    for (const Inner& m : of_rank) EXPECT_EQ(m.inside, "MPI_Barrier");
  }
}

TEST_F(Internals, ARankThatIsLeftOutNeitherHangsNorRecords) {
  const auto all = record(3, {"mix", "30"}, "PLUMBLINE_RANKS=1 PLUMBLINE_INTERNALS=trial ");
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  ASSERT_EQ(all.size(), 3U);
  SKIP_WITHOUT_HEADERS(all);
  EXPECT_THAT(messages_of(*all[0]), IsEmpty());
  EXPECT_THAT(messages_of(*all[1]), Not(IsEmpty()));
}

}  // namespace
}  // namespace plumbline::spool::test
