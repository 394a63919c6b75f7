#include "cli/workflows/view/open.hpp"

#include <fmt/format.h>

#include <future>
#include <optional>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/files/text_file.hpp"
#include "base/memory/scratch.hpp"
#include "cli/workflows/view/kept.hpp"
#include "cli/workflows/view/observed.hpp"
#include "cli/workflows/view/open_observed.hpp"
#include "cli/workflows/view/reference.hpp"
#include "cli/workflows/view/validation_run.hpp"
#include "cli/workflows/view/what_ifs.hpp"
#include "replay/compare/compare.hpp"
#include "replay/report/json.hpp"
#include "replay/report/make_report.hpp"
#include "replay/report/report.hpp"
#include "viewer/index/kept/index_file.hpp"
#include "viewer/index/matches/match_operations.hpp"
#include "viewer/index/opening/keep_opening.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::cli::view {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using viewer::Opened;

constexpr std::size_t kMostReportBytes = 512 << 20;

Json read_report(const fs::path& file, const Opened& opened) {
  Json json = Json::parse(read_text_file(file, "name a report of compare --json", kMostReportBytes), nullptr, false);
  if (!json.is_object() || json.value("format", "") != "plumbline-report")
    throw Error(file.string(), "is no report of a comparison", "name what `plumbline compare --json` wrote");
  const Json operations = json.value(Json::json_pointer("/totals/operations"), Json(nullptr));
  const bool is_of_this_run =
      operations == Json(opened.runs.comparison->totals.operations) &&
      json.value(Json::json_pointer("/run/ranks"), Json(nullptr)) == Json(opened.runs.observed.ranks());
  if (!is_of_this_run)
    throw Error(file.string(), "is the report of another run", "leave out --report: it is made anew",
                ExitCode::kNotComparable);
  return json;
}

replay::Report make_report(const Opened& opened, const Reference& reference, const std::vector<std::string>& remarks) {
  const viewer::Runs& runs = opened.runs;
  replay::ReportOptions how;
  how.notes = remarks;
  how.compare = runs.comparison->options;
  const replay::Program* const other = reference.program ? &*reference.program : nullptr;
  return replay::make_report(*runs.comparison, runs.observed, *runs.expected, other, how);
}

// The instances of the report's findings. Reports of earlier versions have none.
std::vector<viewer::OperationId> instances_of(const Json& report) {
  std::vector<viewer::OperationId> instances;
  if (!report.is_object()) return instances;
  for (const Json& finding : report.value("findings", Json::array()))
    for (const Json& instance : finding.value("instances", Json::array()))
      instances.push_back({instance.value("rank", replay::kNone), instance.value("operation", replay::kNone)});
  return instances;
}

// The index, and what follows quickly from what is there.
void index(Opened& opened, const fs::path& anchor, std::uint64_t key, std::uint32_t jobs, const Scratch& scratch) {
  opened.key = fmt::format("{:016x}", key);
  opened.pyramid = viewer::stored_pyramid(opened.runs, viewer::index_places(anchor),
                                          {.pyramid = {.jobs = jobs}, .key = key, .scratch = scratch});
  opened.runs.unmatched = opened.matches.without_partner;
  opened.folds = viewer::fold_ranks(opened.runs);
  opened.fold_strips =
      viewer::stored_fold_strips(opened.runs, opened.pyramid, opened.folds, key, viewer::fold_strips_places(anchor),
                                 {.scratch = scratch, .jobs = jobs});
}

void compare(Opened& opened, const Options& options, Reference& reference, const std::vector<std::string>& remarks,
             replay::Report* report) {
  viewer::Runs& runs = opened.runs;
  runs.expected = std::move(reference.columns);
  runs.reference = reference.kind;
  runs.components = std::move(reference.components);
  replay::CompareOptions how = options.compare;
  how.observed_name = runs.observed_name;
  how.reference_name = runs.reference_name = reference.name;
  runs.comparison = replay::compare_columns(runs.observed, *runs.expected, runs.reference, how);
  replay::Report found = make_report(opened, reference, remarks);
  opened.report = replay::to_json(found);
  if (report != nullptr) *report = std::move(found);
  if (!options.report.empty()) opened.report = read_report(options.report, opened);
}

// Others, when the thread that hashes is over: a process with threads is not forked.
class AfterHash final : public Workers {
 public:
  AfterHash(Workers& workers, std::shared_future<std::string> hash) : workers_(workers), hash_(std::move(hash)) {}
  std::uint32_t size() const override { return workers_.size(); }
  std::string run(const SharedWork& work, std::string_view argument) override {
    if (hash_.valid()) hash_.wait();
    return workers_.run_telling(work, argument, on_progress_);
  }
  std::string run_among(std::uint32_t most, const SharedWork& work, std::string_view argument) override {
    if (hash_.valid()) hash_.wait();
    return workers_.run_among(most, work, argument);
  }

