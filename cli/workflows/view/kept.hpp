#pragma once
// What an earlier opening of the same archives has worked out.

#include <cstdint>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "cli/workflows/view/observed.hpp"
#include "cli/workflows/view/options.hpp"
#include "viewer/index/opening/opening.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::cli::view {

struct Keeping {
  viewer::KeptKey key;
  std::vector<std::filesystem::path> places;
};

// Begins to hash the reference, on another core than the recording is opened on. Not valid where there is none, or
// nothing is kept.
std::future<std::string> hash_reference(const Options& options);

// Nothing where an opening is not kept: of what is damaged, what is to be an Error unless it is whole, what is shown
// with a report from elsewhere, and of an expectation that is replayed in this opening.
std::optional<Keeping> keeping(const Options& options, const Observed& observed,
                               const std::shared_future<std::string>& reference_hash);

// Into what is opened, whose recording and names are there.
void put_kept(viewer::Opened& opened, viewer::Opening opening, const Scratch& scratch);

// What is opened is kept, where a place takes it; then its columns lie there.
void keep(viewer::Opened& opened, std::uint64_t index_key, const Keeping& keeping, const Scratch& scratch);

}  // namespace plumbline::cli::view
