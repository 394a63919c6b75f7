#include "tracer/record/definitions/facts.hpp"

#include <algorithm>
#include <utility>

#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {
namespace {

// `count` of the numbers two to a word from `from` on: no more than the record has.
std::vector<std::uint32_t> members(spool::Words words, std::size_t from, std::size_t count) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = from; i < from + count && i / 2 < words.size(); ++i) ranks.push_back(spool::half(words, i));
  return ranks;
}

class Collection {
 public:
  Collection(ProcessFacts& facts, const spool::Spool& spool)
      : facts_(facts), several_threads_(spool.threads() > 1), told_apart_(spool.keeps_last()) {}

  void take(const spool::Record& record) {
    if (record.function >= PL_DEFINITIONS)
      definition(record);
    else
      call(record);
  }

 private:
  void definition(const spool::Record& record) {
    const spool::Words words = record.payload;
    switch (record.function) {
      case PL_DEF_FUNCTION:
        return function(words);
      case PL_DEF_SITE:
        return site(spool::decode<pl_def_site_payload>(words));
      case PL_DEF_MODULES:
        facts_.mappings.push_back(parse_mappings(spool::text_of(words)));
        return;
      case PL_DEF_COMM:
        return comm(words);
      case PL_DEF_COMM_NAME:
        facts_.comms[named(words)].name = name(words);
        return;
      case PL_DEF_DATATYPE:
        return facts_.datatypes.define(words);
      case PL_DEF_FILE:
        facts_.paths[named(words)] = name(words);
        return;
      case PL_DEF_HINTS:
        return hints(words);
      case PL_DEF_META:
        return meta(spool::text_of(words));
      case PL_DEF_MOUNTS:
        return facts_.mounts.add(spool::text_of(words));
      case PL_DEF_PERSISTENT:
        return persistent(words);
      case PL_DEF_NEIGHBOURS:
        return neighbours(words);
      case PL_DEF_MPI_FILE:
        return mpi_file(record.begin, spool::decode<pl_def_mpi_file_payload>(words));
      case PL_DEF_SWITCH:
        facts_.switches.push_back({record.begin, spool::decode<pl_def_switch_payload>(words).on != 0});
        return;
      case PL_DEF_OPEN_FILE:
        return open_at(record.begin, spool::decode<pl_def_open_file_payload>(words));
      case PL_DEF_VIEW:
        return viewed(record.begin, spool::decode<pl_file_view_payload>(words));
      case PL_DEF_WIN:
        return window(spool::decode<pl_def_win_payload>(words));
      case PL_DEF_WIN_NAME:
        facts_.windows[named(words)].name = name(words);
        return;
      case PL_DEF_INNER_PEER:
        if (words.size() >= PL_WORDS_OF(pl_def_inner_peer_payload))
          inner_peer(record.begin, spool::decode<pl_def_inner_peer_payload>(words));
        return;
      case PL_DEF_CLOCK:
        if (words.size() >= PL_WORDS_OF(pl_clock_reading)) facts_.readings.push_back({words[0], words[1], words[2]});
        return;
      default:
        return;  // of a later version, or nothing that the first pass needs
    }
  }

  static std::uint32_t named(spool::Words words) { return spool::decode<pl_def_name_payload>(words).id; }
  static std::string name(spool::Words words) { return spool::text_of(spool::behind<pl_def_name_payload>(words)); }

  void function(spool::Words words) {
    const auto defined = spool::decode<pl_def_function_payload>(words);
    FunctionFact& fact = facts_.functions[defined.function];
    fact = {spool::text_of(spool::behind<pl_def_function_payload>(words)), defined.layout};
    if (defined.function >= PL_DEFINITIONS) return;
    if (known_.size() <= defined.function) known_.resize(defined.function + 1);
    known_[defined.function] = {&fact, fact.name == "MPI_File_set_info"};
  }

  void site(const pl_def_site_payload& defined) {
    facts_.sites[defined.site] = {defined.address, facts_.mappings.empty() ? 0 : facts_.mappings.size() - 1};
  }

  void comm(spool::Words words) {
    const auto defined = spool::decode<pl_def_comm_payload>(words);
    const spool::Words ranks = spool::behind<pl_def_comm_payload>(words);
    CommFact& fact = facts_.comms[defined.comm];
    fact.parent = defined.parent;
    fact.sequence = defined.sequence;
    fact.size = defined.size;
    fact.members = members(ranks, 0, defined.size);
    fact.remote = members(ranks, defined.size, defined.remote_size);
  }

