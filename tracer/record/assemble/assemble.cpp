#include "tracer/record/assemble/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/error.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"
#include "tracer/record/assemble/align_clocks.hpp"
#include "tracer/record/assemble/describe.hpp"
#include "tracer/record/assemble/limits.hpp"
#include "tracer/record/assemble/node_facts.hpp"
#include "tracer/record/assemble/node_metrics.hpp"
#include "tracer/record/assemble/recordings.hpp"
#include "tracer/record/assemble/servers.hpp"
#include "tracer/record/decoders/thread_events.hpp"
#include "tracer/record/definitions/pseudonyms.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;

// Whether a thread may complete what another one has posted: of MPI where the program has asked for it, of aio_read
// and the like always.
bool may_share_requests(const spool::Spool& spool, const ProcessFacts& facts) {
  if (spool.threads() < 2) return false;
  const auto level = facts.meta.find("thread_level");
  const bool by_mpi = spool.header().flavour != PL_FLAVOUR_NONE &&
                      (level == facts.meta.end() || (level->second != "single" && level->second != "funneled"));
  return by_mpi || std::ranges::any_of(facts.functions, [](const auto& function) {
           return function.second.layout == PL_LAYOUT_POSIX_AIO || function.second.layout == PL_LAYOUT_POSIX_AIO_LIST;
         });
}

class Assembly {
 public:
  Assembly(std::vector<Recording> recordings, AssembleSummary& summary, const AssembleOptions& options)
      : recordings_(std::move(recordings)), summary_(summary), options_(options), nodes_(options.samples, summary) {
    if (!options.anonymize) return;
    const auto show = [this](const std::string& name) { return pseudonyms_.text(name); };
    symbols_.show_as(show);
    nodes_.show_hosts_as(show);
  }

