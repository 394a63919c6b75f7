#include "viewer/index/opening/keep_opening.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

#include "base/build_id.hpp"
#include "base/error.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/opening/check.hpp"
#include "viewer/index/opening/fields.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kOpeningVersion = 1;  // of the fields, and of what they mean

std::optional<Opening> read_opening(const fs::path& path, const KeptKey& key, const replay::Program& observed) {
  std::optional<KeptFileReader> file = KeptFileReader::open(path, kOpeningVersion, key);
  if (!file) return std::nullopt;
  Opening opening;
  try {
    KeptFields<KeptFileReader>{*file}(opening);
  } catch (const KeptFileEnds&) {
    return std::nullopt;
  }
  if (!file->is_at_end() || !is_of(opening, observed)) return std::nullopt;
  return opening;
}

}  // namespace

KeptKey opening_key(const OpeningSource& source) {
  const std::string text =
      fmt::format("{}\n{}\n{}\n{}\n{:a}\n{:a}\n", source.observed, source.reference, source.observed_name,
                  source.reference_name, source.compare.threshold, source.compare.false_discovery_rate) +
      build_id();
  const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
  return {hash.high64, hash.low64};
}

std::vector<fs::path> opening_places(const fs::path& observed_anchor) {
  return cache_places(observed_anchor, "plumbline.opening");
}

std::optional<Opening> find_opening(std::span<const fs::path> places, const KeptKey& key,
                                    const replay::Program& observed) {
  for (const fs::path& path : places)
    if (std::optional<Opening> opening = read_opening(path, key, observed)) return opening;
  return std::nullopt;
}

void keep_opening(Opening& opening, std::span<const fs::path> places, const KeptKey& key,
                  const replay::Program& observed) {
  KeptFileWriter file;
  KeptFields<KeptFileWriter>{file}(opening);
  for (const fs::path& path : places) {
    std::error_code ignored;
    if (path != places.front()) fs::create_directories(path.parent_path(), ignored);
    try {
      file.write(path, kOpeningVersion, key);
    } catch (const Error&) {  // there is another place
      continue;
    }
    if (std::optional<Opening> kept = read_opening(path, key, observed)) {
      opening = std::move(*kept);
      return;
    }
  }
}

}  // namespace plumbline::viewer
