#include "tracer/record/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <map>
#include <memory>
#include <string_view>

#include "base/error.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/writer.hpp"
#include "tracer/record/thread_events.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;
using archive::kUndefined;

constexpr std::size_t kShownRemarks = 50;

struct Recording {
  std::unique_ptr<spool::Spool> spool;
  std::uint32_t rank = 0;
};

void remark(AssembleSummary& summary, std::string text) {
  if (summary.remarks.size() < kShownRemarks) summary.remarks.push_back(std::move(text));
}

// The spools of processes that initialised MPI, by rank.
std::vector<Recording> open_spools(const std::vector<std::filesystem::path>& paths, AssembleSummary& summary) {
  std::map<std::uint32_t, Recording> by_rank;
  std::uint64_t without_mpi = 0;
  for (const std::filesystem::path& path : paths) {
    std::unique_ptr<spool::Spool> spool;
    try {
      spool = std::make_unique<spool::Spool>(path);
    } catch (const Error& error) {
      remark(summary, error.what());
      continue;
    }
    const pl_file_header& header = spool->header();
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
    entry->second = {std::move(spool), rank};
  }
  if (without_mpi != 0)
    remark(summary, fmt::format("{} process{} did not get through MPI_Init and {} left out", without_mpi,
                                without_mpi == 1 ? "" : "es", without_mpi == 1 ? "is" : "are"));
  std::vector<Recording> recordings;
  for (auto& [rank, recording] : by_rank) recordings.push_back(std::move(recording));
  return recordings;
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
    if (next < recordings.size() && recordings[next].rank == rank) {
      ++next;
      continue;
    }
    if (++count <= 8) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", rank);
  }
  if (count == 0) return;
  remark(summary, fmt::format("{} of {} ranks have no spool ({}{}): their locations are empty", count,
                              summary.world_size, missing, count > 8 ? ", .." : ""));
}

