#include "tracer/record/assemble.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>

#include "base/error.hpp"
#include "tests/tracer/archive_support.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/record/clock_file.hpp"

namespace plumbline::record {
namespace {

using archive::Definitions;
using archive::Event;
using archive::EventKind;
using archive::Reader;
using archive::test::OwnedEvent;
using plumbline::test::TemporaryDirectory;
using test::pair;
using test::Payload;
using test::SpoolBuilder;
using testing::ElementsAre;
using testing::HasSubstr;

// One event in few words, times in ns: "enter MPI_Send 1000", "send 1:7 64B comm 0".
std::string brief(const OwnedEvent& owned, const Definitions& d) {
  const Event& e = owned.event;
  const std::string at = " @" + std::to_string(e.time.ps / 1000);
  const auto name = [&] { return d.strings[d.regions[e.region].name]; };
  const auto number = [](auto n) { return std::to_string(n); };
  const std::string message = number(e.peer) + ":" + number(e.tag) + " " + number(e.bytes) + "B";
  std::string text;
  switch (e.kind) {
    case EventKind::kEnter:
      text = "enter " + name() + at;
      break;
    case EventKind::kLeave:
      text = "leave " + name() + at;
      break;
    case EventKind::kMpiSend:
      text = "send " + message;
      break;
    case EventKind::kMpiRecv:
      text = "recv " + message;
      break;
    case EventKind::kMpiIsend:
      text = "isend " + message + " r" + number(e.request);
      break;
    case EventKind::kMpiIrecv:
      text = "irecv " + message + " r" + number(e.request);
      break;
    case EventKind::kMpiIrecvRequest:
      text = "post r" + number(e.request);
      break;
    case EventKind::kMpiIsendComplete:
      text = "sent r" + number(e.request);
      break;
    case EventKind::kMpiRequestTest:
      text = "test r" + number(e.request);
      break;
    case EventKind::kMpiCollectiveBegin:
      text = "collective";
      break;
    case EventKind::kMpiCollectiveEnd:
      text = "op " + number(static_cast<int>(e.collective)) + " comm " + number(e.comm) + " root " +
             number(static_cast<std::int32_t>(e.peer)) + " " + number(e.bytes) + "/" + number(e.received);
      break;
    case EventKind::kCommCreate:
      text = "new comm " + number(e.comm);
      break;
    case EventKind::kCommDestroy:
      text = "free comm " + number(e.comm);
      break;
    case EventKind::kIoCreateHandle:
      text = "open h" + number(e.io_handle) + at;
      break;
    case EventKind::kIoDestroyHandle:
      text = "close h" + number(e.io_handle);
      break;
    case EventKind::kIoSeek:
      text = "seek h" + number(e.io_handle) + " to " + number(e.offset);
      break;
    case EventKind::kIoOperationBegin:
      text = (e.io_mode == archive::IoMode::kWrite  ? "write h"
              : e.io_mode == archive::IoMode::kRead ? "read h"
                                                    : "flush h") +
             number(e.io_handle) + " " + number(e.bytes) + "B";
      break;
    case EventKind::kIoOperationComplete:
      text = "done h" + number(e.io_handle) + " " + number(e.bytes) + "B";
      break;
    case EventKind::kIoOperationIssued:
      text = "issued h" + number(e.io_handle);
      break;
    case EventKind::kMeasurementOnOff:
      text = (e.offset != 0 ? "on" : "off") + at;
      break;
    default:
      text = "kind " + number(static_cast<int>(e.kind));
      break;
  }
  for (const archive::AttributeValue& value : owned.attributes) {
    const archive::AttributeDefinition& a = d.attributes[value.attribute];
    std::string key = d.strings[a.name];
    if (key == archive::names::kOffset) continue;  // the absolute offset again
    text += " " + key.substr(key.rfind(':') + 1) + "=";
    if (a.type == archive::AttributeType::kUint64) text += number(value.u64);
    if (a.type == archive::AttributeType::kInt64) text += number(value.i64);
    if (a.type == archive::AttributeType::kString) text += d.strings[value.string];
  }
  return text;
}

class Assemble : public testing::Test {
 protected:
  AssembleSummary run(const std::vector<SpoolBuilder>& spools, const AssembleOptions& options = {}) {
    std::vector<std::filesystem::path> paths;
    for (const SpoolBuilder& spool : spools) paths.push_back(spool.write(directory_.path()));
    AssembleSummary summary = assemble(paths, directory_.path() / "obs", Overwrite::kYes, options);
    reader_ = std::make_unique<Reader>(directory_.path() / "obs");
    return summary;
  }

  std::vector<std::string> events(std::uint32_t location) {
    std::vector<std::string> lines;
    for (const OwnedEvent& event : archive::test::read_all(*reader_, location))
      lines.push_back(brief(event, reader_->definitions()));
    return lines;
  }

  // Without the enters and leaves.
  std::vector<std::string> inner_events(std::uint32_t location) {
    std::vector<std::string> lines = events(location);
    std::erase_if(lines,
                  [](const std::string& line) { return line.starts_with("enter") || line.starts_with("leave"); });
    return lines;
  }

  const Definitions& definitions() const { return reader_->definitions(); }