  void neighbours(spool::Words words) {
    const auto defined = spool::decode<pl_def_neighbours_payload>(words);
    const spool::Words ranks = spool::behind<pl_def_neighbours_payload>(words);
    CommFact& fact = facts_.comms[defined.comm];
    fact.neighbours_to = members(ranks, 0, defined.n_to);
    fact.neighbours_from = members(ranks, defined.n_to, defined.n_from);
  }

  void window(const pl_def_win_payload& defined) {
    WindowFact& fact = facts_.windows[defined.window];
    fact.comm = defined.comm;
    fact.kind = defined.kind;
    fact.sequence = defined.sequence;
    fact.bytes = defined.bytes;
    fact.unit = defined.unit;
  }

  void hints(spool::Words words) {
    const auto told = spool::decode<pl_def_hints_payload>(words);
    MpiFileFact& file = facts_.mpi_files[told.file];
    if (file.hints.empty()) file.hints.emplace_back();
    (told.in_force == 0 ? file.hints.back().asked : file.hints.back().in_force) =
        spool::text_of(spool::behind<pl_def_hints_payload>(words));
  }

  void persistent(spool::Words words) {
    if (words.size() < PL_WORDS_OF(pl_def_persistent_payload)) return;
    const auto made = spool::decode<pl_def_persistent_payload>(words);
    const spool::Words payload = spool::behind<pl_def_persistent_payload>(words);
    PersistentFact& fact = facts_.persistents[made.persistent];
    fact.function = {facts_.function(made.function).name, made.layout};
    fact.payload.assign(payload.begin(), payload.end());
  }

  void mpi_file(std::uint64_t from, const pl_def_mpi_file_payload& told) {
    opened(told.file, told.comm, told.path);
    if (told_apart_) facts_.mpi_files[told.file].hints.back().from = from;
  }

  void opened(std::uint32_t id, std::uint32_t comm, std::uint32_t path) {
    MpiFileFact& file = facts_.mpi_files[id];
    file.comm = comm;
    file.path = path;
    if (file.hints.empty()) file.hints.emplace_back();
  }

  void viewed(std::uint64_t from, const pl_file_view_payload& view) {
    MpiFileFact& file = facts_.mpi_files[view.file];
    file.views.push_back({from, view.displacement, view.etype, view.filetype});
    file.hints.emplace_back();
    if (told_apart_) file.hints.back().from = from;
  }

  void inner_peer(std::uint64_t ticks, const pl_def_inner_peer_payload& told) {
    facts_.inner_peers.push_back({told.context, told.own_rank, told.receiver, ticks});
  }

  // Every segment begins with all that are open: only what is new.
  void open_at(std::uint64_t ticks, const pl_def_open_file_payload& told) {
    const auto [known, is_new] = open_files_.try_emplace(told.fd, told.path);
    if (!is_new && known->second == told.path) return;
    known->second = told.path;
    facts_.descriptors.push_back({told.fd, told.path, ticks});
  }

  void meta(const std::string& text) {
    const std::size_t equals = text.find('=');
    if (equals != std::string::npos) facts_.meta[text.substr(0, equals)] = text.substr(equals + 1);
  }

  void call(const spool::Record& record) {
    ++facts_.records;
    facts_.first_tick = std::min(facts_.first_tick.value_or(record.begin), record.begin);
    facts_.last_tick = std::max({facts_.last_tick, record.begin, record.end});
    if (!record.done || record.function >= known_.size() || known_[record.function].fact == nullptr) return;
    const Known& known = known_[record.function];
    if (known.sets_info) facts_.mpi_files[spool::decode<pl_file_payload>(record.payload).file].hints.emplace_back();
    explain_later(record, *known.fact);
  }