std::string end_of(const pl_file_header& header) {
  switch (header.end) {
    case PL_END_FINALIZED:
      return "finalized";
    case PL_END_EXITED:
      return "exited";
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

// Processors that the ranks of one node may run on, all together: a launcher may bind each rank to one of them.
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
  const auto say = [&](const std::string& text) { remark(summary, fmt::format("rank {}: {}", rank, text)); };
  for (const std::string& text : spool.remarks()) say(text);
  if (spool.header().end != PL_END_FINALIZED) say(end_of(spool.header()));
  if (tally.unfinished != 0) say(fmt::format("{} calls had not returned when it ended", tally.unfinished));
  if (tally.short_records != 0) say(fmt::format("{} records are shorter than they should be", tally.short_records));
  if (tally.unknown_comms != 0)
    say(fmt::format("{} calls used a communicator that nothing is known about", tally.unknown_comms));
  if (tally.unknown_requests != 0)
    say(fmt::format("{} requests were completed that were not seen posted", tally.unknown_requests));
}

// The header and MPI_COMM_WORLD must tell of the same number of ranks: everything is sized by it.
void require_world(const spool::Spool& spool, const ProcessFacts& facts) {
  const auto ranks = static_cast<std::uint32_t>(spool.header().world_size);
  const auto world = facts.comms.find(PL_COMM_WORLD);
  constexpr std::uint32_t kPlausible = 1U << 16;
  if (world == facts.comms.end() ? ranks <= kPlausible : world->second.size == ranks) return;
  throw Error(spool.path().string(), fmt::format("its header tells of {} ranks, its communicators do not", ranks),
              "the spool is damaged: leave it out");
}

class Assembly {
 public:
  Assembly(std::vector<Recording> recordings, AssembleSummary& summary, const AssembleOptions& options)
      : recordings_(std::move(recordings)), summary_(summary), options_(options) {}

  // First pass.
  void gather() {
    for (const Recording& recording : recordings_) {
      facts_.push_back(collect_facts(*recording.spool));
      require_world(*recording.spool, facts_.back());
      clocks_.add(clock_of(recording.spool->header()), facts_.back().readings);
      calls_ += facts_.back().records;
    }
    world_.define_ranks(summary_.world_size);
    clocks_.fit();
    std::vector<std::pair<ClockId, std::uint64_t>> beginnings;
    for (std::size_t i = 0; i < recordings_.size(); ++i)
      if (facts_[i].first_tick)
        beginnings.emplace_back(clock_of(recordings_[i].spool->header()), *facts_[i].first_tick);
    clocks_.set_zero(beginnings);
  }

  // Second pass.
  void write(archive::Writer& writer) {
    define_processes();
    writer.declare(world_.definitions);
    for (std::size_t i = 0; i < recordings_.size(); ++i) write_process(writer, i);
    archive::Definitions& d = world_.definitions;
    d.creator = "plumbline " PLUMBLINE_VERSION;
    d.description = options_.description;
    d.properties[names::kPropertyKind] = "observed";
    d.length = end_ - Time{};
    d.start_realtime_ns = clocks_.zero_realtime_ns();
    writer.finish(d);
  }

 private:
  static std::uint64_t location_id(std::uint32_t rank, std::uint32_t thread) {
    return std::uint64_t{thread} << 32 | rank;  // as Score-P numbers them
  }

  // Processes and their first threads in the order of the ranks; those that were not recorded too, because
  // communicators name them.
  void define_processes() {
    archive::Definitions& d = world_.definitions;
    std::size_t next = 0;
    std::vector<archive::Location> further;
    for (std::uint32_t rank = 0; rank < summary_.world_size; ++rank) {
      archive::LocationGroup group{d.strings.intern(fmt::format("MPI Rank {}", rank)), 0, {}};
      if (next < recordings_.size() && recordings_[next].rank == rank) {
        const pl_file_header& header = recordings_[next].spool->header();
        group.system_tree_node = world_.node(header.host);
        describe_process(group, header, facts_[next], clocks_.linear(clock_of(header)),
                         cores_of_node(recordings_, header));
        for (std::uint32_t thread = 1; thread < recordings_[next].spool->threads(); ++thread)
          further.push_back(
              {location_id(rank, thread), d.strings.intern(fmt::format("Thread {}", thread)), rank, 0, {}});
        ++next;
      } else {
        group.properties[names::kPropertyEnd] = "not recorded";
      }
      d.location_groups.push_back(std::move(group));
      d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
    }
    d.locations.insert(d.locations.end(), further.begin(), further.end());
  }

  void write_process(archive::Writer& writer, std::size_t i) {
    const Recording& recording = recordings_[i];
    Process process(recording.rank, std::move(facts_[i]), clock_of(recording.spool->header()), clocks_, world_,
                    symbols_);
    for (std::uint32_t thread = 0; thread < recording.spool->threads(); ++thread) {
      writer.begin_location(location_id(recording.rank, thread));
      ThreadEvents events(process, [&](const archive::Event& event) { writer.write(event); });
      recording.spool->for_each(thread, [&](const spool::Record& record) {
        events.take(record);
        report(record);
      });
      events.finish();
      end_ = std::max(end_, events.last());
      writer.end_location();
    }
    const Tally& tally = process.tally;
    summary_.operations += tally.operations;
    summary_.message_bytes += tally.message_bytes;
    summary_.io_bytes += tally.io_bytes;
    remark_process(recording.rank, *recording.spool, tally, summary_);
  }

  void report(const spool::Record& record) {
    constexpr std::uint64_t kEvery = 4096;
    if (record.function < PL_DEFINITIONS && ++done_ % kEvery == 0 && options_.progress)
      options_.progress(done_, calls_);
  }

  std::vector<Recording> recordings_;
  std::vector<ProcessFacts> facts_;  // by recording; moved out when it is written
  AssembleSummary& summary_;
  const AssembleOptions& options_;
  World world_;
  Clocks clocks_;
  Symbols symbols_;
  Time end_;
  std::uint64_t calls_ = 0, done_ = 0;
};

}  // namespace

AssembleSummary assemble(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& output,
                         Overwrite overwrite, const AssembleOptions& options) {
  require_writable(output, overwrite);
  AssembleSummary summary;
  std::vector<Recording> recordings = open_spools(spools, summary);
  require_recordings(recordings, summary);
  require_most_ranks(recordings.size(), summary.world_size);
  remark_missing_ranks(recordings, summary);
  summary.ranks = static_cast<std::uint32_t>(recordings.size());
  Assembly assembly(std::move(recordings), summary, options);
  assembly.gather();
  archive::Writer writer(output, overwrite);
  assembly.write(writer);
  return summary;
}

}  // namespace plumbline::record