  TemporaryDirectory directory_;
  std::unique_ptr<Reader> reader_;
};

TEST_F(Assemble, AMessageIsASendAndAReceiveInTheirCalls) {
  SpoolBuilder sender(0, 2), receiver(1, 2);
  sender.call("MPI_Send", PL_LAYOUT_SEND, 2'000, 3'000, {pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  receiver.call("MPI_Recv", PL_LAYOUT_RECV, 2'500, 3'500,
                {pair(PL_ANY_SOURCE, 7), 64, pair(PL_COMM_WORLD, 0), pair(0, 7)});
  const AssembleSummary summary = run({sender, receiver});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Send @0", "send 1:7 64B", "leave MPI_Send @1000"));
  EXPECT_THAT(events(1), ElementsAre("enter MPI_Recv @500", "recv 0:7 64B POSTED_SOURCE=-1", "leave MPI_Recv @1500"));
  EXPECT_EQ(summary.ranks, 2U);
  EXPECT_EQ(summary.operations, 2U);
  EXPECT_EQ(summary.message_bytes, 64U);
  EXPECT_THAT(summary.remarks, ElementsAre());
  EXPECT_EQ(definitions().start_realtime_ns, SpoolBuilder::kRealtime + 2'000);
  EXPECT_EQ(definitions().length, nanoseconds(1'500));
}

TEST_F(Assemble, TheArchiveSaysWhereItComesFrom) {
  SpoolBuilder spool(0, 1);
  spool.header.cost_inside_ticks = 30;
  spool.define_text(PL_DEF_META, 0x3d'79'65'6bULL | 0x31ULL << 32, "");  // "key=1"
  run({spool});
  const Definitions& d = definitions();
  EXPECT_EQ(d.properties.at("PLUMBLINE::KIND"), "observed");
  EXPECT_THAT(d.creator, HasSubstr("plumbline "));
  const auto& p = d.location_groups[0].properties;
  EXPECT_EQ(p.at("PLUMBLINE::HOST"), "kn1");
  EXPECT_EQ(p.at("PLUMBLINE::CORES"), "4");
  EXPECT_EQ(p.at("PLUMBLINE::MPI_LIBRARY"), "Open MPI v4.1.4");
  EXPECT_EQ(p.at("PLUMBLINE::PROGRAM"), "./app x");
  EXPECT_EQ(p.at("PLUMBLINE::COST_INSIDE_PS"), "30000");
  EXPECT_EQ(p.at("PLUMBLINE::END"), "finalized");
  EXPECT_EQ(p.at("PLUMBLINE::META::key"), "1");
  EXPECT_EQ(d.strings[d.location_groups[0].name], "MPI Rank 0");
  EXPECT_EQ(d.strings[d.system_tree[d.location_groups[0].system_tree_node].name], "kn1");
}

TEST_F(Assemble, RequestsAreCompletedWhereTheyAreWaitedFor) {
  SpoolBuilder spool(0, 2);
  const std::uint64_t received = PL_COMPLETED | 32, sent = PL_COMPLETED | PL_COMPLETED_SEND;
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 2'000, 2'100, {pair(1, PL_ANY_TAG), 64, pair(PL_COMM_WORLD, 1)});
  spool.call("MPI_Issend", PL_LAYOUT_SEND, 3'000, 3'100, {pair(1, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Testall", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(2, 0), pair(0, 9), pair(1, 2), 0, 0, 0, 0});
  spool.call("MPI_Waitany", PL_LAYOUT_WAIT, 5'000, 5'100,
             {pair(2, 0), pair(1, 0), pair(1, 2), 0, 0, sent, pair(-1, -1)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 6'000, 6'100, {pair(1, 0), pair(1, 0), pair(1, 0), received, pair(1, 8)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_Irecv @0", "post r1 POSTED_SOURCE=1 POSTED_TAG=-1 BUFFER_BYTES=64 COMM=0",
                  "leave MPI_Irecv @100", "enter MPI_Issend @1000", "isend 1:5 16B r2 SEND_MODE=synchronous",
                  "leave MPI_Issend @1100", "enter MPI_Testall @2000 POLLS=9 WAITS_FOR=1,2", "test r1", "test r2",
                  "leave MPI_Testall @2100", "enter MPI_Waitany @3000 WAITS_FOR=1,2", "sent r2",
                  "leave MPI_Waitany @3100", "enter MPI_Wait @4000", "irecv 1:8 32B r1", "leave MPI_Wait @4100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, MessagesToNobodyAreOnlyCalls) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Isend", PL_LAYOUT_SEND, 2'000, 2'100, {pair(PL_PROC_NULL, 5), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(1, 0), pair(1, 0), pair(2, 0), PL_COMPLETED | PL_COMPLETED_SEND, pair(-1, -1)});
  run({spool});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Isend @0", "leave MPI_Isend @100", "enter MPI_Wait @1000",
                                     "leave MPI_Wait @1100"));
}

TEST_F(Assemble, CollectivesCarryTheirCounts) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Gatherv", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, 1), 8, 24, 0, pair(0, 2), 8, 16});
  spool.call("MPI_Iallreduce", PL_LAYOUT_COLLECTIVE, 4'000, 4'100, {pair(PL_COMM_SELF, -1), 8, 8, 3, 0});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 5'000, 5'100,
             {pair(1, 0), pair(1, 0), pair(3, 0), PL_COMPLETED | PL_COMPLETED_SEND, pair(-1, -1)});
  run({spool, SpoolBuilder(1, 2)});
  const std::string complete = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveComplete));
  const std::string request = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveRequest));
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Gatherv @0", "collective", "op 3 comm 0 root 1 8/24 COUNTS_RECEIVED=8,16",
                          "leave MPI_Gatherv @1000", "enter MPI_Iallreduce @2000", request + " COMM=1",
                          "leave MPI_Iallreduce @2100", "enter MPI_Wait @3000", complete, "leave MPI_Wait @3100"));
  EXPECT_TRUE(definitions().comms[1].is_self);
  EXPECT_THAT(definitions().comms[1].members, ElementsAre(0U));
}

constexpr std::uint64_t kSent = PL_COMPLETED | PL_COMPLETED_SEND;

TEST_F(Assemble, AStartedPersistentRequestIsPostedLikeANonBlockingOne) {
  SpoolBuilder spool(0, 2);
  const std::uint16_t ssend = spool.function("MPI_Ssend_init", PL_LAYOUT_NONE),
                      recv = spool.function("MPI_Recv_init", PL_LAYOUT_NONE),
                      reduce = spool.function("MPI_Allreduce_init_c", PL_LAYOUT_NONE);
  spool.define(PL_DEF_PERSISTENT, {pair(1, PL_LAYOUT_SEND), pair(ssend, 0), pair(1, 7), 64, pair(PL_COMM_WORLD, 0)});
  spool.define(PL_DEF_PERSISTENT, {pair(2, PL_LAYOUT_RECV), pair(recv, 0), pair(-1, 7), 32, pair(PL_COMM_WORLD, 0)});
  spool.define(PL_DEF_PERSISTENT,
               {pair(3, PL_LAYOUT_COLLECTIVE), pair(reduce, 0), pair(PL_COMM_WORLD, -1), 8, 8, 0, 0});
  spool.call("MPI_Startall", PL_LAYOUT_START, 2'000, 2'100, {pair(3, 0), pair(1, 10), pair(2, 11), pair(3, 12)});
  spool.call("MPI_Waitall", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(3, 0), pair(3, 0), pair(10, 11), pair(12, 0), kSent, pair(-1, -1), PL_COMPLETED | 16, pair(1, 7),
              kSent, pair(-1, -1)});
  spool.call("MPI_Start", PL_LAYOUT_START, 4'000, 4'100, {pair(1, 0), pair(1, 13)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  const std::string complete = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveComplete));
  const std::string request = "kind " + std::to_string(static_cast<int>(EventKind::kNonBlockingCollectiveRequest));
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Startall @0", "isend 1:7 64B r10 PERSISTENT=1 SEND_MODE=synchronous",
                          "post r11 PERSISTENT=2 POSTED_SOURCE=-1 POSTED_TAG=7 BUFFER_BYTES=32 COMM=0",
                          request + " PERSISTENT=3 COMM=0", "leave MPI_Startall @100", "enter MPI_Waitall @1000",
                          "sent r10", "irecv 1:7 16B r11", complete, "leave MPI_Waitall @1100", "enter MPI_Start @2000",
                          "isend 1:7 64B r13 PERSISTENT=1 SEND_MODE=synchronous", "leave MPI_Start @2100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AStartOfWhatNothingIsKnownOfIsOnlyACall) {
  SpoolBuilder spool(0, 1);
  const std::uint16_t init = spool.function("MPI_Send_init", PL_LAYOUT_NONE);
  spool.define(PL_DEF_PERSISTENT,
               {pair(1, PL_LAYOUT_SEND), pair(init, 0), pair(PL_PROC_NULL, 7), 0, pair(PL_COMM_WORLD, 0)});
  spool.call("MPI_Startall", PL_LAYOUT_START, 2'000, 2'100,
             {pair(2, 0), pair(0, 0), pair(1, 5)});  // partitioned; nobody
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100, {pair(1, 0), pair(1, 0), pair(5, 0), kSent, pair(-1, -1)});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Startall @0", "leave MPI_Startall @100", "enter MPI_Wait @1000",
                                     "leave MPI_Wait @1100"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, WaitingForAnIsendrecvCompletesBothHalves) {
  SpoolBuilder spool(0, 2);
  spool.call("MPI_Isendrecv", PL_LAYOUT_ISENDRECV, 2'000, 2'100,
             {pair(1, 3), 8, pair(PL_COMM_WORLD, 1), pair(1, 4), 16, pair(PL_COMM_WORLD, 2)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 3'000, 3'100,
             {pair(1, 0), pair(1, 0), pair(2, 0), PL_COMPLETED | 12, pair(1, 4)});
  run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Isendrecv @0", "isend 1:3 8B r1",
                          "post r2 POSTED_SOURCE=1 POSTED_TAG=4 BUFFER_BYTES=16 COMM=0", "leave MPI_Isendrecv @100",
                          "enter MPI_Wait @1000", "sent r1", "irecv 1:4 12B r2", "leave MPI_Wait @1100"));
}

