#include "tracer/archive/read/check_files.hpp"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <array>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "tracer/archive/otf2_errors.hpp"

namespace plumbline::archive {
namespace {

// "OBS/traces.otf2" → "OBS/traces", beside which the other files lie.
std::filesystem::path stem(const std::filesystem::path& anchor) {
  return std::filesystem::path(anchor).replace_extension();
}

std::filesystem::path location_file(const std::filesystem::path& anchor, std::uint64_t location, const char* suffix) {
  return stem(anchor) / fmt::format("{}{}", location, suffix);
}

std::filesystem::path definitions_file(const std::filesystem::path& anchor) { return stem(anchor) += ".def"; }

// Where libotf2 3.0 keeps what it allocates by, in the anchor file; read from archives of several versions.
constexpr std::size_t kEventChunkAt = 0x0c, kDefinitionChunkAt = 0x14, kSubstrateAt = 0x1c, kCompressionAt = 0x1d,
                      kLocationsAt = 0x1e, kDefinitionsAt = 0x26, kAnchorBytes = 0x2e;

std::uint64_t number_at(const std::array<char, kAnchorBytes>& bytes, std::size_t at, bool little) {
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < 8; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + (little ? 7 - i : i)]);
  return number;
}

// Local definitions, a buffer from event 1 to event 0, its end and that of the file: what libotf2 writes when there is
// nothing to say.
constexpr std::string_view kNothing("\3B\1\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\2\1", 20);

// Every file of OTF2 begins with the mark of a buffer and its byte order: 3, then 'B' or '#'. Returns its first bytes,
// one more than nothing takes.
std::string check_start(const std::filesystem::path& file, const char* what) {
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw Error(file.string(), fmt::format("{} cannot be opened", what), kCopyAgain);
  std::string start(kNothing.size() + 1, '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  start.resize(static_cast<std::size_t>(stream.gcount()));
  if (start.size() < 2) throw Error(file.string(), fmt::format("{} is empty", what), kCopyAgain);
  if (start[0] != 3 || (start[1] != 'B' && start[1] != '#'))
    throw Error(file.string(), fmt::format("{} does not begin like a file of OTF2", what), kCopyAgain);
  return start;
}

// Texts and counts behind the fixed part: libotf2 believes the number of properties, snapshots and thumbnails, and
// works through as many as it is told.
void check_anchor_rest(const std::filesystem::path& anchor, const std::string& bytes, bool little) {
  const auto require = [&](bool good) {
    if (!good) throw Error(anchor.string(), "the counts in the anchor file do not fit its size", kCopyAgain);
  };
  std::size_t at = kAnchorBytes;
  const auto skip_text = [&] {
    const std::size_t end = bytes.find('\0', at);
    require(end != std::string::npos);
    at = end + 1;
  };
  const auto take_count = [&] {
    require(bytes.size() - at >= 4);
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < 4; ++i)
      count = count << 8 | static_cast<unsigned char>(bytes[at + (little ? 3 - i : i)]);
    at += 4;
    return count;
  };
  for (int text = 0; text < 3; ++text) skip_text();  // machine, creator, description
  for (std::uint64_t texts = 2 * take_count(); texts != 0; --texts) skip_text();
  constexpr std::size_t kTraceId = 8;
  require(bytes.size() - at >= kTraceId);
  at += kTraceId;
  constexpr std::uint64_t kMost = 1U << 16;
  for (const char* what : {"snapshots", "thumbnails"}) {
    const std::uint64_t count = take_count();
    if (count > kMost) throw Error(anchor.string(), fmt::format("it tells of {} {}", count, what), kCopyAgain);
  }
}

}  // namespace

void check_anchor(const std::filesystem::path& anchor) {
  check_start(anchor, "the anchor file");
  std::ifstream stream(anchor, std::ios::binary);
  std::array<char, kAnchorBytes> start{};
  stream.read(start.data(), start.size());
  if (std::memcmp(start.data() + 2, "OTF2", 4) != 0)
    throw Error(anchor.string(), "this is not the anchor file of an OTF2 archive",
                "give the *.otf2 file of an archive");
  if (stream.gcount() != static_cast<std::streamsize>(start.size()))
    throw Error(anchor.string(), "the anchor file is cut off", kCopyAgain);
  const bool little = start[1] == 'B';
  for (const std::size_t at : {kEventChunkAt, kDefinitionChunkAt}) {
    const std::uint64_t size = number_at(start, at, little);
    if (size < OTF2_CHUNK_SIZE_MIN || size > OTF2_CHUNK_SIZE_MAX)
      throw Error(anchor.string(), fmt::format("a chunk size of {} bytes is not one of OTF2", size), kCopyAgain);
  }
  if (start[kSubstrateAt] != OTF2_SUBSTRATE_POSIX || start[kCompressionAt] != OTF2_COMPRESSION_NONE)
    throw Error(anchor.string(), "its files are compressed or not plain files, which OTF2 3.0 cannot read",
                "write it again without compression, on the POSIX substrate");
  stream.seekg(0);
  check_anchor_rest(anchor, {std::istreambuf_iterator<char>(stream), {}}, little);
  std::error_code code;
  const std::uint64_t bytes = std::filesystem::file_size(definitions_file(anchor), code);
  const std::uint64_t locations = number_at(start, kLocationsAt, little);
  const std::uint64_t definitions = number_at(start, kDefinitionsAt, little);
  if (!code && (definitions > bytes || locations > definitions))
    throw Error(anchor.string(),
                fmt::format("{} locations and {} definitions do not fit into {} bytes", locations, definitions, bytes),
                kCopyAgain);
}

void check_definitions(const std::filesystem::path& anchor) {
  check_start(definitions_file(anchor), "the file of the definitions");
}

bool check_location(const std::filesystem::path& anchor, std::uint64_t location) {
  check_start(location_file(anchor, location, ".evt"), "the file of the events");
  const std::filesystem::path local = location_file(anchor, location, ".def");
  std::error_code code;
  if (!std::filesystem::exists(local, code)) return false;
  return check_start(local, "the file of the local definitions") != kNothing;
}

}  // namespace plumbline::archive
