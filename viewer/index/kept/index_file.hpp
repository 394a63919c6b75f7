#pragma once
// Keeps the pyramid of an observed run, and of what it is held against, in a file beside the compiled program, so that
// it is made once. The file is a cache: one that is not there, is of something else, of another version or damaged is
// made again, and where none can be written the pyramid is made in memory.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <vector>

#include "viewer/index/pyramid/pyramid.hpp"

namespace plumbline::viewer {

// Of all that a pyramid is made from: the program, the expectation and the marks.
std::uint64_t index_key(const Runs& runs);

// Where a cache of the archive with this anchor file may lie, best place first: beside the anchor as `name`
// ("plumbline.index"), and in the user's cache under a hash of the anchor's path. So each place has one file of an
// archive, however often it is made again; the key within it says whether it fits.
std::vector<std::filesystem::path> cache_places(const std::filesystem::path& anchor, const std::filesystem::path& name);

// Where the index of this archive may lie.
std::vector<std::filesystem::path> index_places(const std::filesystem::path& observed_anchor);

struct IndexOptions {
  PyramidOptions pyramid = {};
  std::optional<std::uint64_t> key = {};  // index_key(), where it is known
  Scratch scratch = {};                   // where it lies when no file can be written
};

// `made`, where it is not null, becomes whether the pyramid had to be made.
Pyramid stored_pyramid(const Runs& runs, std::span<const std::filesystem::path> places,
                       const IndexOptions& options = {}, bool* made = nullptr);

}  // namespace plumbline::viewer
