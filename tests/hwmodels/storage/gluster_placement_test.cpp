// Against GlusterFS 10.3: a volume of three bricks said where it had put files, and with which ranges of the hash.
#include "hwmodels/storage/gluster_placement.hpp"

#include <gtest/gtest.h>

#include <string>

#include "hwmodels/storage/layout.hpp"

namespace plumbline::hw::storage {
namespace {

TEST(GlusterPlacement, FilesAreOnTheBricksOnWhichAVolumeOfThreeHasThem) {
  EXPECT_EQ(gluster_brick("/rank.0", 3), 1U);
  EXPECT_EQ(gluster_brick("/rank.1", 3), 2U);
  EXPECT_EQ(gluster_brick("/rank.2", 3), 0U);
  EXPECT_EQ(gluster_brick("/a-name-of-more-than-sixteen-bytes", 3), 2U);
  EXPECT_EQ(gluster_brick("/scratch/results/checkpoint.0001.h5", 3), 2U);
  EXPECT_EQ(gluster_brick("/scratch/results/sixteen-bytes-ab", 3), 2U);
  EXPECT_EQ(gluster_brick("/job-17/out", 3), 1U);
}

// The same name in another directory; the first range of "/" was the second brick's, that of "/scratch" the third's.
TEST(GlusterPlacement, TheDirectoryDecidesWhichBrickHasTheFirstRange) {
  EXPECT_EQ(gluster_hash("a"), 0x3a17'e4e6U);  // of the first third
  EXPECT_EQ(gluster_hash("/") % 3, 1U);
  EXPECT_EQ(gluster_brick("/a", 3), 1U);
  EXPECT_EQ(gluster_hash("/scratch") % 3, 2U);
  EXPECT_EQ(gluster_brick("/scratch/a", 3), 2U);
}

TEST(GlusterPlacement, ATemporaryNameOfRsyncIsPlacedAsTheNameItWillHave) {
  EXPECT_EQ(gluster_brick("/.rank.3.Xq5Tz1", 3), 1U);
  EXPECT_EQ(gluster_hashed_part(".rank.3.Xq5Tz1"), "rank.3");
  EXPECT_EQ(gluster_hashed_part(".profile"), ".profile");
  EXPECT_EQ(gluster_hashed_part("..x"), "..x");
  EXPECT_EQ(gluster_hashed_part(".x."), ".x.");
  EXPECT_EQ(gluster_hashed_part("rank.3"), "rank.3");
}

TEST(GlusterPlacement, EveryBrickIsThereForSomeName) {
  for (const std::uint32_t bricks : {1U, 2U, 7U}) {
    std::uint32_t seen = 0;
    for (int i = 0; i < 100; ++i) {
      const std::uint32_t brick = gluster_brick("/d/f" + std::to_string(i), bricks);
      ASSERT_LT(brick, bricks);
      seen |= 1U << brick;
    }
    EXPECT_EQ(seen, (1U << bricks) - 1);
  }
}

// The volume is mounted at the prefix: what stands before it is no part of what is hashed.
TEST(GlusterPlacement, APlatformCountsPathsFromWhereTheVolumeIsMounted) {
  FileSystem file_system;
  file_system.paths = {"/data", "/data/shared/"};
  file_system.distribution.servers = {0, 1, 2};
  file_system.distribution.placement = FilePlacement::kGlusterHash;
  EXPECT_EQ(layout_of(file_system, "/data/shared/rank.2").first, gluster_brick("/rank.2", 3));
  EXPECT_EQ(layout_of(file_system, "/data/scratch/a").first, gluster_brick("/scratch/a", 3));
  EXPECT_EQ(layout_of(file_system, "/data/scratch/a", {{0}, {}, {}}).first, 0U) << "what is asked for wins";
}

}  // namespace
}  // namespace plumbline::hw::storage
