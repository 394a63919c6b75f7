#include "hwmodels/calibrate/storage/alone.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/error.hpp"
#include "bench/results/storage_cells.hpp"
#include "hwmodels/calibrate/assumed.hpp"
#include "hwmodels/calibrate/observations/runs.hpp"
#include "hwmodels/calibrate/observations/storage_select.hpp"
#include "hwmodels/calibrate/storage/cells.hpp"
#include "hwmodels/calibrate/storage/merge.hpp"
#include "hwmodels/calibrate/tidy.hpp"

namespace plumbline::hw::calibration {
namespace {

bool has_servers(const bench::Campaign& campaign) {
  return std::any_of(campaign.cells.begin(), campaign.cells.end(), [](const bench::Cell& cell) {
    return is_of_storage(cell) && !word(cell, bench::cells::kServer).empty();
  });
}

// Notes from the `first` on say why.
void require_file_system(const bench::Campaign& campaign, const Calibration& made, std::size_t first) {
  if (!made.platform.file_systems.empty()) return;
  const std::vector<std::string> why(made.notes.begin() + static_cast<std::ptrdiff_t>(first), made.notes.end());
  throw Error(campaign.environment.host,
              why.empty() ? std::string("the campaign measured nothing of storage")
                          : fmt::format("the campaign measured too little of storage: {}", fmt::join(why, "; ")),
              "measure storage_calls with three sizes, and storage_metadata (docs/how-to/calibrate.md)",
              ExitCode::kTooNoisy);
}

void note_other_hosts(const bench::Campaign& campaign, const Platform& platform, const std::string& name,
                      std::vector<std::string>& notes) {
  std::set<std::string> others;
  for (const bench::Run& run : campaign.runs) others.insert(run.hosts.begin(), run.hosts.end());
  for (const Node& node : platform.nodes) others.erase(node.name);
  if (!others.empty())
    notes.push_back(
        fmt::format("storage was measured on hosts that are no nodes of {}: {}", name, fmt::join(others, ", ")));
}

}  // namespace

void fit_storage_alone(const bench::Campaign& campaign, const std::string& source, Calibration& into) {
  Platform& platform = into.platform;
  for (Node& node : platform.nodes) node.memory_rate = assumed_memory_rate();
  if (platform.nodes.size() > 1 || has_servers(campaign)) assume_network(platform);
  assume_messages(platform);
  const std::size_t notes = into.notes.size();
  fit_storage_cells(campaign, source, into);
  require_file_system(campaign, into, notes);
  into.notes.push_back(
      fmt::format("only storage was measured: {} are assumed (spread 100 %), so that no other time of a replay "
                  "with this platform means anything; --add-to FILE puts the storage into a platform that has the rest",
                  platform.edges.empty() ? "messages and memory" : "messages, memory and the network"));
  tidy(platform);
}

Calibration add_storage(const bench::Campaign& campaign, const Platform& platform, const std::string& name) {
  const RunChoice choice = choose_runs(campaign);
  Calibration made;
  made.platform = platform;
  made.platform.file_systems.clear();
  made.platform.servers.clear();
  made.notes = campaign.notes;
  made.notes.insert(made.notes.end(), choice.notes.begin(), choice.notes.end());
  made.disturbances = choice.disturbances;
  note_other_hosts(campaign, platform, name, made.notes);
  const std::size_t notes = made.notes.size();
  fit_storage_cells(campaign, fmt::format("calibrate: {} runs{}", runs_of_storage(campaign, choice), choice.mark()),
                    made);
  require_file_system(campaign, made, notes);
  made.platform = with_storage_of(made.platform, platform, made.notes);
  return made;
}

}  // namespace plumbline::hw::calibration
