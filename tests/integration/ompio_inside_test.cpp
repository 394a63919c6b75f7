// The same of OMPIO: what was recorded and what replay/io/ompio.hpp says.
#include "tests/replay/io/ompio_lists.hpp"

#include <fmt/ranges.h>

#include "tests/integration/mpi_io_replay.hpp"

namespace plumbline::inside {
namespace {

using replay::io::OmpioCollective;
using replay::io::OmpioPieces;
using replay::io::OmpioSettings;

// A run: components and their parameters as Open MPI is told of them, and what they are to the model.
struct Components {
  std::string name, environment;
  OmpioCollective collective = OmpioCollective::kVulcan;
  std::int32_t num_aggregators = -1;
};

OmpioSettings settings_of(const Components& components, const Setting& setting) {
  const auto words = words_of(setting.hints);
  OmpioSettings settings;
  settings.num_aggregators = components.num_aggregators;
  if (words.contains("cb_buffer_size")) settings.bytes_per_agg = std::stoull(words.at("cb_buffer_size"));
  if (words.contains("cb_nodes")) settings.cb_nodes = static_cast<std::uint32_t>(std::stoul(words.at("cb_nodes")));
  return settings;
}

replay::io::OmpioView view_of(const Setting& setting) {
  return setting.view ? replay::io::OmpioView{setting.piece, setting.piece * setting.pieces} : replay::io::OmpioView{};
}

std::vector<FileOperations> ompio_expected(const Components& components, const Setting& setting) {
  const hw::Access kind = setting.writes() ? hw::Access::kWrite : hw::Access::kRead;
  const OmpioSettings settings = settings_of(components, setting);
  std::vector<OmpioPieces> pieces;
  std::vector<FileOperations> operations;
  for (int rank = 0; rank < setting.ranks; ++rank) pieces.push_back(setting.pieces_of(rank));
  const auto words = words_of(setting.hints);
  const bool alone = words.contains("collective_buffering") && words.at("collective_buffering") != "false";
  if (setting.collective())
    return replay::io::ompio_collective(settings, alone ? OmpioCollective::kIndividual : components.collective, kind,
                                        pieces, view_of(setting));
  for (const OmpioPieces& of_rank : pieces)
    operations.push_back(replay::io::ompio_independent(settings, kind, of_rank));
  return operations;
}

void ompio_compare(const Components& components, const std::vector<Setting>& settings,
                   bool on_nodes_of_their_own = false) {
  const Library library{components.name, "openmpi", "OMPI_MCA_io=ompio " + components.environment,
                        on_nodes_of_their_own};
  if (!can_run(library)) GTEST_SKIP() << "no preload library for Open MPI, or files are on NFS";
  const Recorded recorded = record(library, settings);
  if (::testing::Test::HasFailure()) return;
  std::size_t compared = 0;
  for (std::size_t i = 0; i < settings.size(); ++i) {
    const std::vector<FileOperations> expected = ompio_expected(components, settings[i]);
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      EXPECT_EQ(difference(expected[rank], recorded.ranks[rank][i].on_file), "")
          << components.name << ", rank " << rank << ", setting " << i << ": " << settings[i].line();
      EXPECT_EQ(text_of(recorded.ranks[rank][i].elsewhere), text_of(FileOperations{}));
      compared += expected[rank].size();
    }
  }
  EXPECT_GE(compared, settings.size());
  ::testing::Test::RecordProperty("operations_" + components.name, static_cast<int>(compared));
}

const std::vector<Setting> kCollectiveSettings = {
    {.call = "write_all"},
    {.call = "write_all", .hole = 1},
    {.call = "write_all", .hints = "cb_buffer_size=4096"},
    {.call = "write_all", .hints = "cb_buffer_size=32768"},
    {.call = "write_all", .hole = 3, .base = 100, .hints = "cb_buffer_size=5000"},
    {.call = "write_at_all", .piece = 10000, .pieces = 9, .hole = 4, .base = 3},
    {.call = "write_all", .piece = 700, .pieces = 33, .hole = 3, .base = 12345, .hints = "cb_buffer_size=2048"},
    {.call = "write_all", .view = false},
    {.call = "read_all", .stored = 32768},
    {.call = "read_all", .hole = 1, .stored = 40960},
    {.call = "read_all", .hole = 5, .stored = 80000, .hints = "cb_buffer_size=5000"},
    {.call = "read_at_all", .piece = 10000, .pieces = 9, .hole = 4, .base = 3, .stored = 800000},
    {.call = "read_all", .stored = 40000, .view = false},
};

TEST(Ompio, DoesToAFileWhatTheModelSays) {
  std::vector<Setting> settings = kCollectiveSettings;
  const std::vector<Setting> more = {
      // Aggregators: the first of each group of ranks; of writes each owns stripes, of reads it serves its group
      {.call = "write_all", .hints = "cb_nodes=2"},
      {.call = "write_all", .hints = "cb_nodes=3"},
      {.call = "write_all", .hole = 1, .base = 1000, .hints = "cb_nodes=2 cb_buffer_size=20000"},
      {.call = "write_all", .base = 100000, .hints = "cb_nodes=3 cb_buffer_size=4096"},
      {.call = "write_all", .view = false, .hints = "cb_nodes=2"},
      {.call = "read_all", .stored = 32768, .hints = "cb_nodes=2"},
      {.call = "read_all", .hole = 1, .base = 50, .stored = 50000, .hints = "cb_nodes=3 cb_buffer_size=5000"},
      {.call = "write_all", .base = 5000, .idle = 2, .hints = "cb_nodes=2"},
      {.call = "read_all", .base = 5000, .stored = 50000, .idle = 2, .hints = "cb_nodes=2"},
      // Every rank for itself; the hint says the opposite of what it means
      {.call = "write_all", .pieces = 64, .hints = "collective_buffering=true"},
      {.call = "write_all", .pieces = 64, .hints = "collective_buffering=false"},
      {.call = "write_at"},
      {.call = "write", .pieces = 1},
      {.call = "write_at", .view = false},
      {.call = "write_at", .view = false, .memory = 64},
      {.call = "write_at", .piece = 512, .pieces = 100, .memory = 128},
      {.call = "read_at", .pieces = 64, .stored = 32768},
      {.call = "read_at", .piece = 2000, .pieces = 40, .hole = 3, .stored = 600000},
      {.call = "read", .stored = 40000, .view = false, .memory = 64},
      {.call = "write_at", .take = 1},
      {.call = "write_all", .hole = 1, .take = 100},
      // Atomic mode changes nothing
      {.call = "write_at", .pieces = 64, .stored = 40000, .atomic = true},
      {.call = "read_at", .pieces = 64, .stored = 40000, .atomic = true},
      {.call = "write_all", .hole = 1, .stored = 40000, .atomic = true},
  };
  settings.insert(settings.end(), more.begin(), more.end());
  ompio_compare({"vulcan", ""}, settings);
}

TEST(Ompio, OtherComponentsDoWhatTheModelSays) {
  ompio_compare({"individual", "OMPI_MCA_fcoll=individual ", OmpioCollective::kIndividual}, kCollectiveSettings);
  ompio_compare(
      {"two_phase", "OMPI_MCA_fcoll=two_phase OMPI_MCA_io_ompio_num_aggregators=2 ", OmpioCollective::kTwoPhase, 2},
      kCollectiveSettings);
  ompio_compare(
      {"dynamic", "OMPI_MCA_fcoll=dynamic OMPI_MCA_io_ompio_num_aggregators=2 ", OmpioCollective::kDynamic, 2},
      kCollectiveSettings);
  ompio_compare({"dynamic_gen2", "OMPI_MCA_fcoll=dynamic_gen2 OMPI_MCA_io_ompio_num_aggregators=3 ",
                 OmpioCollective::kDynamicGen2, 3},
                kCollectiveSettings);
}

// Up to 15 ranks there is one aggregator, whatever they access. Here there are two at most.
TEST(Ompio, ChoosesAggregatorsByWhatTheyWouldGain) {
  ompio_compare({"vulcan", ""}, {{.call = "write_all", .ranks = 16},
                                 {.call = "write_all", .view = false, .ranks = 16},
                                 {.call = "write_all", .piece = 2097152, .pieces = 2, .ranks = 16},
                                 {.call = "read_all", .piece = 262144, .pieces = 2, .stored = 8388608, .ranks = 16},
                                 {.call = "write_all", .view = false, .hints = "cb_buffer_size=4096", .ranks = 16}});
}

TEST(Ompio, DoesNotLookAtHostNames) {
  if (geteuid() != 0) GTEST_SKIP() << "only root may give ranks host names of their own";
  ompio_compare({"vulcan", ""}, {{.call = "write_all"}, {.call = "read_all", .stored = 32768}}, true);
}

// Every rank tries whether locks work, for a shared pointer that nobody may ever use.
TEST(Ompio, TriesLocksWhenAFileIsOpened) {
  const Library library{"ompio", "openmpi", "OMPI_MCA_io=ompio "};
  if (!can_run(library)) GTEST_SKIP() << "no preload library for Open MPI, or files are on NFS";
  const Recorded recorded = record(library, {{.call = "write_at"}});
  ASSERT_EQ(recorded.openings.size(), 4u);
  for (std::size_t rank = 0; rank < 4; ++rank)
    EXPECT_EQ(fmt::format("{}", fmt::join(recorded.openings[rank], "; ")),
              fmt::format("open {0} create; fcntl (lock) {0} 0 100; close {0}; unlink {0}; open /0{1}; statfs /0; "
                          "statvfs /0; lstat /0; statfs ; statvfs ",
                          fmt::format("/0.locktest.{}", rank), rank == 0 ? " create" : ""));
}

// The shared pointer is in memory that the ranks of a node share.
TEST(Ompio, DoesNothingToFilesForTheSharedPointer) {
  const Library library{"ompio", "openmpi", "OMPI_MCA_io=ompio "};
  if (!can_run(library)) GTEST_SKIP() << "no preload library for Open MPI, or files are on NFS";
  const Setting write{.call = "write_shared", .piece = 1000, .pieces = 3, .view = false};
  const Recorded recorded = record(library, {write});
  if (HasFailure()) return;
  std::vector<std::uint64_t> offsets;
  for (const std::vector<Inside>& rank : recorded.ranks) {
    EXPECT_EQ(text_of(rank[0].elsewhere), text_of(FileOperations{}));
    ASSERT_EQ(rank[0].on_file.size(), 1u);
    EXPECT_EQ(rank[0].on_file[0].action, FileAction::kWrite);
    offsets.push_back(rank[0].on_file[0].offset);
  }
  std::sort(offsets.begin(), offsets.end());
  EXPECT_EQ(offsets, (std::vector<std::uint64_t>{0, 3000, 6000, 9000}));
}

TEST(Ompio, TheReplayDoesToFilesWhatWasRecorded) {
  const auto library = [](const std::string& name, const std::string& environment) {
    return Library{name, "openmpi", "OMPI_MCA_io=ompio " + environment};
  };
  if (!can_run(library("ompio", ""))) GTEST_SKIP() << "no preload library for Open MPI, or files are on NFS";
  std::vector<Setting> settings = told_ones(kCollectiveSettings);
  for (const Setting& more : std::initializer_list<Setting>{
           {.call = "write_all", .hints = "cb_nodes=2"},
           {.call = "write_all", .hole = 1, .base = 1000, .hints = "cb_nodes=2 cb_buffer_size=20000"},
           {.call = "read_all", .hole = 1, .base = 50, .stored = 50000, .hints = "cb_nodes=3 cb_buffer_size=5000"},
           {.call = "write_all", .base = 5000, .idle = 2, .hints = "cb_nodes=2"},
           {.call = "write_all", .pieces = 64, .hints = "collective_buffering=true"},
           {.call = "write_at"},
           {.call = "write_at", .view = false},
           {.call = "read_at", .pieces = 64, .stored = 32768},
           {.call = "read_at", .piece = 2000, .pieces = 40, .hole = 3, .stored = 600000}})
    settings.push_back(more);
  compare_replay(library("vulcan", ""), settings);
  settings = told_ones(kCollectiveSettings);
  const std::string aggregators = "OMPI_MCA_io_ompio_num_aggregators=";
  compare_replay(library("individual", "OMPI_MCA_fcoll=individual "), settings);
  compare_replay(library("two_phase", "OMPI_MCA_fcoll=two_phase " + aggregators + "2 "), settings);
  compare_replay(library("dynamic", "OMPI_MCA_fcoll=dynamic " + aggregators + "2 "), settings);
  compare_replay(library("dynamic_gen2", "OMPI_MCA_fcoll=dynamic_gen2 " + aggregators + "3 "), settings);
}

}  // namespace
}  // namespace plumbline::inside
