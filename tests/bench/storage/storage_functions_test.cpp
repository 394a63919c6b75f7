// What one process does with files to measure storage.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>

#include "base/units.hpp"
#include "bench/results/storage_cells.hpp"
#include "bench/storage/cache.hpp"
#include "bench/storage/calls.hpp"
#include "bench/storage/layout.hpp"
#include "bench/storage/scratch.hpp"
#include "bench/storage/seeks.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::bench {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

template <class T>
std::string bytes_of(T value) {
  std::string bytes(sizeof value, '\0');
  std::memcpy(bytes.data(), &value, sizeof value);
  return bytes;
}

std::string object(std::uint32_t server) {  // struct lov_user_ost_data_v1
  return std::string(16, '\1') + bytes_of(std::uint32_t{0}) + bytes_of(server);
}

std::string lustre(std::uint32_t magic, std::uint32_t stripe, std::uint16_t count, const std::string& behind) {
  return bytes_of(magic) + bytes_of(std::uint32_t{1}) + std::string(16, '\2') + bytes_of(stripe) + bytes_of(count) +
         bytes_of(std::uint16_t{0}) + behind;
}

TEST(LustreLayout, TellsStripesAndServersOfBothForms) {
  const FileLayout expected{"lustre", 1U << 20, 2, {"OST0003", "OST001a"}};
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD10BD0, 1U << 20, 2, object(3) + object(26))), expected);
  const std::string pool(16, 'p');
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD30BD0, 1U << 20, 2, pool + object(3) + object(26))), expected);
}

TEST(LustreLayout, OfADirectoryHasNoServersAndMinusOneMeansAll) {
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD10BD0, 65'536, 0xffff, "")), (FileLayout{"lustre", 65'536, 0, {}}));
}

