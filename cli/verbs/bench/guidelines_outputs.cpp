#include "cli/verbs/bench/guidelines_outputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "bench/rules/plots.hpp"
#include "cli/paths.hpp"

namespace plumbline::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostPictures = 24;  // comparisons
constexpr const char* kPictures[] = {"-overview.svg", "-focus.svg"};

fs::path beside(const fs::path& result, const std::string& ending) {
  return result.parent_path() / (result.stem().string() + ending);
}

void require_different(const fs::path& one, const fs::path& other) {
  if (fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other)))
    throw Error(one.string(), "is named for two outputs", "choose another name for one of them", ExitCode::kWrongUse);
}

void require_no_pictures(const fs::path& directory) {
  if (fs::exists(directory) && !fs::is_directory(directory))
    throw Error(directory.string(), "is no directory", "name one for --plots");
  if (!fs::exists(directory)) return;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    for (const char* ending : kPictures)
      if (entry.path().filename().string().ends_with(ending))
        throw Error(directory.string(), fmt::format("has pictures already: {}", entry.path().filename().string()),
                    "use --force to replace them, or name another directory");
}

bool has_contents(const fs::path& path, const std::string& contents) {
  std::ifstream file(path, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(file), {}) == contents;
}

}  // namespace

Overwrite overwrite_of(const BenchGuidelinesOptions& options) {
  return options.force || options.resume ? Overwrite::kYes : Overwrite::kNo;
}

void require_outputs(const BenchGuidelinesOptions& options, const std::vector<std::string>& mpis) {
  const Overwrite overwrite = overwrite_of(options);
  const bool measures = options.from.empty();
  if (measures) require_distinct(options.output, {options.table});
  if (!options.csv.empty()) {
    require_distinct(options.csv, {options.table, options.from});
    require_different(options.csv, measures ? options.output : options.from);
    require_writable(options.csv, overwrite);
  }
  if (!options.plots.empty() && overwrite == Overwrite::kNo) require_no_pictures(options.plots);
  if (!options.try_proposals || overwrite == Overwrite::kYes) return;
  const fs::path result = measures ? options.output : options.from;
  const fs::path directory = result.parent_path().empty() ? fs::path(".") : result.parent_path();
  if (!fs::is_directory(directory)) return;  // whoever writes the result says so
  for (const fs::directory_entry& entry : fs::directory_iterator(directory))
    for (const std::string& mpi : mpis)
      if (const std::string name = entry.path().filename().string();
          name.starts_with(beside(result, fmt::format("-try-{}-", mpi)).filename().string()) && name.ends_with(".h5"))
        throw Error(entry.path().string(), "already exists, and --try writes its like", "use --force to replace it");
}

fs::path result_of_trials(const fs::path& result, const bench::Trial& of_them) {
  return beside(result, fmt::format("-try-{}-{}x{}.h5", of_them.mpi, of_them.nodes, of_them.per_node));
}

std::vector<PlacedProposal> proposals_of(const bench::RulesVerdict& verdict,
                                         const std::vector<bench::GuidelineTrack>& tracks, const fs::path& result,
                                         Overwrite overwrite) {
  std::vector<PlacedProposal> proposals(tracks.size());
  std::size_t files = 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    if (!tracks[i].violated) continue;
    bench::Proposal& proposal = proposals[i].proposal;
    proposal = bench::proposal_for(tracks[i], verdict);
    if (proposal.file.empty()) continue;
    fs::path& path = proposals[i].file;
    do {
      path = fs::absolute(beside(result, fmt::format("-tuning-{}.conf", ++files)));
    } while (overwrite == Overwrite::kNo && fs::exists(path) && !has_contents(path, proposal.file));
    proposal.lines = bench::lines_with(proposal, path.string());
  }
  return proposals;
}

void write_tuning_files(const std::vector<PlacedProposal>& proposals) {
  for (const PlacedProposal& each : proposals)
    if (!each.file.empty()) write_file(each.file, each.proposal.file, Overwrite::kYes);
}

std::string write_plots(const fs::path& directory, const bench::RulesVerdict& verdict,
                        const std::vector<bench::GuidelineTrack>& tracks, Overwrite overwrite) {
  std::vector<std::size_t> chosen = bench::violated_worst_first(verdict, tracks);
  const std::vector<std::size_t> artefacts = bench::artefacts_worst_first(verdict, tracks);
  chosen.insert(chosen.end(), artefacts.begin(), artefacts.end());
  if (chosen.empty()) return "nothing is violated, and there is nothing to draw\n";
  fs::create_directories(directory);
  for (std::size_t n = 0; n < chosen.size() && n < kMostPictures; ++n) {
    const bench::GuidelineTrack& track = tracks[chosen[n]];
    const std::string name = fmt::format("{:02}-{}-{}", n + 1, track.mpi, track.rule->id);
    const std::string pictures[] = {bench::overview_plot(track, verdict),
                                    bench::focus_plot(track, verdict.outcomes[*track.worst])};
    for (std::size_t i = 0; i < std::size(pictures); ++i)
      if (!pictures[i].empty()) write_file(directory / (name + kPictures[i]), pictures[i], overwrite);
  }
  const std::size_t left = chosen.size() - std::min(chosen.size(), kMostPictures);
  return fmt::format("pictures are in {}{}\n", directory.string(),
                     left == 0 ? "" : fmt::format(", of the {} worst; and {} more: --only", kMostPictures, left));
}

}  // namespace plumbline::cli
