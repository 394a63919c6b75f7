#include "tracer/record/assemble/assembly.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "tracer/archive/inside.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/record/assemble/align_clocks.hpp"
#include "tracer/record/assemble/describe.hpp"
#include "tracer/record/assemble/limits.hpp"
#include "tracer/record/assemble/node_facts.hpp"
#include "tracer/record/assemble/recordings.hpp"
#include "tracer/record/assemble/servers.hpp"
#include "tracer/record/assemble/told_facts.hpp"
#include "tracer/record/decoders/thread_events.hpp"
#include "tracer/record/definitions/run_facts.hpp"

namespace plumbline::record {

namespace names = archive::names;

namespace {

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

// A server that has called nothing.
bool is_idle(const Recording& recording, const ProcessFacts& facts) {
  return recording.is_server && facts.records == facts.announced;
}

std::uint64_t location_id(std::uint32_t rank, std::uint32_t thread) {
  return std::uint64_t{thread} << 32 | rank;  // as Score-P numbers them
}

// As process 0 sees them: what is still being written grows.
std::vector<std::uint64_t> costs_of_all(Processes& processes, const std::vector<Recording>& recordings) {
  std::vector<std::uint64_t> own;
  for (const Recording& recording : recordings) own.push_back(std::filesystem::file_size(recording.spool->path()));
  const std::vector<std::string> told = processes.exchange(processes.rank() == 0 ? to_bytes(own) : std::string());
  auto costs = from_bytes<std::vector<std::uint64_t>>(told.front());
  if (costs.size() != recordings.size())
    throw Error("", fmt::format("of {} spools one process can read {}", costs.size(), recordings.size()),
                "give a directory that all nodes see", ExitCode::kCannotRunHere);
  return costs;
}

}  // namespace

Assembly::Assembly(std::vector<Recording> recordings, AssembleSummary& summary, const AssembleOptions& options)
    : recordings_(std::move(recordings)), summary_(summary), options_(options), nodes_(options.samples, summary) {
  if (!options.anonymize) return;
  const auto show = [this](const std::string& name) { return pseudonyms_.text(name); };
  symbols_.show_as(show);
  nodes_.show_hosts_as(show);
}

ProcessFacts Assembly::read(Recording& recording) {
  recording.spool->load();
  recording.threads = recording.spool->threads();
  ProcessFacts facts = collect_facts(*recording.spool);
  if (!recording.is_server) {
    require_world(*recording.spool, facts);
    if (is_left_out(*recording.spool)) facts.first_tick.reset();
  }
  if (options_.anonymize && !is_idle(recording, facts)) anonymize(facts, pseudonyms_);
  facts.components = loaded_components(facts);
  return facts;
}

void Assembly::read_own(Processes& processes) {
  const std::vector<std::uint64_t> costs = costs_of_all(processes, recordings_);
  const std::vector<Block> blocks = split_by_cost(costs, processes.size());
  const Block own = blocks[processes.rank()];
  facts_.resize(recordings_.size());
  ByteWriter told;
  for (std::size_t i = own.begin; i < own.end; ++i) {
    recordings_[i].is_own = true;
    facts_[i] = read(recordings_[i]);
    if (processes.size() == 1) continue;
    told(recordings_[i].threads);
    told_fields(told, facts_[i]);
  }
  const std::vector<std::string> of_all = processes.exchange(told.bytes());
  for (std::uint32_t other = 0; other < blocks.size(); ++other) {
    if (other == processes.rank()) continue;
    ByteReader in(of_all[other]);
    for (std::size_t i = blocks[other].begin; i < blocks[other].end; ++i) {
      in(recordings_[i].threads);
      told_fields(in, facts_[i]);
    }
    PLUMBLINE_CHECK(in.at_end(), "facts of each recording of the block");
  }
}

// Behind the ranks; those that have called nothing are left out.
void Assembly::number_servers() {
  std::vector<Recording> with_calls;
  std::vector<ProcessFacts> facts;
  for (std::size_t i = 0; i < recordings_.size(); ++i) {
    Recording& recording = recordings_[i];
    if (is_idle(recording, facts_[i])) {
      ++summary_.idle_servers;
      continue;
    }
    if (recording.is_server) recording.rank = summary_.world_size + summary_.servers++;
    facts.push_back(std::move(facts_[i]));
    with_calls.push_back(std::move(recording));
  }
  recordings_ = std::move(with_calls);
  facts_ = std::move(facts);
}

void Assembly::gather(Processes& processes) {
  is_shared_ = processes.size() > 1;
  read_own(processes);
  number_servers();
  require_calls();
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    clocks_.add(clock_of(recordings_[i].spool->header()), facts_[i].readings);
  if (summary_.world_size != 0) world_.define_ranks(summary_.world_size);
  nodes_.add_clocks(clocks_);
  align_clocks(recordings_, facts_, options_.exchanges, clocks_, summary_, processes);
  std::vector<std::pair<ClockId, std::uint64_t>> beginnings;
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    if (facts_[i].first_tick) beginnings.emplace_back(clock_of(recordings_[i].spool->header()), *facts_[i].first_tick);
  clocks_.set_zero(beginnings);
}

void Assembly::define() {
  learn_inner_peers();
  define_processes();
  define_servers();
  nodes_.define(world_, clocks_);
  describe_nodes(
      recordings_, clocks_, [this](const std::string& host) { return shown(host); }, options_.anonymize, world_,
      summary_);
}

std::string Assembly::digest() const {
  const archive::StringTable& strings = world_.definitions.strings;
  ByteWriter out;
  std::size_t texts = 0;
  for (archive::StringId id = 0; id < strings.size(); ++id) texts = texts * 31 + std::hash<std::string>()(strings[id]);
  out(texts, world_.count());
  for (const Recording& recording : recordings_) out(recording.threads);
  return out.take();
}

std::string Assembly::own_definitions() {
  DefinitionRegistry world = world_;
  world.keep_journal();
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    if (recordings_[i].is_own && !is_left_out(*recordings_[i].spool)) decode(world, i, left_open(world, i));
  return world.take_journal();
}

void Assembly::follow(const std::vector<std::string>& journals) {
  for (const std::string& journal : journals) world_.follow(journal);
}

void Assembly::write(archive::Writer& writer, BlockSummary& summary, const std::function<void(double)>& progress) {
  progress_ = progress;
  for (std::size_t i = 0; i < recordings_.size(); ++i) calls_ += recordings_[i].is_own ? facts_[i].records : 0;
  writer.declare(world_.definitions);
  const std::size_t known = world_.count();
  for (std::size_t i = 0; i < recordings_.size(); ++i)
    if (recordings_[i].is_own && !is_left_out(*recordings_[i].spool)) write_process(writer, i, summary);
  if (is_shared_ && world_.count() != known)
    throw Error("", "spools have changed while they were read", "wait until the run has ended",
                ExitCode::kCannotRunHere);
}

void Assembly::finish(archive::Writer& writer, const BlockSummary& all) {
  summary_.operations = all.counts.operations;
  summary_.message_bytes = all.counts.message_bytes;
  summary_.io_bytes = all.counts.io_bytes;
  summary_.in_flight = all.counts.in_flight;
  for (const std::string& remark : all.counts.remarks) summary_.remark(remark);
  define_insides(all);
  Time end = all.end;
  nodes_.write(writer, clocks_, end);
  remark_limits(recordings_, world_.definitions.location_groups, summary_);
  archive::Definitions& d = world_.definitions;
  d.creator = "plumbline " PLUMBLINE_VERSION;
  d.description = options_.anonymize ? pseudonyms_.text(options_.description) : options_.description;
  d.properties[names::kPropertyKind] = "observed";
  if (options_.anonymize) d.properties[names::kPropertyAnonymous] = "names";
  d.length = end - Time{};
  d.start_realtime_ns = clocks_.zero_realtime_ns();
  if (options_.stopped_realtime_ns && d.start_realtime_ns != 0)
    d.properties[names::kPropertyStopped] =
        fmt::format("{}", time_stamp(*options_.stopped_realtime_ns, d.start_realtime_ns).ps);
  writer.finish(d);
}

void Assembly::require_calls() {
  if (!recordings_.empty()) return;
  throw Error("",
              fmt::format("{} process{} recorded, without a call on a file", summary_.idle_servers,
                          summary_.idle_servers == 1 ? " was" : "es were"),
              "check --io-paths; a program that is statically linked or set-uid cannot be recorded");
}

pl_file_header Assembly::shown(const Recording& recording) {
  const pl_file_header& header = recording.spool->header();
  return options_.anonymize ? anonymized(header, pseudonyms_) : header;
}

void Assembly::describe(archive::LocationGroup& group, std::size_t i) {
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
void Assembly::define_servers() {
  archive::Definitions& d = world_.definitions;
  for (std::size_t i = 0; i < recordings_.size(); ++i) {
    const Recording& server = recordings_[i];
    if (!server.is_server) continue;
    archive::LocationGroup group{d.strings.intern(server_name(shown(server))), 0, {}};
    describe(group, i);
    group.properties[names::kPropertyRole] = "server";
    if (became_another(server, recordings_)) group.properties[names::kPropertyEnd] = "became another program";
    d.location_groups.push_back(std::move(group));
    for (std::uint32_t thread = 0; thread < server.threads; ++thread)
      d.locations.push_back({location_id(server.rank, thread),
                             d.strings.intern(thread == 0 ? "Master thread" : fmt::format("Thread {}", thread)),
                             server.rank, 0, std::nullopt});
  }
}

// Processes and their first threads in the order of the ranks; those that were not recorded too, because communicators
// name them.
void Assembly::define_processes() {
  archive::Definitions& d = world_.definitions;
  std::size_t next = 0;
  std::vector<archive::Location> further;
  for (std::uint32_t rank = 0; rank < summary_.world_size; ++rank) {
    archive::LocationGroup group{d.strings.intern(fmt::format("MPI Rank {}", rank)), 0, {}};
    if (next < recordings_.size() && !recordings_[next].is_server && recordings_[next].rank == rank) {
      describe(group, next);
      for (std::uint32_t thread = 1; thread < recordings_[next].threads; ++thread)
        further.push_back({location_id(rank, thread), d.strings.intern(fmt::format("Thread {}", thread)), rank, 0, {}});
      ++next;
    } else {
      group.properties[names::kPropertyEnd] = "not recorded";
    }
    d.location_groups.push_back(std::move(group));
    d.locations.push_back({rank, d.strings.intern("Master thread"), rank, 0, rank});
  }
  d.locations.insert(d.locations.end(), further.begin(), further.end());
}

void Assembly::learn_inner_peers() {
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
void Assembly::define_insides(const BlockSummary& all) {
  archive::Definitions& d = world_.definitions;
  std::set<std::pair<std::uint32_t, std::uint32_t>> insides = all.insides;
  if (world_.has_contexts())
    for (std::uint32_t rank = 0; rank < summary_.world_size; ++rank) insides.insert({0, rank});
  for (const auto& [thread, process] : insides) {
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
void Assembly::write_thread(archive::Writer& writer, const Recording& recording, Process& process, std::uint32_t thread,
                            BlockSummary& summary) {
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
  summary.end = std::max({summary.end, events.last(), inside.last()});
  writer.end_location();
  if (!has_inside) return;
  summary.insides.insert({thread, recording.rank});
  writer.end_location(kBeside);
}

Process Assembly::process(DefinitionRegistry& world, std::size_t i, ProcessFacts facts) {
  return {recordings_[i].rank, std::move(facts), clock_of(recordings_[i].spool->header()), clocks_, world, symbols_};
}

// All threads, one after the other, turned into events that nobody gets.
Process Assembly::decode(DefinitionRegistry& world, std::size_t i, FlatTable<OpenRequest> posted_later) {
  const spool::Spool& spool = *recordings_[i].spool;
  const auto nowhere = [](const archive::Event&) {};
  Process process = this->process(world, i, facts_[i]);
  process.posted_later = std::move(posted_later);
  for (std::uint32_t thread = 0; thread < spool.threads(); ++thread) {
    InsideEvents inside(process, inner_peers_, nowhere);
    ThreadEvents events(process, inside, nowhere);
    if (spool.lacks_beginning(thread)) events.lacks_beginning();
    spool.for_each(thread, [&](const spool::Record& record) { events.take(record); });
    events.finish();
  }
  return process;
}

// What all threads leave open: a thread that comes before in their order may have completed it.
FlatTable<OpenRequest> Assembly::left_open(DefinitionRegistry& world, std::size_t i) {
  if (!may_share_requests(*recordings_[i].spool, facts_[i])) return {};
  return std::move(decode(world, i, {}).requests);
}

void Assembly::write_process(archive::Writer& writer, std::size_t i, BlockSummary& summary) {
  const Recording& recording = recordings_[i];
  FlatTable<OpenRequest> later = left_open(world_, i);
  Process process = this->process(world_, i, std::move(facts_[i]));
  process.posted_later = std::move(later);
  for (std::uint32_t thread = 0; thread < recording.spool->threads(); ++thread)
    write_thread(writer, recording, process, thread, summary);
  const Tally& tally = process.tally;
  AssembleSummary& counts = summary.counts;
  counts.operations += tally.operations;
  counts.message_bytes += tally.message_bytes;
  counts.io_bytes += tally.io_bytes;
  counts.in_flight += tally.unfinished.size();
  if (recording.is_server)
    remark_server(*recording.spool, tally, counts);
  else
    remark_process(recording, tally, counts);
}

void Assembly::report(const spool::Record& record) {
  constexpr std::uint64_t kEvery = 4096;
  if (record.function < PL_DEFINITIONS && ++done_ % kEvery == 0 && progress_)
    progress_(static_cast<double>(done_) / static_cast<double>(calls_));
}

}  // namespace plumbline::record
