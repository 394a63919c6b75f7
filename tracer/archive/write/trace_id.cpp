#include "tracer/archive/write/trace_id.hpp"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"

namespace plumbline::archive {
namespace {

std::optional<std::uint64_t> id_of(const std::filesystem::path& anchor) {
  const std::unique_ptr<OTF2_Reader, OTF2_ErrorCode (*)(OTF2_Reader*)> reader(OTF2_Reader_Open(anchor.c_str()),
                                                                              OTF2_Reader_Close);
  std::uint64_t id = 0;
  if (!reader || OTF2_Reader_GetTraceId(reader.get(), &id) != OTF2_SUCCESS) return std::nullopt;
  return id;
}

// Of the definitions and events, in the order of their names, part by part.
std::vector<std::filesystem::path> content_files(const std::filesystem::path& directory) {
  std::vector<std::pair<std::string, std::filesystem::path>> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".otf2") continue;
    std::string key = entry.path().native();  // in place of comparing paths, which takes longer than hashing a file
    std::ranges::replace(key, '/', '\0');
    files.emplace_back(std::move(key), entry.path());
  }
  std::ranges::sort(files);
  std::vector<std::filesystem::path> sorted;
  for (auto& [key, file] : files) sorted.push_back(std::move(file));
  return sorted;
}

// Files are written in the byte order of the machine.
std::optional<std::size_t> only_place_of(std::uint64_t id, const std::filesystem::path& anchor) {
  const MappedFile content(anchor);
  const auto* pattern = reinterpret_cast<const std::byte*>(&id);
  const auto bytes = content.bytes();
  const auto first = std::search(bytes.begin(), bytes.end(), pattern, pattern + sizeof id);
  if (first == bytes.end() || std::search(first + 1, bytes.end(), pattern, pattern + sizeof id) != bytes.end())
    return std::nullopt;
  return static_cast<std::size_t>(first - bytes.begin());
}

// Piece by piece, so that a large file never counts as memory. Read: most files are smaller than what it takes to map
// and unmap one.
class FileHasher {
 public:
  explicit FileHasher(XXH3_state_t* hash) : hash_(hash), piece_(kPiece) {}

  void add(const std::filesystem::path& file) {
    const bool is_of_location = file.extension() == ".def" && file.parent_path().filename() == "traces";
    if (is_of_location && !local_definitions_.empty()) return update(local_definitions_);
    const Descriptor descriptor{open(file.c_str(), O_RDONLY | O_CLOEXEC)};
    if (descriptor.number < 0) throw_system_error(file, "cannot be opened", errno);
    ssize_t count = 0;
    while ((count = read(descriptor.number, piece_.data(), piece_.size())) > 0) {
      const std::span content(piece_.data(), static_cast<std::size_t>(count));
      update(content);
      if (is_of_location) local_definitions_.insert(local_definitions_.end(), content.begin(), content.end());
    }
    if (count < 0) throw_system_error(file, "cannot be read", errno);
  }

 private:
  static constexpr std::size_t kPiece = std::size_t{1} << 18;

  struct Descriptor {
    int number;
    ~Descriptor() {
      if (number >= 0) close(number);
    }
  };

  void update(std::span<const char> bytes) { XXH3_64bits_update(hash_, bytes.data(), bytes.size()); }

  XXH3_state_t* hash_;
  std::vector<char> piece_, local_definitions_;  // the latter are the same for all locations: see Writer
};

void hash_around(XXH3_state_t* hash, const std::filesystem::path& anchor, std::size_t place) {
  const MappedFile content(anchor);
  const auto rest = content.bytes().subspan(place + sizeof(std::uint64_t));
  XXH3_64bits_update(hash, content.bytes().data(), place);
  XXH3_64bits_update(hash, rest.data(), rest.size());
}

}  // namespace

void set_trace_id_by_content(const std::filesystem::path& directory) {
  const std::filesystem::path anchor = directory / "traces.otf2";
  const std::unique_ptr<XXH3_state_t, XXH_errorcode (*)(XXH3_state_t*)> hash(XXH3_createState(), XXH3_freeState);
  XXH3_64bits_reset(hash.get());
  FileHasher hasher(hash.get());
  for (const std::filesystem::path& file : content_files(directory)) hasher.add(file);
  const std::optional<std::uint64_t> random_id = id_of(anchor);
  const std::optional<std::size_t> place = random_id ? only_place_of(*random_id, anchor) : std::nullopt;
  if (!place) return;
  hash_around(hash.get(), anchor, *place);
  const std::uint64_t id = XXH3_64bits_digest(hash.get());
  const int file = open(anchor.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return;
  if (pwrite(file, &id, sizeof id, static_cast<off_t>(*place)) != static_cast<ssize_t>(sizeof id)) ftruncate(file, 0);
  close(file);
}

}  // namespace plumbline::archive
