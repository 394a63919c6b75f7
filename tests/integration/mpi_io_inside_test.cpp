// The POSIX operations that ROMIO makes of accesses, as they were recorded and as replay/io/romio.hpp says: operation
// by operation, in order, on each rank. Without retries of short reads (mpi_io_inside.hpp, is_retry).
#include "tests/replay/io/romio_lists.hpp"

#include <fmt/ranges.h>

#include "tests/integration/mpi_io_replay.hpp"

namespace plumbline::inside {
namespace {

using replay::io::RomioHints;
using replay::io::RomioPart;
using replay::io::RomioSwitch;

// 2.1 to 2.3 of what is known of ROMIO: the kinds of docs/models/mpi-io-romio.md, then the corners that it names.
const std::vector<Setting> kSettings = {
    // Two phases, written
    {.call = "write_all"},
    {.call = "write_all", .hole = 1},
    {.call = "write_all", .hole = 1, .hints = "cb_nodes=3 cb_config_list=*:* cb_buffer_size=5000"},
    {.call = "write_all", .piece = 8192, .pieces = 512, .hints = "cb_buffer_size=4194304"},
    {.call = "write_all", .piece = 100000, .pieces = 30, .hole = 2, .hints = "cb_nodes=2 cb_config_list=*:*"},
    {.call = "write_all", .hints = "cb_buffer_size=4096"},
    {.call = "write_all", .hints = "cb_nodes=4 cb_config_list=*:4"},
    {.call = "write_all", .hints = "cb_nodes=2 cb_config_list=*:* cb_buffer_size=4096"},
    {.call = "write_at_all", .piece = 700, .pieces = 33, .hole = 3, .base = 12345, .hints = "cb_buffer_size=2048"},
    {.call = "write_all", .pieces = 100, .hints = "cb_nodes=3 cb_config_list=*:* romio_min_fdomain_size=2000"},
    {.call = "write_all", .memory = 16},
    // Borders of domains at multiples of a stripe
    {.call = "write_all", .base = 100, .hints = "cb_nodes=3 cb_config_list=*:* striping_unit=4096"},
    {.call = "write_all", .hole = 1, .base = 1030, .hints = "cb_nodes=4 cb_config_list=*:* striping_unit=65536"},
    {.call = "read_all",
     .hole = 1,
     .base = 77,
     .stored = 50000,
     .hints = "cb_nodes=4 cb_config_list=*:* striping_unit=1000"},
    // A rank without anything
    {.call = "write_all", .base = 5000, .idle = 2},
    {.call = "write_all", .base = 5000, .idle = 0, .hints = "romio_cb_write=enable cb_nodes=2 cb_config_list=*:*"},
    // Nobody's pieces lie between another's: every rank for itself, unless told otherwise
    {.call = "write_all", .view = false},
    {.call = "write_all", .view = false, .hints = "romio_cb_write=enable cb_buffer_size=5000"},
    {.call = "write_all", .view = false, .memory = 64, .hints = "ind_wr_buffer_size=3000"},
    {.call = "read_all", .stored = 40000, .view = false},
    // Two phases, read; with holes too
    {.call = "read_all", .stored = 32768},
    {.call = "read_all", .hole = 1, .stored = 40960},
    {.call = "read_all", .hole = 5, .stored = 80000, .hints = "cb_nodes=3 cb_config_list=*:* cb_buffer_size=5000"},
    {.call = "read_at_all",
     .piece = 10000,
     .pieces = 9,
     .hole = 4,
     .base = 3,
     .stored = 800000,
     .hints = "cb_buffer_size=4096"},
    {.call = "read_all", .hole = 1, .stored = 20000, .hints = "cb_buffer_size=3000"},  // ends before the request does
    // Data sieving
    {.call = "write_all", .hints = "romio_cb_write=disable"},
    {.call = "write_at", .piece = 1000, .pieces = 300, .hints = "ind_wr_buffer_size=70000"},
    {.call = "write", .piece = 70000, .pieces = 5, .stored = 1400000, .hints = "ind_wr_buffer_size=52428"},
    {.call = "write_at", .pieces = 64, .hints = "romio_ds_write=disable"},
    {.call = "write_all", .pieces = 64, .hints = "romio_cb_write=disable romio_ds_write=disable"},
    {.call = "write_at", .hints = "ind_wr_buffer_size=4096"},
    {.call = "write_at", .pieces = 1},
    {.call = "write_at", .view = false, .memory = 64, .hints = "ind_wr_buffer_size=1000"},
    {.call = "write_at", .view = false, .memory = 512, .hints = "romio_ds_write=disable"},
    {.call = "write_at", .piece = 300, .pieces = 100, .memory = 100, .hints = "ind_wr_buffer_size=1000"},
    {.call = "write_at", .view = false},
    {.call = "read_at", .stored = 32768},
    {.call = "read", .hole = 2, .stored = 60000, .hints = "ind_rd_buffer_size=4096"},
    {.call = "read_at", .piece = 1000, .pieces = 300, .stored = 1300000, .hints = "ind_rd_buffer_size=70000"},
    {.call = "read_at", .piece = 70000, .pieces = 5, .stored = 1500000, .hints = "ind_rd_buffer_size=52428"},
    {.call = "read_at", .pieces = 64, .stored = 32768, .hints = "romio_ds_read=disable"},
    {.call = "read_at", .stored = 40000, .view = false, .memory = 64, .hints = "ind_rd_buffer_size=1000"},
    {.call = "read_at", .stored = 40000, .view = false},
    // A part of what a tile of the view has
    {.call = "write_at", .take = 1},
    {.call = "read_at", .stored = 40000, .take = 1},
    {.call = "write_all", .take = 1},
    {.call = "read_all", .stored = 40000, .take = 1},
    {.call = "write_all", .hole = 1, .take = 100},
    {.call = "write_at", .stored = 40000, .atomic = true, .take = 1},
    {.call = "read_at", .stored = 40000, .atomic = true, .take = 1},
    {.call = "write_all", .stored = 40000, .atomic = true, .take = 1},
    // Atomic mode: reads lock too; what goes through aggregators, or is one piece of a collective call, does not
    {.call = "write_at", .stored = 40000, .atomic = true, .hints = "ind_wr_buffer_size=4096"},
    {.call = "read_at", .stored = 40000, .atomic = true, .hints = "ind_rd_buffer_size=4096"},
    {.call = "write_at", .stored = 40000, .view = false, .atomic = true},
    {.call = "read_at", .stored = 40000, .view = false, .atomic = true},
    {.call = "read_at", .pieces = 1, .stored = 40000, .atomic = true},
    {.call = "write_at", .pieces = 20, .stored = 40000, .atomic = true, .hints = "romio_ds_write=disable"},
    {.call = "read_at", .pieces = 20, .stored = 40000, .atomic = true, .hints = "romio_ds_read=disable"},
    {.call = "write_all", .hole = 1, .stored = 40000, .atomic = true},
    {.call = "read_all", .hole = 1, .stored = 40000, .atomic = true},
    {.call = "write_all", .stored = 40000, .view = false, .atomic = true},
    {.call = "read_all", .stored = 40000, .view = false, .atomic = true},
};

RomioSwitch switch_of(const std::map<std::string, std::string>& words, const std::string& name) {
  const auto found = words.find(name);
  if (found == words.end() || found->second == "automatic") return RomioSwitch::kAutomatic;
  return found->second == "enable" ? RomioSwitch::kEnable : RomioSwitch::kDisable;
}

RomioHints hints_of(const Setting& setting) {
  const auto words = words_of(setting.hints);
  RomioHints hints;
  const auto number = [&](const char* name, std::uint64_t& to) {
    if (words.contains(name)) to = std::stoull(words.at(name));
  };
  number("cb_buffer_size", hints.cb_buffer_size);
  number("ind_rd_buffer_size", hints.ind_rd_buffer_size);
  number("ind_wr_buffer_size", hints.ind_wr_buffer_size);
  number("romio_min_fdomain_size", hints.romio_min_fdomain_size);
  number("striping_unit", hints.striping_unit);
  hints.romio_cb_read = switch_of(words, "romio_cb_read");
  hints.romio_cb_write = switch_of(words, "romio_cb_write");
  hints.romio_ds_read = switch_of(words, "romio_ds_read");
  hints.romio_ds_write = switch_of(words, "romio_ds_write");
  return hints;
}

std::vector<std::uint32_t> aggregators_of(const Setting& setting, bool pairs_of_ranks) {
  const auto words = words_of(setting.hints);
  std::vector<std::string> processors;
  for (int rank = 0; rank < setting.ranks; ++rank)
    processors.push_back(fmt::format("node{}", pairs_of_ranks ? rank / 2 : 0));
  const std::string list = words.contains("cb_config_list") ? words.at("cb_config_list") : "*:1";
  const auto cb_nodes = words.contains("cb_nodes") ? static_cast<std::uint32_t>(std::stoul(words.at("cb_nodes"))) : 0;
  return replay::io::romio_aggregators(processors, list, cb_nodes);
}

std::vector<FileOperations> expected_of(const Setting& setting, bool pairs_of_ranks) {
  std::vector<RomioPart> parts;
  for (int rank = 0; rank < setting.ranks; ++rank)
    parts.push_back({.pieces = setting.pieces_of(rank),
                     .position = setting.base + static_cast<std::uint64_t>(rank) *
                                                    (setting.view ? setting.piece : setting.piece * setting.pieces),
                     .file_has_gaps = setting.view && setting.pieces > 1,
                     .memory_has_gaps = setting.memory > 0});
  const hw::Access kind = setting.writes() ? hw::Access::kWrite : hw::Access::kRead;
  if (setting.collective())
    return replay::io::romio_collective(hints_of(setting), kind, setting.atomic,
                                        aggregators_of(setting, pairs_of_ranks), parts);
  std::vector<FileOperations> operations;
  for (const RomioPart& part : parts)
    operations.push_back(replay::io::romio_independent(hints_of(setting), kind, setting.atomic, part));
  return operations;
}

void compare(const Library& library, const std::vector<Setting>& settings) {
  const Recorded recorded = record(library, settings);
  if (::testing::Test::HasFailure()) return;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::vector<FileOperations> expected = expected_of(settings[i], library.on_nodes_of_their_own);
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      EXPECT_EQ(difference(expected[rank], recorded.ranks[rank][i].on_file), "")
          << "rank " << rank << ", setting " << i << ": " << settings[i].line();
      EXPECT_EQ(text_of(recorded.ranks[rank][i].elsewhere), text_of(FileOperations{}));
      compared += expected[rank].size();
    }
  }
  EXPECT_GE(compared, settings.size());
  ::testing::Test::RecordProperty("operations", static_cast<int>(compared));
}