TEST_F(Assemble, NeighbourhoodCollectivesAreAttributesOfTheirCalls) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(2, 0), pair(0, 1), pair(0, 1)});
  spool.define(PL_DEF_NEIGHBOURS, {pair(3, 0), pair(2, 1), pair(PL_PROC_NULL, 1), pair(1, 0)});
  spool.call("MPI_Neighbor_alltoallv", PL_LAYOUT_NEIGHBOUR, 2'000, 2'100, {pair(3, 0), pair(2, 1), 8, 16, 24});
  spool.call("MPI_Ineighbor_alltoallv", PL_LAYOUT_NEIGHBOUR, 3'000, 3'100, {pair(3, 9), pair(2, 1), 8, 16, 24});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(9, 0), kSent, pair(-1, -1)});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  const std::string what = "NEIGHBOURS_SENT=1:16 NEIGHBOURS_RECEIVED=1:24";
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_Neighbor_alltoallv @0 COMM=1 " + what, "leave MPI_Neighbor_alltoallv @100",
                  "enter MPI_Ineighbor_alltoallv @1000 COMM=1 REQUEST=9 " + what, "leave MPI_Ineighbor_alltoallv @1100",
                  "enter MPI_Wait @2000", "leave MPI_Wait @2100 COMPLETED=9"));
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AWindowIsOneForAllRanksWhateverTheyCallIt) {
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_WIN, {pair(1, PL_COMM_WORLD), pair(PL_WIN_CREATE, 0), 64, 4});
  a.define(PL_DEF_WIN, {pair(2, PL_COMM_WORLD), pair(PL_WIN_ALLOCATE, 1), 32, 1});
  a.define_text(PL_DEF_WIN_NAME, pair(2, 0), "halo");
  b.define(PL_DEF_WIN, {pair(8, PL_COMM_SELF), pair(PL_WIN_CREATE, 0), 8, 1});
  b.define(PL_DEF_WIN, {pair(9, PL_COMM_WORLD), pair(PL_WIN_ALLOCATE, 1), 16, 2});
  a.call("MPI_Win_create", PL_LAYOUT_WIN, 2'000, 2'100, {pair(PL_COMM_WORLD, PL_WIN_CREATE), 64, 4, pair(1, 0)});
  a.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 3'000, 3'100, {pair(2, -1), pair(PL_ASSERT_NOPUT, 0)});
  b.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 3'000, 3'100, {pair(9, -1), 0});
  b.call("MPI_Win_fence", PL_LAYOUT_WIN_SYNC, 4'000, 4'100, {pair(8, -1), 0});
  run({a, b});
  const Definitions& d = definitions();
  ASSERT_EQ(d.windows.size(), 3U);
  EXPECT_EQ(d.strings[d.windows[1].name], "halo");
  EXPECT_EQ(d.windows[1].comm, 0U);
  EXPECT_TRUE(d.comms[d.windows[2].comm].is_self);
  EXPECT_THAT(events(0).at(5), "enter MPI_Win_fence @1000 WINDOW=1 ASSERTION=noput");
  EXPECT_THAT(events(1).front(), "enter MPI_Win_fence @1000 WINDOW=1");
}

