#include <algorithm>
#include <limits>

#include "base/check.hpp"
#include "base/error.hpp"
#include "replay/program/builder_state.hpp"
#include "replay/program/failed_calls.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {
namespace {

template <class Pool>
std::uint32_t push(Pool& pool, const typename Pool::value_type& value) {
  pool.push_back(value);
  return static_cast<std::uint32_t>(pool.size() - 1);
}

// n, then n values.
std::uint32_t push_list(Column<std::uint32_t>& lists, std::span<const std::uint32_t> values) {
  const auto index = static_cast<std::uint32_t>(lists.size());
  lists.push_back(static_cast<std::uint32_t>(values.size()));
  lists.insert(lists.end(), values.begin(), values.end());
  return index;
}

}  // namespace

ProgramBuilder::ProgramBuilder(const std::filesystem::path& file) : state_(std::make_unique<State>(file)) {}
ProgramBuilder::ProgramBuilder(const PartOf& program)
    : state_(std::make_unique<State>(program.staging, Output::Kind::kPart)) {}
ProgramBuilder::~ProgramBuilder() = default;
ProgramBuilder::ProgramBuilder(ProgramBuilder&&) noexcept = default;

std::uint16_t index_of_call(std::uint32_t index, const std::filesystem::path& path) {
  if (index > std::numeric_limits<std::uint16_t>::max()) throw Error(path.string(), "more than 65536 different calls");
  return static_cast<std::uint16_t>(index);
}

std::uint16_t index_of_hints(Texts& texts, std::string_view lines) {
  return texts.size() < kNoHints || texts.contains(lines) ? static_cast<std::uint16_t>(texts.index(lines)) : kNoHints;
}

std::uint16_t ProgramBuilder::call(std::string_view name) {
  return index_of_call(state_->texts[format::kCallNames].index(name), state_->path);
}

std::uint32_t ProgramBuilder::site(std::string_view text) { return state_->texts[format::kSiteTexts].index(text); }
std::uint32_t ProgramBuilder::file(std::string_view path) { return state_->texts[format::kFilePaths].index(path); }
std::uint32_t ProgramBuilder::layout(std::string_view notation) {
  return state_->texts[format::kLayoutTexts].index(notation);
}
std::uint32_t ProgramBuilder::node(std::string_view name) { return state_->texts[format::kNodeNames].index(name); }
std::uint16_t ProgramBuilder::hints(std::string_view lines) {
  const std::uint16_t index = index_of_hints(state_->texts[format::kHintTexts], lines);
  if (index == kNoHints) state_->hints_ran_out = true;
  return index;
}

std::uint32_t ProgramBuilder::comm(std::span<const std::uint32_t> members,
                                   std::span<const std::uint32_t> remote_members) {
  const format::CommEntry entry{state_->output->append(members), state_->output->append(remote_members)};
  return push(state_->comms, entry);
}

std::uint32_t ProgramBuilder::window(const Window& window, std::uint32_t shared) {
  return push(state_->windows, {.window = window, .shared = shared});
}
void ProgramBuilder::window_made(std::uint32_t index, WindowKind kind) {
  state_->windows[index].window.kind = kind;
  state_->windows[index].kind_is_told = 1;
}

void ProgramBuilder::property(std::string_view key, std::string_view value) {
  state_->properties.insert_or_assign(std::string(key), std::string(value));
}

void ProgramBuilder::begin_rank(std::uint32_t node, std::uint32_t cores, std::uint32_t gap_cost_ps,
                                std::uint32_t processor) {
  PLUMBLINE_CHECK(!state_->in_rank, "ranks are made one after another");
  state_->in_rank = true;
  state_->begin_own_ranks();
  state_->rank.clear();
  state_->rank.node = node;
  state_->rank.processor = processor == kNone ? node : processor;
  state_->rank.cores = cores;
  state_->rank.gap_cost_ps = gap_cost_ps;
}

void ProgramBuilder::add(const Operation& operation, const OperationTimes& times) {
  state_->rank.operations.push_back(operation);
  state_->rank.times.push_back(times);
}

std::uint32_t ProgramBuilder::operations() const { return static_cast<std::uint32_t>(state_->rank.operations.size()); }
Operation& ProgramBuilder::operation(std::uint32_t index) { return state_->rank.operations[index]; }

OperationTimes& ProgramBuilder::times(std::uint32_t index) { return state_->rank.times[index]; }

