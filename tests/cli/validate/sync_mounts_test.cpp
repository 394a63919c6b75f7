#include "cli/workflows/validate/causes/sync_mounts.hpp"

#include <gtest/gtest.h>

#include "cli/workflows/validate/session/campaigns.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::OpKind;
using replay::RankPart;
using replay::Row;
using replay::validate::Observation;

TEST(WaitsForDevice, WhatIsMountedSyncWhateverTheFileSystem) {
  const auto of = [](const char* id, const char* options) {
    return Observation{
        id, "", "/scratch", {}, {{"mount./scratch.type", "sync", ""}, {"mount./scratch.options", options, ""}}};
  };
  EXPECT_TRUE(waits_for_device(of("fs.mount-options", "rw,sync,dirsync")));
  EXPECT_TRUE(waits_for_device(of("fs.nfs-options", "rw,sync")));
  EXPECT_FALSE(waits_for_device(of("fs.mount-options", "rw,dirsync")));
  EXPECT_TRUE(waits_for_device(of("fs.nfs-options", "rw,noac"))) << "nfs(5)";
  EXPECT_FALSE(waits_for_device(of("fs.nfs-options", "rw,rsize=8192")));
  EXPECT_FALSE(waits_for_device(of("fs.mount-options", "rw,wsync,noac")));
  EXPECT_FALSE(waits_for_device(of("fs.full", "rw,sync")));
}

RankPart part(std::uint32_t rank, double seconds) {
  RankPart part;
  part.rank = rank;
  part.observed = time_sum_from_seconds(seconds);
  return part;
}

Row row(OpKind kind, std::vector<RankPart> parts) {
  Row row;
  row.key.kind = kind;
  row.parts = std::move(parts);
  return row;
}

// Rank 1 writes for 2 + 3 s, rank 0 for 1 s and opens for 1 s. What is read and sent does not count.
TEST(SecondsWithDevice, AreThoseOfTheRankThatWritesLongest) {
  EXPECT_DOUBLE_EQ(seconds_with_device({row(OpKind::kIoWrite, {part(0, 1), part(1, 2)}),
                                        row(OpKind::kIoRead, {part(0, 50)}), row(OpKind::kSend, {part(1, 60)}),
                                        row(OpKind::kIoWrite, {part(1, 3)}), row(OpKind::kIoOpen, {part(0, 1)})}),
                   5);
  EXPECT_EQ(seconds_with_device({}), 0);
}

// Directories are named without the slash that was given, by each MPI; a second one has no files of the suite.
TEST(SyncMounts, CostWhatTheSuiteSpendsOnThemWithEachMpi) {
  const test::TemporaryDirectory directory;
  Options options;
  options.directory = directory / "out";
  options.io = {"/scratch/", "/other"};
  Site site;
  site.mpis.resize(2);
  site.mpis[0].installed.flavour = "mpich";
  site.mpis[1].installed.flavour = "openmpi";
  Session session(options, site);
  session.runs.resize(2);
  for (std::size_t i = 0; i < 2; ++i) {
    session.runs[i].mpi = &site.mpis[i];
    session.runs[i].judged.report.rows = {row(OpKind::kIoWrite, {part(0, i == 0 ? 2 : 0.5)})};
  }
  for (const char* mounted : {"/scratch", "/other"})
    session.validation.observations.push_back(
        {"fs.mount-options", "it waits", mounted, {}, {{"mount.x.options", "rw,sync", ""}}});
  const auto found = sync_mounts(session);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].mpi, "mpich");
  EXPECT_DOUBLE_EQ(found[0].cost_s, 2);
  EXPECT_EQ(found[1].mpi, "openmpi");
  EXPECT_DOUBLE_EQ(found[1].cost_s, 0.5);
  EXPECT_TRUE(found[0].cost_is_bound);
  EXPECT_TRUE(session.validation.observations[0].explained);
  EXPECT_FALSE(session.validation.observations[1].explained);
}

TEST(MeasuredDirectories, AreAbsoluteAndTheWorkingDirectoryWhereNoneIsGiven) {
  Options options;
  EXPECT_EQ(measured_directories(options), std::vector{std::filesystem::current_path()});
  options.io = {"/scratch/", "/a/../b"};
  EXPECT_EQ(measured_directories(options), (std::vector<std::filesystem::path>{"/scratch", "/b"}));
}

replay::validate::Diagnosis shown(const char* id, const char* component, const char* mpi, double cost_s,
                                  const char* written = "1.9e+07") {
  replay::validate::Diagnosis made;
  made.id = id;
  made.component = component;
  made.mpi = mpi;
  made.cost_s = cost_s;
  if (made.id == "io.hints.split") made.evidence = {{"bytes_written", written, "B"}};
  return made;
}

TEST(SyncMounts, HaveWritesThatWereSplitThereAsEvidence) {
  std::vector<replay::validate::Diagnosis> all{shown("io.hints.split", "MPI-IO on /scratch/a", "mpich", 0.5),
                                               shown("fs.mount-options", "/scratch", "mpich", 1)};
  fold_splits_into_mounts(all);
  ASSERT_EQ(all.size(), 1U);
  ASSERT_EQ(all[0].evidence.size(), 2U);
  EXPECT_EQ(all[0].evidence[0].name, "io.hints.split");
  EXPECT_EQ(all[0].evidence[1].name, "bytes_written");
}

TEST(SyncMounts, LeaveSplitsThatAreElsewhereOrReadOrCostMore) {
  for (const auto& split : {shown("io.hints.split", "MPI-IO on /scratch2/a", "mpich", 0.5),
                            shown("io.hints.split", "MPI-IO on /scratch/a", "openmpi", 0.5),
                            shown("io.hints.split", "MPI-IO on /scratch/a", "mpich", 0.5, "0"),
                            shown("io.hints.split", "MPI-IO on /scratch/a", "mpich", 1.5),
                            shown("io.hints.aggregators", "MPI-IO on /scratch/a", "mpich", 0.5)}) {
    std::vector<replay::validate::Diagnosis> all{split, shown("fs.mount-options", "/scratch", "mpich", 1)};
    fold_splits_into_mounts(all);
    EXPECT_EQ(all.size(), 2U) << split.component << split.mpi << split.cost_s;
  }
}

}  // namespace
}  // namespace plumbline::cli::validate