TEST_F(Assemble, OneSidedCallsWithoutATargetOrAWindowAreOnlyCalls) {
  SpoolBuilder spool(0, 2);
  spool.define(PL_DEF_WIN, {pair(1, PL_COMM_WORLD), pair(PL_WIN_CREATE, 0), 64, 4});
  spool.call("MPI_Win_create", PL_LAYOUT_WIN, 2'000, 2'100, {pair(PL_COMM_WORLD, PL_WIN_CREATE), 64, 4, 0});  // failed
  spool.call("MPI_Rput", PL_LAYOUT_RMA, 3'000, 3'100, {pair(PL_PROC_NULL, 0), 0, 0, 0, pair(1, 5), 0});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(5, 0), kSent, pair(-1, -1)});
  spool.call("MPI_Put", PL_LAYOUT_RMA, 5'000, 5'100, {pair(1, 0), 0, 8, 8, pair(7, 0), 0});
  spool.call("MPI_Win_flush", PL_LAYOUT_WIN_SYNC, 6'000, 6'100, {pair(7, 1), 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(inner_events(0), ElementsAre());
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AStretchThatWasNotRecordedIsMarkedOnEveryThread) {
  SpoolBuilder spool(0, 2);
  const Payload barrier{pair(PL_COMM_WORLD, -1), 0, 0};
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 2'000, 2'100, {pair(7, 1)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 3'000, 3'100, {pair(0, 0)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 5'000, 5'100, {pair(1, 1)});
  // What was posted meanwhile: nothing to complain of.
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 6'000, 6'100, {pair(1, 0), pair(1, 0), pair(4, 0), kSent, pair(-1, -1)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 7'000, 7'100, {pair(0, 0)});
  spool.thread(1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'500, 3'500, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'500, 5'600, barrier);
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Pcontrol @0", "leave MPI_Pcontrol @100", "enter MPI_Pcontrol @1000",
                                     "leave MPI_Pcontrol @1100", "off @1100", "on @3000", "enter MPI_Pcontrol @3000",
                                     "leave MPI_Pcontrol @3100", "enter MPI_Wait @4000", "leave MPI_Wait @4100",
                                     "enter MPI_Pcontrol @5000", "leave MPI_Pcontrol @5100", "off @5100"));
  std::vector<std::string> marks;
  for (const std::string& line : events(2))
    if (line.starts_with("o") && !line.starts_with("op")) marks.push_back(line);
  EXPECT_THAT(marks, ElementsAre("off @1500", "on @3000", "off @5100"));  // a call that went on ends first
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AFileThatIsOpenWhenRecordingGoesOnIsTheSameAndStandsAnywhere) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/b");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_WRONLY), 5});
  spool.call("(open at start)", PL_LAYOUT_POSIX_OPEN, 3'000, 3'000, {pair(1, 0), 5});
  spool.call("(open at start)", PL_LAYOUT_POSIX_OPEN, 3'100, 3'100, {pair(2, 0), 6});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 4'000, 4'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 5'000, 5'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  run({spool});
  std::vector<std::string> inner;
  for (const std::string& line : events(0))
    if (!line.starts_with("enter") && !line.starts_with("leave")) inner.push_back(line);
  EXPECT_THAT(inner, ElementsAre("open h0 @100", "open h1 @1100", "write h0 10B", "done h0 10B", "write h1 10B",
                                 "done h1 10B"));
}

TEST_F(Assemble, AFileOpenedWhileRecordingWasOffHasItsNameAndView) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 4, 0, 4, pair(0, 0), pair(0, 0)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 2'000, 2'100, {pair(0, 0)});
  spool.define(PL_DEF_MPI_FILE, {pair(1, 1 | 8), pair(PL_COMM_WORLD, 1)}, 2'500, 2'510);
  spool.define(PL_DEF_VIEW, {pair(1, 0), 100, pair(1, 1)}, 2'600, 2'610);
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 3'000, 3'100, {pair(1, 1)});
  spool.call("MPI_File_write_at", PL_LAYOUT_FILE_ACCESS, 4'000, 4'100,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 2, 8, 8, 0});
  run({spool});
  EXPECT_EQ(events(0).at(7), "write h0 8B LAYOUT=disp=100 extent=4 size=4: 4@0 VIEW_POSITION=8 ABSOLUTE_OFFSET=108");
  EXPECT_EQ(definitions().strings[definitions().io_files[0].path], "/data/out");
}

TEST_F(Assemble, WhatRanksNameEachForItselfIsOneCommunicator) {
  // Both ranks split off {1, 0}; one calls it 3, the other 9.
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(2, 1), pair(0, 0), pair(1, 0)});
  a.define_text(PL_DEF_COMM_NAME, pair(3, 0), "swapped");
  b.define(PL_DEF_COMM, {pair(9, PL_COMM_WORLD), pair(2, 0), pair(0, 0), pair(1, 0)});
  a.call("MPI_Comm_split", PL_LAYOUT_COMM, 2'000, 2'100, {pair(PL_COMM_WORLD, 0), pair(3, 0)});
  b.call("MPI_Comm_split", PL_LAYOUT_COMM, 2'000, 2'100, {pair(PL_COMM_WORLD, 0), pair(9, 0)});
  b.call("MPI_Comm_free", PL_LAYOUT_COMM, 3'000, 3'100, {pair(9, 0), pair(PL_COMM_NULL, 0)});
  run({a, b});
  EXPECT_THAT(events(0), ElementsAre("enter MPI_Comm_split @0", "collective", "op 17 comm 0 root -1 0/0", "new comm 1",
                                     "leave MPI_Comm_split @100"));
  EXPECT_THAT(events(1), ElementsAre("enter MPI_Comm_split @0", "collective", "op 17 comm 0 root -1 0/0", "new comm 1",
                                     "leave MPI_Comm_split @100", "enter MPI_Comm_free @1000", "collective",
                                     "op 18 comm 1 root -1 0/0", "free comm 1", "leave MPI_Comm_free @1100"));
  const archive::Comm& comm = definitions().comms[1];
  EXPECT_EQ(definitions().strings[comm.name], "swapped");
  EXPECT_THAT(comm.members, ElementsAre(1U, 0U));
  EXPECT_EQ(comm.parent, 0U);
}

TEST_F(Assemble, BothSidesOfAnIntercommunicatorTellOfTheSameOne) {
  SpoolBuilder a(0, 2), b(1, 2);
  a.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(1, 0), pair(0, 1)});
  b.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(1, 0), pair(1, 0)});
  for (SpoolBuilder* spool : {&a, &b})
    spool->call("MPI_Send", PL_LAYOUT_SEND, 2'000, 2'100, {pair(0, 1), 4, pair(3, 0)});
  run({a, b});
  ASSERT_EQ(definitions().comms.size(), 2U);
  EXPECT_THAT(definitions().comms[1].members, ElementsAre(0U));
  EXPECT_THAT(definitions().comms[1].remote_members, ElementsAre(1U));
}

