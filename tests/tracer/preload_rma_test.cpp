// One-sided communication: what the tracer records of tests/tracer/programs/rma.c, and the archive that is made of it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "tests/tracer/on_both_mpis.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/summary.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::ElementsAreArray;
using ::testing::Not;

class OneSided : public OnBothMpis {};
INSTANTIATE_TEST_SUITE_P(Mpi, OneSided, kBothMpis, name_of_mpi);

std::string ranks_of(const Call& call) {
  std::string text;
  for (std::size_t i = 0; i < static_cast<std::size_t>(call.low(1)); ++i)
    text += fmt::format(" {}", i % 2 == 0 ? call.low(2 + i / 2) : call.high(2 + i / 2));
  return text;
}

// "Put w1 to 1 at 3: 8B of 8B", then the operation, datatypes and results where there are any; ids of requests: R.
std::string transfer(const Call& call, const std::string& name) {
  std::string text = fmt::format("{} w{} to {} at {}: {}B of {}B", name, call.low(4), call.low(0), call.number(1),
                                 call.number(2), call.number(3));
  if (call.high(0) != PL_OP_NONE) text += fmt::format(" op {}", call.high(0));
  if (call.high(4) != 0) text += " R";
  if (call.words[5] != 0) text += fmt::format(" types {}/{}", call.low(5), call.high(5));
  if (call.words.size() == 8) text += fmt::format(" fetches {}B", call.number(6));
  return text;
}

// One-sided calls of a rank in few words, displacements relative to `base`. Polls of MPI_Win_test are one line.
std::vector<std::string> one_sided(const Content& c, std::uint32_t window) {
  std::vector<std::string> lines;
  for (const Call& call : c.calls) {
    const std::string name = call.name.substr(4);
    const auto of_window = [&](int number) { return static_cast<std::uint32_t>(number) == window; };
    if (call.layout == PL_LAYOUT_WIN && of_window(call.low(3)))
      lines.push_back(fmt::format("{} on {}: {}B in {}", name, call.low(0), call.number(1), call.number(2)));
    if (call.layout == PL_LAYOUT_WIN_SYNC && of_window(call.low(0)))
      lines.push_back(fmt::format("{} {} {} {}", name, call.high(0), call.low(1), call.high(1)));
    if (call.layout == PL_LAYOUT_WIN_GROUP && of_window(call.low(0)))
      lines.push_back(fmt::format("{} {}:{}", name, call.high(0), ranks_of(call)));
    if (call.layout == PL_LAYOUT_WIN_TEST && of_window(call.low(0)) && call.low(1) != 0) lines.push_back(name);
    if (call.layout == PL_LAYOUT_WIN_ATTACH && of_window(call.low(0)))
      lines.push_back(fmt::format("{} {}B", name, call.number(2)));
    if (call.layout == PL_LAYOUT_RMA && of_window(call.low(4))) lines.push_back(transfer(call, name));
  }
  return lines;
}

TEST_P(OneSided, FencesPutsAndGets) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_TRUE(outcome_.output.starts_with("address") && outcome_.output.find('\n') == std::string::npos)
      << outcome_.output;
  constexpr int kFirst = PL_ASSERT_NOPRECEDE | PL_ASSERT_NOSTORE, kLast = PL_ASSERT_NOSUCCEED;
  const std::string first = fmt::format("Win_fence -1 {} 0", kFirst), last = fmt::format("Win_fence -1 {} 0", kLast);
  EXPECT_THAT(one_sided(*ranks[0], 1),
              ElementsAre("Win_create on 1: 32B in 4", first, "Put w1 to 1 at 3: 8B of 8B",
                          "Get w1 to 2 at 0: 4B of 4B", "Put w1 to -2 at 0: 0B of 0B", last, "Win_free -1 0 0"));
  EXPECT_THAT(one_sided(*ranks[1], 1), ElementsAre("Win_create on 1: 32B in 4", first, last, "Win_free -1 0 0"));
  EXPECT_EQ(ranks[1]->window_names.at(1), "fenced");
  const Window& window = ranks[2]->windows.at(1);
  EXPECT_THAT((std::vector<std::uint64_t>{window.comm, window.kind, window.sequence, window.bytes, window.unit}),
              ElementsAre(PL_COMM_WORLD, PL_WIN_CREATE, 0, 32, 4));
}

