#include "tracer/record/assemble/recordings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "tracer/record/assemble/servers.hpp"

namespace plumbline::record {
namespace {

std::optional<EndNote> end_note(const std::filesystem::path& spool, AssembleSummary& summary) {
  try {
    return read_end_note(spool);
  } catch (const Error& error) {
    summary.remark(error.what());
    return {};
  }
}

// The spools of processes that initialised MPI, by rank.
// Behind them those of processes that were recorded without MPI.
std::vector<Recording> open_spools(const std::vector<std::filesystem::path>& paths, AssembleSummary& summary) {
  std::map<std::uint32_t, Recording> by_rank;
  std::vector<Recording> servers;
  std::uint64_t without_mpi = 0;
  for (const std::filesystem::path& path : paths) {
    std::unique_ptr<spool::Spool> spool;
    try {
      spool = std::make_unique<spool::Spool>(path, spool::Spool::Load::kLater);
    } catch (const Error& error) {
      summary.remark(error.what());
      continue;
    }
    const pl_file_header& header = spool->header();
    if (header.flavour == PL_FLAVOUR_NONE) {
      const std::optional<EndNote> note = end_note(path, summary);
      const std::string end = end_text(header, note, still_runs(header));
      servers.push_back({std::move(spool), 0, true, end, note, 0, false});
      continue;
    }
    if (header.world_rank < 0 || header.world_rank >= header.world_size) {
      ++without_mpi;
      continue;
    }
    const auto size = static_cast<std::uint32_t>(header.world_size);
    if (size > 1U << 24)
      throw Error(path.string(), fmt::format("its header tells of {} ranks", size),
                  "the spool is damaged: leave it out");
    if (summary.world_size != 0 && summary.world_size != size)
      throw Error(path.string(), fmt::format("this process was one of {}, others were of {}", size, summary.world_size),
                  "assemble the spools of one run at a time");
    summary.world_size = size;
    const auto rank = static_cast<std::uint32_t>(header.world_rank);
    const auto [entry, is_new] = by_rank.try_emplace(rank);
    if (!is_new)
      throw Error(path.string(),
                  fmt::format("rank {} was also recorded in {}", rank, entry->second.spool->path().string()),
                  "assemble the spools of one run at a time");
    const std::optional<EndNote> note = end_note(path, summary);
    const std::string end = end_text(header, note, still_runs(header));
    entry->second = {std::move(spool), rank, false, end, note, 0, false};
  }
  if (without_mpi != 0)
    summary.remark(fmt::format("{} process{} did not get through MPI_Init and {} left out", without_mpi,
                               without_mpi == 1 ? "" : "es", without_mpi == 1 ? "is" : "are"));
  std::vector<Recording> recordings;
  for (auto& [rank, recording] : by_rank) recordings.push_back(std::move(recording));
  order_servers(servers);
  for (Recording& server : servers) recordings.push_back(std::move(server));
  return recordings;
}

// What the user left out is not missing, but it is no recording.
void require_wanted_ranks(const std::vector<Recording>& recordings) {
  if (std::ranges::all_of(recordings, [](const Recording& recording) { return is_left_out(*recording.spool); }))
    throw Error("", "no rank was recorded: --ranks left all of them out", "name ranks that the run has");
}

void require_recordings(const std::vector<Recording>& recordings, const AssembleSummary& summary) {
  if (!recordings.empty()) return;
  std::string what = "no rank was recorded";
  if (!summary.remarks.empty()) what += " (" + summary.remarks.front() + ")";
  throw Error(
      "", what,
      "check that the program is linked to Open MPI or MPICH dynamically, calls MPI_Init, and was started by the "
      "launcher that was given; 'ldd PROGRAM' shows its libraries");
}

// A few spools of a large run are no recording of it, and empty locations for all others would only hide that.
void require_most_ranks(std::size_t found, std::uint32_t world_size) {
  constexpr std::uint32_t kLarge = 1024, kFew = 16;
  if (world_size <= kLarge || found > world_size / kFew) return;
  throw Error("", fmt::format("only {} of {} ranks have a spool", found, world_size),
              "gather the spools of all nodes in one directory, and assemble that");
}

void remark_missing_ranks(const std::vector<Recording>& recordings, AssembleSummary& summary) {
  std::string missing;
  std::size_t next = 0, count = 0;
  for (std::uint32_t rank = 0; rank < summary.world_size; ++rank) {
    if (next < recordings.size() && !recordings[next].is_server && recordings[next].rank == rank) {
      ++next;
      continue;
    }
    if (++count <= 8) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
  }
  if (count == 0) return;
  summary.remark(fmt::format("{} of {} ranks have no spool ({}{}): their locations are empty", count,
                             summary.world_size, missing, count > 8 ? ", .." : ""));
}

}  // namespace

std::vector<Recording> open_recordings(const std::vector<std::filesystem::path>& paths, AssembleSummary& summary) {
  std::vector<Recording> recordings = open_spools(paths, summary);
  require_recordings(recordings, summary);
  require_wanted_ranks(recordings);
  const auto is_rank = [](const Recording& recording) { return !recording.is_server; };
  require_most_ranks(static_cast<std::size_t>(std::ranges::count_if(recordings, is_rank)), summary.world_size);
  remark_missing_ranks(recordings, summary);
  summary.ranks = static_cast<std::uint32_t>(std::ranges::count_if(
      recordings, [&](const Recording& recording) { return is_rank(recording) && !is_left_out(*recording.spool); }));
  return recordings;
}

void require_world(const spool::Spool& spool, const ProcessFacts& facts) {
  if (is_left_out(spool)) return;  // it ended before it said anything of communicators
  const auto ranks = static_cast<std::uint32_t>(spool.header().world_size);
  const auto world = facts.comms.find(PL_COMM_WORLD);
  constexpr std::uint32_t kPlausible = 1U << 16;
  if (world == facts.comms.end() ? ranks <= kPlausible : world->second.size == ranks) return;
  throw Error(spool.path().string(), fmt::format("its header tells of {} ranks, its communicators do not", ranks),
              "the spool is damaged: leave it out");
}

}  // namespace plumbline::record