TEST_F(Assemble, PosixCallsLieInsideTheMpiCallThatMadeThem) {
  SpoolBuilder spool(0, 1);
  const std::string path = "/data/out";
  spool.define_text(PL_DEF_FILE, pair(1, 0), path);
  // 8-byte etype; filetype: 2 x 16 bytes, 64 apart, extent 128.
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 8, 0, 8, pair(0, 0), pair(0, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(2, PL_TYPE_VECTOR), 32, 0, 80, pair(3, 0), pair(1, 0), 2, 2, 8, pair(1, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(3, PL_TYPE_RESIZED), 32, 0, 128, pair(0, 2), pair(1, 0), 0, 128, pair(2, 0)});
  spool.call("MPI_File_open", PL_LAYOUT_FILE_OPEN, 2'000, 3'000, {pair(PL_COMM_WORLD, 1 | 8), pair(1, 0), pair(1, 0)});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'100, 2'200, {pair(1, O_RDWR | O_CREAT), 5});
  spool.define_text(PL_DEF_HINTS, pair(1, 0), "cb_nodes=1\n");
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=1\nx=2\n");
  spool.call("MPI_File_set_view", PL_LAYOUT_FILE_VIEW, 4'000, 4'100, {pair(1, 0), 1000, pair(1, 3)});
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=2\n");
  // 24 bytes after 5 etypes: data byte 40 is byte 8 of the second tile.
  spool.call("MPI_File_write_at_all", PL_LAYOUT_FILE_ACCESS, 5'000, 6'000,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE | PL_ACCESS_EXPLICIT), 5, 24, 24, 0});
  spool.call("pwrite64", PL_LAYOUT_POSIX_ACCESS, 5'100, 5'200, {pair(5, PL_ACCESS_WRITE), 1136, 8, 8});
  spool.call("MPI_File_close", PL_LAYOUT_FILE, 7'000, 8'000, {pair(1, 0)});
  spool.call("close", PL_LAYOUT_POSIX_FD, 7'100, 7'200, {pair(5, 0), 0});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter MPI_File_open @0", "enter open @100", "open h1 @200", "leave open @200",
                  "open h0 @1000 HINTS=cb_nodes=1\nx=2\n HINTS_ASKED=cb_nodes=1\n", "leave MPI_File_open @1000",
                  "enter MPI_File_set_view @2000", "leave MPI_File_set_view @2100 HINTS=cb_nodes=2\n",
                  "enter MPI_File_write_at_all @3000",
                  "write h0 24B LAYOUT=disp=1000 extent=128 size=32: 2x16@0/64 VIEW_POSITION=40 ABSOLUTE_OFFSET=1136",
                  "enter pwrite64 @3100", "write h1 8B ABSOLUTE_OFFSET=1136", "done h1 8B", "leave pwrite64 @3200",
                  "done h0 24B", "leave MPI_File_write_at_all @4000", "enter MPI_File_close @5000", "enter close @5100",
                  "close h1", "leave close @5200", "close h0", "leave MPI_File_close @6000"));
  const Definitions& d = definitions();
  EXPECT_EQ(d.io_handles[1].parent, 0U);
  EXPECT_EQ(d.io_handles[0].comm, 0U);
  EXPECT_EQ(d.io_handles[0].paradigm, archive::IoParadigm::kMpiIo);
  EXPECT_EQ(d.strings[d.io_files[d.io_handles[1].file].path], path);
  EXPECT_EQ(summary.io_bytes, 24U);  // what the program asked for, not its inner copy
  EXPECT_EQ(summary.operations, 4U);
}

TEST_F(Assemble, ThePositionOfADescriptorIsFollowed) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/log");
  spool.call("open64", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_WRONLY), 5});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 3'000, 3'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("dup", PL_LAYOUT_POSIX_FD, 3'500, 3'600, {pair(5, 0), 6});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 4'000, 4'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 4});
  spool.call("lseek", PL_LAYOUT_POSIX_SEEK, 5'000, 5'100, {pair(5, 0), 100, 100});
  spool.call("read", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(6, 0), ~0ULL, 10, static_cast<std::uint64_t>(-9)});
  spool.call("close", PL_LAYOUT_POSIX_FD, 7'000, 7'100, {pair(5, 0), 0});
  spool.call("fsync", PL_LAYOUT_POSIX_FD, 8'000, 8'100, {pair(6, 0), 0});
  run({spool});
  EXPECT_THAT(inner_events(0),
              ElementsAre("open h0 @100", "write h0 10B ABSOLUTE_OFFSET=0", "done h0 10B",
                          "write h0 10B ABSOLUTE_OFFSET=10", "done h0 4B", "seek h0 to 100",
                          "read h0 10B ABSOLUTE_OFFSET=100", "done h0 0B", "flush h0 0B", "done h0 0B"));
}

TEST_F(Assemble, ACopyIsAReadOfTheOneFileAndAWriteOfTheOther) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/from");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/to");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDONLY), 5});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'200, 2'300, {pair(2, O_WRONLY), 6});
  spool.call("copy_file_range", PL_LAYOUT_POSIX_COPY, 3'000, 3'100, {pair(5, 6), 8, ~0ULL, 100, 60});
  spool.call("sendfile", PL_LAYOUT_POSIX_COPY, 4'000, 4'100, {pair(5, -1), ~0ULL, ~0ULL, 100, 50});  // to a socket
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 5'000, 5'100, {pair(6, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("read", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(5, 0), ~0ULL, 10, 10});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      inner_events(0),
      ElementsAre("open h0 @100", "open h1 @300", "read h0 100B ABSOLUTE_OFFSET=8", "write h1 100B ABSOLUTE_OFFSET=0",
                  "done h0 60B", "done h1 60B", "read h0 100B ABSOLUTE_OFFSET=0", "done h0 50B",
                  "write h1 10B ABSOLUTE_OFFSET=60", "done h1 10B", "read h0 10B ABSOLUTE_OFFSET=50", "done h0 10B"));
  EXPECT_EQ(summary.io_bytes, 190U);
}

TEST_F(Assemble, AsynchronousOperationsCompleteWhereTheProgramLearnsOfIt) {
  SpoolBuilder spool(0, 1);
  const std::uint64_t first = PL_FIRST_AIO;
  const std::int64_t write = PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING;
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/later");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("aio_write", PL_LAYOUT_POSIX_AIO, 3'000, 3'100, {pair(5, write), 50, 1000, first, 0});
  spool.call("aio_fsync", PL_LAYOUT_POSIX_AIO, 3'200, 3'300,
             {pair(5, PL_ACCESS_SYNC | PL_ACCESS_NONBLOCKING), 0, 0, first + 1, static_cast<std::uint64_t>(-11)});
  spool.call("aio_suspend", PL_LAYOUT_POSIX_AIO_WAIT, 3'400, 3'500, {pair(1, 0), 0});
  spool.call("aio_error", PL_LAYOUT_POSIX_AIO_END, 4'000, 4'100, {first, 900});
  spool.call("lio_listio", PL_LAYOUT_POSIX_AIO_LIST, 5'000, 5'100,
             {pair(2, 0), 0, pair(5, write), 0, 10, first + 2, pair(5, PL_ACCESS_NONBLOCKING), 20, 30, first + 3});
  spool.call("aio_return", PL_LAYOUT_POSIX_AIO_END, 6'000, 6'100, {first + 3, 30});
  spool.call("aio_return", PL_LAYOUT_POSIX_AIO_END, 7'000, 7'100, {first + 2, static_cast<std::uint64_t>(-5)});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter open @0", "open h0 @100", "leave open @100", "enter aio_write @1000",
                  "write h0 1000B ABSOLUTE_OFFSET=50", "issued h0", "leave aio_write @1100", "enter aio_fsync @1200",
                  "flush h0 0B", "done h0 0B", "leave aio_fsync @1300", "enter aio_suspend @1400",
                  "leave aio_suspend @1500", "enter aio_error @2000", "done h0 900B", "leave aio_error @2100",
                  "enter lio_listio @3000", "write h0 10B ABSOLUTE_OFFSET=0", "read h0 30B ABSOLUTE_OFFSET=20",
                  "issued h0", "issued h0", "leave lio_listio @3100", "enter aio_return @4000", "done h0 30B",
                  "leave aio_return @4100", "enter aio_return @5000", "done h0 0B", "leave aio_return @5100"));
  EXPECT_EQ(summary.io_bytes, 930U);
  EXPECT_THAT(summary.remarks, ElementsAre());
}