TEST_P(OneSided, LocksFlushesAndAtomics) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const std::string exclusive = fmt::format("Win_lock 1 0 {}", static_cast<int>(PL_LOCK_EXCLUSIVE)),
                    shared = fmt::format("Win_lock 1 {} {}", static_cast<int>(PL_ASSERT_NOCHECK),
                                         static_cast<int>(PL_LOCK_SHARED)),
                    all = fmt::format("Win_lock_all -1 0 {}", static_cast<int>(PL_LOCK_SHARED));
  EXPECT_THAT(one_sided(*ranks[0], 2),
              ElementsAre("Win_allocate on 1: 64B in 1", exclusive, "Accumulate w2 to 1 at 8: 4B of 4B op 2",
                          "Win_flush 1 0 0", "Put w2 to 1 at 12: 4B of 4B", "Win_flush_local 1 0 0", "Win_unlock 1 0 0",
                          all, "Get_accumulate w2 to 1 at 8: 0B of 12B op 4 fetches 12B", "Win_flush_local_all -1 0 0",
                          "Compare_and_swap w2 to 1 at 8: 4B of 4B fetches 4B", "Win_flush_all -1 0 0",
                          "Win_sync -1 0 0", "Win_unlock_all -1 0 0", "Win_free -1 0 0"));
  EXPECT_THAT(one_sided(*ranks[2], 2),
              ElementsAre("Win_allocate on 1: 64B in 1", shared, "Fetch_and_op w2 to 1 at 8: 4B of 4B op 3 fetches 4B",
                          "Win_unlock 1 0 0", all, "Win_sync -1 0 0", "Win_unlock_all -1 0 0", "Win_free -1 0 0"));
  EXPECT_EQ(ranks[0]->windows.at(2).sequence, 1U);
}

TEST_P(OneSided, GroupsAreListedByWorldRankAndTargetsByRankInTheWindow) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const auto comm = ranks[0]->windows.at(3).comm;
  EXPECT_THAT(ranks[0]->comms.at(comm).members, ElementsAre(2, 0));
  const std::string made = fmt::format("Win_create on {}: 16B in 4", comm);
  EXPECT_THAT(one_sided(*ranks[0], 3),
              ElementsAre(made, "Win_start 0: 2", "Put w3 to 0 at 0: 4B of 4B", "Win_complete -1 0 0", "Win_start 0: 2",
                          "Put w3 to 0 at 1: 4B of 4B", "Win_complete -1 0 0", "Win_free -1 0 0"));
  const std::string posted = fmt::format("Win_post {}: 0", static_cast<int>(PL_ASSERT_NOSTORE));
  EXPECT_THAT(one_sided(*ranks[2], 3),
              ElementsAre(made, posted, "Win_wait -1 0 0", posted, "Win_test", "Win_free -1 0 0"));
}

TEST_P(OneSided, RequestsAreCompletedByTheirWait) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const Content& c = *ranks[1];
  const std::vector<std::string> lines = one_sided(c, 3);  // rank 1 has not made the one of the others
  const std::vector<std::string> operations(lines.begin() + 4, lines.end() - 2);
  EXPECT_EQ(lines[0], "Win_allocate_shared on 1: 64B in 4");
  EXPECT_THAT(operations, ElementsAre("Rput w3 to 2 at 0: 12B of 12B R", "Rget w3 to 2 at 12: 8B of 8B R",
                                      "Raccumulate w3 to 2 at 4: 4B of 4B op 6 R",
                                      "Rget_accumulate w3 to 2 at 5: 12B of 12B op 2 R fetches 12B",
                                      "Rput w3 to -2 at 0: 0B of 0B R"));
  std::vector<int> posted;
  for (const Call& call : c.calls)
    if (call.layout == PL_LAYOUT_RMA && call.high(4) != 0) posted.push_back(call.high(4));
  const Call& wait = c.only("MPI_Waitall");
  EXPECT_EQ(wait.low(1), 5);
  EXPECT_THAT((std::vector{wait.low(2), wait.high(2), wait.low(3), wait.high(3), wait.low(4)}),
              ElementsAreArray(posted));
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(wait.words.at(5 + 2 * i), PL_COMPLETED | PL_COMPLETED_SEND);
}

TEST_P(OneSided, DerivedDatatypesAreThoseThatTheHandleStandsForNow) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const Content& c = *ranks[0];
  const std::int64_t base = std::strtoll(outcome_.output.c_str() + sizeof "address", nullptr, 10);
  std::vector<Call> puts;
  for (const Call& call : c.of("MPI_Put"))
    if (call.low(4) == 5) puts.push_back(call);
  ASSERT_EQ(puts.size(), 3U);
  EXPECT_EQ(puts[0].number(1), base);
  EXPECT_EQ(puts[2].number(1), base + 16);
  EXPECT_EQ(puts[0].words[5], puts[1].words[5]);
  EXPECT_EQ(puts[0].high(5), 0);
  EXPECT_EQ(puts[2].low(5), 0);
  const Datatype &first = c.types.at(static_cast<std::uint32_t>(puts[0].low(5))),
                 &second = c.types.at(static_cast<std::uint32_t>(puts[2].high(5)));
  EXPECT_THAT(first.integers, ElementsAre(2, 1, 3));
  EXPECT_THAT(second.integers, ElementsAre(2, 2, 4));
  const std::vector<std::string> lines = one_sided(*ranks[1], 4);
  EXPECT_THAT(lines,
              ElementsAre("Win_create_dynamic on 1: 0B in 1", "Win_attach 64B", "Win_detach 0B", "Win_free -1 0 0"));
  EXPECT_EQ(ranks[1]->only("MPI_Win_attach").number(1), base);
  EXPECT_TRUE(c.of("MPI_Type_free").empty());
}

