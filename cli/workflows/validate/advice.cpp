#include "cli/workflows/validate/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "cli/workflows/validate/remedies.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/twins.hpp"
#include "cli/workflows/validate/settings/forced.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/expect/what_if.hpp"
#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"

namespace plumbline::cli::validate {
namespace {

namespace schedules = replay::collectives::schedules;
using replay::validate::Diagnosis;
using Settings = std::vector<hw::Setting>;

constexpr double kLeastGain = 0.01;  // of the runs: less is not worth a setting
constexpr std::uint32_t kAdvicePairs = 5;

// The runs of the suite with one MPI, ready to be replayed over and over.
class SuiteReplays {
 public:
  SuiteReplays(const Session& session, const Mpi& mpi) : platform_(hw::read_platform(platform_of(session, mpi))) {
    for (const SuiteResult& run : session.runs) {
      if (run.mpi != &mpi) continue;
      replay::CompileSummary summary;
      programs_.emplace_back(run.entry, replay::program_of(run.archive, summary));
    }
  }

  // Seconds that the runs of the entries are shorter with the settings, by free replays as configured.
  double gain_of(const Settings& settings, const std::vector<std::string>& entries) const {
    double gain = 0;
    for (const auto& [entry, program] : programs_) {
      if (std::ranges::count(entries, entry->name) == 0) continue;
      const replay::expect::Outcomes outcomes = replay::expect::try_out(program, platform_, settings, {});
      gain += (outcomes.unchanged - outcomes.outcomes.front().length).seconds();
    }
    return gain;
  }

 private:
  static std::filesystem::path platform_of(const Session& session, const Mpi& mpi) {
    for (const MpiResult& result : session.mpis)
      if (result.mpi == &mpi) return result.platform;
    return {};
  }

