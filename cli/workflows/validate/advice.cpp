#include "cli/workflows/validate/advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/twins.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"
#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/diagnose/finding.hpp"
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

std::string in_case(std::string text, int (*change)(int)) {
  std::ranges::transform(text, text.begin(), [change](unsigned char c) { return static_cast<char>(change(c)); });
  return text;
}

// "allreduce" of "algorithm of MPI_Allreduce".
std::string operation_of(const Diagnosis& diagnosis) {
  constexpr std::string_view kBefore = "algorithm of MPI_";
  if (!diagnosis.component.starts_with(kBefore)) return {};
  return in_case(diagnosis.component.substr(kBefore.size()), std::tolower);
}

struct Best {
  Settings settings;
  double gain_s = 0;
};

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

void set_algorithm(Diagnosis& diagnosis, const schedules::Algorithm& algorithm, double gain) {
  const std::string operation = operation_of(diagnosis);
  diagnosis.predicted_gain_s = gain;
  diagnosis.evidence.push_back({"the fastest here", std::string(algorithm.name), ""});
  if (diagnosis.mpi == "openmpi")
    diagnosis.remedy.openmpi = {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                fmt::format("OMPI_MCA_coll_tuned_{}_algorithm={}", operation, algorithm.number)};
  else
    diagnosis.remedy.mpich = {
        fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM={}", in_case(operation, std::toupper), algorithm.name)};
}

struct HintValues {
  std::string name;
  std::vector<std::string> values;
};

// Of aggregators as many as the ideal form has, too.
std::vector<HintValues> hints_to_try(const Diagnosis& diagnosis) {
  HintValues aggregators{"cb_nodes", {"1", "2", "4", "8"}};
  for (const auto& each : diagnosis.evidence)
    if (each.name == replay::kIdealAggregators && std::ranges::count(aggregators.values, each.value) == 0)
      aggregators.values.push_back(each.value);
  return {{"romio_cb_write", {"enable", "disable"}},
          {"romio_cb_read", {"enable", "disable"}},
          {"romio_ds_write", {"enable", "disable"}},
          {"romio_ds_read", {"enable", "disable"}},
          std::move(aggregators),
          {"cb_buffer_size", {"1048576", "4194304", "16777216", "67108864"}}};
}

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

void set_hints(Diagnosis& diagnosis, const Best& best) {
  diagnosis.predicted_gain_s = best.gain_s;
  std::vector<std::string> lines;
  for (const hw::Setting& setting : best.settings)
    lines.push_back(fmt::format("{}={}", setting.name.substr(std::string_view("hint.").size()), setting.value));
  if (!lines.empty()) diagnosis.remedy.lines = lines;
  if (diagnosis.id != "io.hints.aggregators" || diagnosis.mpi != "openmpi") return;
  diagnosis.remedy.openmpi.clear();
  for (const hw::Setting& setting : best.settings)  // OMPIO reads no file of hints
    if (setting.name == "hint.cb_nodes")
      diagnosis.remedy.openmpi.push_back("OMPI_MCA_io_ompio_num_aggregators=" + setting.value);
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
        set_algorithm(diagnosis, best->first, best->second);
    } else {
      const Best best =
          best_hints(*trials, hints_to_try(diagnosis), entries_of(diagnosis), length_of(session, diagnosis));
      if (best.gain_s > 0) set_hints(diagnosis, best);
    }
  }
}

bool is_hint(const std::string& line) { return !line.starts_with("OMPI_MCA_") && !line.starts_with("MPIR_CVAR_"); }

// "NAME=value" lines alone: text for people is no setting.
std::vector<std::string> settings_in(const std::vector<std::string>& lines) {
  std::vector<std::string> result;
  std::ranges::copy_if(lines, std::back_inserter(result), [](const std::string& line) {
    return line.find('=') != std::string::npos && line.find(' ') == std::string::npos;
  });
  return result;
}

std::string hints_file(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    if (is_hint(line)) text += fmt::format("{} {}\n", line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  return text;
}

void write_tuned(const Session& session) {
  std::string openmpi, mpich, hints;
  for (const Diagnosis& diagnosis : session.validation.diagnoses) {
    if (!diagnosis.predicted_gain_s) continue;
    const std::string why = fmt::format("# {}: {}\n", diagnosis.id, diagnosis.title);
    constexpr std::string_view kMca = "OMPI_MCA_";
    for (const std::string& line : settings_in(diagnosis.remedy.openmpi))
      if (line.starts_with(kMca)) openmpi += why + line.substr(kMca.size()) + "\n";
    for (const std::string& line : settings_in(diagnosis.remedy.mpich)) mpich += why + "export " + line + "\n";
    const std::string of_files = hints_file(settings_in(diagnosis.remedy.lines));
    if (!of_files.empty()) hints += why + of_files;
  }
  if (openmpi.empty() && mpich.empty() && hints.empty()) return;
  const std::filesystem::path tuned = session.directory / "tuned";
  std::filesystem::create_directories(tuned);
  if (!openmpi.empty()) write_file(tuned / "openmpi-mca-params.conf", openmpi, Overwrite::kYes);
  if (!mpich.empty()) write_file(tuned / "mpich.sh", mpich, Overwrite::kYes);
  if (!hints.empty()) write_file(tuned / "romio-hints", hints, Overwrite::kYes);
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