TEST_P(OneSided, AWindowMadeWhileRecordingIsOffIsKnown) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  EXPECT_THAT(one_sided(*ranks[0], 6), ElementsAre());  // made and freed meanwhile
  EXPECT_THAT(one_sided(*ranks[0], 7),
              ElementsAre("Put w7 to 0 at 2: 4B of 4B", "Win_unlock_all -1 0 0", "Win_free -1 0 0"));
  EXPECT_EQ(ranks[0]->windows.at(7).kind, PL_WIN_ALLOCATE);
  EXPECT_EQ(ranks[0]->windows.at(7).bytes, 16U);
  EXPECT_EQ(ranks[0]->spool.header().lost_records, 0U);
}

TEST_P(OneSided, LargeCountsAreRecordedLikeTheRest) {
  const auto ranks = record("rma_large", 1);
  ASSERT_EQ(ranks.size(), 1U) << outcome_.errors;
  if (outcome_.output.find("older than MPI 4") != std::string::npos)
    GTEST_SKIP() << GetParam() << " is older than MPI 4";
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_EQ(outcome_.output, "");
  const std::vector<std::string> lines = one_sided(*ranks[0], 1);
  EXPECT_THAT(lines.at(0), "Win_create_c on 1: 64B in 4");
  EXPECT_TRUE(lines.at(2).starts_with("Put_c w1 to 0 at 1: 8B of 8B types 0/")) << lines.at(2);
}

// ---- The archive of such a run

using archive::Event;
using archive::EventKind;

// One event in few words, the matching number of an operation as its place among those of the window: "put 1 8B #0".
class Story {
 public:
  explicit Story(const archive::Definitions& definitions) : d_(definitions) {}

  std::string brief(const Event& e) {
    const auto number = [&] {
      const auto [entry, is_new] = numbers_.try_emplace(e.request, numbers_.size());
      return fmt::format(" #{}", entry->second);
    };
    const auto peer = [&] { return e.peer == archive::kUndefined ? "all" : std::to_string(e.peer); };
    std::string text;
    switch (e.kind) {
      case EventKind::kRmaWinCreate:
        text = "create";
        break;
      case EventKind::kRmaWinDestroy:
        text = "destroy";
        break;
      case EventKind::kRmaCollectiveEnd:
        text = fmt::format("collective {} level {}", static_cast<int>(e.collective), e.rma);
        break;
      case EventKind::kRmaGroupSync:
        text = fmt::format("sync level {} with {}", e.rma, fmt::join(d_.groups.at(e.tag).members, ","));
        break;
      case EventKind::kRmaRequestLock:
        text = fmt::format("lock {} {}", peer(), e.rma == 0 ? "exclusive" : "shared");
        break;
      case EventKind::kRmaReleaseLock:
        text = "unlock " + peer();
        break;
      case EventKind::kRmaSync:
        text = fmt::format("memory {} {}", peer(), e.rma);
        break;
      case EventKind::kRmaPut:
        text = fmt::format("put {} {}B", peer(), e.bytes) + number();
        break;
      case EventKind::kRmaGet:
        text = fmt::format("get {} {}B", peer(), e.bytes) + number();
        break;
      case EventKind::kRmaAtomic:
        text = fmt::format("atomic {} {} {}B {}B", e.rma, peer(), e.bytes, e.received) + number();
        break;
      case EventKind::kRmaOpCompleteBlocking:
        text = "local" + number();
        break;
      case EventKind::kRmaOpCompleteNonBlocking:
        text = "waited" + number();
        break;
      case EventKind::kRmaOpCompleteRemote:
        text = "remote" + number();
        break;
      default:
        return "";
    }
    for (const archive::AttributeValue& value : e.attributes) {
      const archive::AttributeDefinition& a = d_.attributes[value.attribute];
      const std::string& key = d_.strings[a.name];
      text += " " + key.substr(key.rfind(':') + 1) + "=";
      text += a.type == archive::AttributeType::kString  ? d_.strings[value.string]
              : a.type == archive::AttributeType::kInt64 ? std::to_string(value.i64)
                                                         : std::to_string(value.u64);
    }
    return text;
  }

 private:
  const archive::Definitions& d_;
  std::map<std::uint64_t, std::size_t> numbers_;
};

