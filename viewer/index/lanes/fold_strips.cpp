#include "viewer/index/lanes/fold_strips.hpp"

#include <xxhash.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "base/team/team.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/pyramid/tree.hpp"

namespace plumbline::viewer {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kFoldStripsVersion = 1;

constexpr unsigned kMostFoldLevels = 12;
// Where a strip has fewer operations of a rank than this in the mean, finding them takes longer than reading them.
constexpr std::uint64_t kFewOfARank = 4;

// Levels whose strips are found in one walk over the operations of a rank: 2^6 strips take 3 MB until they are written.
constexpr unsigned kWalkLevels = 7;

unsigned levels_to_keep(const Pyramid& pyramid, const PyramidSource& source, const Fold& fold) {
  std::uint64_t operations = 0;
  for (const std::uint32_t rank : fold.ranks) operations += source.ranks[rank].times.size();
  unsigned levels = std::max(pyramid.stored_levels, 1U);
  while (levels < kMostFoldLevels && levels <= pyramid.most_level &&
         (operations >> levels) >= kFewOfARank * fold.ranks.size())
    ++levels;
  return std::min(levels, pyramid.most_level + 1);
}

class FoldFiller {
 public:
  FoldFiller(const Runs& runs, const Pyramid& pyramid, const PyramidSource& source, const Fold& fold, unsigned levels,
             Column<Strip>& strips)
      : runs_(runs),
        pyramid_(pyramid),
        source_(source),
        fold_(fold),
        levels_(levels),
        walk_from_(levels > kWalkLevels ? levels - kWalkLevels : 0),
        strips_(strips) {}

  void run() { fill(0, 0); }

 private:
  using Columns = std::vector<RangeSummary>;

  // The columns of the strip. Writes it, and those below it.
  Columns fill(unsigned level, std::uint32_t x) {
    if (level == walk_from_) return walk(level, x);
    const Columns left = fill(level + 1, 2 * x), right = fill(level + 1, 2 * x + 1);
    Columns both = halved(left);
    const Columns other = halved(right);
    both.insert(both.end(), other.begin(), other.end());
    write(both, level, x);
    return both;
  }

  // All strips below this one on the finest level, then each level from the one below it.
  Columns walk(unsigned level, std::uint32_t x) {
    unsigned at = levels_ - 1;
    Columns columns(std::size_t{kColumns} << (at - level));
    const TimeRange range = range_of(pyramid_, source_, level, x);
    const unsigned shift = column_shift(pyramid_, at);
    for (const std::uint32_t rank : fold_.ranks)
      add_range(source_.ranks[rank], RankColumns(runs_, pyramid_.calls, rank), range, shift, columns);
    for (;; --at) {
      for (std::uint32_t i = 0; i < 1U << (at - level); ++i)
        write(std::span(columns).subspan(i * std::size_t{kColumns}, kColumns), at, (x << (at - level)) + i);
      if (at == level) return columns;
      columns = halved(columns);
    }
  }

  static Columns halved(const Columns& finer) {
    Columns columns(finer.size() / 2);
    for (std::size_t i = 0; i < columns.size(); ++i) columns[i] = joined(finer[2 * i], finer[2 * i + 1]);
    return columns;
  }

  void write(std::span<const RangeSummary> columns, unsigned level, std::uint32_t x) {
    Strip& strip = strips_[strips_of(level) + x];
    write_strip(columns, column_shift(pyramid_, level), strip, static_cast<std::uint32_t>(fold_.ranks.size()));
    strip.worst_operation = replay::kNone;
  }

