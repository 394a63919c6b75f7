#include "cli/workflows/view/kept.hpp"

#include <string>
#include <utility>

#include "base/error.hpp"
#include "replay/program/compile/content_hash.hpp"
#include "viewer/index/opening/keep_opening.hpp"

namespace plumbline::cli::view {
namespace {

using Json = nlohmann::ordered_json;

bool may_be_kept(const Options& options) {
  const bool is_replayed = options.reference.empty() && !options.platform.empty();
  return !options.whole && options.report.empty() && !is_replayed;
}

viewer::Opening take_out(viewer::Opened& opened, std::uint64_t index_key) {
  viewer::Runs& runs = opened.runs;
  viewer::Opening opening;
  opening.expected = std::move(runs.expected);
  opening.reference = runs.reference;
  opening.comparison = std::move(runs.comparison);
  opening.components = std::move(runs.components);
  opening.marks = std::move(runs.marks);
  opening.matches = std::move(opened.matches);
  opening.lanes = std::move(opened.lanes);
  const std::vector<std::uint8_t> report = Json::to_cbor(opened.report);
  opening.report = Column<std::uint8_t>(report.begin(), report.end());
  opening.index_key = index_key;
  return opening;
}

}  // namespace

std::future<std::string> hash_reference(const Options& options) {
  if (options.reference.empty() || !may_be_kept(options)) return {};
  return std::async(std::launch::async, [path = options.reference] { return replay::content_hash(path); });
}

std::optional<Keeping> keeping(const Options& options, const Observed& observed,
                               const std::shared_future<std::string>& reference_hash) {
  viewer::OpeningSource source;
  source.observed = observed.program.property("source");
  if (source.observed.empty() || observed.is_damaged || !may_be_kept(options)) return std::nullopt;
  source.observed_name = options.observed.string();
  source.reference_name = options.reference.string();
  source.compare = options.compare;
  try {
    if (reference_hash.valid()) source.reference = reference_hash.get();
  } catch (const Error&) {  // whoever opens it says what is wrong with it
    return std::nullopt;
  }
  const viewer::KeptKey key = viewer::opening_key(source);
  return Keeping{key, viewer::opening_places(observed.anchor)};
}

void put_kept(viewer::Opened& opened, viewer::Opening opening, const Scratch& scratch) {
  viewer::Runs& runs = opened.runs;
  runs.expected = std::move(opening.expected);
  if (runs.expected) runs.expected->scratch = scratch;
  runs.reference = opening.reference;
  runs.comparison = std::move(opening.comparison);
  runs.components = std::move(opening.components);
  runs.marks = std::move(opening.marks);
  opened.matches = std::move(opening.matches);
  opened.lanes = std::move(opening.lanes);
  const KeptColumn<std::uint8_t>& report = opening.report;
  opened.report = Json::from_cbor(report.begin(), report.end());
}

void keep(viewer::Opened& opened, std::uint64_t index_key, const Keeping& keeping, const Scratch& scratch) {
  viewer::Opening opening = take_out(opened, index_key);
  viewer::keep_opening(opening, keeping.places, keeping.key, opened.runs.observed);
  put_kept(opened, std::move(opening), scratch);
}

}  // namespace plumbline::cli::view
