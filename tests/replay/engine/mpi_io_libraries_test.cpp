// What ROMIO and OMPIO make of accesses, by hand; and what holds of any access. Beside real runs:
// tests/integration/mpi_io_inside_test.cpp, ompio_inside_test.cpp.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <random>

#include "tests/replay/io/ompio_lists.hpp"
#include "tests/replay/io/romio_lists.hpp"

namespace plumbline::replay::io {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Ranks = std::vector<std::uint32_t>;
using Piece = ByteRange;

constexpr auto kRead = FileAction::kRead;
constexpr auto kWrite = FileAction::kWrite;
constexpr auto kLock = FileAction::kLockWrite;
constexpr auto kUnlock = FileAction::kUnlock;

// Pieces of `bytes` of four ranks by turns, then `hole` as long, `pieces` times.
std::vector<ByteRange> strided_pieces(std::uint64_t rank, std::uint64_t bytes, std::uint64_t pieces,
                                      std::uint64_t hole = 0) {
  std::vector<ByteRange> found;
  for (std::uint64_t i = 0; i < pieces; ++i) {
    const std::uint64_t at = (i * (4 + hole) + rank) * bytes;
    found.push_back({at, at + bytes});
  }
  return found;
}

std::vector<RomioPart> four_parts(std::uint64_t bytes, std::uint64_t pieces, std::uint64_t hole = 0) {
  std::vector<RomioPart> parts;
  for (std::uint64_t rank = 0; rank < 4; ++rank)
    parts.push_back({.pieces = strided_pieces(rank, bytes, pieces, hole), .file_has_gaps = true});
  return parts;
}

std::vector<OmpioPieces> four_lists(std::uint64_t bytes, std::uint64_t pieces, std::uint64_t hole = 0) {
  std::vector<OmpioPieces> lists;
  for (std::uint64_t rank = 0; rank < 4; ++rank) lists.push_back(strided_pieces(rank, bytes, pieces, hole));
  return lists;
}

std::vector<FileOperations> independent(const RomioHints& hints, hw::Access kind, const std::vector<RomioPart>& parts) {
  std::vector<FileOperations> operations;
  for (const RomioPart& part : parts) operations.push_back(romio_independent(hints, kind, false, part));
  return operations;
}

std::size_t number_of(const std::vector<FileOperations>& operations) {
  return std::accumulate(operations.begin(), operations.end(), std::size_t{0},
                         [](std::size_t sum, const FileOperations& own) { return sum + own.size(); });
}

// `number` operations of `bytes`, one behind the other.
FileOperations row(FileAction action, std::uint64_t offset, std::uint64_t bytes, std::uint64_t number) {
  FileOperations operations;
  for (std::uint64_t i = 0; i < number; ++i) operations.push_back({action, offset + i * bytes, bytes});
  return operations;
}

constexpr auto write = hw::Access::kWrite;
constexpr auto read = hw::Access::kRead;

// ---- ROMIO

struct Counted {
  const char* what;
  RomioHints hints;
  Ranks aggregators;  // none: independent
  std::uint64_t bytes, pieces, hole;
  std::size_t operations;  // data and locks, of all ranks
};

// As measured with MPICH 4.0.2 and Open MPI's romio321, 4 ranks on one node.
TEST(RomioModel, MakesAsManyOperationsAsWereMeasured) {
  const Counted rows[] = {
      {"write_all", {}, {0}, 8, 1024, 0, 1},
      {"write_all with holes", {}, {0}, 8, 1024, 1, 2},
      {"write_all with holes, small buffer", {.cb_buffer_size = 5000}, {0, 1, 2}, 8, 1024, 1, 18},
      {"write_all of 64 MiB", {}, {0}, 8192, 2048, 0, 4},
      {"write_all of large pieces with holes", {}, {0, 1}, 100000, 300, 2, 24},
      {"write_all, no collective buffering", {.romio_cb_write = RomioSwitch::kDisable}, {0}, 8, 1024, 0, 16},
      {"write", {}, {}, 1000, 3000, 0, 192},
      {"write of large pieces", {}, {}, 700000, 5, 0, 88},
      {"write, no data sieving", {.romio_ds_write = RomioSwitch::kDisable}, {}, 8, 64, 0, 256},
  };
  for (const Counted& row : rows) {
    const std::vector<RomioPart> parts = four_parts(row.bytes, row.pieces, row.hole);
    const auto operations = row.aggregators.empty() ? independent(row.hints, write, parts)
                                                    : romio_collective(row.hints, write, false, row.aggregators, parts);
    EXPECT_EQ(number_of(operations), row.operations) << row.what;
  }
}

TEST(RomioModel, OneAggregatorWritesEverythingAtOnce) {
  EXPECT_THAT(romio_collective({}, write, false, Ranks{0}, four_parts(8, 1024)),
              ElementsAre(FileOperations{{kWrite, 0, 32768}}, IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(RomioModel, CollectiveWindowsHaveTheSizeOfTheBuffer) {
  const auto one = romio_collective({.cb_buffer_size = 4096}, write, false, Ranks{0}, four_parts(8, 1024));
  EXPECT_EQ(one[0], row(kWrite, 0, 4096, 8));
  const auto two = romio_collective({.cb_buffer_size = 4096}, write, false, Ranks{0, 1}, four_parts(8, 1024));
  EXPECT_THAT(two, ElementsAre(row(kWrite, 0, 4096, 4), row(kWrite, 16384, 4096, 4), IsEmpty(), IsEmpty()));
}

TEST(RomioModel, EachAggregatorHasAPartOfTheFile) {
  EXPECT_THAT(romio_collective({}, write, false, Ranks{0, 1, 2, 3}, four_parts(8, 1024)),
              ElementsAre(FileOperations{{kWrite, 0, 8192}}, FileOperations{{kWrite, 8192, 8192}},
                          FileOperations{{kWrite, 16384, 8192}}, FileOperations{{kWrite, 24576, 8192}}));
}

TEST(RomioModel, HolesAreReadBeforeTheyAreWritten) {
  EXPECT_EQ(romio_collective({}, write, false, Ranks{0}, four_parts(8, 2, 1))[0],
            (FileOperations{{kRead, 0, 72}, {kWrite, 0, 72}}));
  EXPECT_EQ(romio_collective({}, read, false, Ranks{0}, four_parts(8, 2, 1))[0], (FileOperations{{kRead, 0, 72}}));
}

// Two pieces far apart: the windows between them are left out.
TEST(RomioModel, WindowsThatNobodyWantsAreLeftOut) {
  const std::vector<RomioPart> parts = {{.pieces = {{0, 10}, {1000, 1010}}, .file_has_gaps = true},
                                        {.pieces = {{10, 20}, {1010, 1020}}, .file_has_gaps = true}};
  EXPECT_EQ(romio_collective({.cb_buffer_size = 100}, read, false, Ranks{0}, parts)[0],
            (FileOperations{{kRead, 0, 100}, {kRead, 1000, 20}}));
}

TEST(RomioModel, SievingLocksReadsAndWritesWindows) {
  const FileOperations whole = {{kLock, 8, 32744}, {kRead, 8, 32744}, {kWrite, 8, 32744}, {kUnlock, 8, 32744}};
  EXPECT_EQ(romio_independent({}, write, false, four_parts(8, 1024)[1]), whole);
  FileOperations windows = {{kLock, 0, 32744}};
  for (std::uint64_t i = 0; i < 8; ++i)
    for (const FileAction action : {kRead, kWrite}) windows.push_back({action, i * 4096, i < 7 ? 4096u : 4072u});
  windows.push_back({kUnlock, 0, 32744});
  EXPECT_EQ(romio_independent({.ind_wr_buffer_size = 4096}, write, false, four_parts(8, 1024)[0]), windows);
}

TEST(RomioModel, AWindowBeginsAtThePieceThatLiesBehindTheLastOne) {
  const RomioPart part{.pieces = {{0, 10}, {50, 60}, {95, 110}}, .file_has_gaps = true};
  EXPECT_EQ(romio_independent({.ind_wr_buffer_size = 40}, write, false, part), (FileOperations{{kLock, 0, 110},
                                                                                               {kRead, 0, 40},
                                                                                               {kWrite, 0, 40},
                                                                                               {kRead, 50, 40},
                                                                                               {kWrite, 50, 40},
                                                                                               {kRead, 95, 15},
                                                                                               {kWrite, 95, 15},
                                                                                               {kUnlock, 0, 110}}));
}

// 30..50 stays in the buffer up to 40; 10 bytes of it, so the read of the rest goes 10 bytes too far.
TEST(RomioModel, AReadThatGoesOnInAPieceReachesBeyondTheEnd) {
  const RomioPart part{.pieces = {{0, 10}, {30, 50}}, .file_has_gaps = true};
  EXPECT_EQ(romio_independent({.ind_rd_buffer_size = 40}, read, false, part),
            (FileOperations{{kRead, 0, 40}, {kRead, 40, 20}}));
}

TEST(RomioModel, MemoryWithGapsIsCollectedWithoutReading) {
  const RomioPart part{.pieces = {{0, 60}, {60, 120}}, .memory_has_gaps = true};
  EXPECT_EQ(romio_independent({.ind_wr_buffer_size = 100}, write, false, part),
            (FileOperations{{kLock, 0, 120}, {kWrite, 0, 100}, {kWrite, 100, 20}, {kUnlock, 0, 120}}));
}

TEST(RomioModel, AtomicModeLocksWhatIsNotCollective) {
  const RomioPart plain{.pieces = {{100, 200}}}, gaps{.pieces = {{0, 8}, {16, 24}}, .file_has_gaps = true};
  const FileOperations locked_read = {{kLock, 100, 100}, {kRead, 100, 100}, {kUnlock, 100, 100}};
  EXPECT_EQ(romio_independent({}, read, true, plain), locked_read);
  EXPECT_EQ(romio_independent({}, read, false, plain), (FileOperations{{kRead, 100, 100}}));
  EXPECT_EQ(romio_independent({}, read, true, gaps),
            (FileOperations{{kLock, 0, 24}, {kRead, 0, 24}, {kUnlock, 0, 24}}));
  const std::vector<RomioPart> both = {plain, {.pieces = {{200, 300}}}};
  EXPECT_THAT(romio_collective({}, read, true, Ranks{0}, both),
              ElementsAre(FileOperations{{kRead, 100, 100}}, FileOperations{{kRead, 200, 100}}));
}

TEST(RomioModel, BordersOfDomainsGoToTheNearestStripe) {
  const std::vector<RomioPart> parts = {{.pieces = {{100, 3100}}}};
  const auto domains = [&](std::uint64_t unit) { return romio_domains({.striping_unit = unit}, 3, parts); };
  EXPECT_THAT(domains(0), ElementsAre(Piece{100, 1100}, Piece{1100, 2100}, Piece{2100, 3100}));
  EXPECT_THAT(domains(500), ElementsAre(Piece{100, 1000}, Piece{1000, 2000}, Piece{2000, 3100}));
  EXPECT_THAT(domains(4000), ElementsAre(Piece{100, 100}, Piece{100, 3100}, Piece{3100, 3100}));
}

TEST(RomioModel, ChoosesAggregatorsByProcessorNames) {
  const std::vector<std::string> names = {"a", "a", "b", "b", "a", "c"};
  EXPECT_THAT(romio_aggregators(names), ElementsAre(0, 2, 5));
  EXPECT_THAT(romio_aggregators(names, "*:1", 2), ElementsAre(0, 2));
  EXPECT_THAT(romio_aggregators(names, "*:2"), ElementsAre(0, 1, 2, 3, 5));
  EXPECT_THAT(romio_aggregators(names, "*:*", 4), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(romio_aggregators(names, "b:1,*:1"), ElementsAre(2, 0, 5));
  EXPECT_THAT(romio_aggregators(names, "c,a:*"), ElementsAre(5, 0, 1, 4));
  EXPECT_THAT(romio_aggregators(names, "a:0,*:1"), ElementsAre(2, 5));
  EXPECT_THAT(romio_aggregators(names, "d:1"), IsEmpty());
}

TEST(RomioModel, LongTransfersAreSeveralCalls) {
  const RomioPart part{.pieces = {{0, 5'000'000'000}}};
  EXPECT_EQ(romio_independent({}, write, false, part),
            (FileOperations{{kWrite, 0, kMostBytesOfACall},
                            {kWrite, kMostBytesOfACall, kMostBytesOfACall},
                            {kWrite, 2 * kMostBytesOfACall, 5'000'000'000 - 2 * kMostBytesOfACall}}));
}

// ---- OMPIO

TEST(OmpioModel, CollectiveWritesAreOneOperationOfOneAggregator) {
  for (const auto how :
       {OmpioCollective::kVulcan, OmpioCollective::kDynamic, OmpioCollective::kDynamicGen2, OmpioCollective::kTwoPhase})
    EXPECT_THAT(ompio_collective({}, how, write, four_lists(8, 1024)),
                ElementsAre(FileOperations{{kWrite, 0, 32768}}, IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(OmpioModel, AlonePiecesAreWrittenOneByOneAndReadAtOnce) {
  const auto lists = four_lists(8, 1024);
  const auto writes = ompio_collective({}, OmpioCollective::kIndividual, write, lists);
  ASSERT_EQ(writes[2].size(), 1024u);
  EXPECT_EQ(writes[2][1], (FileOperation{FileAction::kVectorWrite, 48, 8}));
  EXPECT_EQ(ompio_independent({}, write, lists[2]), writes[2]);
  EXPECT_EQ(ompio_independent({}, read, four_lists(8, 64)[3]), (FileOperations{{kRead, 24, 2024}}));
}

TEST(OmpioModel, VulcanWritesHalfBuffersAsynchronously) {
  const auto lists = four_lists(8, 1024);
  EXPECT_EQ(ompio_collective({.bytes_per_agg = 4096}, OmpioCollective::kVulcan, write, lists)[0],
            row(FileAction::kSubmitWrite, 0, 2048, 16));
  EXPECT_EQ(ompio_collective({.bytes_per_agg = 32768}, OmpioCollective::kVulcan, write, lists)[0],
            row(kWrite, 0, 16384, 2));  // two cycles: not worth it
}

TEST(OmpioModel, AggregatorsAreTheFirstOfTheirGroups) {
  const auto lists = four_lists(8, 1024);
  EXPECT_THAT(ompio_groups({.num_aggregators = 2}, 5), ElementsAre(ElementsAre(0, 1, 2), ElementsAre(3, 4)));
  EXPECT_THAT(ompio_groups({.num_aggregators = 2, .cb_nodes = 3}, 3),
              ElementsAre(ElementsAre(0), ElementsAre(1), ElementsAre(2)));
  EXPECT_THAT(
      ompio_collective({.num_aggregators = 2}, OmpioCollective::kVulcan, write, lists),
      ElementsAre(FileOperations{{kWrite, 0, 16384}}, IsEmpty(), FileOperations{{kWrite, 16384, 16384}}, IsEmpty()));
  EXPECT_THAT(ompio_collective({.bytes_per_agg = 4096, .num_aggregators = 2}, OmpioCollective::kTwoPhase, write, lists),
              ElementsAre(row(kWrite, 0, 4096, 4), IsEmpty(), row(kWrite, 16384, 4096, 4), IsEmpty()));
}

// The stripes of dynamic_gen2 have 64 KiB: this file is in the first one.
TEST(OmpioModel, DynamicGen2SpreadsStripes) {
  EXPECT_THAT(ompio_collective({.bytes_per_agg = 4096, .num_aggregators = 4}, OmpioCollective::kDynamicGen2, write,
                               four_lists(8, 1024)),
              ElementsAre(row(kWrite, 0, 2048, 16), IsEmpty(), IsEmpty(), IsEmpty()));
  EXPECT_THAT(
      ompio_collective({.num_aggregators = 2}, OmpioCollective::kDynamicGen2, write, four_lists(32768, 1)),
      ElementsAre(FileOperations{{kWrite, 0, 65536}}, IsEmpty(), FileOperations{{kWrite, 65536, 65536}}, IsEmpty()));
}

// Stripes of vulcan are counted from the beginning of the file, not from that of the access.
TEST(OmpioModel, AnAccessThatBeginsLaterIsCutElsewhere) {
  const std::vector<OmpioPieces> lists = {{{150, 250}}, {{250, 350}}};
  EXPECT_THAT(
      ompio_collective({.num_aggregators = 2, .write_datasieving = false}, OmpioCollective::kVulcan, write, lists),
      ElementsAre(FileOperations{{kWrite, 200, 100}},
                  FileOperations{{FileAction::kVectorWrite, 150, 50}, {FileAction::kVectorWrite, 300, 50}}));
}

// It is so: what the other one writes in between may be lost (docs/models/mpi-io-ompio.md).
TEST(OmpioModel, SievingReachesOverTheStripesOfOthers) {
  const std::vector<OmpioPieces> lists = {{{150, 250}}, {{250, 350}}};
  EXPECT_THAT(ompio_collective({.num_aggregators = 2}, OmpioCollective::kVulcan, write, lists),
              ElementsAre(FileOperations{{kWrite, 200, 100}}, FileOperations{{kRead, 150, 200}, {kWrite, 150, 200}}));
}

TEST(OmpioModel, ReadsServeTheGroup) {
  const std::vector<OmpioPieces> lists = {{{0, 10}}, {{20, 30}}, {{10, 20}}, {{30, 40}}};
  EXPECT_THAT(ompio_collective({.num_aggregators = 2}, OmpioCollective::kVulcan, read, lists),
              ElementsAre(FileOperations{{kRead, 0, 30}}, IsEmpty(), FileOperations{{kRead, 10, 30}}, IsEmpty()));
}

TEST(OmpioModel, SievesWhereGapsAreSmall) {
  const OmpioPieces near = {{0, 10}, {4100, 4110}}, far = {{0, 10}, {8200, 8210}};  // 4096 on average at most
  EXPECT_EQ(ompio_independent({}, read, near), (FileOperations{{kRead, 0, 4110}}));
  EXPECT_EQ(ompio_independent({}, read, far),
            (FileOperations{{FileAction::kVectorRead, 0, 10}, {FileAction::kVectorRead, 8200, 10}}));
  EXPECT_EQ(ompio_collective({}, OmpioCollective::kVulcan, write, std::vector<OmpioPieces>{near})[0],
            (FileOperations{{kRead, 0, 4110}, {kWrite, 0, 4110}}));
  EXPECT_EQ(
      ompio_collective({.thread_multiple = true}, OmpioCollective::kVulcan, write, std::vector<OmpioPieces>{near})[0]
          .size(),
      2u);
}

TEST(OmpioModel, FewRanksHaveOneAggregator) {
  EXPECT_EQ(ompio_groups({}, 15).size(), 1u);
  EXPECT_EQ(ompio_groups({}, 16).size(), 2u);
  EXPECT_EQ(ompio_groups({}, 16, {.piece = 8, .bytes = 8192}).size(), 1u);  // nothing to gain
  EXPECT_EQ(ompio_groups({.max_aggregators_ratio = 2}, 16).size(), 8u);
  EXPECT_EQ(ompio_collective_of(2), OmpioCollective::kIndividual);
  EXPECT_EQ(ompio_collective_of(3), OmpioCollective::kVulcan);
}

TEST(MpiIoModels, BuffersOfNothingHoldAByte) {
  const std::vector<RomioPart> parts = four_parts(2, 2);
  const RomioHints none{.cb_buffer_size = 0, .ind_rd_buffer_size = 0, .ind_wr_buffer_size = 0};
  EXPECT_EQ(romio_collective(none, write, false, Ranks{0}, parts)[0], row(kWrite, 0, 1, 16));
  EXPECT_EQ(romio_independent(none, read, false, parts[0]).size(), 4u);
  EXPECT_EQ(ompio_collective({.bytes_per_agg = 1}, OmpioCollective::kVulcan, write, four_lists(2, 2))[0],
            row(FileAction::kSubmitWrite, 0, 1, 16));
}

// ---- Of any access

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  std::uint64_t up_to(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_); }
  bool coin() { return up_to(1) == 1; }

 private:
  std::mt19937 engine_;
};

// Disjoint pieces, dealt out to some ranks.
std::vector<std::vector<ByteRange>> dealt_out(Random& random) {
  std::vector<std::vector<ByteRange>> ranks(1 + random.up_to(5));
  std::uint64_t at = random.up_to(1000);
  for (std::uint64_t left = 1 + random.up_to(60); left > 0; --left) {
    const std::uint64_t bytes = 1 + random.up_to(random.coin() ? 10 : 300);
    ranks[random.up_to(ranks.size() - 1)].push_back({at, at + bytes});
    at += bytes + (random.coin() ? 0 : random.up_to(200));
  }
  return ranks;
}

bool is_write(const FileOperation& operation) {
  return operation.action == FileAction::kWrite || operation.action == FileAction::kVectorWrite ||
         operation.action == FileAction::kSubmitWrite;
}

bool is_read(const FileOperation& operation) {
  return operation.action == FileAction::kRead || operation.action == FileAction::kVectorRead;
}

// How often each byte is moved.
std::vector<int> moved(const FileOperations& operations, bool writes) {
  std::vector<int> times;
  for (const FileOperation& operation : operations) {
    if (writes ? !is_write(operation) : !is_read(operation)) continue;
    if (times.size() < operation.offset + operation.bytes) times.resize(operation.offset + operation.bytes);
    for (std::uint64_t i = 0; i < operation.bytes; ++i) ++times[operation.offset + i];
  }
  return times;
}

std::vector<int> asked(const std::vector<ByteRange>& pieces) {
  FileOperations as_reads;
  for (const ByteRange& piece : pieces) as_reads.push_back({FileAction::kRead, piece.begin, piece.end - piece.begin});
  return moved(as_reads, false);
}

// Each byte that was asked for is written once; another one only after it was read, and not twice; none lies outside.
void expect_sound_writes(const FileOperations& operations, const std::vector<ByteRange>& pieces) {
  const std::vector<int> wanted = asked(pieces), written = moved(operations, true), seen = moved(operations, false);
  ASSERT_LE(written.size(), wanted.size());
  ASSERT_LE(seen.size(), wanted.size());
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const int times = at < written.size() ? written[at] : 0;
    if (wanted[at] > 0)
      ASSERT_EQ(times, 1) << at;
    else
      ASSERT_LE(times, at < seen.size() ? seen[at] : 0) << at;
  }
}

void expect_reads_everything(const FileOperations& operations, const std::vector<ByteRange>& pieces) {
  const std::vector<int> wanted = asked(pieces), seen = moved(operations, false);
  for (std::size_t at = 0; at < wanted.size(); ++at)
    ASSERT_GE(at < seen.size() ? seen[at] : 0, wanted[at] > 0 ? 1 : 0) << at;
}

void expect_windows_of(const FileOperations& operations, std::uint64_t most) {
  for (const FileOperation& operation : operations) ASSERT_LE(operation.bytes, most);
}

void expect_locks_around(const FileOperations& operations, const std::vector<ByteRange>& pieces, bool locks) {
  const auto number = [&](FileAction action) {
    return std::count_if(operations.begin(), operations.end(), [&](const auto& o) { return o.action == action; });
  };
  ASSERT_EQ(number(kLock), locks && !pieces.empty() ? 1 : 0);
  ASSERT_EQ(number(kUnlock), number(kLock));
  if (number(kLock) == 0) return;
  EXPECT_EQ(operations.front().action, kLock);
  EXPECT_EQ(operations.back().action, kUnlock);
  EXPECT_EQ(operations.front().offset, pieces.front().begin);
  EXPECT_EQ(operations.front().bytes, pieces.back().end - pieces.front().begin);
}

template <class Lists>
auto together(const Lists& lists) {
  typename Lists::value_type all;
  for (const auto& list : lists) all.insert(all.end(), list.begin(), list.end());
  return all;
}

RomioHints random_hints(Random& random) {
  const auto choice = [&] { return random.up_to(3) > 0 ? RomioSwitch::kEnable : RomioSwitch::kDisable; };
  return {.cb_buffer_size = 1 + random.up_to(1000),
          .ind_rd_buffer_size = 1 + random.up_to(1000),
          .ind_wr_buffer_size = 1 + random.up_to(1000),
          .romio_min_fdomain_size = random.coin() ? 0 : random.up_to(1000),
          .striping_unit = random.coin() ? 0 : 1 + random.up_to(1000),
          .romio_cb_read = choice(),
          .romio_cb_write = choice(),
          .romio_ds_read = choice(),
          .romio_ds_write = choice()};
}

void check_romio(Random& random) {
  const std::vector<std::vector<ByteRange>> pieces = dealt_out(random);
  const RomioHints hints = random_hints(random);
  const bool atomic = random.coin();
  std::vector<RomioPart> parts;
  for (const std::vector<ByteRange>& of_rank : pieces)
    parts.push_back({.pieces = of_rank, .position = random.up_to(500), .file_has_gaps = true});
  for (const RomioPart& part : parts) {
    const FileOperations writes = romio_independent(hints, write, atomic, part);
    const FileOperations reads = romio_independent(hints, read, atomic, part);
    const bool sieves_writes = hints.romio_ds_write != RomioSwitch::kDisable;
    const bool sieves_reads = hints.romio_ds_read != RomioSwitch::kDisable && part.pieces.size() > 1;
    expect_sound_writes(writes, part.pieces);
    expect_reads_everything(reads, part.pieces);
    expect_locks_around(writes, part.pieces, atomic || sieves_writes);
    expect_locks_around(reads, part.pieces, atomic && (sieves_reads || hints.romio_ds_read == RomioSwitch::kDisable));
    FileOperations data;
    std::copy_if(reads.begin(), reads.end(), std::back_inserter(data), is_read);
    if (sieves_reads) expect_windows_of(data, hints.ind_rd_buffer_size);
    if (part.pieces.empty()) continue;
    for (const FileOperation& operation : data) {
      ASSERT_GE(operation.offset, part.pieces.front().begin);
      ASSERT_LE(operation.offset + operation.bytes, part.pieces.back().end + hints.ind_rd_buffer_size);
    }
  }
  Ranks aggregators;
  for (std::uint32_t rank = 0; rank < pieces.size(); ++rank)
    if (rank == 0 || random.coin()) aggregators.push_back(rank);
  for (const hw::Access kind : {read, write}) {
    if (!romio_collects(kind == write ? hints.romio_cb_write : hints.romio_cb_read, parts)) continue;
    const FileOperations all = together(romio_collective(hints, kind, atomic, aggregators, parts));
    if (kind == write)
      expect_sound_writes(all, together(pieces));
    else
      expect_reads_everything(all, together(pieces));
    expect_windows_of(all, hints.cb_buffer_size);
  }
}

TEST(MpiIoProperties, RomioMovesWhatIsAskedOnce) {
  for (unsigned seed = 1; seed <= 500 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    check_romio(random);
  }
}

void check_ompio(Random& random) {
  const std::vector<std::vector<ByteRange>> pieces = dealt_out(random);
  OmpioSettings settings{.bytes_per_agg = 2 + random.up_to(1000),
                         .cycle_buffer_size = 1 + random.up_to(2000),
                         .num_aggregators = random.coin() ? -1 : static_cast<std::int32_t>(1 + random.up_to(5)),
                         .max_block_size = random.up_to(200),
                         .max_gap_size = random.up_to(300),
                         .max_tmpbuf_size = 400 + random.up_to(1000)};
  const auto ranks = static_cast<std::uint32_t>(pieces.size());
  for (const auto how : {OmpioCollective::kIndividual, OmpioCollective::kVulcan, OmpioCollective::kTwoPhase,
                         OmpioCollective::kDynamic, OmpioCollective::kDynamicGen2}) {
    settings.write_datasieving = how != OmpioCollective::kVulcan || ompio_groups(settings, ranks).size() == 1;
    expect_sound_writes(together(ompio_collective(settings, how, write, pieces)), together(pieces));
    expect_reads_everything(together(ompio_collective(settings, how, read, pieces)), together(pieces));
  }
  for (const std::vector<ByteRange>& of_rank : pieces) {
    const FileOperations writes = ompio_independent(settings, write, of_rank);
    expect_sound_writes(writes, of_rank);
    EXPECT_EQ(moved(writes, true), asked(of_rank));  // nothing else
  }
}

TEST(MpiIoProperties, OmpioMovesWhatIsAskedOnce) {
  for (unsigned seed = 1; seed <= 300 && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed);
    Random random(seed);
    check_ompio(random);
  }
}

}  // namespace
}  // namespace plumbline::replay::io