  const Runs& runs_;
  const Pyramid& pyramid_;
  const PyramidSource& source_;
  const Fold& fold_;
  const unsigned levels_, walk_from_;
  Column<Strip>& strips_;
};

// Which strips there are to be, without them.
std::vector<FoldStrips> plan_fold_strips(const Pyramid& pyramid, const Folds& folds, const FoldStripsOptions& options) {
  std::vector<FoldStrips> all;
  for (std::uint32_t fold = 0; fold < folds.folds.size(); ++fold)
    for (const PyramidSource& source : pyramid.sources)
      if (folds.folds[fold].ranks.size() >= options.many_ranks && source.number <= 1)
        all.push_back({fold, source.number, levels_to_keep(pyramid, source, folds.folds[fold])});
  return all;
}

KeptKey key_of_folds(std::span<const FoldStrips> all, const Folds& folds, std::uint64_t index_key) {
  XXH64_hash_t hash = 0;
  for (const FoldStrips& each : all) {
    const std::uint32_t facts[] = {each.fold, each.source, each.levels};
    hash = XXH3_64bits_withSeed(facts, sizeof facts, hash);
    const std::vector<std::uint32_t>& ranks = folds.folds[each.fold].ranks;
    hash = XXH3_64bits_withSeed(ranks.data(), ranks.size() * sizeof(ranks[0]), hash);
  }
  return {index_key, hash};
}

bool read_fold_strips(std::vector<FoldStrips>& all, const fs::path& path, const KeptKey& key) {
  std::optional<KeptFileReader> file = KeptFileReader::open(path, kFoldStripsVersion, key);
  if (!file) return false;
  try {
    for (FoldStrips& each : all) {
      file->column(each.strips);
      if (std::as_const(each).strips.size() != strips_of(each.levels)) return false;
    }
  } catch (const KeptFileEnds&) {
    return false;
  }
  return file->is_at_end();
}

bool write_fold_strips(std::vector<FoldStrips>& all, const fs::path& path, const KeptKey& key) {
  KeptFileWriter file;
  for (const FoldStrips& each : all) file.column(each.strips);
  try {
    file.write(path, kFoldStripsVersion, key);
  } catch (const Error&) {  // there is another place
    return false;
  }
  return read_fold_strips(all, path, key);
}

}  // namespace

std::vector<FoldStrips> make_fold_strips(const Runs& runs, const Pyramid& pyramid, const Folds& folds,
                                         const FoldStripsOptions& options) {
  std::vector<FoldStrips> all = plan_fold_strips(pyramid, folds, options);
  const auto make = [&](const Task& task) {
    FoldStrips& each = all[task.index()];
    Column<Strip> strips(strips_of(each.levels), Strip{}, ScratchAllocator<Strip>(options.scratch));
    FoldFiller(runs, pyramid, *find_source(pyramid, each.source), folds.folds[each.fold], each.levels, strips).run();
    each.strips = std::move(strips);
  };
  run_tasks({.jobs = options.jobs}, all.size(), make, [](std::size_t) {});
  return all;
}

std::vector<FoldStrips> stored_fold_strips(const Runs& runs, const Pyramid& pyramid, const Folds& folds,
                                           std::uint64_t index_key, std::span<const fs::path> places,
                                           const FoldStripsOptions& options) {
  std::vector<FoldStrips> all = plan_fold_strips(pyramid, folds, options);
  if (all.empty()) return all;
  const KeptKey key = key_of_folds(all, folds, index_key);
  for (const fs::path& path : places)
    if (read_fold_strips(all, path, key)) return all;
  all = make_fold_strips(runs, pyramid, folds, options);
  for (const fs::path& path : places) {
    std::error_code ignored;
    if (path != places.front()) fs::create_directories(path.parent_path(), ignored);
    if (write_fold_strips(all, path, key)) return all;
  }
  return all;
}

std::vector<fs::path> fold_strips_places(const fs::path& observed_anchor) {
  return cache_places(observed_anchor, "plumbline.folds");
}

const Strip* find_strip(std::span<const FoldStrips> all, std::uint32_t fold, std::uint8_t source, unsigned level,
                        std::uint32_t x) {
  const auto found =
      std::ranges::find_if(all, [&](const FoldStrips& each) { return each.fold == fold && each.source == source; });
  if (found == all.end() || level >= found->levels) return nullptr;
  return &found->strips[strips_of(level) + x];
}

}  // namespace plumbline::viewer
