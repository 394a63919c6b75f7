#include "tracer/record/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include "tracer/archive/names.hpp"

namespace plumbline::record {

namespace names = archive::names;

namespace {

std::string end_of(const pl_file_header& header) {
  switch (header.end) {
    case PL_END_FINALIZED:
      return "finalized";
    case PL_END_EXITED:
      return "exited";
    case PL_END_LEFT_OUT:
      return names::kEndLeftOut;
    case PL_END_STOPPED:
      return fmt::format("recording stopped: {}", header.stop_reason);
    default:
      return "killed";
  }
}

// What launchers set for themselves in each process says nothing about the run, and one of it is the key of the job's
// transport.
bool is_launchers_own(std::string_view key) {
  for (const std::string_view prefix :
       {"env.OMPI_MCA_orte_", "env.OMPI_MCA_ess", "env.OMPI_MCA_pmix", "env.OMPI_COMM_WORLD_", "env.OMPI_FILE_LOCATION",
        "env.OMPI_ARGV", "env.OMPI_COMMAND", "env.OMPI_FIRST_RANKS", "env.OMPI_APP_CTX_", "env.OMPI_NUM_APP_CTX",
        "env.OMPI_MCA_initial_wdir", "env.OMPI_MCA_shmem_RUNTIME_QUERY_hint", "env.OMPI_ALLOW_RUN_AS_ROOT", "env.PMIX_",
        "env.PMI_", "env.HYDI_", "env.HYDRA_"})
    if (key.starts_with(prefix)) return true;
  return false;
}

}  // namespace

std::uint32_t cores_of_node(const std::vector<Recording>& recordings, const pl_file_header& header) {
  std::array<std::uint64_t, std::size(pl_file_header{}.affinity)> all{};
  for (const Recording& recording : recordings) {
    const pl_file_header& other = recording.spool->header();
    if (std::strcmp(other.boot_id, header.boot_id) != 0 || std::strcmp(other.host, header.host) != 0) continue;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] |= other.affinity[i];
  }
  std::uint32_t cores = 0;
  for (const std::uint64_t word : all) cores += static_cast<std::uint32_t>(std::popcount(word));
  return std::max(cores, header.cores);
}

void describe_process(archive::LocationGroup& group, const pl_file_header& header, const ProcessFacts& facts,
                      const LinearClock& clock, std::uint32_t cores) {
  std::map<std::string, std::string>& p = group.properties;
  p[names::kPropertyHost] = header.host;
  p[names::kPropertyCores] = fmt::format("{}", cores);
  p[names::kPropertyLibrary] = header.library;
  p[names::kPropertyProgram] = header.program;
  p[names::kPropertyCostInside] = fmt::format("{}", clock.duration(header.cost_inside_ticks).ps);
  p[names::kPropertyCostOutside] = fmt::format("{}", clock.duration(header.cost_outside_ticks).ps);
  p[names::kPropertyPollGap] = fmt::format("{}", clock.duration(header.poll_gap_ticks).ps);
  p[names::kPropertyLost] = fmt::format("{}", header.lost_records);
  p[names::kPropertyEnd] = end_of(header);
  for (const auto& [key, value] : facts.meta)
    if (!is_launchers_own(key)) p[fmt::format("PLUMBLINE::META::{}", key)] = value;
}

void remark_process(std::uint32_t rank, const spool::Spool& spool, const Tally& tally, AssembleSummary& summary) {
  const auto say = [&](const std::string& text) { summary.remark(fmt::format("rank {}: {}", rank, text)); };
  for (const std::string& text : spool.remarks()) say(text);
  if (spool.header().end != PL_END_FINALIZED && spool.header().end != PL_END_LEFT_OUT) say(end_of(spool.header()));
  if (tally.unfinished != 0) say(fmt::format("{} calls had not returned when it ended", tally.unfinished));
  if (tally.short_records != 0) say(fmt::format("{} records are shorter than they should be", tally.short_records));
  if (tally.unknown_comms != 0)
    say(fmt::format("{} calls used a communicator that nothing is known about", tally.unknown_comms));
  if (tally.unknown_requests != 0)
    say(fmt::format("{} requests were completed that were not seen posted", tally.unknown_requests));
}

}  // namespace plumbline::record
