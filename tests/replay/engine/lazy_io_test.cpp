// The libraries' rules without lists of pieces (pattern, independent, rounds) against the same rules with lists, which
// recordings have proved (mpi_io_libraries_test.cpp, tests/integration/mpi_io_inside_test.cpp).

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <random>

#include "base/error.hpp"
#include "replay/io/hints.hpp"
#include "replay/io/independent.hpp"
#include "replay/io/library_call.hpp"
#include "replay/io/lock_table.hpp"
#include "tests/replay/io/ompio_lists.hpp"
#include "tests/replay/io/romio_lists.hpp"

namespace plumbline::replay::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Piece = io::ByteRange;

constexpr hw::Access kWrites = hw::Access::kWrite, kReads = hw::Access::kRead;

std::unique_ptr<const ViewMap> view_map(const std::string& text) { return ViewMap::of(*archive::parse_layout(text)); }

// ---- Patterns

TEST(Pattern, AnswersFromTheViewWhatAListOfPiecesWould) {
  const auto view = view_map("disp=100 extent=100 size=30: 2x10@0/20 10@60");
  const Pattern p = Pattern::through(*view, 5, 40);  // 105-110, 120-130, 160-170, 200-210, 220-225
  EXPECT_EQ(p.begin(), 105);
  EXPECT_EQ(p.end(), 225);
  EXPECT_EQ(p.pieces(0, 40), 5);
  EXPECT_EQ(p.pieces(4, 6), 2);
  EXPECT_EQ(p.bytes_in(0, 125), 10);
  EXPECT_EQ(p.bytes_in(125, 161), 6);
  EXPECT_EQ(p.offset_of(24), 169);
  EXPECT_EQ(p.piece_at(0), (Piece{105, 110}));
  EXPECT_EQ(p.piece_at(39), (Piece{220, 225}));
  EXPECT_EQ(p.piece_from(26), (Piece{201, 210}));
}

TEST(Pattern, AViewThatFoldsBackIsTakenPieceByPiece) {
  EXPECT_EQ(view_map("disp=0 extent=40 size=20: 10@20 10@0"), nullptr);
  const Pattern p = Pattern::of_pieces({{0, 10}, {20, 30}});
  EXPECT_EQ(p.bytes_in(5, 25), 10);
  EXPECT_EQ(p.offset_of(12), 22);
}

TEST(Pattern, ATerabyteCostsNoMoreThanAByte) {
  const auto view = view_map("disp=0 extent=16 size=8: 8@0");
  const Pattern p = Pattern::through(*view, 0, std::uint64_t{1} << 40);
  EXPECT_EQ(p.pieces(0, p.bytes()), std::uint64_t{1} << 37);
  EXPECT_EQ(p.bytes_in(std::uint64_t{1} << 40, (std::uint64_t{1} << 40) + 160), 80);
}

// ---- Locks

TEST(LockTable, OverlappingRangesWaitInTheOrderInWhichTheyCame) {
  LockTable locks;
  EXPECT_TRUE(locks.lock(0, {0, 100}, true));
  EXPECT_TRUE(locks.lock(1, {100, 200}, true));
  EXPECT_FALSE(locks.lock(2, {50, 150}, true));
  EXPECT_FALSE(locks.lock(3, {60, 70}, true));
  EXPECT_THAT(locks.holders_before(2), ElementsAre(0, 1));
  EXPECT_THAT(locks.unlock(0, {0, 100}), ElementsAre(3));  // rank 2 waits for rank 1 too
  EXPECT_THAT(locks.unlock(1, {100, 200}), IsEmpty());
  EXPECT_THAT(locks.unlock(3, {60, 70}), ElementsAre(2));
}

TEST(LockTable, ReadersShareARangeAndAPartCanBeGivenBack) {
  LockTable locks;
  EXPECT_TRUE(locks.lock(0, {0, 100}, false));
  EXPECT_TRUE(locks.lock(1, {0, 100}, false));
  EXPECT_FALSE(locks.lock(2, {0, 10}, true));
  EXPECT_THAT(locks.unlock(0, {0, 50}), IsEmpty());
  EXPECT_THAT(locks.unlock(1, {0, 50}), ElementsAre(2));
}

// ---- Hints

