#include "cli/workflows/validate/setting_trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include "base/statistics/order.hpp"
#include "cli/workflows/validate/archive_settings.hpp"
#include "cli/workflows/validate/campaigns.hpp"
#include "cli/workflows/validate/short_cells.hpp"
#include "cli/workflows/validate/twins.hpp"

namespace plumbline::cli::validate {
namespace {

using plumbline::validate::Confidence;
using plumbline::validate::Diagnosis;
using plumbline::validate::Observation;
using plumbline::validate::Reference;
using plumbline::validate::Retest;

constexpr double kLeastP = 0.05;
constexpr std::uint32_t kMostPairs = 7, kLeastPairs = 4;  // 1 / C(14, 7) is 0.0003, 1 / C(8, 4) 0.014: the smallest p
constexpr double kSecondsOfPairs = 90;                    // of one setting; more pairs than the least end then
constexpr double kPatienceToMeet = 20;  // seconds for all ranks to start and meet; they take one or two
constexpr std::uint32_t kAtFirst = 2;   // pairs; where they overlap, the setting is let go

bool is_setting(const Observation& observation) {
  return observation.id.starts_with("mpi.") || observation.id.starts_with("io.");
}

// A file that the distribution brings is no change that somebody made; what it costs is asked for where it is suspected
// by itself.
bool is_of_distribution(const Observation& observation) {
  return observation.origin && observation.origin->file == "/etc/openmpi/openmpi-mca-params.conf" &&
         observation.id == "mpi.setting.changed";
}

// Without one of these ranks may not reach each other at all.
bool chooses_interfaces(const Observation& observation) {
  const std::string& name = observation.component;
  return name.ends_with("_if_include") || name.ends_with("_if_exclude") || name.ends_with("NET_DEVICES");
}

// Where the network or the storage is slow, cells that are short elsewhere take minutes: they get an eighth of the
// time of the suite, as they make an eighth of its repetitions.
double seconds_of_trial(const bench::Suite& suite) {
  constexpr double kPart = 8, kLeast = 0.75;
  double seconds = 0;
  for (const bench::SuiteEntry& entry : suite.entries)
    if (!entry.cells.empty()) seconds += entry.seconds;
  return std::max(kLeast, seconds / kPart);
}

TwinWork work_of(const Session& session) {
  TwinWork work;
  work.arguments = {"--directory", std::filesystem::absolute(storage_directory(session)).string()};
  work.seconds = seconds_of_trial(session.suite);
  work.least = 3;  // pairs make the sample, and not repetitions
  const std::vector<std::string> cells = short_cells(session.suite, session.cell_kinds);
  work.arguments.insert(work.arguments.end(), cells.begin(), cells.end());
  return work;
}

// Of the suite with this MPI.
double length_of(const Session& session, const std::string& mpi) {
  double length = 0;
  for (const auto& run : session.validation.suite)
    if (run.mpi == mpi) length += run.observed_s;
  return length;
}

// The cells that gain most, as re-tests: each was measured as often with the setting as without.
std::vector<Retest> retests_of(const TwinOutcome& outcome) {
  constexpr std::size_t kMost = 4;
  std::vector<const TwinCell*> cells;
  for (const TwinCell& cell : outcome.cells) cells.push_back(&cell);
  const auto gain = [](const TwinCell* cell) {
    return statistics::median(cell->as_is) - statistics::median(cell->changed);
  };
  std::ranges::stable_sort(cells, std::greater<>(), gain);
  std::vector<Retest> retests;
  for (const TwinCell* cell : cells) {
    if (retests.size() == kMost || gain(cell) <= 0) break;
    retests.push_back({cell->name, "s", statistics::median(cell->as_is), cell->as_is, cell->changed, true});
  }
  return retests;
}

// The suite as a whole loses the share that its short cells lose.
Diagnosis diagnosis_of(const Session& session, const Observation& setting, const std::string& mpi,
                       const TwinOutcome& outcome, std::uint32_t pairs) {
  Diagnosis diagnosis;
  diagnosis.id = setting.id;
  diagnosis.title = setting.text;
  diagnosis.component = setting.component;
  diagnosis.mpi = mpi;
  diagnosis.reference = Reference::kWitness;
  const double share = outcome.gain_s() / outcome.as_is_s;
  diagnosis.cost_s = share * length_of(session, mpi);
  diagnosis.cost_basis =
      fmt::format("cells of the suite, run with and without it {} times in turn, gained {:.0f} %", pairs, 100 * share);
  diagnosis.confidence = outcome.p <= 0.01 ? Confidence::kHigh : Confidence::kGood;
  diagnosis.samples = pairs;
  diagnosis.p = outcome.p;
  diagnosis.retests = retests_of(outcome);
  diagnosis.evidence = setting.rows;
  diagnosis.evidence.push_back({"cells with it", fmt::format("{:.3f}", outcome.as_is_s), "s"});
  diagnosis.evidence.push_back({"cells without it", fmt::format("{:.3f}", outcome.changed_s), "s"});
  diagnosis.origin = setting.origin;
  (mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich) = {text_of_removal(setting)};
  return diagnosis;
}

bool is_costly(const TwinOutcome& outcome) {
  return outcome.fault.empty() && outcome.p <= kLeastP && outcome.gain_s() > kLeastShare * outcome.as_is_s;
}

// By the least times, which others at work on the machine spoil last.
bool may_be_costly(const TwinOutcome& outcome) {
  return outcome.fault.empty() && outcome.least_gain_s() > kLeastShare * outcome.least_as_is_s;
}

std::string text_of_doubt(const TwinOutcome& outcome, std::uint32_t pairs) {
  return fmt::format("{} times with and without it took {:.3f} and {:.3f} s, which may be chance (p {:.2g})", pairs,
                     outcome.as_is_s, outcome.changed_s, outcome.p);
}

// As many as end in time, by what those at first took.
std::uint32_t pairs_after(const TwinOutcome& first) {
  const double pairs = kSecondsOfPairs * kAtFirst / std::max(first.took_s, 0.001);
  return static_cast<std::uint32_t>(std::clamp(pairs, 1.0 * kLeastPairs, 1.0 * kMostPairs));
}

class Trials {
 public:
  Trials(Session& session, const Mpi& mpi) : session_(session), mpi_(mpi) {}

