#include "tracer/record/definitions/mounts.hpp"

#include <gtest/gtest.h>

namespace plumbline::record {
namespace {

// Of a compute node; the last line is of a directory with a blank in its name.
constexpr char kMountinfo[] =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard,errors=remount-ro\n"
    "35 27 0:31 / /home rw,nosuid,relatime shared:18 - autofs auto.home rw,fd=6\n"
    "36 35 0:44 / /home/ann rw,relatime shared:19 master:3 - nfs4 nas:/export/ann rw,vers=4.2,rsize=1048576,hard\n"
    "37 27 0:50 / /scratch rw - lustre 10.0.0.1@tcp:/fs rw,flock\n"
    "38 27 0:51 / /mnt/two\\040words ro - xfs /dev/sdb1 ro\n";

std::string type_of(const Mounts& mounts, const char* path) {
  const Mount* mount = mounts.of(path);
  return mount == nullptr ? "none" : mount->type;
}

TEST(Mounts, APathLiesInTheOneWithTheLongestPoint) {
  Mounts mounts;
  mounts.add(kMountinfo);
  EXPECT_EQ(type_of(mounts, "/home/ann/data/x"), "nfs4");
  EXPECT_EQ(type_of(mounts, "/home/bob"), "autofs");
  EXPECT_EQ(type_of(mounts, "/homes/x"), "ext4");
  EXPECT_EQ(type_of(mounts, "/scratch"), "lustre");
  EXPECT_EQ(type_of(mounts, "/scratch2/x"), "ext4");
  EXPECT_EQ(type_of(mounts, "/mnt/two words/x"), "xfs");
  EXPECT_EQ(type_of(mounts, "relative"), "none");
}

TEST(Mounts, SourceAndOptionsOfMountAndFileSystemAreTold) {
  Mounts mounts;
  mounts.add(kMountinfo);
  const Mount& mount = *mounts.of("/home/ann/x");
  EXPECT_EQ(mount.source, "nas:/export/ann");
  EXPECT_EQ(mount.options, "rw,relatime,vers=4.2,rsize=1048576,hard");
}

TEST(Mounts, OfTwoAtOnePointTheLaterOneCounts) {
  Mounts mounts;
  mounts.add(kMountinfo);
  mounts.add("40 37 0:60 / /scratch rw - tmpfs none rw\n");
  EXPECT_EQ(type_of(mounts, "/scratch/x"), "tmpfs");
}

TEST(Mounts, OddLinesAreLeftOut) {
  Mounts mounts;
  mounts.add("\n- \nx - y\n27 1 254:0 / / rw,relatime");
  EXPECT_EQ(type_of(mounts, "/x"), "none");
}

}  // namespace
}  // namespace plumbline::record