TEST(Hints, AskedOnesAreKeptAndWrongOnesAreToldWithTheNearest) {
  std::map<std::string, std::string> hints;
  ask_hint("romio_cb_write=enable", "--set", hints);
  ask_hint("cb_nodes=2", "--set", hints);
  EXPECT_EQ(hints.at("romio_cb_write"), "enable");
  const auto fault = [&](const char* text) {
    try {
      ask_hint(text, "--set", hints);
    } catch (const Error& error) {
      return to_string(error.problems().front());
    }
    return std::string("none");
  };
  EXPECT_THAT(fault("romio_cb_writes=enable"), HasSubstr("did you mean 'romio_cb_write'"));
  EXPECT_THAT(fault("cb_nodes"), HasSubstr("has no value"));
  EXPECT_THAT(fault("cb_nodes=two"), HasSubstr("cannot be 'two'"));
  EXPECT_THAT(fault("cb_buffer_size=0"), HasSubstr("give a number of bytes"));
  EXPECT_THAT(fault("romio_ds_read=yes"), HasSubstr("enable, disable or automatic"));
  EXPECT_EQ(hints.size(), 2);
}

// ---- The same operations as with lists

class Draw {
 public:
  explicit Draw(unsigned seed) : engine_(seed) {}
  std::uint64_t upto(std::uint64_t most) { return std::uniform_int_distribution<std::uint64_t>(0, most)(engine_); }
  bool coin() { return upto(1) == 1; }

 private:
  std::mt19937_64 engine_;
};

// Accesses of some ranks, as patterns and as lists.
struct Accesses {
  std::vector<std::unique_ptr<const ViewMap>> views;
  std::vector<Pattern> patterns;
  std::vector<std::vector<Piece>> pieces;
};

// From data byte `position` on, `bytes` of them, of `count` pieces a tile.
std::vector<Piece> pieces_of_vector(std::uint64_t displacement, std::uint64_t count, std::uint64_t length,
                                    std::uint64_t stride, std::uint64_t extent, std::uint64_t position,
                                    std::uint64_t bytes) {
  std::vector<Piece> pieces;
  for (std::uint64_t data = position; data < position + bytes;) {
    const std::uint64_t piece = data / length, within = data % length;
    const std::uint64_t begin = displacement + piece / count * extent + piece % count * stride + within;
    const std::uint64_t part = std::min(length - within, position + bytes - data);
    pieces.push_back({begin, begin + part});
    data += part;
  }
  return pieces;
}

// Pieces of the ranks lie between each other; `touching`: the tiles of a view begin where the one before ends.
Accesses interleaved(Draw& draw, bool touching) {
  Accesses all;
  const std::uint64_t ranks = 1 + draw.upto(6), length = 1 + draw.upto(40), hole = 1 + draw.upto(3) - (ranks > 1);
  const std::uint64_t count = 2 + draw.upto(5), stride = (ranks + hole) * length, base = draw.upto(200);
  const std::uint64_t extent = touching ? (count - 1) * stride + length : count * stride;
  const std::uint64_t idle = draw.upto(9);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    const std::uint64_t position = draw.coin() ? 0 : draw.upto(3 * length);
    const std::uint64_t bytes = rank == idle ? 0 : 1 + draw.upto(30 * length), from = base + rank * length;
    all.views.push_back(view_map(
        fmt::format("disp={} extent={} size={}: {}x{}@0/{}", from, extent, count * length, count, length, stride)));
    all.patterns.push_back(Pattern::through(*all.views.back(), position, bytes));
    all.pieces.push_back(pieces_of_vector(from, count, length, stride, extent, position, bytes));
  }
  return all;
}

Accesses one_behind_the_other(Draw& draw) {
  Accesses all;
  const std::uint64_t ranks = 1 + draw.upto(6);
  std::uint64_t at = draw.upto(100);
  for (std::uint64_t rank = 0; rank < ranks; ++rank) {
    at += draw.coin() ? 0 : draw.upto(50);
    const std::uint64_t bytes = draw.upto(5) == 0 ? 0 : 1 + draw.upto(500);
    all.views.push_back(nullptr);
    all.patterns.push_back(Pattern::contiguous(at, bytes));
    all.pieces.emplace_back();
    if (bytes > 0) all.pieces.back().push_back({at, at + bytes});
    at += bytes;
  }
  return all;
}

RomioPart part_of(const Accesses& all, std::size_t rank) {
  return {.pieces = all.pieces[rank],
          .position = all.patterns[rank].begin(),
          .file_has_gaps = all.patterns[rank].view_has_gaps()};
}