std::uint32_t ProgramBuilder::add_requests(std::span<const std::uint32_t> slots) {
  return push_list(state_->rank.request_lists, slots);
}

std::uint32_t ProgramBuilder::add(const SendrecvTail& tail) { return push(state_->rank.sendrecvs, tail); }
std::uint32_t ProgramBuilder::add(const CollectiveTail& tail) { return push(state_->rank.collectives, tail); }
std::uint32_t ProgramBuilder::add(const IoAccess& access) { return push(state_->rank.accesses, access); }
void ProgramBuilder::add(const InnerItem& inner) { state_->rank.inner.push_back(inner); }
std::uint32_t ProgramBuilder::add(const InnerMessage& message) { return push(state_->rank.inner_messages, message); }
InnerMessage& ProgramBuilder::inner_message(std::uint32_t index) { return state_->rank.inner_messages[index]; }
std::uint32_t ProgramBuilder::add(const InnerAccess& access) { return push(state_->rank.inner_accesses, access); }
std::uint32_t ProgramBuilder::add(const RmaTail& tail) { return push(state_->rank.rma, tail); }
std::uint32_t ProgramBuilder::add_group(std::span<const std::uint32_t> ranks_of_window) {
  return push_list(state_->rank.groups, ranks_of_window);
}
void ProgramBuilder::add(const OffCpu& off) { state_->rank.off_cpu.push_back(off); }

std::uint32_t ProgramBuilder::add_counts(std::span<const std::uint64_t> bytes_per_rank) {
  Column<std::uint64_t>& counts = state_->rank.counts;
  const auto index = static_cast<std::uint32_t>(counts.size());
  counts.insert(counts.end(), bytes_per_rank.begin(), bytes_per_rank.end());
  return index;
}

std::uint32_t ProgramBuilder::add_neighbours(std::span<const Neighbour> to, std::span<const Neighbour> from,
                                             std::uint32_t request) {
  NeighbourTail tail = state_->rank.lists(to, from);
  tail.request = request;
  return push(state_->rank.neighbourhoods, tail);
}

void ProgramBuilder::not_judged(std::uint32_t operation, std::string_view reason) {
  Operation& judged = state_->rank.operations[operation];
  if (judged.flags & kNotJudged) return;  // the first reason stands
  judged.flags |= kNotJudged;
  if (judged.kind == OpKind::kUnmodelled && is_refused(state_->texts[format::kCallNames][judged.call], reason))
    judged.flags |= kRefused;
  state_->rank.reasons.push_back({operation, state_->texts[format::kReasonTexts].index(reason)});
}

void ProgramBuilder::end_rank(std::uint32_t request_slots, std::uint32_t inner_slots) {
  PLUMBLINE_CHECK(state_->in_rank, "a rank ends that was not begun");
  state_->in_rank = false;
  std::ranges::sort(state_->rank.reasons, {}, &Reason::operation);
  format::RankEntry entry = state_->rank.write(*state_->output);
  entry.request_slots = request_slots;
  entry.inner_slots = inner_slots;
  state_->ranks.push_back(entry);
}

void ProgramBuilder::write() {
  PLUMBLINE_CHECK(!state_->in_rank, "the last rank was not ended");
  State& state = *state_;
  // Index 0 is the default of Operation::call and begin_rank's node in programs made by hand.
  if (state.texts[format::kCallNames].empty()) call("");
  if (state.texts[format::kNodeNames].empty()) node("node");
  format::Header header;
  for (std::size_t table = 0; table < format::kProperties; ++table)
    header.tables[table] = state.texts[table].write(*state.output);
  std::vector<format::Range> properties;
  for (const auto& [key, value] : state.properties)
    for (const std::string& text : {key, value})
      properties.push_back(state.output->append(std::span<const char>(text)));
  header.tables[format::kProperties] = state.output->append(std::span<const format::Range>(properties));
  header.comms = state.output->append(std::span<const format::CommEntry>(state.comms));
  std::vector<Window> windows;
  for (const WindowInMaking& made : state.windows) windows.push_back(made.window);
  header.windows = state.output->append(std::span<const Window>(windows));
  header.ranks = state.output->append(std::span<const format::RankEntry>(state.ranks));
  state.output->finish(header);
  state.staged->commit();
}

Program ProgramBuilder::finish() {
  write();
  return Program::open(state_->path);
}

}  // namespace plumbline::replay