std::vector<std::string> story(archive::Reader& reader, std::uint32_t rank, const std::string& window) {
  const archive::Definitions& d = reader.definitions();
  std::vector<std::string> lines;
  Story story(d);
  reader.read(rank, [&](const Event& event) {
    if (event.window == archive::kUndefined || d.strings[d.windows[event.window].name] != window) return;
    if (const std::string line = story.brief(event); !line.empty()) lines.push_back(line);
  });
  return lines;
}

TEST_P(OneSided, TheArchiveHasThemAsOrdinaryRecords) {
  const auto ranks = record("rma", 3);
  ASSERT_EQ(ranks.size(), 3U) << outcome_.errors;
  const std::filesystem::path obs = outcome_.work / "obs";
  const record::AssembleSummary summary = record::assemble(find_spools(outcome_.spools), obs, Overwrite::kNo);
  EXPECT_THAT(summary.remarks, ElementsAre());
  archive::Reader reader(obs);
  const archive::Definitions& d = reader.definitions();
  ASSERT_EQ(d.windows.size(), 6U);  // what was made and freed while recording was off has left no record
  EXPECT_THAT(d.comms.at(d.windows.at(2).comm).members, ElementsAre(2U, 0U));

  EXPECT_THAT(story(reader, 0, "fenced"),
              ElementsAre("create WINDOW_KIND=create WINDOW_BYTES=32 DISPLACEMENT_UNIT=4", "collective 17 level 1",
                          "collective 0 level 3", "put 1 8B #0 DISPLACEMENT=3", "get 2 4B #1 DISPLACEMENT=0",
                          "local #0", "local #1", "collective 0 level 3", "destroy", "collective 18 level 1"));
  EXPECT_THAT(story(reader, 0, "Window 1"),
              ElementsAre("create WINDOW_KIND=allocate WINDOW_BYTES=64 DISPLACEMENT_UNIT=1", "collective 20 level 1",
                          "lock 1 exclusive", "atomic 0 1 4B 0B #0 OPERATION=sum DISPLACEMENT=8", "local #0",
                          "remote #0", "put 1 4B #1 DISPLACEMENT=12", "local #1", "remote #1", "unlock 1",
                          "lock all shared", "atomic 7 1 0B 12B #2 OPERATION=no_op DISPLACEMENT=8", "local #2",
                          "atomic 3 1 8B 4B #3 DISPLACEMENT=8", "local #3", "remote #2", "remote #3", "memory 0 0",
                          "unlock all", "destroy", "collective 21 level 1"));
  EXPECT_THAT(story(reader, 0, "Window 2"),
              ElementsAre("create WINDOW_KIND=create WINDOW_BYTES=16 DISPLACEMENT_UNIT=4", "collective 17 level 1",
                          "sync level 0 with 2", "put 0 4B #0 DISPLACEMENT=0", "local #0", "sync level 2 with 2",
                          "sync level 0 with 2", "put 0 4B #1 DISPLACEMENT=1", "local #1", "sync level 2 with 2",
                          "destroy", "collective 18 level 1"));
  EXPECT_THAT(story(reader, 2, "Window 2"),
              ElementsAre("create WINDOW_KIND=create WINDOW_BYTES=16 DISPLACEMENT_UNIT=4", "collective 17 level 1",
                          "sync level 0 with 0", "sync level 2 with 0", "sync level 0 with 0", "sync level 2 with 0",
                          "destroy", "collective 18 level 1"));
  const std::vector<std::string> requests = story(reader, 1, "Window 3");
  EXPECT_THAT(std::vector(requests.begin() + 4, requests.end() - 2),
              ElementsAre("lock all shared", "put 2 12B #0 DISPLACEMENT=0", "get 2 8B #1 DISPLACEMENT=12",
                          "atomic 0 2 4B 0B #2 OPERATION=max DISPLACEMENT=4",
                          "atomic 5 2 12B 12B #3 OPERATION=sum DISPLACEMENT=5", "waited #0", "waited #1", "waited #2",
                          "waited #3", "remote #0", "remote #2", "remote #3", "unlock all"));
  const std::string base = outcome_.output.substr(sizeof "address");
  EXPECT_EQ(story(reader, 0, "Window 4").at(3),
            "put 1 8B #0 DISPLACEMENT=" + base + " ORIGIN_LAYOUT=disp=0 extent=16 size=8: 2x4@0/12");

  const Outcome printed = run_shell("otf2-print obs/traces.otf2 && otf2-print -G obs/traces.otf2", outcome_.work);
  EXPECT_EQ(printed.status, 0) << printed.errors;
  EXPECT_THAT(printed.output, Not(ContainsRegex("[^_]INVALID")));  // but UCX_WARN_INVALID_CONFIG, a setting
  EXPECT_NE(printed.output.find("RMA_GROUP_SYNC"), std::string::npos);
}

}  // namespace
}  // namespace plumbline::spool::test