  // Calls that later ones refer to, whichever thread makes those.
  void explain_later(const spool::Record& record, const FunctionFact& function) {
    switch (function.layout) {
      case PL_LAYOUT_INNER_END:
        return inner_end(record);
      case PL_LAYOUT_FILE_OPEN:
        if (!told_apart_) opening(record.payload);  // else its definition says the same
        return;
      case PL_LAYOUT_FILE_VIEW:
        if (!told_apart_ && record.payload.size() >= PL_WORDS_OF(pl_file_view_payload))
          viewed(record.end, spool::decode<pl_file_view_payload>(record.payload));
        return;
      case PL_LAYOUT_PCONTROL:
        return switched(record);
      case PL_LAYOUT_POSIX_OPEN:
        if (function.name == "(open at start)") ++facts_.announced;
        return descriptor(record);
      case PL_LAYOUT_POSIX_STREAM_OPEN:
        return descriptor(record);
      default:
        return;
    }
  }

  void opening(spool::Words words) {
    const auto open = spool::decode<pl_file_open_payload>(words);
    if (open.failed == 0 && words.size() >= PL_WORDS_OF(pl_file_open_payload)) opened(open.file, open.comm, open.path);
  }

  void switched(const spool::Record& record) {
    const bool on = spool::decode<pl_pcontrol_payload>(record.payload).on != 0;
    facts_.switches.push_back({on ? record.begin : record.end, on});
  }

  void descriptor(const spool::Record& record) {
    const auto open = spool::decode<pl_posix_open_payload>(record.payload);
    if (several_threads_ && open.fd >= 0)
      facts_.descriptors.push_back({static_cast<std::int32_t>(open.fd), open.path, record.end});
  }

  void inner_end(const spool::Record& record) {
    if (record.payload.size() < PL_WORDS_OF(pl_inner_end_payload)) return;
    const auto end = spool::decode<pl_inner_end_payload>(record.payload);
    facts_.inner_ends.push_back({end.number, record.begin, end.peer, end.tag, end.bytes_flags});
  }

  struct Known {
    const FunctionFact* fact = nullptr;
    bool sets_info = false;
  };

  ProcessFacts& facts_;
  bool several_threads_;
  std::vector<Known> known_;  // by function
  bool told_apart_;           // of files in definitions, whether or not the calls are still there
  std::map<std::int32_t, std::uint32_t> open_files_;
};

// Only what changed something: recording is on at the start, and a thread may have said twice what another one had
// said.
void keep_changes(std::vector<SwitchFact>& switches) {
  std::ranges::stable_sort(switches, {}, &SwitchFact::ticks);
  bool on = true;
  std::erase_if(switches, [&](const SwitchFact& fact) { return fact.on == std::exchange(on, fact.on); });
}

// Nothing is on again after the window.
void end_at(std::uint64_t ticks, ProcessFacts& facts) {
  std::erase_if(facts.switches, [&](const SwitchFact& fact) { return fact.ticks >= ticks; });
  if (facts.last_tick >= ticks) facts.switches.push_back({ticks, false});
}

}  // namespace

const FunctionFact& ProcessFacts::function(std::uint32_t id) const {
  static const FunctionFact kUnknown{"unknown function", PL_LAYOUT_NONE};
  const auto entry = functions.find(id);
  return entry == functions.end() ? kUnknown : entry->second;
}

ProcessFacts collect_facts(const spool::Spool& spool) {
  ProcessFacts facts;
  Collection collection(facts, spool);
  const pl_file_header& header = spool.header();
  facts.dropped_calls = spool.dropped_calls();
  facts.dropped_segments = spool.dropped_segments();
  if (header.window_end != 0) facts.window_end = header.window_end;
  facts.readings = {header.first, header.initialized, header.last};
  for (std::uint32_t thread = 0; thread < spool.threads(); ++thread)
    spool.for_each_without_packed(thread, [&](const spool::Record& record) { collection.take(record); });
  facts.last_tick = std::max(facts.last_tick, header.last.ticks);
  std::ranges::stable_sort(facts.descriptors, {}, &DescriptorFact::from);
  std::ranges::stable_sort(facts.inner_ends, {},
                           [](const InnerEndFact& end) { return std::pair(end.number, end.ticks); });
  if (header.end == PL_END_STOPPED) facts.switches.push_back({header.last.ticks, false});
  if (facts.window_end) end_at(*facts.window_end, facts);
  keep_changes(facts.switches);
  for (auto& [id, file] : facts.mpi_files) std::ranges::stable_sort(file.views, {}, &ViewFact::from);
  return facts;
}

}  // namespace plumbline::record