TEST_F(Assemble, AStreamHasAHandleOfItsOwnAboveThatOfItsDescriptor) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/stream");
  spool.call("fopen", PL_LAYOUT_POSIX_STREAM_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("writev", PL_LAYOUT_POSIX_ACCESS, 2'200, 2'300, {pair(5, PL_ACCESS_WRITE), ~0ULL, 7, 7});  // as C++ does
  spool.call("fwrite", PL_LAYOUT_POSIX_STREAM_ACCESS, 3'000, 3'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 800, 800});
  spool.call("fflush", PL_LAYOUT_POSIX_STREAM, 4'000, 4'100, {pair(5, 0), 807, 7, 0});
  spool.call("fseek", PL_LAYOUT_POSIX_STREAM_SEEK, 5'000, 5'100, {pair(5, 0), 16, 16});
  spool.call("fread", PL_LAYOUT_POSIX_STREAM_ACCESS, 6'000, 6'100, {pair(5, 0), ~0ULL, 100, 90});
  spool.call("fclose", PL_LAYOUT_POSIX_STREAM, 7'000, 7'100, {pair(5, 0), 0, ~0ULL, 0});
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(inner_events(0),
              ElementsAre("open h0 @100", "write h1 7B ABSOLUTE_OFFSET=0", "done h1 7B", "write h0 800B",
                          "done h0 800B", "seek h0 to 16", "read h0 100B", "done h0 90B", "close h1", "close h0"));
  EXPECT_THAT(events(0), testing::Contains("enter fflush @2000 PATH=/data/stream ABSOLUTE_OFFSET=7 LENGTH=807"));
  EXPECT_THAT(events(0), testing::Contains("enter fclose @5000 PATH=/data/stream"));
  const Definitions& d = definitions();
  EXPECT_EQ(d.io_handles[0].paradigm, archive::IoParadigm::kOther);
  EXPECT_EQ(d.io_handles[1].paradigm, archive::IoParadigm::kPosix);
  EXPECT_EQ(d.io_handles[1].parent, 0U);
  EXPECT_EQ(d.strings[d.io_files[d.io_handles[0].file].path], "/data/stream");
  EXPECT_EQ(summary.io_bytes, 897U);
}

TEST_F(Assemble, CallsThatOnlyNameAFileCarryItsPath) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/b");
  spool.call("rename", PL_LAYOUT_POSIX_NAME, 2'000, 2'100, {pair(1, 2), 0});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 3'000, 3'100, {pair(2, O_RDWR), 5});
  spool.call("fallocate", PL_LAYOUT_POSIX_RANGE, 4'000, 4'100, {pair(5, 0), 100, 200, 0});
  spool.call("sync_file_range", PL_LAYOUT_POSIX_RANGE, 5'000, 5'100, {pair(5, 2), 0, 300, 0});
  spool.call("mmap", PL_LAYOUT_POSIX_MAP, 6'000, 6'100, {pair(2, 3), 0, 4096, 0x7f0000000000});
  run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter rename @0 PATH=/data/a SECOND_PATH=/data/b", "leave rename @100", "enter open @1000",
                  "open h0 @1100", "leave open @1100",
                  "enter fallocate @2000 PATH=/data/b ABSOLUTE_OFFSET=100 LENGTH=200", "leave fallocate @2100",
                  "enter sync_file_range @3000 PATH=/data/b ABSOLUTE_OFFSET=0 LENGTH=300", "flush h0 0B", "done h0 0B",
                  "leave sync_file_range @3100",
                  "enter mmap @4000 PATH=/data/b ABSOLUTE_OFFSET=0 LENGTH=4096 PROTECTION=rw-", "leave mmap @4100"));
}

TEST_F(Assemble, LocksStandOnTheirEnter) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000, 2'100, {pair(1, O_RDWR), 5});
  spool.call("fcntl (lock)", PL_LAYOUT_POSIX_RANGE, 3'000, 3'100,
             {pair(5, PL_FILE_LOCK_WRITE | PL_FILE_LOCK_WAITS), 10, 20, 0});
  spool.call("fcntl (unlock)", PL_LAYOUT_POSIX_RANGE, 4'000, 4'100, {pair(5, 0), 10, 20, 0});
  spool.call("fcntl (test)", PL_LAYOUT_POSIX_RANGE, 5'000, 5'100,
             {pair(5, PL_FILE_LOCK_READ | PL_FILE_LOCK_OF_OPEN_FILE), 0, 0, 0});
  run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("enter open @0", "open h0 @100", "leave open @100",
                  "enter fcntl (lock) @1000 PATH=/data/a ABSOLUTE_OFFSET=10 LENGTH=20 FILE_LOCK=write,waits",
                  "leave fcntl (lock) @1100", "enter fcntl (unlock) @2000 PATH=/data/a ABSOLUTE_OFFSET=10 LENGTH=20",
                  "leave fcntl (unlock) @2100",
                  "enter fcntl (test) @3000 PATH=/data/a ABSOLUTE_OFFSET=0 LENGTH=0 FILE_LOCK=read,open file",
                  "leave fcntl (test) @3100"));
}

TEST_F(Assemble, ClosingARangeClosesWhatIsInIt) {
  SpoolBuilder spool(0, 1);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/a");
  for (const std::uint64_t fd : {4, 5, 6})
    spool.call("open", PL_LAYOUT_POSIX_OPEN, 2'000 + 100 * fd, 2'050 + 100 * fd, {pair(1, O_RDONLY), fd});
  spool.call("fcntl", PL_LAYOUT_POSIX_FD, 3'000, 3'100, {pair(6, 0), 9});
  spool.call("close_range", PL_LAYOUT_POSIX_CLOSE_RANGE, 4'000, 4'100, {pair(5, 6), 0});
  spool.call("closefrom", PL_LAYOUT_POSIX_CLOSE_RANGE, 5'000, 5'100, {pair(7, -1), 0});
  run({spool});
  EXPECT_THAT(inner_events(0), ElementsAre("open h0 @50", "open h1 @150", "open h2 @250", "close h1", "close h2"));
}