TEST(LustreLayout, ThatIsCutOffOrCompositeOrSomethingElseIsNotGuessed) {
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD10BD0, 65'536, 2, "").substr(0, 31)), std::nullopt);
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD10BD0, 65'536, 2, object(1).substr(1))),
            (FileLayout{"lustre", 65'536, 2, {}}));
  EXPECT_EQ(parse_lustre_layout(lustre(0x0BD60BD0, 7, 7, "")), (FileLayout{"lustre", 0, 0, {}}));
  EXPECT_EQ(parse_lustre_layout(std::string(64, 'x')), std::nullopt);
  EXPECT_EQ(parse_lustre_layout(""), std::nullopt);
}

TEST(GlusterLayout, NamesTheBricks) {
  EXPECT_EQ(parse_gluster_layout("(<DISTRIBUTE:shared> <POSIX(/srv/brick):s1:/srv/brick/a:b>)"),
            (FileLayout{"glusterfs", 0, 1, {"s1:/srv/brick"}}));
  EXPECT_EQ(parse_gluster_layout("((<DISTRIBUTE:v> <POSIX(/a):s0:/a/d> <POSIX(/a):s1:/a/d>) (v-layout (s0 0 1)))"),
            (FileLayout{"glusterfs", 0, 1, {"s0:/a", "s1:/a"}}));
}

TEST(GlusterLayout, OfSomethingElseIsNotGuessed) {
  for (const char* text : {"", "<POSIX(", "<POSIX(/a):s0", "nothing of the kind"})
    EXPECT_EQ(parse_gluster_layout(text), std::nullopt) << text;
}

TEST(StoragePlace, SaysWhatADirectoryIsOn) {
  const plumbline::test::TemporaryDirectory directory;
  const StoragePlace place = describe_storage(directory.path());
  EXPECT_FALSE(place.words.at(cells::kMountPoint).empty());
  EXPECT_GT(place.numbers.at(cells::kToldLimit), place.numbers.at(cells::kToldBackground));
  if (::access("/dev/shm", W_OK) != 0) return;
  EXPECT_EQ(describe_storage("/dev/shm").words.at(cells::kMedium), cells::kMemory);
  EXPECT_FALSE(reaches_device_directly("/dev/shm")) << "takes O_DIRECT, but there is no device";
}

void make_old(const std::filesystem::path& directory) {
  const timespec long_ago[2] = {{1'000'000, 0}, {1'000'000, 0}};
  ASSERT_EQ(::utimensat(AT_FDCWD, directory.c_str(), long_ago, 0), 0);
}

TEST(Scratch, IsRemovedNextTimeWhenItsOwnerWasKilled) {
  const plumbline::test::TemporaryDirectory parent;
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const ScratchDirectory scratch(parent.path());
    [[maybe_unused]] const ssize_t told = ::write(ready[1], "x", 1);
    for (;;) ::pause();
  }
  char byte = 0;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  const std::filesystem::path left = std::filesystem::directory_iterator(parent.path())->path();
  make_old(left);
  EXPECT_EQ(remove_abandoned(parent.path()), 0U) << "its owner lives";
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  EXPECT_EQ(remove_abandoned(parent.path()), 1U);
  EXPECT_FALSE(std::filesystem::exists(left));
}

TEST(Scratch, ThatIsYoungOrOfAnotherHostStays) {
  const plumbline::test::TemporaryDirectory parent;
  std::string name;
  {
    const ScratchDirectory alive(parent.path());
    name = alive.path().filename().string();
  }
  std::filesystem::create_directory(parent / name);  // nobody has a lock on it
  std::filesystem::create_directory(parent / ".plumbline-elsewhere-XXXXXX");
  make_old(parent / ".plumbline-elsewhere-XXXXXX");
  EXPECT_EQ(remove_abandoned(parent.path()), 0U);
  make_old(parent / name);
  EXPECT_EQ(remove_abandoned(parent.path()), 1U);
  EXPECT_TRUE(std::filesystem::exists(parent / ".plumbline-elsewhere-XXXXXX"));
}

TEST(SeekFile, AccessesLieAtTheDistanceThatWasAsked) {
  const plumbline::test::TemporaryDirectory directory;
  constexpr std::uint64_t kSize = 4 * kMebi;
  SeekFile file(directory.path(), kSize, 2 * kPage, false, 1);
  EXPECT_THAT(seek_distances(64 * 1024, kSize),
              ElementsAre(0, 65'536, 131'072, 262'144, 524'288, 1'048'576, 2'097'152));
  for (const std::uint64_t distance : seek_distances(64 * 1024, kSize)) {
    const ClientFiles::Call call = file.read_at_distance(distance, kPage);
    for (int i = 0; i < 200; ++i) {
      const std::uint64_t from = file.last_end();
      call.prepare();
      call.execute();
      const std::uint64_t at = file.last_end() - kPage;
      const std::uint64_t way = at > from ? at - from : from - at;
      if (distance == 0 && from + kPage > kSize) continue;  // begins again
      EXPECT_LE(way, distance);
      EXPECT_GE(way, distance / 2) << from << " " << at;
    }
  }
}

TEST(CacheFile, TellsEveryChunkAndReadsGrowingParts) {
  const plumbline::test::TemporaryDirectory directory;
  CacheFile file(directory.path(), 256 * 1024);
  const CacheFilled filled = file.write_growing(3 * kMebi, 60);
  EXPECT_EQ(filled.seconds.size(), 12U);
  std::vector<std::uint64_t> sizes;
  for (const CacheRead& read : file.read_growing(2, 60)) {
    sizes.push_back(read.bytes);
    EXPECT_EQ(read.again.size(), 2U);
  }
  EXPECT_THAT(sizes, ElementsAre(kMebi, 2 * kMebi, 3 * kMebi));
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(CacheFile, EndsWhenItsTimeIsOver) {
  const plumbline::test::TemporaryDirectory directory;
  CacheFile file(directory.path(), 4096);
  const CacheFilled filled = file.write_growing(16 * kMebi, 0);
  EXPECT_TRUE(filled.out_of_time);
  EXPECT_EQ(filled.seconds.size(), 1U);
  EXPECT_THAT(file.read_growing(2, 0), IsEmpty());
}

TEST(DeviceCalls, AreDirectOnlyForWholePages) {
  EXPECT_EQ(way_to_device(kDeviceWrite, 8192, true), cells::kDirect);
  EXPECT_EQ(way_to_device(kDeviceWrite, 100, true), cells::kSynced);
  EXPECT_EQ(way_to_device(kDeviceRead, 8192, false), cells::kDropped);
  EXPECT_EQ(way_to_device(kCachedRead, 8192, true), "");
}

}  // namespace
}  // namespace plumbline::bench
