#pragma once
// Keeps what opening a run, or a pair of runs, works out: the columns of the expectation, the comparison, the report,
// partners, marks and lanes. They lie in a file beside the compiled program and the index, or in the user's cache. The
// file is a cache under a key of everything that they are worked out from; kept_file.hpp says when it is trusted.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "replay/compare/result/comparison.hpp"
#include "replay/program/program.hpp"
#include "viewer/index/kept/kept_file.hpp"
#include "viewer/index/opening/opening.hpp"

namespace plumbline::viewer {

// What an opening is made from.
struct OpeningSource {
  std::string observed, reference;            // content hashes of the archives; reference: "" where there is none
  std::string observed_name, reference_name;  // which messages have in them
  replay::CompareOptions compare = {};        // without its names
};

// Also of the program that asks: another build may work out something else.
KeptKey opening_key(const OpeningSource& source);

// Best place first, as index_places().
std::vector<std::filesystem::path> opening_places(const std::filesystem::path& observed_anchor);

// Nothing where no place has it, or what is there is not of this program.
std::optional<Opening> find_opening(std::span<const std::filesystem::path> places, const KeptKey& key,
                                    const replay::Program& observed);

// Writes it to the first place that takes it; its columns then lie there. Where none does, it stays as it is.
void keep_opening(Opening& opening, std::span<const std::filesystem::path> places, const KeptKey& key,
                  const replay::Program& observed);

}  // namespace plumbline::viewer
