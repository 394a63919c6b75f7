// What MPICH and its ROMIO do inside of the program's calls, as recorded under real runs.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>
#include <map>
#include <ostream>
#include <tuple>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::Ge;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Le;
using testing::Not;

constexpr int kOwnTag = 7770;  // from this one on: messages of the program (programs/inside.c)

struct InnerMessage {
  int owner = -1, peer = -1;  // world ranks, once resolved
  bool sent = false, complete = false;
  std::uint32_t context = 0, number = 0, flags = 0;
  int tag = 0;
  std::uint64_t bytes = 0, begin = 0, end = 0;
  std::string call = {};  // of the program, inside of which it was posted
};

// Rank `own` of that context is the world rank `sender`, for messages to `receiver`, from `begin` on.
struct InnerPeer {
  int sender = -1, receiver = -1;
  std::uint32_t context = 0;
  int own = -1;
  std::uint64_t begin = 0;
};

bool is_named_inner(const Call& call) { return call.name.starts_with("(inner"); }

class MessageReader {
 public:
  explicit MessageReader(const Content& content) : owner_(content.spool.header().world_rank) {
    const Call* outer = nullptr;
    for (const Call& call : content.calls) {
      if (call.name.starts_with("MPI_")) outer = &call;
      if (call.layout == PL_LAYOUT_INNER_MESSAGE) add(call, outer);
    }
    for (const Call& call : content.of("(inner end)")) end(call);
  }
  std::vector<InnerMessage> messages;

 private:
  void add(const Call& call, const Call* outer) {
    messages.push_back({.owner = owner_,
                        .sent = call.name == "(inner send)",
                        .complete = call.done,
                        .context = static_cast<std::uint32_t>(call.low(2)),
                        .number = static_cast<std::uint32_t>(call.high(2)),
                        .begin = call.begin,
                        .end = call.end});
    const bool inside = outer != nullptr && outer->thread == call.thread && outer->begin <= call.begin &&
                        (!outer->done || call.begin <= outer->end);
    if (inside) messages.back().call = outer->name;
    set(messages.back(), call, 0);
  }
  static void set(InnerMessage& m, const Call& call, std::size_t word) {
    m.peer = call.low(word);
    m.tag = call.high(word);
    m.bytes = call.words.at(word + 1) & PL_INNER_BYTES;
    m.flags = static_cast<std::uint32_t>(call.words.at(word + 1) >> 48);
  }
  void end(const Call& call) {
    const auto number = static_cast<std::uint32_t>(call.low(0));
    const auto m =
        std::find_if(messages.begin(), messages.end(), [&](const auto& one) { return one.number == number; });
    if (m == messages.end()) throw std::runtime_error(fmt::format("an end of message {}, which is not there", number));
    if (m->complete) throw std::runtime_error(fmt::format("message {} ends twice", number));
    set(*m, call, 1);
    m->complete = true;
    m->end = call.begin;
  }
  int owner_;
};

std::vector<InnerPeer> peers_of(const Content& content) {
  std::vector<InnerPeer> peers;
  for (std::uint32_t thread = 0; thread < content.spool.threads(); ++thread)
    content.spool.for_each(thread, [&](const Record& r) {
      if (r.function != PL_DEF_INNER_PEER) return;
      peers.push_back({.sender = content.spool.header().world_rank,
                       .receiver = static_cast<int>(r.payload[1]),
                       .context = static_cast<std::uint32_t>(r.payload[0]),
                       .own = static_cast<int>(r.payload[0] >> 32),
                       .begin = r.begin});
    });
  return peers;
}

// Those of all ranks, receives with the world ranks of their senders.
std::vector<InnerMessage> all_messages(const std::vector<std::unique_ptr<Content>>& ranks) {
  std::vector<InnerMessage> all;
  std::vector<InnerPeer> peers;
  for (const auto& content : ranks) {
    const MessageReader reader(*content);
    all.insert(all.end(), reader.messages.begin(), reader.messages.end());
    const std::vector<InnerPeer> own = peers_of(*content);
    peers.insert(peers.end(), own.begin(), own.end());
  }
  for (InnerMessage& m : all) {
    if ((m.flags & PL_INNER_RANK_IN_CONTEXT) == 0) continue;
    const InnerPeer* found = nullptr;  // the latest: a context may have been another communicator's before
    for (const InnerPeer& p : peers)
      if (p.context == m.context && p.own == m.peer && p.receiver == m.owner && p.begin <= m.end &&
          (found == nullptr || p.begin > found->begin))
        found = &p;
    m.peer = found == nullptr ? -1 : found->sender;
  }
  return all;
}

