#include "tracer/record/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tracer/archive/names.hpp"
#include "tracer/archive/writer.hpp"
#include "tracer/record/describe.hpp"
#include "tracer/record/limits.hpp"
#include "tracer/record/pseudonyms.hpp"
#include "tracer/record/recordings.hpp"
#include "tracer/record/thread_events.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;

class Assembly {
 public:
  Assembly(std::vector<Recording> recordings, AssembleSummary& summary, const AssembleOptions& options)
      : recordings_(std::move(recordings)), summary_(summary), options_(options) {
    if (options.anonymize) symbols_.show_as([this](const std::string& name) { return pseudonyms_.text(name); });
  }

  // First pass.
  void gather() {
    for (const Recording& recording : recordings_) {
      facts_.push_back(collect_facts(*recording.spool));
      require_world(*recording.spool, facts_.back());
      if (is_left_out(*recording.spool)) facts_.back().first_tick.reset();
      if (options_.anonymize) anonymize(facts_.back(), pseudonyms_);
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
    for (std::size_t i = 0; i < recordings_.size(); ++i)
      if (!is_left_out(*recordings_[i].spool)) write_process(writer, i);
    remark_limits(recordings_, world_.definitions.location_groups, summary_);
    archive::Definitions& d = world_.definitions;
    d.creator = "plumbline " PLUMBLINE_VERSION;
    d.description = options_.anonymize ? pseudonyms_.text(options_.description) : options_.description;
    d.properties[names::kPropertyKind] = "observed";
    if (options_.anonymize) d.properties[names::kPropertyAnonymous] = "names";
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
        const pl_file_header shown = options_.anonymize ? anonymized(header, pseudonyms_) : header;
        group.system_tree_node = world_.node(shown.host);
        describe_process(group, shown, facts_[next], clocks_.linear(clock_of(header)),
                         cores_of_node(recordings_, header));
        describe_limits(group, header, facts_[next], clocks_.linear(clock_of(header)));
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
      if (recording.spool->lacks_beginning(thread)) events.lacks_beginning();
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
  Pseudonyms pseudonyms_;
  Time end_;
  std::uint64_t calls_ = 0, done_ = 0;
};

}  // namespace

void AssembleSummary::remark(std::string text) {
  constexpr std::size_t kShown = 50;
  if (remarks.size() < kShown) remarks.push_back(std::move(text));
}

AssembleSummary assemble(const std::vector<std::filesystem::path>& spools, const std::filesystem::path& output,
                         Overwrite overwrite, const AssembleOptions& options) {
  require_writable(output, overwrite);
  AssembleSummary summary;
  Assembly assembly(open_recordings(spools, summary), summary, options);
  assembly.gather();
  archive::Writer writer(output, overwrite);
  assembly.write(writer);
  return summary;
}

}  // namespace plumbline::record
