#include "base/node/mounts.hpp"

#include <gtest/gtest.h>

namespace plumbline::node {
namespace {

constexpr char kMountinfo[] =
    "21 27 0:20 / / rw,relatime shared:1 - ext4 /dev/sda1 rw,errors=remount-ro\n"
    "22 21 0:40 / /home rw,relatime shared:5 master:2 - nfs4 head:/export/home rw,vers=4.2,sync,noac\n"
    "23 21 0:41 / /with\\040blank rw - tmpfs tmpfs rw,size=64k\n"
    "24 22 0:42 /part /home ro - xfs /dev/sdb rw\n"
    "no mount at all\n"
    "25 21 0:43\n";

TEST(Mounts, TheDeepestCountsAndOfThoseAtOnePointTheLast) {
  const auto mounts = mounts_of(kMountinfo);
  ASSERT_EQ(mounts.size(), 4U);
  EXPECT_EQ(mount_of("/homely", mounts)->type, "ext4");
  EXPECT_EQ(mount_of("/home/a/b", mounts)->type, "xfs");
  EXPECT_EQ(mount_of("/home", mounts)->root, "/part");
  EXPECT_EQ(mount_of("/with blank/x", mounts)->options, "rw,size=64k");
  EXPECT_EQ(mount_of("relative", mounts), nullptr);
}

TEST(Mounts, OptionsOfTheFileSystemFollowThoseOfTheMount) {
  EXPECT_EQ(mounts_of(kMountinfo)[1].options, "rw,relatime,vers=4.2,sync,noac");
  EXPECT_EQ(mounts_of(kMountinfo)[3].options, "ro,rw");
}

TEST(Mounts, AnEscapeThatIsNoneIsKept) {
  EXPECT_EQ(unescaped("a\\134b"), "a\\b");
  EXPECT_EQ(unescaped("a\\04"), "a\\04");
  EXPECT_EQ(unescaped("a\\9999"), "a\\9999");
}

}  // namespace
}  // namespace plumbline::node
