#include "cli/workflows/validate/settings/trials.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <numeric>
#include <optional>

#include "bench/rules/campaign.hpp"
#include "cli/workflows/validate/session/archive_settings.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/twins.hpp"
#include "cli/workflows/validate/settings/costs.hpp"
#include "cli/workflows/validate/settings/forced.hpp"
#include "cli/workflows/validate/settings/groups.hpp"
#include "cli/workflows/validate/settings/work.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using replay::validate::Observation;

constexpr std::uint32_t kMostPairs = 7;
constexpr double kSecondsOfPairs = 90;  // of one setting; more pairs than the least end then
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

// As many as end in time, by what those at first took.
std::uint32_t pairs_after(const TwinOutcome& first) {
  const double pairs = kSecondsOfPairs * kAtFirst / std::max(first.took_s, 0.001);
  return static_cast<std::uint32_t>(std::clamp(pairs, 1.0 * kLeastPairs, 1.0 * kMostPairs));
}

class Trials {
 public:
  // In turn with and without a setting: this work, but as often as a trial takes.
  Trials(Session& session, const Mpi& mpi, TwinWork work) : session_(session), mpi_(mpi), work_(std::move(work)) {}

  // Of several first all at once, since most settings cost nothing. Those that choose interfaces are among them where
  // ranks reach each other without them, and the others where not all of them run without; then halves of halves.
  // Where not even the machine as it is ends in time, nothing is found.
  std::vector<Diagnosis> of(std::vector<Observation*> settings) {
    std::erase_if(settings, [&](Observation* each) { return chooses_interfaces(*each) && !runs_without(*each); });
    TwinOutcome all = all_at_once(settings);
    if (!all.fault.empty() && !all.as_is_failed && std::erase_if(settings, [&](Observation* each) {
                                                     return !chooses_interfaces(*each) && !runs_without(*each);
                                                   }) > 0)
      all = all_at_once(settings);
    if (all.as_is_failed) return {};
    if (settings.size() > 1 && all.fault.empty() && !is_suspect(all, settings)) {
      tell_differing_cells(settings, all);
      return {};
    }
    if (settings.empty()) return {};
    std::vector<Diagnosis> found = costly_among(units_of(settings), all);
    if (found.empty() && settings.size() > 1 && all.fault.empty()) tell_differing_cells(settings, all);
    return found;
  }

 private:
  std::vector<Diagnosis> costly_among(const std::vector<SettingUnit>& units, const TwinOutcome& all) {
    const auto settings_of = [&](const SettingGroup& group) {
      SettingUnit settings;
      for (const std::size_t unit : group) settings.insert(settings.end(), units[unit].begin(), units[unit].end());
      return settings;
    };
    std::map<SettingGroup, TwinOutcome> first;
    const auto measure = [&](const SettingGroup& group) {
      const SettingUnit settings = settings_of(group);
      const TwinOutcome outcome = run(settings, names_of(settings), kAtFirst);
      first[group] = outcome;
      const double lost = most_lost(outcome);
      if (group.size() == 1) return GroupCost{is_suspect(outcome, settings), lost};
      const bool fails = !outcome.fault.empty() && !outcome.as_is_failed;  // parts of it may run
      return GroupCost{fails || is_worth_more_pairs(outcome) || loses_in_part(outcome), lost};
    };
    SettingGroup group(units.size());
    std::iota(group.begin(), group.end(), std::size_t{0});
    if (group.size() > 1) first[group] = all;
    const GroupCost together = group.size() > 1 ? GroupCost{true, most_lost(all)} : measure(group);
    std::vector<Diagnosis> found;
    if (!together.is_suspect) return found;
    const auto confirm = [&](const SettingGroup& costly) {
      std::optional<Diagnosis> diagnosis = measured_well(settings_of(costly), first[costly]);
      if (diagnosis) found.push_back(*std::move(diagnosis));
      return diagnosis.has_value();
    };
    costly_groups(group, together, measure, confirm);
    return found;
  }

  // Names of several may be longer than a file's.
  std::string log_of(const SettingUnit& settings) const {
    std::string first = settings.empty() ? "none" : settings.front()->component.substr(0, 100);
    std::ranges::replace(first, '/', '-');
    return fmt::format("without-{}-{}{}", mpi_.installed.flavour, first,
                       settings.size() > 1 ? fmt::format("-and-{}-more", settings.size() - 1) : "");
  }

  // Pairs that are let go after the first ones only make chance findings rarer, so the first ones count with the rest.
  // Cells that the first ones picked are judged by other pairs alone, of which there are as many then. What is unclear
  // after these is measured as often again.
  std::optional<Diagnosis> measured_well(const SettingUnit& settings, const TwinOutcome& first) {
    const std::uint32_t pairs = pairs_after(first);
    const std::vector<std::string> losing = losing_cells(first);
    const bool all_count = may_be_costly(first);
    const std::uint32_t more_pairs = all_count && losing.empty() ? pairs - kAtFirst : pairs;
    TwinOutcome more = run(settings, names_of(settings), more_pairs);
    TwinOutcome outcome = all_count ? with_more_pairs(first, more) : more;
    std::uint32_t counted = all_count ? kAtFirst + more_pairs : more_pairs;
    std::uint32_t of_cells = more_pairs;
    if (is_unclear(outcome, {outcome.gain_s(), outcome.p}) || is_unclear(more, loss_in(more, losing))) {
      const std::uint32_t again = counted;
      const TwinOutcome further = run(settings, names_of(settings), again);
      if (further.fault.empty()) {
        outcome = with_more_pairs(std::move(outcome), further);
        more = with_more_pairs(std::move(more), further);
        counted += again;
        of_cells += again;
      }
    }
    if (is_costly(outcome)) return joined(settings, {outcome, {}, counted});
    if (is_costly(more, loss_in(more, losing))) return joined(settings, {more, losing, of_cells});
    if (may_be_costly(outcome)) doubt(settings, outcome, counted);
    return {};
  }

