#include "viewer/index/opening.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <utility>

#include "base/build_id.hpp"
#include "base/error.hpp"
#include "viewer/index/index_file.hpp"
#include "viewer/index/opening_fields.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kOpeningVersion = 1;  // of the fields, and of what they mean

// Columns that may be left out are as long as the others or shorter.
bool is_of(const replay::ExpectedRank& rank, std::size_t operations) {
  for (const KeptColumn<Duration>* const column :
       {&rank.lower, &rank.upper, &rank.band, &rank.as_run, &rank.as_run_upper})
    if (column->size() != operations) return false;
  return rank.free.size() == operations && rank.ideal_io.size() == operations && rank.not_judged.size() == operations;
}

bool is_of(const Opening& opening, const replay::Program& observed) {
  const std::uint32_t ranks = observed.ranks();
  if (opening.marks.size() != ranks || opening.matches.ranks.size() != ranks || opening.lanes.ranks.size() != ranks)
    return false;
  if (opening.expected.has_value() != opening.comparison.has_value()) return false;
  if (opening.expected && opening.expected->ranks.size() != ranks) return false;
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    const std::size_t operations = observed.rank(rank).operations.size();
    if (opening.marks[rank].size() != operations || opening.matches.ranks[rank].partner.size() != operations)
      return false;
    if (opening.expected && !is_of(opening.expected->ranks[rank], operations)) return false;
  }
  return true;
}

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