// Every message that was sent was received, in order, and nothing else was.
void expect_matched(const std::vector<InnerMessage>& all) {
  std::map<std::tuple<int, int, std::uint32_t, int>, std::array<std::vector<const InnerMessage*>, 2>> pairs;
  for (const InnerMessage& m : all) {
    EXPECT_TRUE(m.complete) << "rank " << m.owner << " message " << m.number;
    EXPECT_EQ(m.flags & ~PL_INNER_RANK_IN_CONTEXT, 0U);
    EXPECT_LE(m.begin, m.end);
    EXPECT_FALSE((m.context & 1) == 0 && m.tag >= kOwnTag && m.tag < kOwnTag + 10)
        << "of the program itself, in " << m.call;
    pairs[m.sent ? std::tuple(m.owner, m.peer, m.context, m.tag) : std::tuple(m.peer, m.owner, m.context, m.tag)]
         [m.sent ? 0 : 1]
             .push_back(&m);
  }
  for (auto& [key, sides] : pairs) {
    const auto& [sender, receiver, context, tag] = key;
    SCOPED_TRACE(fmt::format("from {} to {}, context {}, tag {}", sender, receiver, context, tag));
    ASSERT_EQ(sides[0].size(), sides[1].size());
    for (auto& side : sides)
      std::stable_sort(side.begin(), side.end(), [](const auto* a, const auto* b) { return a->begin < b->begin; });
    for (std::size_t i = 0; i < sides[0].size(); ++i) {
      EXPECT_EQ(sides[0][i]->bytes, sides[1][i]->bytes);
      EXPECT_GE(sides[1][i]->end, sides[0][i]->begin) << "received before it was sent";
    }
  }
}

// A peer and bytes.
using Sent = std::pair<int, std::uint64_t>;
std::vector<Sent> times(std::size_t n, Sent one) { return std::vector<Sent>(n, one); }
std::vector<Sent> joined(std::vector<Sent> first, const std::vector<Sent>& then) {
  first.insert(first.end(), then.begin(), then.end());
  return first;
}

class InternalsOfMpich : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::vector<std::string> found = flavours();
    if (std::find(found.begin(), found.end(), "mpich") == found.end()) GTEST_SKIP() << "MPICH is not installed";
  }
  void TearDown() override {
    if (!outcome_.work.empty()) std::filesystem::remove_all(outcome_.work);
  }
  std::vector<std::unique_ptr<Content>> record(int ranks, std::vector<std::string> arguments,
                                               const std::string& environment = "") {
    TearDown();
    outcome_ = run({.flavour = "mpich",
                    .program = "inside",
                    .ranks = ranks,
                    .arguments = std::move(arguments),
                    .environment = environment});
    EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
    return contents(outcome_);
  }
  // What each call of rank 0 has sent, in turn; tests that only wait for nothing are left out.
  std::vector<std::vector<Sent>> sent_by_rank_0(const std::vector<std::string>& calls, const std::string& environment) {
    std::vector<std::string> arguments = {"run"};
    arguments.insert(arguments.end(), calls.begin(), calls.end());
    const auto ranks = record(8, arguments, environment);
    expect_matched(all_messages(ranks));
    std::vector<std::vector<Sent>> sent;
    for (const Call& call : ranks.at(0)->calls) {
      if (call.name.starts_with("MPI_") && call.name != "MPI_Test" && !call.name.starts_with("MPI_Init") &&
          call.name != "MPI_Finalize")
        sent.emplace_back();
      if (call.name == "(inner send)") sent.back().emplace_back(call.low(0), call.words[1] & PL_INNER_BYTES);
    }
    return sent;
  }
  Outcome outcome_;
};