 private:
  Workers& workers_;
  const std::shared_future<std::string> hash_;
};

// Everything that may be kept. Returns the key of the index.
std::uint64_t work_out(Opened& opened, const Options& options, Reference& reference,
                       const std::vector<std::string>& remarks, const Scratch& scratch, replay::Report* report) {
  if (reference.columns)
    compare(opened, options, reference, remarks, report);
  else if (!options.report.empty())
    throw Error("--report", "goes with an expected or a second archive", "name it behind the first",
                ExitCode::kWrongUse);
  viewer::set_marks(opened.runs, instances_of(opened.report));
  opened.lanes = viewer::make_lanes(opened.runs);
  opened.matches = viewer::match_operations(opened.runs.observed, scratch);
  return viewer::index_key(opened.runs);
}

// Nothing of a model, which is compared with nothing.
Reference reference_of(const Options& options, const Observed& observed, const std::optional<viewer::Opening>& kept,
                       const Scratch& scratch, Workers* workers) {
  if (kept) return known_reference(options, observed, *kept);
  if (!observed.is_model) return open_reference(options, observed, scratch, workers);
  if (options.reference.empty()) return {};
  throw Error(options.observed.string(), "is a model, which is compared with nothing", "leave out the second one",
              ExitCode::kWrongUse);
}

// The paths that were asked for, a validation's run in place of its directory. `note`: which one, and what else there
// is.
Options with_run_of_validation(Options options, Json& validation, std::string& note) {
  if (!is_validation(options.observed)) {
    if (!options.run.empty())
      throw Error("--run", "goes with the directory of a validation", "leave it out", ExitCode::kWrongUse);
    return options;
  }
  if (!options.reference.empty())
    throw Error(options.observed.string(), "is a validation, which has its own reference", "leave out the second one",
                ExitCode::kWrongUse);
  ValidationRun run = validation_run(options.observed, options.run);
  validation = std::move(run.validation);
  options.observed = run.archive;
  if (options.platform.empty()) options.platform = run.platform;
  std::string others;
  for (const std::string& other : run.others) others += (others.empty() ? "" : ", ") + other;
  if (!others.empty()) note = fmt::format("{} of the validation is shown; others by --run: {}", run.name, others);
  return options;
}

}  // namespace

std::unique_ptr<Opened> open(const Options& asked, Workers* workers, replay::Report* report) {
  Json validation;
  std::string note;
  const Options options = with_run_of_validation(asked, validation, note);
  const std::shared_future<std::string> reference_hash = hash_reference(options).share();
  OneWorker alone;
  AfterHash together(workers != nullptr ? *workers : alone, reference_hash);
  Observed observed = open_observed(options, &together);
  if (!note.empty()) observed.remarks.push_back(note);
  const Scratch scratch = scratch_in(observed.anchor.parent_path());
  const std::optional<Keeping> kept_at = observed.is_model ? std::nullopt : keeping(options, observed, reference_hash);
  std::optional<viewer::Opening> kept;
  if (kept_at) kept = viewer::find_opening(kept_at->places, kept_at->key, observed.program);
  Reference reference = reference_of(options, observed, kept, scratch, &together);
  auto opened = std::make_unique<Opened>(
      Opened{.runs = {.observed = std::move(observed.program), .expected = {}, .comparison = {}}});
  opened->validation = std::move(validation);
  viewer::Runs& runs = opened->runs;
  runs.observed_name = options.observed.string();
  runs.banners = std::move(observed.banners);
  runs.banners.insert(runs.banners.end(), reference.banners.begin(), reference.banners.end());
  std::uint64_t index_key = 0;
  if (kept) {
    index_key = kept->index_key;
    if (kept->expected) runs.reference_name = reference.name;
    put_kept(*opened, std::move(*kept), scratch);
  } else {
    index_key = work_out(*opened, options, reference, observed.remarks, scratch, report);
    if (kept_at && reference.banners.empty()) keep(*opened, index_key, *kept_at, scratch);
  }
  index(*opened, observed.anchor, index_key, options.jobs > 0 ? options.jobs : together.size(), scratch);
  opened->archives.push_back(watched(options.observed, observed.anchor));
  if (!reference.anchor.empty()) opened->archives.push_back(watched(options.reference, reference.anchor));
  if (!observed.is_damaged) set_what_ifs(*opened, options, reference.platform, scratch);
  return opened;
}

}  // namespace plumbline::cli::view