class Romio : public ::testing::TestWithParam<Library> {
 protected:
  void SetUp() override {
    if (!can_run(GetParam()))
      GTEST_SKIP() << "no preload library for " << GetParam().flavour << ", or files are on NFS";
  }
};
INSTANTIATE_TEST_SUITE_P(Mpi, Romio,
                         ::testing::Values(Library{"mpich", "mpich"},
                                           Library{"romio321", "openmpi", "OMPI_MCA_io=romio321 "}),
                         [](const auto& library) { return library.param.name; });

TEST_P(Romio, DoesToAFileWhatTheModelSays) { compare(GetParam(), kSettings); }

// One aggregator per host name; a list of aggregators counts on each of them.
TEST_P(Romio, HasAnAggregatorOnEachNode) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give ranks host names of their own";
  Library library = GetParam();
  library.on_nodes_of_their_own = true;
  compare(library, {{.call = "write_all"},
                    {.call = "read_all", .hole = 1, .stored = 50000},
                    {.call = "write_all", .hints = "cb_config_list=*:2"},
                    {.call = "write_all", .hints = "cb_config_list=node1:1,node0:2"},
                    {.call = "write_all", .hints = "cb_config_list=node1"},
                    {.call = "write_all", .hints = "cb_nodes=1"},
                    {.call = "write_all", .hints = "cb_config_list=*:*"}});
}

