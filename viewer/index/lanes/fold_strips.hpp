#pragma once
// Strips of lanes of many ranks, down to the level where a strip has few operations of each: to tell them from the
// ranks would take as long as there are operations in view. They are worked out once, and kept in a file beside the
// index: a cache as kept_file.hpp describes it.

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "viewer/index/kept/kept_file.hpp"
#include "viewer/index/lanes/folds.hpp"
#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Of one lane at the times of one source.
struct FoldStrips {
  std::uint32_t fold = 0;         // index into Folds::folds
  std::uint8_t source = 0;        // PyramidSource::number
  std::uint32_t levels = 0;       // all strips of these levels are there
  KeptColumn<Strip> strips = {};  // of level l and place x: 2^l - 1 + x; their worst_operation is kNone
};

struct FoldStripsOptions {
  std::size_t many_ranks = 64;  // lanes of so many, or more
  Scratch scratch = {};         // where they lie when no file can be written
  std::uint32_t jobs = 1;       // threads that make them, each some lanes of a source
};

// At the times of the observed and of the reference run.
std::vector<FoldStrips> make_fold_strips(const Runs& runs, const Pyramid& pyramid, const Folds& folds,
                                         const FoldStripsOptions& options = {});

// Likewise, from the first place that has them; else made, and written to the first place that takes them. `index_key`:
// index_file.hpp.
std::vector<FoldStrips> stored_fold_strips(const Runs& runs, const Pyramid& pyramid, const Folds& folds,
                                           std::uint64_t index_key, std::span<const std::filesystem::path> places,
                                           const FoldStripsOptions& options = {});

// Best place first, as index_places().
std::vector<std::filesystem::path> fold_strips_places(const std::filesystem::path& observed_anchor);

// Null where it is not among them.
const Strip* find_strip(std::span<const FoldStrips> all, std::uint32_t fold, std::uint8_t source, unsigned level,
                        std::uint32_t x);

}  // namespace plumbline::viewer