TEST_F(Assemble, ACallThatNeverReturnedIsLeftAtTheLastKnownTime) {
  SpoolBuilder spool(0, 2);
  spool.header.end = PL_END_RUNNING;
  spool.header.last.ticks = 0;
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.call("MPI_Recv", PL_LAYOUT_RECV, 4'000, 0, {pair(1, 0), 64, pair(PL_COMM_WORLD, 0), 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(1, 2)});
  EXPECT_THAT(events(0),
              ElementsAre("enter MPI_Barrier @0", "collective", "op 0 comm 0 root -1 0/0", "leave MPI_Barrier @1000",
                          "enter MPI_Recv @2000 POSTED_SOURCE=1 POSTED_TAG=0 BUFFER_BYTES=64 COMM=0",
                          "leave MPI_Recv @2000 UNFINISHED=1"));
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: killed or lost: no end was written",
                                           "rank 0: MPI_Recv had not returned when it ended"));
  EXPECT_EQ(definitions().location_groups[0].properties.at("PLUMBLINE::END"), "killed or lost: no end was written");
}

TEST_F(Assemble, TimeOffTheCpuGoesToTheNextCall) {
  SpoolBuilder spool(0, 1);
  spool.define(PL_DEF_RUN_DELAY, {500}, 2'000, 2'000);  // the base line
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.define(PL_DEF_RUN_DELAY, {1'700}, 3'000, 9'000);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 9'000, 9'100, {pair(PL_COMM_WORLD, -1), 0, 0});
  run({spool});
  EXPECT_EQ(events(0)[0], "enter MPI_Barrier @0");
  EXPECT_EQ(events(0)[4], "enter MPI_Barrier @7000 RUN_DELAY=1200000");
}

TEST_F(Assemble, FurtherThreadsAreLocationsWithoutARank) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.thread(1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'500, 3'000, {pair(PL_COMM_SELF, -1), 0, 0});
  run({spool});
  ASSERT_EQ(definitions().locations.size(), 2U);
  EXPECT_EQ(definitions().locations[0].rank, 0U);
  EXPECT_EQ(definitions().locations[1].rank, std::nullopt);
  EXPECT_EQ(definitions().locations[1].group, 0U);
  EXPECT_EQ(events(1)[0], "enter MPI_Barrier @500");
}

TEST_F(Assemble, AMissingRankIsRemarkedAndStaysEmpty) {
  SpoolBuilder spool(1, 3);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  const AssembleSummary summary = run({spool, SpoolBuilder(-1, -1)});
  EXPECT_THAT(summary.remarks, ElementsAre("1 process did not get through MPI_Init and is left out",
                                           "2 of 3 ranks have no spool (0, 2): their locations are empty"));
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(definitions().world_size(), 3U);
  EXPECT_THAT(events(0), ElementsAre());
  EXPECT_EQ(events(1).size(), 4U);
}

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
      const Exchange one{t - kBehind, t + there, t + there, t + there + back - kBehind};
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

TEST_F(Assemble, WhereTheLastCallsWereKeptWhatTheyReferToIsKnown) {
  SpoolBuilder spool(0, 1);
  spool.keep_last(3);
  spool.header.initialized.ticks = 1'500;
  spool.header.dropped_calls = 42;
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.define_text(PL_DEF_FILE, pair(2, 0), "/data/log");
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 4, 0, 4, pair(0, 0), pair(0, 0)});
  spool.define(PL_DEF_MPI_FILE, {pair(1, 1 | 8), pair(PL_COMM_WORLD, 1)}, 2'500, 2'510);
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=1\n");
  spool.define(PL_DEF_VIEW, {pair(1, 0), 100, pair(1, 1)}, 2'600, 2'610);
  spool.define(PL_DEF_OPEN_FILE, {pair(5, 2)}, 3'900, 3'901);
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'000, 4'100, {pair(1, 0), pair(1, 0), pair(4, 0), kSent, pair(-1, -1)});
  spool.call("MPI_File_write_at", PL_LAYOUT_FILE_ACCESS, 5'000, 5'100,
             {pair(1, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 2, 8, 8, 0});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 6'000, 6'100, {pair(5, PL_ACCESS_WRITE), ~0ULL, 10, 10});
  spool.call("MPI_File_set_view", PL_LAYOUT_FILE_VIEW, 7'000, 7'100, {pair(1, 0), 200, pair(1, 1)});
  spool.define(PL_DEF_VIEW, {pair(1, 0), 200, pair(1, 1)}, 7'110, 7'120);
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=2\n");
  const AssembleSummary summary = run({spool});
  EXPECT_THAT(
      events(0),
      ElementsAre("off @0", "on @0", "enter MPI_Wait @0", "leave MPI_Wait @100", "enter MPI_File_write_at @1000",
                  "write h0 8B LAYOUT=disp=100 extent=4 size=4: 4@0 VIEW_POSITION=8 ABSOLUTE_OFFSET=108", "done h0 8B",
                  "leave MPI_File_write_at @1100", "enter write @2000", "write h1 10B", "done h1 10B",
                  "leave write @2100", "enter MPI_File_set_view @3000",
                  "leave MPI_File_set_view @3100 HINTS=cb_nodes=2\n"));
  EXPECT_EQ(definitions().strings[definitions().io_files[1].path], "/data/log");
  const auto& p = definitions().location_groups[0].properties;
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedCalls), "42");
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedBytes), "3145728");
  EXPECT_EQ(p.at(archive::names::kPropertyDroppedTime), "2500000");
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: 42 older calls gave way to newer ones, 3 MiB in the first 2.5 us "
                                           "after MPI_Init (--keep last)"));
}

