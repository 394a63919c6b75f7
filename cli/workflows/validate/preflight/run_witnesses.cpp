#include "cli/workflows/validate/preflight/run_witnesses.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "cli/workflows/archive_nodes.hpp"
#include "cli/workflows/validate/preflight/lossy_network.hpp"
#include "tracer/archive/node_facts.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Observation;

// None where the archive cannot be read: that is told where it is replayed.
std::vector<Observation> growth_in(const SuiteResult& run) {
  try {
    const archive::Reader reader(run.archive);
    std::vector<Observation> grown = growth_on(archive::node_facts(reader.definitions()));
    if (auto pairs = replay::validate::lossy_pairs(traffic_of(reader.definitions())))
      grown.push_back(std::move(pairs->observation));
    return grown;
  } catch (const Error&) {
    return {};
  }
}

Observation& same_of(const Observation& one, std::vector<Observation>& all) {
  const auto same = std::ranges::find_if(
      all, [&](const Observation& other) { return other.id == one.id && other.component == one.component; });
  if (same != all.end()) return *same;
  all.push_back({one.id, one.text + ", while single runs of the suite went on", one.component, one.places});
  return all.back();
}

}  // namespace

std::vector<Observation> growth_in_runs(const Session& session) {
  std::vector<Observation> all;
  for (const SuiteResult& run : session.runs)
    for (Observation& one : growth_in(run)) {
      Observation& into = same_of(one, all);
      for (const std::string& place : one.places)
        if (std::ranges::find(into.places, place) == into.places.end()) into.places.push_back(place);
      for (replay::validate::Datum& row : one.rows) {
        row.name = fmt::format("{} ({}) {}", run.entry->name, run.mpi->installed.flavour, row.name);
        into.rows.push_back(std::move(row));
      }
    }
  return all;
}

}  // namespace plumbline::cli::validate
