// Storage that was measured by itself, put into a platform.
#include "hwmodels/calibrate/storage/merge.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace plumbline::hw::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Server server(const std::string& name, std::uint64_t rate) {
  Server server;
  server.name = name;
  server.device.simple.emplace().rate.value = {rate};
  return server;
}

FileSystem file_system(const std::string& name, std::vector<std::string> paths, std::vector<std::uint32_t> servers) {
  FileSystem made;
  made.name = name;
  made.paths = std::move(paths);
  made.distribution.servers = std::move(servers);
  return made;
}

std::vector<std::string> names_of(const Platform& platform, const FileSystem& of) {
  std::vector<std::string> names;
  for (const std::uint32_t number : of.distribution.servers) names.push_back(platform.servers.at(number).name);
  return names;
}

// home uses a and m, scratch a, b and c; nobody uses spare.
Platform old_platform() {
  Platform platform;
  platform.nodes.resize(2);
  for (const char* const name : {"b", "a", "m", "c", "spare"}) platform.servers.push_back(server(name, 1));
  platform.file_systems = {file_system("scratch", {"/scratch/", "/lustre"}, {1, 0, 3}),
                           file_system("home", {"/home"}, {1})};
  platform.file_systems[1].distribution.metadata = 2;
  return platform;
}

Platform measured_platform(const std::string& path, const std::string& name) {
  Platform platform;
  platform.nodes.resize(3);  // one more, of a server
  for (const char* const each : {"a", "d"}) platform.servers.push_back(server(each, 2));
  platform.file_systems = {file_system(name, {path}, {1, 0})};
  platform.file_systems[0].distribution.metadata = 1;
  return platform;
}

TEST(StorageOfAPlatform, IsReplacedByPathAndKeepsItsNameAndOtherPaths) {
  std::vector<std::string> notes;
  const Platform merged = with_storage_of(measured_platform("/scratch", "scratch-of-n0"), old_platform(), notes);
  EXPECT_EQ(merged.nodes.size(), 3U);
  ASSERT_EQ(merged.file_systems.size(), 2U);
  const FileSystem &home = merged.file_systems[0], &scratch = merged.file_systems[1];
  EXPECT_EQ(scratch.name, "scratch");
  EXPECT_THAT(scratch.paths, ElementsAre("/scratch/", "/lustre"));
  EXPECT_THAT(names_of(merged, scratch), ElementsAre("d", "a"));
  EXPECT_EQ(merged.servers[*scratch.distribution.metadata].name, "d");
  EXPECT_THAT(names_of(merged, home), ElementsAre("a"));
  EXPECT_EQ(merged.servers[*home.distribution.metadata].name, "m");
  EXPECT_THAT(notes, ElementsAre("server 'a' is now as it was measured, whatever uses it",
                                 "file system 'scratch' is replaced by what was measured of /scratch"));
}

TEST(StorageOfAPlatform, LosesTheServersThatOnlyWhatIsReplacedUsed) {
  std::vector<std::string> notes;
  const Platform merged = with_storage_of(measured_platform("/scratch", "scratch"), old_platform(), notes);
  std::vector<std::string> names;
  for (const Server& each : merged.servers) names.push_back(each.name);
  EXPECT_THAT(names, ElementsAre("a", "m", "spare", "d"));
  EXPECT_EQ(merged.servers[0].device.simple->rate.value, (BytesPerSecond{2})) << "as measured, for home too";
  EXPECT_EQ(merged.servers[1].device.simple->rate.value, (BytesPerSecond{1}));
}

TEST(StorageOfAPlatform, IsAddedWithAFreeNameWhereItsPathIsNew) {
  std::vector<std::string> notes;
  const Platform merged = with_storage_of(measured_platform("/mnt/home", "home"), old_platform(), notes);
  ASSERT_EQ(merged.file_systems.size(), 3U);
  EXPECT_EQ(merged.file_systems[0].name, "scratch");
  EXPECT_THAT(names_of(merged, merged.file_systems[0]), ElementsAre("a", "b", "c"));
  EXPECT_EQ(merged.file_systems[2].name, "home-2");
  EXPECT_THAT(notes.back(), HasSubstr("file system 'home-2' is added, for /mnt/home"));
}

}  // namespace
}  // namespace plumbline::hw::calibration