  // Of several first all at once, since most settings cost nothing. Those that choose interfaces are among them where
  // ranks reach each other without them, and the others where not all of them run without; at last each is tried alone.
  // Where not even the machine as it is ends in time, nothing is found.
  std::vector<Diagnosis> of(std::vector<Observation*> settings) {
    std::erase_if(settings, [&](Observation* each) { return chooses_interfaces(*each) && !runs_without(*each); });
    TwinOutcome all = all_at_once(settings);
    if (!all.fault.empty() && !all.as_is_failed && std::erase_if(settings, [&](Observation* each) {
                                                     return !chooses_interfaces(*each) && !runs_without(*each);
                                                   }) > 0)
      all = all_at_once(settings);
    if (all.as_is_failed || (settings.size() > 1 && all.fault.empty() && !is_suspect(all, settings))) return {};
    std::vector<Diagnosis> found;
    for (Observation* setting : settings) {
      const TwinOutcome alone = run({setting}, setting->component, kAtFirst);
      if (alone.as_is_failed) return found;
      if (!is_suspect(alone, {setting})) continue;
      if (std::optional<Diagnosis> costly = measured_well(*setting, pairs_after(alone)))
        found.push_back(std::move(*costly));
    }
    return found;
  }

 private:
  std::optional<Diagnosis> measured_well(Observation& setting, std::uint32_t pairs) {
    const TwinOutcome outcome = run({&setting}, setting.component, pairs);
    if (is_costly(outcome)) {
      setting.explained = true;
      return diagnosis_of(session_, setting, mpi_.installed.flavour, outcome, pairs);
    }
    if (may_be_costly(outcome)) doubt({&setting}, outcome, pairs);
    return {};
  }

  // Of few pairs: where runs of both sides overlap, more of them would tell a cost from chance only after long.
  bool is_suspect(const TwinOutcome& outcome, const std::vector<Observation*>& settings) {
    if (!may_be_costly(outcome)) return false;
    if (!outcome.is_apart) doubt(settings, outcome, kAtFirst);
    return outcome.is_apart;
  }

  void doubt(const std::vector<Observation*>& settings, const TwinOutcome& outcome, std::uint32_t pairs) {
    for (const Observation* setting : settings)
      session_.not_judged.try_emplace(
          setting->id, fmt::format("{}{}: {}", setting->component, settings.size() > 1 ? " and others at once" : "",
                                   text_of_doubt(outcome, pairs)));
  }

  TwinOutcome all_at_once(const std::vector<Observation*>& settings) {
    return settings.size() > 1 ? run(settings, "all settings", kAtFirst) : TwinOutcome{};
  }

  // A moment's work, which tells those that the ranks cannot start or meet without.
  bool runs_without(Observation& setting) {
    TwinWork work;
    work.arguments = {"barrier:repetitions=3"};
    work.pairs = 1;
    work.patience_s = kPatienceToMeet;
    return run({&setting}, setting.component, work).fault.empty();
  }

  TwinOutcome run(const std::vector<Observation*>& settings, const std::string& name, std::uint32_t pairs) {
    TwinWork work = work_of(session_);
    work.pairs = pairs;
    return run(settings, name, std::move(work));
  }

  TwinOutcome run(const std::vector<Observation*>& settings, const std::string& name, TwinWork work) {
    session_.begin_step(fmt::format("with and without {}, {}", name, mpi_.installed.flavour));
    std::set<std::string> seen;
    for (const Observation* setting : settings)
      for (const std::string& change : removal_of(*setting, session_.directory / "log"))
        if (seen.insert(change).second) work.changed.push_back(change);
    const TwinOutcome outcome =
        run_twins(session_.site, mpi_, work, session_.log(fmt::format("without-{}-{}", mpi_.installed.flavour, name)));
    if (!outcome.fault.empty())
      session_.validation.notes.push_back(fmt::format("what {} costs with {} could not be measured: {} it, {}", name,
                                                      mpi_.installed.flavour, outcome.as_is_failed ? "with" : "without",
                                                      outcome.fault));
    return outcome;
  }

  Session& session_;
  const Mpi& mpi_;
};

}  // namespace

std::vector<Diagnosis> try_settings(Session& session) {
  std::vector<Diagnosis> found;
  for (MpiResult& result : session.mpis) {
    std::vector<Observation*> settings;
    for (Observation& each : result.observations)
      if (is_setting(each) && !is_of_distribution(each) && !removal_of(each, session.directory / "log").empty())
        settings.push_back(&each);
    for (Diagnosis& each : Trials(session, *result.mpi).of(std::move(settings))) found.push_back(std::move(each));
  }
  return found;
}

}  // namespace plumbline::cli::validate