// Rank 0 makes the file; then all open it. Before that all look for its file system, then for that of the directory.
TEST_P(Romio, OpensTheFileOnceMoreWhereItIsMade) {
  const Recorded recorded = record(GetParam(), {{.call = "write_at"}});
  ASSERT_EQ(recorded.openings.size(), 4u);
  for (std::size_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(fmt::format("{}", fmt::join(recorded.openings[rank], "; ")),
              rank == 0 ? "statfs /0; lstat /0; statfs ; open /0 create; close /0; open /0"
                        : "statfs /0; lstat /0; statfs ; open /0");
}

// Before each access by the shared pointer that pointer is taken from a hidden file, under a lock.
TEST_P(Romio, KeepsTheSharedPointerInAFile) {
  const Setting write{.call = "write_shared", .piece = 1000, .pieces = 3, .view = false};
  Setting ordered = write;
  ordered.call = "write_ordered";
  const Recorded recorded = record(GetParam(), {write, ordered});
  if (HasFailure()) return;
  for (std::size_t i = 0; i < 2; ++i) {
    std::vector<std::uint64_t> offsets;
    for (const std::vector<Inside>& rank : recorded.ranks) {
      EXPECT_EQ(text_of(rank[i].elsewhere), text_of(replay::io::romio_shared_pointer()));
      ASSERT_EQ(rank[i].on_file.size(), 1u);
      EXPECT_EQ(rank[i].on_file[0].bytes, 3000u);
      offsets.push_back(rank[i].on_file[0].offset);
    }
    if (i == 0) std::sort(offsets.begin(), offsets.end());  // whoever comes first
    EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 3000, 6000, 9000}));
  }
}

TEST_P(Romio, TheReplayDoesToFilesWhatWasRecorded) { compare_replay(GetParam(), told_ones(kSettings)); }

TEST_P(Romio, TheReplayKnowsTheNamesOfProcessors) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give ranks host names of their own";
  Library library = GetParam();
  library.on_nodes_of_their_own = true;
  compare_replay(library, {{.call = "write_all"}, {.call = "write_all", .hints = "cb_config_list=node1:1,node0:2"}});
}

}  // namespace
}  // namespace plumbline::inside
