#include "cli/workflows/validate/causes/sync_mounts.hpp"

#include <gtest/gtest.h>

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
  EXPECT_FALSE(waits_for_device(of("fs.nfs-options", "rw,noac")));
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

// Rank 1 writes for 2 + 3 s, rank 0 for 1 + 1 s. What is read and sent does not count.
TEST(SecondsOfWriting, AreThoseOfTheRankThatWritesLongest) {
  EXPECT_DOUBLE_EQ(
      seconds_of_writing({row(OpKind::kIoWrite, {part(0, 1), part(1, 2)}), row(OpKind::kIoRead, {part(0, 50)}),
                          row(OpKind::kSend, {part(1, 60)}), row(OpKind::kIoWrite, {part(0, 1), part(1, 3)})}),
      5);
  EXPECT_EQ(seconds_of_writing({}), 0);
}

}  // namespace
}  // namespace plumbline::cli::validate