  hw::Platform platform_;
  std::vector<std::pair<const bench::SuiteEntry*, replay::Program>> programs_;
};

// Runs of the suite that the diagnosis is from.
std::vector<std::string> entries_of(const Diagnosis& diagnosis) {
  std::vector<std::string> entries;
  for (const auto& each : diagnosis.evidence)
    if (each.name == "suite entry") entries.push_back(each.value);
  return entries;
}

// The algorithm of the library's own that helps most.
std::optional<std::pair<schedules::Algorithm, double>> best_algorithm(const SuiteReplays& trials,
                                                                      const Diagnosis& diagnosis) {
  const std::string operation = operation_of(diagnosis);
  const auto known = schedules::operation_named(operation);
  if (!known) return {};
  const std::vector<std::string> entries = entries_of(diagnosis);
  std::optional<std::pair<schedules::Algorithm, double>> best;
  for (const schedules::Algorithm& algorithm : schedules::algorithms_for(diagnosis.mpi, *known)) {
    if (diagnosis.mpi == "openmpi" && algorithm.number == 0) continue;  // nobody can ask for it
    const Settings settings{{"collective." + operation, fmt::format("{}:{}", diagnosis.mpi, algorithm.name)}};
    const double gain = trials.gain_of(settings, entries);
    if (!best || gain > best->second) best = {algorithm, gain};
  }
  return best;
}

struct Best {
  Settings settings;
  double gain_s = 0;
};

// One hint after the other, each at the value that helps most beside those before it.
Best best_hints(const SuiteReplays& trials, const std::vector<HintValues>& hints,
                const std::vector<std::string>& entries, double length) {
  Best best;
  for (const HintValues& hint : hints) {
    Best here = best;
    for (const std::string& value : hint.values) {
      Settings settings = best.settings;
      settings.push_back({"hint." + hint.name, value});
      const double gain = trials.gain_of(settings, entries);
      if (gain > here.gain_s + kLeastGain * length) here = {settings, gain};
    }
    best = here;
  }
  return best;
}

bool is_of_hints(const Diagnosis& diagnosis) { return diagnosis.id.starts_with("io.hints."); }

// Of the runs that the diagnosis is from.
double length_of(const Session& session, const Diagnosis& diagnosis) {
  const std::vector<std::string> entries = entries_of(diagnosis);
  double length = 0;
  for (const auto& run : session.validation.suite)
    if (run.mpi == diagnosis.mpi && std::ranges::count(entries, run.name) > 0) length += run.observed_s;
  return length;
}

void search(Session& session, const Mpi& mpi) {
  std::optional<SuiteReplays> trials;
  for (Diagnosis& diagnosis : session.validation.diagnoses) {
    if (diagnosis.mpi != mpi.installed.flavour) continue;
    const bool of_algorithm = diagnosis.id == "mpi.collective.algorithm";
    if (!of_algorithm && !is_of_hints(diagnosis)) continue;
    session.begin_step(fmt::format("advice on {}", diagnosis.component));
    if (!trials) trials.emplace(session, mpi);
    if (of_algorithm) {
      if (const auto best = best_algorithm(*trials, diagnosis); best && best->second > 0)
        advise_algorithm(diagnosis, best->first, best->second);
    } else {
      const Best best =
          best_hints(*trials, hints_to_try(diagnosis), entries_of(diagnosis), length_of(session, diagnosis));
      if (best.gain_s > 0) advise_hints(diagnosis, best.settings, best.gain_s);
    }
  }
}

void write_tuned(const Session& session) {
  for (const auto& [name, text] : tuned_files(session.validation.diagnoses)) {
    const std::filesystem::path tuned = session.directory / "tuned";
    std::filesystem::create_directories(tuned);
    write_file(tuned / name, text, Overwrite::kYes);
  }
}

const bench::SuiteEntry* entry_named(const Session& session, const std::string& name) {
  const auto found = std::ranges::find(session.suite.entries, name, &bench::SuiteEntry::name);
  return found == session.suite.entries.end() ? nullptr : &*found;
}

// Words of the suite's program for an entry with these hints: what a program asks for itself counts more than a file of
// hints.
std::vector<std::string> arguments_of(const Session& session, const Mpi& mpi, bench::SuiteEntry entry,
                                      const std::vector<std::string>& hints) {
  for (const std::string& hint : hints) entry.hints[hint.substr(0, hint.find('='))] = hint.substr(hint.find('=') + 1);
  std::vector<std::string> words = bench::command_of(entry, mpi.suite, storage_directory(session));
  words.erase(words.begin());
  return words;
}

// The first entry that the diagnosis is from, without and with the lines that mend it.
void try_remedy(Session& session, const Mpi& mpi, Diagnosis& diagnosis) {
  const std::vector<std::string> names = entries_of(diagnosis);
  const bench::SuiteEntry* entry = names.empty() ? nullptr : entry_named(session, names.front());
  if (entry == nullptr || !entry->program.empty()) return;
  TwinWork work;
  work.pairs = kAdvicePairs;
  work.arguments = arguments_of(session, mpi, *entry, {});
  work.changed_arguments = arguments_of(session, mpi, *entry, settings_in(diagnosis.remedy.lines));
  for (const auto* lines : {&diagnosis.remedy.openmpi, &diagnosis.remedy.mpich})
    for (const std::string& line : settings_in(*lines)) work.changed.push_back(line);
  const TwinOutcome outcome = run_twins(session.site, mpi, work, session.log("advice-" + diagnosis.id));
  if (outcome.fault.empty())
    diagnosis.measured_gain_s = outcome.gain_s();
  else
    session.validation.notes.push_back(
        fmt::format("the advice on {} could not be tried: {}", diagnosis.component, outcome.fault));
}

}  // namespace

void find_advice(Session& session) {
  for (const Mpi& mpi : session.site.mpis) search(session, mpi);
  write_tuned(session);
}

void try_advice(Session& session) {
  for (const Mpi& mpi : session.site.mpis)
    for (Diagnosis& diagnosis : session.validation.diagnoses)
      if (diagnosis.mpi == mpi.installed.flavour && diagnosis.predicted_gain_s && !diagnosis.measured_gain_s) {
        session.begin_step("trying the advice on " + diagnosis.component);
        try_remedy(session, mpi, diagnosis);
      }
}

}  // namespace plumbline::cli::validate
