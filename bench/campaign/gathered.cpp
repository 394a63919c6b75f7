#include "bench/campaign/gathered.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <optional>

#include "base/error.hpp"
#include "bench/campaign/quiet.hpp"
#include "bench/results/shared_cores.hpp"
#include "bench/results/stream.hpp"

namespace plumbline::bench {
namespace {

void complete(Run& run, const Attempt& attempt, const Description& description, const Start& start) {
  const Layout& layout = description.layouts[start.layout];
  run.mpi = description.mpis[start.mpi];
  run.nodes = layout.nodes;
  run.per_node = layout.per_node;
  run.load_before = attempt.load_before;
  if (!attempt.ended) return;
  run.load_after = attempt.load_after;
  run.stolen = std::max(run.stolen, attempt.stolen);  // there and here
}

// Once for all runs of a layout.
void note_shared_cores(const Run& run, std::vector<std::string>& notes) {
  const std::string sharing = sharing_of(run);
  if (sharing.empty()) return;
  const std::string note = fmt::format("layout {} x {}: {}: their times hold that they wait for each other", run.nodes,
                                       run.per_node, sharing);
  if (std::ranges::find(notes, note) == notes.end()) notes.push_back(note);
}

// The request that a rank's note "request 3 (bcast): ..." says was not measured, as an index in the attempt.
std::optional<std::uint32_t> failed_request(const std::string& note) {
  unsigned request = 0;
  if (std::sscanf(note.c_str(), "request %u (", &request) != 1) return std::nullopt;
  return request;
}

}  // namespace

bool gather(const Parts& parts, const Attempt& attempt, const Description& description,
            const std::vector<Start>& starts, Gathered& into) {
  Campaign& campaign = into.campaign;
  campaign.notes.insert(campaign.notes.end(), attempt.notes.begin(), attempt.notes.end());
  const std::size_t runs = campaign.runs.size(), cells = campaign.cells.size(), notes = campaign.notes.size();
  std::error_code failed;
  if (const auto size = std::filesystem::file_size(parts.stream(attempt), failed); failed || size == 0) return false;
  try {
    for (const std::uint32_t request : read_stream(parts.stream(attempt), campaign))
      if (request < attempt.requests.size()) into.done[attempt.start].insert(attempt.requests[request]);
  } catch (const Error& error) {
    campaign.notes.push_back(fmt::format("what a run wrote cannot be read: {}", error.what()));
    return false;
  }
  for (std::size_t i = notes; i < campaign.notes.size(); ++i) {
    const std::optional<std::uint32_t> failed_one = failed_request(campaign.notes[i]);
    if (failed_one && *failed_one < attempt.requests.size())
      into.failed[attempt.start].insert(attempt.requests[*failed_one]);
    campaign.notes[i] = fmt::format("run {}: {}", campaign.runs.size(), campaign.notes[i]);
  }
  if (campaign.runs.size() == runs) return false;
  Run& run = campaign.runs.back();
  complete(run, attempt, description, starts[attempt.start]);
  run.disturbances = disturbances_of(run, std::span(campaign.cells).subspan(cells),
                                     {attempt.own_load, attempt.run_queue, attempt.boot});
  note_shared_cores(run, campaign.notes);
  return true;
}

}  // namespace plumbline::bench
