#include "tracer/archive/trace_id.hpp"

#include <fcntl.h>
#include <otf2/otf2.h>
#include <unistd.h>
#include <xxhash.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/mapped_file.hpp"

namespace plumbline::archive {
namespace {

std::optional<std::uint64_t> id_of(const std::filesystem::path& anchor) {
  const std::unique_ptr<OTF2_Reader, OTF2_ErrorCode (*)(OTF2_Reader*)> reader(OTF2_Reader_Open(anchor.c_str()),
                                                                              OTF2_Reader_Close);
  std::uint64_t id = 0;
  if (!reader || OTF2_Reader_GetTraceId(reader.get(), &id) != OTF2_SUCCESS) return std::nullopt;
  return id;
}

// Of the definitions and events, in the order of their names.
std::vector<std::filesystem::path> content_files(const std::filesystem::path& directory) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(directory))
    if (entry.is_regular_file() && entry.path().extension() != ".otf2") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
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

// Piece by piece, so that a large file never counts as memory.
void hash_file(XXH3_state_t* hash, const std::filesystem::path& file) {
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  const MappedFile content(file);
  const auto bytes = content.bytes();
  for (std::size_t at = 0; at < bytes.size(); at += kPiece) {
    const auto piece = bytes.subspan(at, std::min(kPiece, bytes.size() - at));
    XXH3_64bits_update(hash, piece.data(), piece.size());
    content.leave(at, piece.size());
  }
}

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
  for (const std::filesystem::path& file : content_files(directory)) hash_file(hash.get(), file);
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
