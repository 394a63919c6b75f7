// The identity of an archive: the same content, the same identity.

#include <gmock/gmock.h>
#include <otf2/otf2.h>
#include <xxhash.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "tests/tracer/archive_support.hpp"

namespace plumbline::archive {
namespace {

using test::TemporaryDirectory;

// So many locations that their names are in another order than their numbers.
test::Archive twelve_locations(std::int64_t first_leave_ps) {
  test::Archive archive;
  Definitions& d = archive.definitions;
  d.regions.push_back({d.strings.intern("MPI_Send"), Role::kPointToPoint, Paradigm::kMpi});
  for (std::uint32_t rank = 0; rank < 12; ++rank) {
    d.location_groups.push_back({d.strings.intern("process"), kUndefined, {}});
    d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
    test::OwnedEvent enter, leave;
    enter.event.region = leave.event.region = 0;
    leave.event.kind = EventKind::kLeave;
    leave.event.time = Time{first_leave_ps + rank};
    archive.events.push_back({enter, leave});
  }
  return archive;
}

std::uint64_t identity_of(const std::filesystem::path& archive) {
  OTF2_Reader* reader = OTF2_Reader_Open((archive / "traces.otf2").c_str());
  std::uint64_t id = 0;
  EXPECT_EQ(OTF2_Reader_GetTraceId(reader, &id), OTF2_SUCCESS);
  OTF2_Reader_Close(reader);
  return id;
}

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// The definition, with everything read and nothing left out.
std::uint64_t hash_of_all_files(const std::filesystem::path& archive, std::uint64_t identity) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(archive))
    if (entry.is_regular_file() && entry.path().extension() != ".otf2") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  std::string all;
  for (const std::filesystem::path& file : files) all += bytes_of(file);
  const std::string anchor = bytes_of(archive / "traces.otf2");
  const std::size_t at = anchor.find(std::string(reinterpret_cast<const char*>(&identity), sizeof identity));
  all += anchor.substr(0, at) + anchor.substr(at + sizeof identity);
  return XXH3_64bits(all.data(), all.size());
}

TEST(TraceId, IsAHashOfAllFilesInTheOrderOfTheirNames) {
  const TemporaryDirectory directory;
  test::write_archive(twelve_locations(1000), directory / "a");
  const std::uint64_t identity = identity_of(directory / "a");
  EXPECT_EQ(identity, hash_of_all_files(directory / "a", identity));
}

TEST(TraceId, IsThatOfTheContentAlone) {
  const TemporaryDirectory directory;
  test::write_archive(twelve_locations(1000), directory / "a");
  test::write_archive(twelve_locations(1000), directory / "again");
  test::write_archive(twelve_locations(1001), directory / "later");
  EXPECT_EQ(identity_of(directory / "a"), identity_of(directory / "again"));
  EXPECT_NE(identity_of(directory / "a"), identity_of(directory / "later"));
}

}  // namespace
}  // namespace plumbline::archive
