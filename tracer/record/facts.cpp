#include "tracer/record/facts.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "tracer/record/words.hpp"

namespace plumbline::record {
namespace {

// Members of a communicator can be no more than the words of a record hold.
std::vector<std::uint32_t> members(const Words& words, std::size_t first, std::size_t from, std::size_t count) {
  std::vector<std::uint32_t> ranks;
  for (std::size_t i = from; i < from + count && words.has(first + i / 2 + 1); ++i)
    ranks.push_back(words.half(first, i));
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
    const Words words(record.payload);
    switch (record.function) {
      case PL_DEF_FUNCTION:
        define_function(words);
        break;
      case PL_DEF_SITE:
        facts_.sites[words.low(0)] = {words[1], facts_.mappings.empty() ? 0 : facts_.mappings.size() - 1};
        break;
      case PL_DEF_MODULES:
        facts_.mappings.push_back(parse_mappings(words.text(0)));
        break;
      case PL_DEF_COMM: {
        CommFact& comm = facts_.comms[words.low(0)];
        comm.parent = words.high(0);
        comm.sequence = words.high(2);
        comm.size = words.low(1);
        comm.members = members(words, 3, 0, words.low(1));
        comm.remote = members(words, 3, words.low(1), words.low(2));
        break;
      }
      case PL_DEF_COMM_NAME:
        facts_.comms[words.low(0)].name = words.text(1);
        break;
      case PL_DEF_DATATYPE:
        facts_.datatypes.define(record.payload);
        break;
      case PL_DEF_FILE:
        facts_.paths[words.low(0)] = words.text(1);
        break;
      case PL_DEF_HINTS:
        hints(words);
        break;
      case PL_DEF_META:
        meta(words.text(0));
        break;
      case PL_DEF_MOUNTS:
        facts_.mounts.add(words.text(0));
        break;
      case PL_DEF_PERSISTENT:
        persistent(record);
        break;
      case PL_DEF_NEIGHBOURS: {
        CommFact& comm = facts_.comms[words.low(0)];
        comm.neighbours_to = members(words, 2, 0, words.low(1));
        comm.neighbours_from = members(words, 2, words.low(1), words.high(1));
        break;
      }
      case PL_DEF_MPI_FILE:
        opened(words.low(0), words.low(1), words.high(1));
        if (told_apart_) facts_.mpi_files[words.low(0)].hints.back().from = record.begin;
        break;
      case PL_DEF_SWITCH:
        facts_.switches.push_back({record.begin, words.low(0) != 0});
        break;
      case PL_DEF_OPEN_FILE:
        open_at(record.begin, words.low_signed(0), words.high(0));
        break;
      case PL_DEF_VIEW:
        viewed(record.begin, words);
        break;
      case PL_DEF_WIN: {
        WindowFact& window = facts_.windows[words.low(0)];
        window.comm = words.high(0);
        window.kind = words.low(1);
        window.sequence = words.high(1);
        window.bytes = words[2];
        window.unit = words[3];
        break;
      }
      case PL_DEF_WIN_NAME:
        facts_.windows[words.low(0)].name = words.text(1);
        break;
      case PL_DEF_INNER_PEER:
        if (words.has(2)) facts_.inner_peers.push_back({words.low(0), words.high(0), words.low(1), record.begin});
        break;
      case PL_DEF_CLOCK:
        if (words.has(3)) facts_.readings.push_back({words[0], words[1], words[2]});
        break;
      default:
        break;  // of a later version, or nothing that the first pass needs
    }
  }

  void define_function(const Words& words) {
    FunctionFact& fact = facts_.functions[words.low(0)];
    fact = {words.text(1), words.high(0)};
    if (words.low(0) >= PL_DEFINITIONS) return;
    if (known_.size() <= words.low(0)) known_.resize(words.low(0) + 1);
    known_[words.low(0)] = {&fact, fact.name == "MPI_File_set_info"};
  }

  void hints(const Words& words) {
    MpiFileFact& file = facts_.mpi_files[words.low(0)];
    if (file.hints.empty()) file.hints.emplace_back();
    (words.high(0) == 0 ? file.hints.back().asked : file.hints.back().in_force) = words.text(1);
  }

  void persistent(const spool::Record& record) {
    const Words words(record.payload);
    if (!words.has(2)) return;
    PersistentFact& fact = facts_.persistents[words.low(0)];
    fact.function = {facts_.function(words.low(1)).name, words.high(0)};
    fact.payload.assign(record.payload.begin() + 2, record.payload.end());
  }

  void opened(std::uint32_t id, std::uint32_t comm, std::uint32_t path) {
    MpiFileFact& file = facts_.mpi_files[id];
    file.comm = comm;
    file.path = path;
    if (file.hints.empty()) file.hints.emplace_back();
  }

  void viewed(std::uint64_t from, const Words& words) {
    MpiFileFact& file = facts_.mpi_files[words.low(0)];
    file.views.push_back({from, words.i64(1), words.low(2), words.high(2)});
    file.hints.emplace_back();
    if (told_apart_) file.hints.back().from = from;
  }

  // Every segment begins with all that are open: only what is new.
  void open_at(std::uint64_t ticks, std::int32_t fd, std::uint32_t path) {
    const auto [known, is_new] = open_files_.try_emplace(fd, path);
    if (!is_new && known->second == path) return;
    known->second = path;
    facts_.descriptors.push_back({fd, path, ticks});
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
    const Words words(record.payload);
    const FunctionFact& function = *known_[record.function].fact;
    if (function.layout == PL_LAYOUT_INNER_MESSAGE) return;
    if (function.layout == PL_LAYOUT_INNER_END) return inner_end(record.begin, words);
    if (function.layout == PL_LAYOUT_POSIX_OPEN && function.name == "(open at start)") ++facts_.announced;
    const bool is_open_or_view = function.layout == PL_LAYOUT_FILE_OPEN || function.layout == PL_LAYOUT_FILE_VIEW;
    if (is_open_or_view && told_apart_) return;  // its definition says the same
    if (function.layout == PL_LAYOUT_FILE_OPEN && words.high(2) == 0 && words.has(3)) {
      opened(words.low(2), words.low(0), words.low(1));
    } else if (function.layout == PL_LAYOUT_FILE_VIEW && words.has(3)) {
      viewed(record.end, words);
    } else if (function.layout == PL_LAYOUT_PCONTROL) {
      const bool on = words.high(0) != 0;
      facts_.switches.push_back({on ? record.begin : record.end, on});
    } else if (known_[record.function].sets_info) {
      facts_.mpi_files[words.low(0)].hints.emplace_back();
    } else if ((function.layout == PL_LAYOUT_POSIX_OPEN || function.layout == PL_LAYOUT_POSIX_STREAM_OPEN) &&
               several_threads_ && words.i64(1) >= 0) {
      facts_.descriptors.push_back({words.low_signed(1), words.low(0), record.end});
    }
  }

  void inner_end(std::uint64_t ticks, const Words& words) {
    if (words.has(3)) facts_.inner_ends.push_back({words.low(0), ticks, words[1], words[2]});
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