FileSettings random_romio(Draw& draw) {
  FileSettings settings;
  settings.library = draw.coin() ? MpiIoLibrary::kRomio : MpiIoLibrary::kRomio321;
  settings.atomic = draw.coin();
  const auto choice = [&] { return static_cast<RomioSwitch>(draw.upto(2)); };
  settings.romio = {.cb_buffer_size = 1 + draw.upto(300),
                    .ind_rd_buffer_size = 1 + draw.upto(200),
                    .ind_wr_buffer_size = 1 + draw.upto(200),
                    .romio_min_fdomain_size = draw.coin() ? 0 : draw.upto(300),
                    .striping_unit = draw.coin() ? 0 : 1 + draw.upto(200),
                    .romio_cb_read = choice(),
                    .romio_cb_write = choice(),
                    .romio_ds_read = choice(),
                    .romio_ds_write = choice()};
  settings.cb_config_list = draw.coin() ? "*:*" : "*:1";
  settings.cb_nodes = static_cast<std::uint32_t>(draw.upto(4));
  return settings;
}

FileSettings random_ompio(Draw& draw) {
  FileSettings settings;
  settings.library = MpiIoLibrary::kOmpio;
  settings.ompio = {.bytes_per_agg = 2 + draw.upto(500),
                    .cycle_buffer_size = 1 + draw.upto(500),
                    .num_aggregators = draw.coin() ? -1 : static_cast<std::int32_t>(1 + draw.upto(4)),
                    .cb_nodes = static_cast<std::uint32_t>(draw.coin() ? 0 : draw.upto(4)),
                    .max_block_size = draw.upto(60),
                    .max_gap_size = draw.upto(300),
                    .max_tmpbuf_size = draw.upto(500),
                    .read_datasieving = draw.coin(),
                    .write_datasieving = draw.coin()};
  constexpr const char* kComponents[] = {"", "vulcan", "two_phase", "dynamic", "dynamic_gen2"};
  settings.ompio_component = kComponents[draw.upto(4)];
  return settings;
}

std::string told(const FileOperations& operations) {
  std::string text;
  for (const FileOperation& o : operations)
    text += fmt::format("{}({}, {}) ", static_cast<int>(o.action), o.offset, o.bytes);
  return text;
}

FileOperations drained(IndependentAccess access) {
  FileOperations operations;
  while (const std::optional<FileOperation> next = access.next()) operations.push_back(*next);
  return operations;
}

struct Drained {
  std::vector<FileOperations> operations;  // per rank
  std::uint64_t moved = 0;                 // bytes between ranks and aggregators
};

Drained drained(LibraryCall& call, const FileSettings& settings, hw::Access kind, std::span<const Pattern> patterns) {
  Drained all;
  all.operations.resize(patterns.size());
  if (call.alone) {
    for (std::size_t rank = 0; rank < patterns.size(); ++rank)
      all.operations[rank] = drained(IndependentAccess(settings, kind, Called::kOfCollective, patterns[rank]));
    return all;
  }
  Round round;
  for (std::uint64_t i = 0; i < call.rounds.number(); ++i) {
    call.rounds.make(round);
    for (std::size_t a = 0; a < call.rounds.aggregators().size(); ++a)
      for (const FileOperations& some : {round.before[a], round.after[a]}) {
        FileOperations& own = all.operations[call.rounds.aggregators()[a].rank];
        own.insert(own.end(), some.begin(), some.end());
      }
    for (const Transfer& transfer : round.transfers) all.moved += transfer.bytes;
  }
  return all;
}

std::vector<Participant> participants_of(const Accesses& all, std::span<const std::string> processors) {
  std::vector<Participant> participants;
  for (std::size_t rank = 0; rank < all.patterns.size(); ++rank)
    participants.push_back({processors[rank], all.views[rank].get()});
  return participants;
}

// PLUMBLINE_CASES: as many instead.
const unsigned kSeeds = [] {
  const char* const asked = std::getenv("PLUMBLINE_CASES");
  return asked == nullptr ? 3'000U : static_cast<unsigned>(std::strtoul(asked, nullptr, 10));
}();