  // They are explained then. The first one speaks for those that only cost together.
  Diagnosis joined(const SettingUnit& settings, const SettingTrial& trial) {
    for (Observation* setting : settings) setting->explained = true;
    Diagnosis diagnosis = diagnosis_of(session_, *settings.front(), mpi_.installed.flavour, trial);
    diagnosis.component = names_of(settings);
    for (std::size_t i = 1; i < settings.size(); ++i) {
      diagnosis.title += fmt::format("; {}", settings[i]->text);
      auto& lines = mpi_.installed.flavour == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich;
      lines.push_back(text_of_removal(*settings[i]));
    }
    return diagnosis;
  }

  // Where it may cost something that more pairs would tell only after long, that is told.
  bool is_suspect(const TwinOutcome& outcome, const std::vector<Observation*>& settings) {
    const bool is_worth_it = is_worth_more_pairs(outcome) || (settings.size() > 1 && loses_in_part(outcome));
    if (!is_worth_it && may_be_costly(outcome)) doubt(settings, outcome, kAtFirst);
    return is_worth_it;
  }

  // Cells that use files, and those that do not: what a setting of messages costs, hints may gain.
  std::array<TwinOutcome, 2> parts_of(const TwinOutcome& outcome) const {
    const auto uses_files = [&](const TwinCell& cell) { return bench::uses_files(cell.name, session_.cell_kinds); };
    return {of_cells(outcome, uses_files), of_cells(outcome, std::not_fn(uses_files))};
  }

  bool loses_in_part(const TwinOutcome& outcome) const { return std::ranges::any_of(parts_of(outcome), loses_much); }

  // The greatest of its losses, as parts of the time: of messages and files together, without what either gains; of the
  // cells that lose; and of these weighed alike.
  double most_lost(const TwinOutcome& outcome) const {
    if (!(outcome.as_is_s > 0)) return 0;
    double lost_s = 0;
    for (const TwinOutcome& part : parts_of(outcome)) lost_s += std::max(0.0, part.gain_s());
    const CellLoss loss = loss_in(outcome, losing_cells(outcome));
    return std::max({lost_s / outcome.as_is_s, loss.lost_s / outcome.as_is_s, loss.share_alike});
  }

  void doubt(const std::vector<Observation*>& settings, const TwinOutcome& outcome, std::uint32_t pairs) {
    for (const Observation* setting : settings)
      session_.not_judged.try_emplace(
          setting->id, fmt::format("{}{}: {}", setting->component, settings.size() > 1 ? " and others at once" : "",
                                   text_of_doubt(outcome, pairs)));
  }

  // What some cells lose and others gain costs the suite nothing, and is worth a word.
  void tell_differing_cells(const SettingUnit& settings, const TwinOutcome& outcome) {
    std::vector<replay::validate::Datum> rows = differing_cells(outcome);
    if (rows.empty()) return;
    const std::string names = names_of(settings);
    session_.validation.observations.push_back(
        {"mpi.setting.changed",
         fmt::format(
             "Some cells of the suite take twice as long or more with or without {}; over all cells no loss by it "
             "was shown",
             names),
         names,
         {},
         std::move(rows)});
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
    TwinWork work = work_;
    work.pairs = pairs;
    return run(settings, name, std::move(work));
  }

  TwinOutcome run(const std::vector<Observation*>& settings, const std::string& name, TwinWork work) {
    session_.begin_step(fmt::format("with and without {}, {}", name, mpi_.installed.flavour));
    work.changed = removal_of({settings.begin(), settings.end()}, session_.directory / "log");
    const TwinOutcome outcome = run_twins(session_.site, mpi_, work, session_.log(log_of(settings)));
    if (!outcome.fault.empty())
      session_.validation.notes.push_back(fmt::format("what {} costs with {} could not be measured: {} it, {}", name,
                                                      mpi_.installed.flavour, outcome.as_is_failed ? "with" : "without",
                                                      outcome.fault));
    return outcome;
  }

  Session& session_;
  const Mpi& mpi_;
  TwinWork work_;
};

}  // namespace

void try_settings(Session& session, std::vector<Diagnosis>& found) {
  for (MpiResult& result : session.mpis) {
    std::vector<Observation*> settings;
    for (Observation& each : result.observations)
      if (is_setting(each) && !is_of_distribution(each) && can_be_removed(each)) settings.push_back(&each);
    for (Diagnosis& each : Trials(session, *result.mpi, work_of_trial(session)).of(std::move(settings)))
      found.push_back(std::move(each));
  }
}

void try_forced_algorithms(Session& session, const std::vector<Diagnosis>& shown, std::vector<Diagnosis>& found) {
  for (MpiResult& result : session.mpis)
    for (Observation& setting : result.observations) {
      const std::string collective = forced_collective(setting.component);
      const Diagnosis* const costliest = costliest_of(shown, collective, result.mpi->installed.flavour);
      if (setting.explained || costliest == nullptr || !can_be_removed(setting) ||
          costliest->cost_s < kLeastShare * session.validation.suite_s())
        continue;
      TwinWork work = work_of_trial(session);
      work.arguments =
          cells_of_collective(session.cell_kinds, collective, bench::blocks_of(rules_campaign_on(session, result)));
      if (work.arguments.empty()) continue;
      session.not_judged.erase(setting.id);  // what the trial of all cells left in doubt
      for (Diagnosis& each : Trials(session, *result.mpi, std::move(work)).of({&setting})) {
        take_cost(each, *costliest);
        found.push_back(std::move(each));
      }
    }
}

}  // namespace plumbline::cli::validate
