#include "hwmodels/calibrate/storage/findings.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

#include "hwmodels/calibrate/fit/peers.hpp"
#include "hwmodels/calibrate/storage/classes.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kWorthANote = 0.05;  // p of what looks slow, and is no finding

Finding finding_of(const PartClass& of, const Outlier& outlier) {
  Finding finding;
  finding.component = of.names[outlier.member];
  finding.quantity = of.what;
  finding.expected = of.usual_s * 1e9;
  finding.measured = finding.expected * outlier.times;
  finding.unit = "ns";
  finding.severity = outlier.times - 1;
  finding.p = outlier.p;
  finding.samples = static_cast<std::uint32_t>(of.members[outlier.member].runs.size());
  finding.basis = basis_of(finding.samples, of.members.size());
  return finding;
}

struct Seen {
  const PartClass* of = nullptr;
  Finding finding;
};
using WorstOfEach = std::map<std::string, Seen>;  // by component

WorstOfEach worst_of_each(const std::vector<PartClass>& classes, double false_discoveries) {
  WorstOfEach worst;
  for (const PartClass& each : classes)
    for (const Outlier& outlier : slower_than_peers(each.members, {each.least, false_discoveries})) {
      Finding finding = finding_of(each, outlier);
      Seen& kept = worst[finding.component];
      if (kept.of == nullptr || finding.severity > kept.finding.severity) kept = {&each, std::move(finding)};
    }
  return worst;
}

std::string uncertain(const Seen& seen) {
  return fmt::format(
      "storage of {}: {} looks slow ({} takes {:.2f} times what its {} peers take), which is not certain (p = {:.2g}): "
      "more runs or more {}s would tell",
      seen.of->mount, seen.finding.component, seen.of->what, 1 + seen.finding.severity, seen.of->members.size() - 1,
      seen.finding.p, seen.of->part);
}

// Empty: it can be told.
std::string what_cannot_be_told(const PartClass& of) {
  if (of.parts < 2) return "";
  if (of.parts < kFewestPeers)
    return fmt::format("storage of {}: of {} {}s nobody can say which one is slow: it takes {}", of.mount, of.parts,
                       of.part, kFewestPeers);
  const std::size_t needed = fewest_runs(of.parts);
  if (of.runs >= needed) return "";
  return fmt::format(
      "storage of {}: whether one of {} {}s is slower than the others cannot be told from {} run{}, for the "
      "repetitions "
      "of a run are not independent: measure {} runs or more (runs = {} in [campaign])",
      of.mount, of.parts, of.part, of.runs, of.runs == 1 ? "" : "s", needed, needed);
}

// One for each kind of part of a mount point, of the class that most was seen of.
std::vector<std::string> limits_of(const std::vector<PartClass>& classes) {
  std::map<std::pair<std::string, std::string>, const PartClass*> largest;
  for (const PartClass& each : classes) {
    const PartClass*& kept = largest[{each.mount, each.part}];
    if (kept == nullptr || std::pair(each.parts, each.runs) > std::pair(kept->parts, kept->runs)) kept = &each;
  }
  std::vector<std::string> notes;
  for (const auto& [key, of] : largest)
    if (std::string text = what_cannot_be_told(*of); !text.empty()) notes.push_back(std::move(text));
  return notes;
}

}  // namespace

SlowStorage find_slow_storage(const bench::Campaign& campaign) {
  const std::vector<PartClass> classes = classes_of_storage(campaign);
  SlowStorage result;
  result.notes = limits_of(classes);
  const WorstOfEach certain = worst_of_each(classes, PeerRule{}.false_discoveries);
  for (const auto& [component, seen] : certain) result.findings.push_back(seen.finding);
  for (const auto& [component, seen] : worst_of_each(classes, kWorthANote))
    if (!certain.contains(component)) result.notes.push_back(uncertain(seen));
  return result;
}

}  // namespace plumbline::hw::calibration