  // First pass.
  void gather() {
    std::vector<Recording> with_calls;
    for (Recording& recording : recordings_) {
      ProcessFacts facts = collect_facts(*recording.spool);
      if (!recording.is_server) {
        require_world(*recording.spool, facts);
        if (is_left_out(*recording.spool)) facts.first_tick.reset();
      } else if (facts.records == facts.announced) {
        ++summary_.idle_servers;
        continue;
      } else {
        recording.rank = summary_.world_size + summary_.servers++;
      }
      if (options_.anonymize) anonymize(facts, pseudonyms_);
      facts_.push_back(std::move(facts));
      with_calls.push_back(std::move(recording));
    }
    recordings_ = std::move(with_calls);
    require_calls();
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      clocks_.add(clock_of(recordings_[i].spool->header()), facts_[i].readings);
      calls_ += facts_[i].records;
    }
    if (summary_.world_size != 0) world_.define_ranks(summary_.world_size);
    nodes_.add_clocks(clocks_);
    align_clocks(recordings_, facts_, options_.exchanges, clocks_, summary_);
    std::vector<std::pair<ClockId, std::uint64_t>> beginnings;
    for (std::size_t i = 0; i < recordings_.size(); ++i)
      if (facts_[i].first_tick)
        beginnings.emplace_back(clock_of(recordings_[i].spool->header()), *facts_[i].first_tick);
    clocks_.set_zero(beginnings);
  }

  // Second pass.
  void write(archive::Writer& writer) {
    learn_inner_peers();
    define_processes();
    define_servers();
    nodes_.define(world_, clocks_);
    describe_nodes(
        recordings_, clocks_, [this](const std::string& host) { return shown(host); }, options_.anonymize, world_,
        summary_);
    writer.declare(world_.definitions);
    for (std::size_t i = 0; i < recordings_.size(); ++i)
      if (!is_left_out(*recordings_[i].spool)) write_process(writer, i);
    define_insides();
    nodes_.write(writer, clocks_, end_);
    remark_limits(recordings_, world_.definitions.location_groups, summary_);
    archive::Definitions& d = world_.definitions;
    d.creator = "plumbline " PLUMBLINE_VERSION;
    d.description = options_.anonymize ? pseudonyms_.text(options_.description) : options_.description;
    d.properties[names::kPropertyKind] = "observed";
    if (options_.anonymize) d.properties[names::kPropertyAnonymous] = "names";
    d.length = end_ - Time{};
    d.start_realtime_ns = clocks_.zero_realtime_ns();
    if (options_.stopped_realtime_ns && d.start_realtime_ns != 0)
      d.properties[names::kPropertyStopped] =
          fmt::format("{}", time_stamp(*options_.stopped_realtime_ns, d.start_realtime_ns).ps);
    writer.finish(d);
  }

 private:
  static std::uint64_t location_id(std::uint32_t rank, std::uint32_t thread) {
    return std::uint64_t{thread} << 32 | rank;  // as Score-P numbers them
  }

  void require_calls() {
    if (!recordings_.empty()) return;
    throw Error("",
                fmt::format("{} process{} recorded, without a call on a file", summary_.idle_servers,
                            summary_.idle_servers == 1 ? " was" : "es were"),
                "check --io-paths; a program that is statically linked or set-uid cannot be recorded");
  }

  pl_file_header shown(const Recording& recording) {
    const pl_file_header& header = recording.spool->header();
    return options_.anonymize ? anonymized(header, pseudonyms_) : header;
  }

  std::string shown(const std::string& host) { return options_.anonymize ? pseudonyms_.text(host) : host; }

  void describe(archive::LocationGroup& group, std::size_t i) {
    const pl_file_header& header = recordings_[i].spool->header();
    const pl_file_header as_shown = shown(recordings_[i]);
    const LinearClock clock = clocks_.linear(clock_of(header));
    group.system_tree_node = world_.node(as_shown.host);
    describe_process(group, as_shown, facts_[i], clock, cores_of_node(recordings_, header));
    if (i == 0 && !recordings_[i].is_server) remark_program(facts_[i], summary_);
    describe_clock(group, clocks_, clock_of(header));
    const auto reference = group.properties.find(names::kPropertyClockReference);
    if (options_.anonymize && reference != group.properties.end())
      reference->second = pseudonyms_.text(reference->second);
    describe_end(group, recordings_[i], clocks_.zero_realtime_ns());
    describe_limits(group, header, facts_[i], clock);
  }

  // Behind all ranks; their locations speak for none.
  void define_servers() {
    archive::Definitions& d = world_.definitions;
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      const Recording& server = recordings_[i];
      if (!server.is_server) continue;
      archive::LocationGroup group{d.strings.intern(server_name(shown(server))), 0, {}};
      describe(group, i);
      group.properties[names::kPropertyRole] = "server";
      if (became_another(server, recordings_)) group.properties[names::kPropertyEnd] = "became another program";
      d.location_groups.push_back(std::move(group));
      for (std::uint32_t thread = 0; thread < server.spool->threads(); ++thread)
        d.locations.push_back({location_id(server.rank, thread),
                               d.strings.intern(thread == 0 ? "Master thread" : fmt::format("Thread {}", thread)),
                               server.rank, 0, std::nullopt});
    }
  }

  // Processes and their first threads in the order of the ranks; those that were not recorded too, because
  // communicators name them.
  void define_processes() {
    archive::Definitions& d = world_.definitions;
    std::size_t next = 0;
    std::vector<archive::Location> further;
    for (std::uint32_t rank = 0; rank < summary_.world_size; ++rank) {
      archive::LocationGroup group{d.strings.intern(fmt::format("MPI Rank {}", rank)), 0, {}};
      if (next < recordings_.size() && !recordings_[next].is_server && recordings_[next].rank == rank) {
        describe(group, next);
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

  void learn_inner_peers() {
    for (std::size_t i = 0; i < recordings_.size(); ++i) {
      if (recordings_[i].is_server) continue;
      const LinearClock& clock = clocks_.linear(clock_of(recordings_[i].spool->header()));
      for (const InnerPeerFact& fact : facts_[i].inner_peers)
        inner_peers_.add(fact.context, fact.own_rank, fact.receiver, recordings_[i].rank,
                         clocks_.time(clock, fact.ticks));
      facts_[i].inner_peers = {};
    }
  }

  // Messages inside of calls are between the insides of all ranks.
  void define_insides() {
    archive::Definitions& d = world_.definitions;
    if (world_.has_contexts())
      for (std::uint32_t rank = 0; rank < summary_.world_size; ++rank) insides_.insert({0, rank});
    for (const auto& [thread, process] : insides_) {
      const std::uint64_t outer = location_id(process, thread);
      const std::string of =
          process < summary_.world_size ? fmt::format("rank {}", process) : d.strings[d.location_groups[process].name];
      const std::string name =
          thread == 0 ? fmt::format("Inside {}", of) : fmt::format("Inside {}, thread {}", of, thread);
      archive::Location location{outer + archive::kInsideLocation, d.strings.intern(name), process, 0, std::nullopt};
      location.properties[names::kPropertyInsideOf] = fmt::format("{}", outer);
      d.locations.push_back(std::move(location));
    }
  }

  // Of one thread, and beside it what is inside of its calls.
  void write_thread(archive::Writer& writer, const Recording& recording, Process& process, std::uint32_t thread) {
    constexpr auto kBeside = archive::Writer::Place::kBeside;
    const std::uint64_t id = location_id(recording.rank, thread);
    bool has_inside = false;
    writer.begin_location(id);
    InsideEvents inside(process, inner_peers_, [&](const archive::Event& event) {
      if (id >= archive::kInsideLocation) return;  // damaged: there are not so many threads
      if (!std::exchange(has_inside, true)) writer.begin_location(id + archive::kInsideLocation, kBeside);
      writer.write(event, kBeside);
    });
    ThreadEvents events(process, inside, [&](const archive::Event& event) { writer.write(event); });
    if (recording.spool->lacks_beginning(thread)) events.lacks_beginning();
    recording.spool->for_each(thread, [&](const spool::Record& record) {
      events.take(record);
      report(record);
    });
    events.finish();
    end_ = std::max({end_, events.last(), inside.last()});
    writer.end_location();
    if (!has_inside) return;
    insides_.insert({thread, recording.rank});
    writer.end_location(kBeside);
  }

  // What all threads, one after the other, leave open: a thread that comes before in that order may have completed it.
  FlatTable<OpenRequest> left_open(const Recording& recording, const ProcessFacts& facts) {
    const auto nowhere = [](const archive::Event&) {};
    Process process(recording.rank, facts, clock_of(recording.spool->header()), clocks_, world_, symbols_);
    for (std::uint32_t thread = 0; thread < recording.spool->threads(); ++thread) {
      InsideEvents inside(process, inner_peers_, nowhere);
      ThreadEvents events(process, inside, nowhere);
      if (recording.spool->lacks_beginning(thread)) events.lacks_beginning();
      recording.spool->for_each(thread, [&](const spool::Record& record) { events.take(record); });
      events.finish();
    }
    return std::move(process.requests);
  }

  void write_process(archive::Writer& writer, std::size_t i) {
    const Recording& recording = recordings_[i];
    FlatTable<OpenRequest> later;
    if (may_share_requests(*recording.spool, facts_[i])) later = left_open(recording, facts_[i]);
    Process process(recording.rank, std::move(facts_[i]), clock_of(recording.spool->header()), clocks_, world_,
                    symbols_);
    process.posted_later = std::move(later);
    for (std::uint32_t thread = 0; thread < recording.spool->threads(); ++thread)
      write_thread(writer, recording, process, thread);
    const Tally& tally = process.tally;
    summary_.operations += tally.operations;
    summary_.message_bytes += tally.message_bytes;
    summary_.io_bytes += tally.io_bytes;
    summary_.in_flight += tally.unfinished.size();
    if (recording.is_server)
      remark_server(*recording.spool, tally, summary_);
    else
      remark_process(recording, tally, summary_);
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
  NodeMetrics nodes_;
  DefinitionRegistry world_;
  Clocks clocks_;
  Symbols symbols_;
  Pseudonyms pseudonyms_;
  InnerPeers inner_peers_;
  std::set<std::pair<std::uint32_t, std::uint32_t>> insides_;  // threads with something inside: thread, process
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