TEST(LazyIo, RanksAloneDoWhatTheListsSay) {
  for (unsigned seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    Draw draw(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Accesses all = draw.upto(3) == 0 ? one_behind_the_other(draw) : interleaved(draw, draw.coin());
    const FileSettings romio = random_romio(draw), ompio = random_ompio(draw);
    for (std::size_t rank = 0; rank < all.patterns.size(); ++rank)
      for (const hw::Access kind : {kWrites, kReads}) {
        EXPECT_EQ(told(drained(IndependentAccess(romio, kind, Called::kIndependently, all.patterns[rank]))),
                  told(romio_independent(romio.romio, kind, romio.atomic, part_of(all, rank))));
        EXPECT_EQ(told(drained(IndependentAccess(ompio, kind, Called::kIndependently, all.patterns[rank]))),
                  told(ompio_independent(ompio.ompio, kind, all.pieces[rank])));
      }
  }
}

// What each rank has for aggregators other than itself.
std::uint64_t not_its_own(const LibraryCall& call) {
  std::uint64_t bytes = 0;
  for (std::size_t a = 0; a < call.rounds.aggregators().size(); ++a)
    for (std::uint32_t rank = call.rounds.aggregators()[a].first; rank < call.rounds.aggregators()[a].behind_last;
         ++rank)
      if (rank != call.rounds.aggregators()[a].rank) bytes += call.rounds.bytes_of(a, rank);
  return bytes;
}

std::uint64_t all_bytes(const LibraryCall& call, const Accesses& all) {
  std::uint64_t bytes = 0;
  for (std::size_t a = 0; a < call.rounds.aggregators().size(); ++a)
    for (std::uint32_t rank = 0; rank < all.patterns.size(); ++rank)
      if (rank >= call.rounds.aggregators()[a].first && rank < call.rounds.aggregators()[a].behind_last)
        bytes += call.rounds.bytes_of(a, rank);
  return bytes;
}

void check_bytes(const LibraryCall& call, const Drained& found, std::uint64_t to_others, const Accesses& all) {
  if (call.alone) return;
  std::uint64_t wanted = 0;
  for (const Pattern& pattern : all.patterns) wanted += pattern.bytes();
  EXPECT_EQ(all_bytes(call, all), wanted);
  EXPECT_EQ(found.moved, to_others);
}

TEST(LazyIo, RomioCollectsAsTheListsSayAndMovesEachByteOnce) {
  for (unsigned seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    Draw draw(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Accesses all = draw.upto(3) == 0 ? one_behind_the_other(draw) : interleaved(draw, false);
    const FileSettings settings = random_romio(draw);
    std::vector<std::string> processors;
    std::vector<RomioPart> parts;
    for (std::size_t rank = 0; rank < all.patterns.size(); ++rank) {
      processors.push_back(fmt::format("p{}", rank / 2));
      parts.push_back(part_of(all, rank));
    }
    const auto aggregators = romio_aggregators(processors, settings.cb_config_list, settings.cb_nodes);
    for (const hw::Access kind : {kWrites, kReads}) {
      LibraryCall call = library_call(settings, kind, all.patterns, participants_of(all, processors));
      const std::uint64_t to_others = not_its_own(call);
      const Drained found = drained(call, settings, kind, all.patterns);
      const auto listed = romio_collective(settings.romio, kind, settings.atomic, aggregators, parts);
      for (std::size_t rank = 0; rank < parts.size(); ++rank)
        EXPECT_EQ(told(found.operations[rank]), told(listed[rank])) << "rank " << rank;
      check_bytes(call, found, to_others, all);
    }
  }
}

TEST(LazyIo, OmpioCollectsAsTheListsSayAndMovesEachByteOnce) {
  for (unsigned seed = 1; seed <= kSeeds && !testing::Test::HasFailure(); ++seed) {
    Draw draw(seed);
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const Accesses all = draw.upto(3) == 0 ? one_behind_the_other(draw) : interleaved(draw, false);
    const FileSettings settings = random_ompio(draw);
    const std::vector<std::string> processors(all.patterns.size(), "p");
    const OmpioView view = all.views[0] == nullptr ? OmpioView{}
                                                   : OmpioView{all.views[0]->tile_bytes() / all.views[0]->tile_pieces(),
                                                               all.views[0]->tile_bytes()};
    for (const hw::Access kind : {kWrites, kReads}) {
      LibraryCall call = library_call(settings, kind, all.patterns, participants_of(all, processors));
      const std::uint64_t to_others = not_its_own(call);
      const Drained found = drained(call, settings, kind, all.patterns);
      const auto how = component_of(settings, static_cast<std::uint32_t>(all.patterns.size()));
      const auto listed = ompio_collective(settings.ompio, how, kind, all.pieces, view);
      for (std::size_t rank = 0; rank < listed.size(); ++rank)
        EXPECT_EQ(told(found.operations[rank]), told(listed[rank]))
            << "rank " << rank << ", " << settings.ompio_component;
      check_bytes(call, found, to_others, all);
    }
  }
}

}  // namespace
}  // namespace plumbline::replay::io
