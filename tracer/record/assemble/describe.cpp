#include "tracer/record/assemble/describe.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <span>
#include <string>
#include <string_view>

#include "tracer/archive/names.hpp"
#include "tracer/record/definitions/run_facts.hpp"

namespace plumbline::record {

namespace names = archive::names;

namespace {

// What launchers set for themselves in each process says nothing about the run, and one of it is the key of the job's
// transport.
bool is_launchers_own(std::string_view key) {
  for (const std::string_view prefix :
       {"env.OMPI_MCA_orte_", "env.OMPI_MCA_ess", "env.OMPI_MCA_pmix", "env.OMPI_COMM_WORLD_", "env.OMPI_FILE_LOCATION",
        "env.OMPI_ARGV", "env.OMPI_COMMAND", "env.OMPI_FIRST_RANKS", "env.OMPI_APP_CTX_", "env.OMPI_NUM_APP_CTX",
        "env.OMPI_MCA_initial_wdir", "env.OMPI_MCA_shmem_RUNTIME_QUERY_hint", "env.OMPI_ALLOW_RUN_AS_ROOT", "env.PMIX_",
        "env.PMI_", "env.HYDI_", "env.HYDRA_", "env.MPICH_INTERFACE_HOSTNAME", "env.MPIR_CVAR_CH3_INTERFACE_HOSTNAME"})
    if (key.starts_with(prefix)) return true;
  return false;
}

// "MPI_Recv", "MPI_Recv, MPI_Recv, write and 2 more".
std::string in_words(const std::vector<std::string>& calls) {
  constexpr std::size_t kShown = 3;
  const std::size_t shown = std::min(calls.size(), kShown);
  const std::string text = fmt::format("{}", fmt::join(std::span(calls).first(shown), ", "));
  return calls.size() == shown ? text : fmt::format("{} and {} more", text, calls.size() - shown);
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
  if (header.poll_break_ticks != 0)
    p[names::kPropertyPollBreak] = fmt::format("{}", clock.duration(header.poll_break_ticks).ps);
  p[names::kPropertyLost] = fmt::format("{}", header.lost_records);
  if (std::string processors = processor_list(header); !processors.empty())
    p[names::kPropertyAffinity] = std::move(processors);
  if (const auto numa = facts.meta.find("numa"); numa != facts.meta.end())
    p[names::kPropertyNuma] = memory_nodes(header, numa->second);
  for (const auto& [framework, components] : facts.components)
    p[fmt::format("PLUMBLINE::META::openmpi.{}", framework)] = components;
  for (const auto& [key, value] : facts.meta)
    if (!is_launchers_own(key)) p[fmt::format("PLUMBLINE::META::{}", key)] = value;
}

void describe_end(archive::LocationGroup& group, const Recording& recording, std::uint64_t zero_realtime_ns) {
  group.properties[names::kPropertyEnd] = recording.end;
  if (recording.note && zero_realtime_ns != 0 && recording.note->realtime_ns > zero_realtime_ns)
    group.properties[names::kPropertyEnded] =
        fmt::format("{}", time_stamp(recording.note->realtime_ns, zero_realtime_ns).ps);
}

void remark_process(const Recording& recording, const Tally& tally, AssembleSummary& summary) {
  const auto say = [&](const std::string& text) { summary.remark(fmt::format("rank {}: {}", recording.rank, text)); };
  for (const std::string& text : recording.spool->remarks()) say(text);
  if (recording.end != "finalized") say(recording.end);
  if (recording.end == "finalized" && recording.note && recording.note->signal != 0)
    say(fmt::format("killed by {} after MPI_Finalize", signal_text(recording.note->signal)));
  if (!tally.unfinished.empty()) say(fmt::format("{} had not returned when it ended", in_words(tally.unfinished)));
  if (tally.short_records != 0) say(fmt::format("{} records are shorter than they should be", tally.short_records));
  if (tally.unknown_comms != 0)
    say(fmt::format("{} calls used a communicator that nothing is known about", tally.unknown_comms));
  if (tally.unknown_requests != 0)
    say(fmt::format("{} requests were completed that were not seen posted", tally.unknown_requests));
  if (tally.unknown_inner_peers != 0)
    say(
        fmt::format("of {} messages inside of calls the archive does not know the other end: its recording is missing, "
                    "or is of another MPI_COMM_WORLD",
                    tally.unknown_inner_peers));
}

void remark_program(const ProcessFacts& facts, AssembleSummary& summary) {
  if (const auto sanitizer = facts.meta.find("sanitizer"); sanitizer != facts.meta.end())
    summary.remark(
        fmt::format("the program is built with -fsanitize={}: its times are those of the instrumented "
                    "program{}",
                    sanitizer->second,
                    sanitizer->second == "address" ? " (it was given verify_asan_link_order=0 in ASAN_OPTIONS)" : ""));
  if (const auto layer = facts.meta.find("mpi.layer_in_front"); layer != facts.meta.end())
    summary.remark(
        fmt::format("these functions of MPI are not the tracer's to see, recorded is what they call by PMPI_ "
                    "names: {}",
                    layer->second));
}

}  // namespace plumbline::record