// The published tables say otherwise of some of these; this is what the library does
// (docs/notebook/inside-of-collectives.md).
TEST_F(InternalsOfMpich, CollectivesOfEightRanksSendWhatTheirAlgorithmsSay) {
  const std::vector<std::pair<std::string, std::vector<Sent>>> truth = {
      {"bcast:8", {{4, 8}, {2, 8}, {1, 8}}},              // binomial
      {"bcast:4096", {{4, 4096}, {2, 4096}, {1, 4096}}},  // binomial
      {"bcast:65536",                                     // scatter and recursive doubling
       {{4, 32768}, {2, 16384}, {1, 8192}, {1, 8192}, {2, 16384}, {4, 32768}}},
      {"bcast:1048576",  // scatter and ring
       joined({{4, 524288}, {2, 262144}, {1, 131072}}, times(7, {1, 131072}))},
      {"allreduce:8", {{1, 8}, {2, 8}, {4, 8}}},                                         // recursive doubling
      {"allreduce:64", {{1, 32}, {2, 16}, {4, 8}, {4, 8}, {2, 16}, {1, 32}}},            // Rabenseifner
      {"allgather:8", {{1, 8}, {2, 16}, {4, 32}}},                                       // recursive doubling
      {"allgather:65536", times(7, {1, 65536})},                                         // ring
      {"alltoall:8", {{0, 8}, {7, 8}, {6, 8}, {5, 8}, {4, 8}, {3, 8}, {2, 8}, {1, 8}}},  // scattered, not Bruck
      {"alltoall:65536",                                                                 // pairwise
       {{1, 65536}, {2, 65536}, {3, 65536}, {4, 65536}, {5, 65536}, {6, 65536}, {7, 65536}}},
      {"reduce_scatter_block:64", {{4, 32}, {2, 16}, {1, 8}}},  // recursive halving
      {"reduce_scatter_block:1048576",                          // pairwise
       {{1, 131072}, {2, 131072}, {3, 131072}, {4, 131072}, {5, 131072}, {6, 131072}, {7, 131072}}},
      {"gather:8", {}},
      {"scatter:8", {{4, 32}, {2, 16}, {1, 8}}}};  // binomial
  std::vector<std::string> calls;
  for (const auto& [call, sent] : truth) calls.push_back(call);
  const auto seen = sent_by_rank_0(calls, "");
  ASSERT_EQ(seen.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_THAT(seen[i], ElementsAreArray(truth[i].second)) << calls[i];
}

TEST_F(InternalsOfMpich, CollectivesOfTwoNodesSendWhatTheirCompositionsSay) {  // even ranks and odd ones
  const std::vector<std::pair<std::string, std::vector<Sent>>> truth = {
      {"barrier:0", {{2, 0}, {4, 0}, {1, 0}, {4, 1}, {2, 1}}},
      {"allreduce:8", {{1, 8}, {4, 8}, {2, 8}}},
      {"bcast:4096", {{1, 4096}, {4, 4096}, {2, 4096}}},
      {"bcast:65536", {{1, 65536}, {4, 65536}, {2, 65536}}},
      {"bcast:1048576", joined({{4, 524288}, {2, 262144}, {1, 131072}}, times(7, {1, 131072}))},
      {"reduce:65536", {{2, 32768}, {4, 16384}, {1, 32768}}},
      {"alltoall:8", {{0, 8}, {7, 8}, {6, 8}, {5, 8}, {4, 8}, {3, 8}, {2, 8}, {1, 8}}}};
  std::vector<std::string> calls;
  for (const auto& [call, sent] : truth) calls.push_back(call);
  const auto seen = sent_by_rank_0(calls, "MPIR_CVAR_NUM_CLIQUES=2 ");
  ASSERT_EQ(seen.size(), truth.size());
  for (std::size_t i = 0; i < truth.size(); ++i) EXPECT_THAT(seen[i], ElementsAreArray(truth[i].second)) << calls[i];
}

TEST_F(InternalsOfMpich, EveryMessageIsReceivedAndResultsAreTheSame) {
  const std::vector<std::string> calls = {"run",
                                          "bcast:65536",
                                          "allreduce:4096",
                                          "reduce:1024",
                                          "allgather:40",
                                          "alltoall:12",
                                          "gather:100",
                                          "scatter:100",
                                          "barrier:0",
                                          "send:64",
                                          "dup:8",
                                          "reversed:8",
                                          "strided_bcast:4096",
                                          "cancel:8",
                                          "ibcast:65536",
                                          "iallreduce:4096",
                                          "ialltoall:64",
                                          "ibarrier:0",
                                          "fork:8",
                                          "allreduce:8"};
  for (const int ranks : {2, 3, 4}) {
    SCOPED_TRACE(fmt::format("{} ranks", ranks));
    const auto recorded = record(ranks, calls);
    const std::string output = outcome_.output;
    const auto all = all_messages(recorded);
    expect_matched(all);
    EXPECT_GT(all.size(), 100U);
    for (const InnerMessage& m : all) EXPECT_THAT(m.call, Not(IsEmpty())) << m.number;
    for (const auto& rank : recorded) EXPECT_THAT(rank->meta, Contains("internals=on"));
    TearDown();
    outcome_ = run({.flavour = "mpich", .program = "inside", .ranks = ranks, .arguments = calls, .traced = false});
    EXPECT_EQ(outcome_.output, output);
  }
}

// 128 numbers of 256.
TEST_F(InternalsOfMpich, WhatIsNotContiguousHasItsSize) {
  const auto ranks = record(2, {"run", "strided_bcast:1024"});
  const std::vector<InnerMessage> all = all_messages(ranks);
  ASSERT_EQ(all.size(), 2U);
  EXPECT_EQ(all[0].bytes, 512U);
  EXPECT_EQ(all[1].bytes, 512U);
  EXPECT_EQ((all[0].flags | all[1].flags) & PL_INNER_UNKNOWN_BYTES, 0U);
}

// "MPI_Allgather" or "pwrite", each with what it encloses left out.
std::vector<std::string> inside_of(const Content& content, const std::string& name) {
  std::map<std::uint32_t, std::string> names;
  content.spool.for_each(0, [&](const Record& r) {
    if (r.function == PL_DEF_FUNCTION) names[static_cast<std::uint32_t>(r.payload[0])] = text_of(r.payload.subspan(1));
  });
  std::vector<std::string> inside;
  bool within = false;
  for (const Call& call : content.calls) {
    if (call.name.starts_with("MPI_")) within = call.name == name;
    if (!within || call.name == name || call.layout == PL_LAYOUT_INNER_MESSAGE) continue;
    inside.push_back(call.name == "(inner call)" ? names.at(static_cast<std::uint32_t>(call.low(0))) : call.name);
  }
  return inside;
}

TEST_F(InternalsOfMpich, RomiosCallsAreInOrder) {
  const std::filesystem::path directory = fresh_directory();
  const std::vector<std::string> arguments = {"file", (directory / "file").string(), "64"};
  const auto ranks = record(4, arguments);
  const std::string output = outcome_.output;
  expect_matched(all_messages(ranks));
  // Two-phase writing: ends of all accesses; how many pieces to whom; lists of them; how often; then once sizes and
  // data.
  EXPECT_THAT(inside_of(*ranks[0], "MPI_File_write_all"),
              ElementsAre("MPI_Allgather", "MPI_Allgather", "MPI_Alltoall", "MPI_Irecv", "MPI_Irecv", "MPI_Irecv",
                          "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce", "MPI_Alltoall", "MPI_Irecv",
                          "MPI_Irecv", "MPI_Irecv", "MPI_Irecv", "MPI_Isend", "MPI_Waitall", "pwrite", "MPI_Bcast"));
  EXPECT_THAT(inside_of(*ranks[1], "MPI_File_write_all"),
              ElementsAre("MPI_Allgather", "MPI_Allgather", "MPI_Alltoall", "MPI_Isend", "MPI_Waitall", "MPI_Allreduce",
                          "MPI_Alltoall", "MPI_Isend", "MPI_Waitall", "MPI_Bcast"));
  EXPECT_THAT(inside_of(*ranks[1], "MPI_File_set_view"), ElementsAre("MPI_Allreduce", "MPI_Barrier"));
  // ROMIO goes on inside of the wait. It waits by tests: a run of them is one record.
  const std::vector<std::string> waited = inside_of(*ranks[0], "MPI_Wait");
  EXPECT_THAT(waited, AllOf(Contains("MPI_Ialltoall"), Contains("MPI_Isend"), Contains("MPI_Testall")));
  EXPECT_LT(waited.size(), 100U);
  // The lists: 16 bytes a piece; the data: 8; tag of the sender, then 0. Of the program's calls that wait none appears.
  std::vector<Sent> lists;
  for (const InnerMessage& m : all_messages(ranks))
    if (m.sent && m.call == "MPI_File_write_all" && (m.context & 1) == 0) lists.emplace_back(m.owner, m.bytes);
  EXPECT_THAT(lists, ElementsAre(Sent(0, 1024), Sent(0, 512), Sent(1, 1024), Sent(1, 512), Sent(2, 1024), Sent(2, 512),
                                 Sent(3, 1024), Sent(3, 512)));
  TearDown();
  outcome_ = run({.flavour = "mpich", .program = "inside", .ranks = 4, .arguments = arguments, .traced = false});
  EXPECT_EQ(outcome_.output, output);
  std::filesystem::remove_all(directory);
}

// A segment holds 21,000 records: those of the call and of what is inside of it lie in three.
TEST_F(InternalsOfMpich, ACallMayHoldMoreThanASegment) {
  const auto ranks = record(2, {"run", "bcast:1572864", "send:8", "bcast:8"},
                            "MPIR_CVAR_BCAST_INTRA_ALGORITHM=nb MPIR_CVAR_IBCAST_INTRA_ALGORITHM=tsp_tree "
                            "MPIR_CVAR_IBCAST_TREE_PIPELINE_CHUNK_SIZE=64 ");
  const auto all = all_messages(ranks);
  expect_matched(all);
  EXPECT_EQ(all.size(), 2U * (1572864 / 64 + 1));
  for (const auto& rank : ranks) {
    EXPECT_GT(std::filesystem::file_size(rank->spool.path()), 2U * PL_SEGMENT_BYTES);
    for (const Call& call : rank->calls) EXPECT_TRUE(call.done || is_named_inner(call)) << call.name;
  }
}

TEST_F(InternalsOfMpich, ThreadsDoNotDisturbEachOther) {
  const auto ranks = record(2, {"threads", "4", "100"});
  const auto all = all_messages(ranks);
  expect_matched(all);
  EXPECT_GE(all.size(), 4U * 100U * 3U);
}

TEST_F(InternalsOfMpich, NothingIsRecordedWhileRecordingIsOff) {
  const auto ranks = record(2, {"pause"});
  const auto all = all_messages(ranks);
  expect_matched(all);
  std::set<std::string> calls;
  for (const InnerMessage& m : all) calls.insert(m.call);
  EXPECT_THAT(calls, ElementsAre("MPI_Allreduce", "MPI_Bcast"));
}

TEST_F(InternalsOfMpich, TheUserMaySwitchThemOff) {
  const auto ranks = record(2, {"run", "allreduce:8"}, "PLUMBLINE_INTERNALS=off ");
  for (const auto& rank : ranks) {
    EXPECT_THAT(rank->meta, Contains("internals=off"));
    for (const Call& call : rank->calls) EXPECT_FALSE(is_named_inner(call)) << call.name;
  }
  EXPECT_EQ(outcome_.errors, "");
}

TEST_F(InternalsOfMpich, OneRankOfSeveralIsRecordedAlone) {
  const auto ranks = record(3, {"run", "allreduce:8", "bcast:8"}, "PLUMBLINE_RANKS=1 ");
  std::size_t sent = 0;
  for (const auto& rank : ranks)
    for (const Call& call : rank->calls) {
      if (call.name == "(inner send)") ++sent;
      if (is_named_inner(call)) {
        EXPECT_EQ(rank->spool.header().world_rank, 1);
      }
    }
  EXPECT_GT(sent, 0U);
}

// Another tool stands between MPICH and us: whose endpoints are cannot be told.
TEST_F(InternalsOfMpich, WhereTheyCannotBeUnderstoodTheyAreOffAndTheRestIsRecorded) {
  for (const std::string wish : {"on", "auto"}) {
    const std::filesystem::path work = fresh_directory();
    outcome_ =
        run_shell(fmt::format("timeout 60 mpirun.mpich -n 2 -genv PLUMBLINE_SPOOL {0}/spools -genv PLUMBLINE_INTERNALS "
                              "{1} -genv LD_PRELOAD {2}:{3} {4} run allreduce:8",
                              work.string(), wish, program_path("mpich", "ucp_between").string(),
                              preload_library("mpich").string(), program_path("mpich", "inside").string()),
                  work);
    EXPECT_EQ(outcome_.status, 0);
    const auto ranks = contents(outcome_);
    ASSERT_EQ(ranks.size(), 2U);
    for (const auto& rank : ranks) {
      EXPECT_THAT(rank->meta, Contains("internals=the messages of this MPICH do not go through libucp"));
      EXPECT_EQ(rank->of("MPI_Allreduce").size(), 1U);
      for (const Call& call : rank->calls) EXPECT_FALSE(is_named_inner(call));
    }
    EXPECT_THAT(outcome_.errors, wish == "on" ? HasSubstr("the messages of this MPICH do not") : HasSubstr(""));
    EXPECT_EQ(outcome_.errors.empty(), wish == "auto") << outcome_.errors;
    TearDown();
  }
}

TEST_F(InternalsOfMpich, ReadingIndependentlyTimeAndAgainIsClean) {
  for (int i = 0; i < 10; ++i) {
    const std::string file = (fresh_directory() / "file").string();
    const auto ranks = record(4, {"file", file, "16"});
    std::filesystem::remove_all(std::filesystem::path(file).parent_path());
    ASSERT_EQ(outcome_.status, 0);
    ASSERT_EQ(outcome_.errors, "");
    ASSERT_EQ(ranks.size(), 4U);
    for (const auto& rank : ranks) ASSERT_EQ(rank->spool.header().end, PL_END_FINALIZED);
  }
}

}  // namespace
}  // namespace plumbline::spool::test