TEST_F(Assemble, WhatIsLaterThanTheWindowIsLeftOut) {
  SpoolBuilder spool(0, 1);
  const Payload barrier{pair(PL_COMM_WORLD, -1), 0, 0};
  spool.header.window_end = 6'000;
  spool.define_text(PL_DEF_META, 0, "");
  spool.call("MPI_Init", PL_LAYOUT_NONE, 2'000, 3'000, {});
  spool.define(PL_DEF_SWITCH, {pair(0, 0)}, 3'100, 3'101);
  spool.define(PL_DEF_SWITCH, {pair(1, 0)}, 4'100, 4'101);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'000, 5'500, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 5'900, 6'100, barrier);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 6'200, 6'300, barrier);
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 6'400, 6'500, {pair(1, 1)});
  run({spool});
  std::vector<std::string> lines = events(0);
  std::erase_if(lines, [](const std::string& line) { return line.starts_with("op") || line.starts_with("coll"); });
  EXPECT_THAT(lines, ElementsAre("enter MPI_Init @0", "leave MPI_Init @1000", "off @1100", "on @2100",
                                 "enter MPI_Barrier @3000", "leave MPI_Barrier @3500", "enter MPI_Barrier @3900",
                                 "leave MPI_Barrier @4100", "off @4100"));
}

TEST_F(Assemble, ARecordingThatStoppedIsOffAtItsEnd) {
  SpoolBuilder spool(0, 1);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  spool.header.end = PL_END_STOPPED;
  std::strcpy(spool.header.stop_reason, "the limit of its size is reached (--max-size)");
  spool.header.last.ticks = 3'500;
  const AssembleSummary summary = run({spool});
  EXPECT_EQ(events(0).back(), "off @1500");
  EXPECT_THAT(summary.remarks, ElementsAre("rank 0: recording stopped: the limit of its size is reached (--max-size)"));
}

TEST_F(Assemble, ARankThatWasLeftOutIsEmptyAndNotMissing) {
  SpoolBuilder spool(0, 3), out(1, 3), also(2, 3);
  spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 3'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  for (SpoolBuilder* left : {&out, &also}) {
    left->call("MPI_Init", PL_LAYOUT_NONE, 500, 600, {});
    left->header.end = PL_END_LEFT_OUT;
  }
  const AssembleSummary summary = run({spool, out, also});
  EXPECT_THAT(summary.remarks, ElementsAre("2 of 3 ranks were left out by --ranks: 1-2"));
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(events(0)[0], "enter MPI_Barrier @0") << "the first that was wanted";
  EXPECT_THAT(events(1), ElementsAre());
  EXPECT_EQ(definitions().location_groups[1].properties.at(archive::names::kPropertyEnd), archive::names::kEndLeftOut);
  EXPECT_THROW(assemble({also.write(directory_.path())}, directory_.path() / "no", Overwrite::kNo), Error);
}

TEST_F(Assemble, SpoolsOfTwoRunsAreRefused) {
  SpoolBuilder a(0, 2), again(0, 2), other(1, 4);
  again.header.boot_id[0] = 'x';
  const std::filesystem::path first = a.write(directory_.path());
  std::filesystem::create_directory(directory_.path() / "more");
  EXPECT_THROW(assemble({first, again.write(directory_.path() / "more")}, directory_.path() / "obs", Overwrite::kNo),
               Error);
  EXPECT_THROW(assemble({first, other.write(directory_.path())}, directory_.path() / "obs", Overwrite::kNo), Error);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "obs"));
}

TEST_F(Assemble, ProcessesWithoutMpiComeBehindTheRanksAndSpeakForNone) {
  SpoolBuilder rank(0, 1), server(-1, -1), idle(-1, -1);
  rank.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 2'000, 9'000, {pair(PL_COMM_WORLD, -1), 0, 0});
  for (SpoolBuilder* process : {&server, &idle}) {
    process->header.flavour = PL_FLAVOUR_NONE;
    process->header.end = PL_END_RUNNING;  // it was ended by a signal: as servers are
    process->define_text(PL_DEF_FILE, 1, "/data");
    process->call("(open at start)", PL_LAYOUT_POSIX_OPEN, 1'500, 1'500, {pair(1, 0), 3});
  }
  std::strcpy(server.header.program, "/usr/sbin/filed --port 1");
  server.header.pid = 42;
  server.thread(1);
  server.call("pwrite", PL_LAYOUT_POSIX_ACCESS, 3'000, 4'000,
              {pair(3, PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT), 0, 64, 64});
  std::filesystem::create_directory(directory_ / "idle");
  std::filesystem::create_directory(directory_ / "server");
  const AssembleSummary summary =
      assemble({rank.write(directory_.path()), server.write(directory_ / "server"), idle.write(directory_ / "idle")},
               directory_.path() / "obs", Overwrite::kYes);
  reader_ = std::make_unique<Reader>(directory_.path() / "obs");
  EXPECT_EQ(summary.ranks, 1U);
  EXPECT_EQ(summary.servers, 1U);
  EXPECT_EQ(summary.idle_servers, 1U) << "it only had a file open";
  EXPECT_THAT(summary.remarks, ElementsAre());
  const Definitions& d = definitions();
  EXPECT_EQ(d.world_size(), 1U);
  ASSERT_EQ(d.location_groups.size(), 2U);
  EXPECT_EQ(d.strings[d.location_groups[1].name], "filed (pid 42)");
  EXPECT_EQ(d.location_groups[1].properties.at("PLUMBLINE::ROLE"), "server");
  EXPECT_EQ(d.location_groups[0].properties.count("PLUMBLINE::ROLE"), 0U);
  ASSERT_EQ(d.locations.size(), 3U);
  EXPECT_EQ(d.locations[2].rank, std::nullopt);
  EXPECT_THAT(events(2), ElementsAre(testing::StartsWith("enter pwrite @1500"), testing::StartsWith("write h"),
                                     testing::StartsWith("done h"), "leave pwrite @2500"));
}

TEST_F(Assemble, AnArchiveOfServersAloneHasNoWorld) {
  SpoolBuilder server(-1, -1);
  server.header.flavour = PL_FLAVOUR_NONE;
  server.define_text(PL_DEF_FILE, 1, "/data");
  server.call("unlink", PL_LAYOUT_POSIX_NAME, 2'000, 2'500, {pair(1, 0), 0});
  run({server});
  EXPECT_EQ(definitions().world_size(), 0U);
  EXPECT_EQ(definitions().comms.size(), 0U);
  EXPECT_THAT(events(0), ElementsAre("enter unlink @0 PATH=/data", "leave unlink @500"));
}

TEST_F(Assemble, NothingRecordedSaysWhatToCheck) {
  for (const std::vector<std::filesystem::path>& paths :
       {std::vector<std::filesystem::path>{}, {SpoolBuilder(-1, -1).write(directory_.path())}}) {
    try {
      assemble(paths, directory_.path() / "obs", Overwrite::kNo);
      FAIL();
    } catch (const Error& error) {
      EXPECT_THAT(error.what(), HasSubstr("linked to Open MPI or MPICH dynamically"));
    }
  }
}

}  // namespace
}  // namespace plumbline::record
