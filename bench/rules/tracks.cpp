#include "bench/rules/tracks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "bench/rules/form_text.hpp"

namespace plumbline::bench {
namespace {

std::string title_of(const RuleOutcome& outcome) {
  if (outcome.rule->kind != Rule::Kind::kPattern) {
    const bool split = outcome.rule->kind == Rule::Kind::kSplit;
    const RuleCell& cell = outcome.cells.front();
    constexpr std::string_view kPlaces[] = {"", " through the loopback", " between nodes"};
    return fmt::format("{}{}{}: {}", outcome.operation, text_of_form(cell.settings),
                       kPlaces[static_cast<std::size_t>(cell.place)],
                       split ? "one call, and several of the parts" : "each size, and the next larger one");
  }
  const Comparison& comparison = outcome.rule->comparisons[outcome.comparison];
  return fmt::format("{}{}{}{}", comparison.name, comparison.name.empty() ? "" : ": ", comparison.text,
                     text_of_form(settings_of_text(comparison.form)));
}

bool is_of(const GuidelineTrack& track, const RuleOutcome& outcome, std::uint32_t number) {
  return track.rule == outcome.rule && track.mpi == outcome.mpi && track.nodes == outcome.nodes &&
         track.per_node == outcome.per_node && number == outcome.track;
}

void add(const RulesVerdict& verdict, std::size_t index, double least_ratio, GuidelineTrack& to) {
  const RuleOutcome& outcome = verdict.outcomes[index];
  const GuidelineVerdict said = verdict_of(outcome, least_ratio);
  to.of_it.push_back(index);
  if (said == GuidelineVerdict::kNotJudged) return;
  ++to.judged;
  to.violations += said == GuidelineVerdict::kViolated ? 1 : 0;
  to.artefacts += said == GuidelineVerdict::kArtefact ? 1 : 0;
  to.unproven += said == GuidelineVerdict::kUnproven ? 1 : 0;
  const auto rank = [&](const RuleOutcome& each) { return std::tuple(each.violated, each.artefact, excess_of(each)); };
  if (!to.worst || rank(outcome) > rank(verdict.outcomes[*to.worst])) to.worst = index;
}

template <class IsChosen>
std::vector<std::size_t> worst_first(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks,
                                     IsChosen is_chosen) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < tracks.size(); ++i)
    if (is_chosen(tracks[i])) chosen.push_back(i);
  std::ranges::stable_sort(chosen, std::greater<>(),
                           [&](std::size_t i) { return excess_of(verdict.outcomes[*tracks[i].worst]); });
  return chosen;
}

}  // namespace

GuidelineVerdict verdict_of(const RuleOutcome& outcome, double least_ratio) {
  if (!outcome.not_judged.empty()) return GuidelineVerdict::kNotJudged;
  if (outcome.violated) return GuidelineVerdict::kViolated;
  if (outcome.artefact) return GuidelineVerdict::kArtefact;
  return excess_of(outcome) >= least_ratio && lost_s(outcome) > outcome.resolution_s ? GuidelineVerdict::kUnproven
                                                                                     : GuidelineVerdict::kHolds;
}

std::string_view word(GuidelineVerdict verdict) {
  constexpr std::string_view kWords[] = {"holds", "unproven", "artefact", "violated", "not judged"};
  return kWords[static_cast<std::size_t>(verdict)];
}

std::vector<GuidelineTrack> tracks_of(const RulesVerdict& verdict, double least_ratio) {
  std::vector<GuidelineTrack> tracks;
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < verdict.outcomes.size(); ++i) {
    const RuleOutcome& outcome = verdict.outcomes[i];
    if (tracks.empty() || !is_of(tracks.back(), outcome, number)) {
      tracks.push_back(
          {outcome.rule, outcome.comparison, outcome.mpi, outcome.nodes, outcome.per_node, title_of(outcome), {}});
      number = outcome.track;
    }
    add(verdict, i, least_ratio, tracks.back());
  }
  for (GuidelineTrack& track : tracks) {
    std::vector<RuleOutcome> outcomes;
    for (const std::size_t i : track.of_it) outcomes.push_back(verdict.outcomes[i]);
    track.violated = is_violated_as_a_whole(outcomes);
  }
  return tracks;
}

std::vector<std::size_t> violated_worst_first(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks) {
  return worst_first(verdict, tracks, [](const GuidelineTrack& track) { return track.violated; });
}

std::vector<std::size_t> artefacts_worst_first(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks) {
  return worst_first(verdict, tracks,
                     [](const GuidelineTrack& track) { return !track.violated && track.artefacts > 0; });
}

std::vector<GuidelineGroup> groups_of(const RulesVerdict& verdict, const std::vector<GuidelineTrack>& tracks) {
  std::vector<GuidelineGroup> groups;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const GuidelineTrack& track = tracks[i];
    auto group = std::ranges::find_if(
        groups, [&](const GuidelineGroup& each) { return each.name == track.rule->group && each.mpi == track.mpi; });
    if (group == groups.end()) group = groups.insert(groups.end(), {track.rule->group, track.mpi});
    ++group->tracks;
    group->violated_tracks += track.violated ? 1 : 0;
    group->tests += track.judged;
    group->violations += track.violations;
    group->artefacts += track.artefacts;
    group->unproven += track.unproven;
    const auto ratio = [&](std::size_t t) { return excess_of(verdict.outcomes[*tracks[t].worst]); };
    if (track.violated && (!group->worst || ratio(i) > ratio(*group->worst))) group->worst = i;
  }
  return groups;
}

}  // namespace plumbline::bench
