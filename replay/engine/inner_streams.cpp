#include "replay/engine/inner_streams.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <utility>

#include "replay/collectives/collective_call.hpp"
#include "replay/mpi/engine.hpp"
#include "replay/program/common_call.hpp"

namespace plumbline::replay {
namespace {

// A rank without neighbours.
bool exchanges_nothing(const RankProgram& rank, const Operation& op) {
  return is_neighbourhood(op.kind) && rank.sends_to(op).empty() && rank.receives_from(op).empty();
}

}  // namespace

InnerStreams::InnerStreams(const Program& program, const ModelCoverage& coverage, const Choices& choices,
                           const Scratch& scratch)
    : program_(program),
      coverage_(coverage),
      units_(scratch),
      parent_(scratch),
      faults_(scratch),
      runs_(program.ranks()) {
  for (std::uint32_t call = 0; call < program.calls(); ++call) {
    const auto operation = collectives::operation_of(program.call(static_cast<std::uint16_t>(call)));
    forced_.push_back(operation && choices.collectives.contains(*operation));
  }
  find_units();
  if (units_.empty()) return;
  parent_.resize(units_.size());
  for (std::uint32_t unit = 0; unit < parent_.size(); ++unit) parent_[unit] = unit;
  faults_.resize(units_.size(), Fault::kNoFault);
  join_calls();
  Column<End> sends(scratch), receives(scratch);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) take_messages(rank, sends, receives);
  match(sends, receives);
  decide();
}

bool InnerStreams::is_eligible(std::uint32_t rank, std::uint32_t operation) const {
  const RankProgram& own = program_.rank(rank);
  const Operation& op = own.operations[operation];
  const auto joins_groups = [&](std::uint32_t comm) { return !program_.comm(comm).remote_members.empty(); };
  if (exchanges_data(op.kind)) return !joins_groups(op.comm) && !forced_[op.call];
  if (op.kind != OpKind::kIoRead && op.kind != OpKind::kIoWrite) return false;
  if (!(op.flags & kIoIsMpi) || !coverage_.blocks(own, op) || !coverage_.file_system(op.comm)) return false;
  const std::uint32_t comm = op.extra == kNone ? kNone : own.accesses[op.extra].comm;
  return comm == kNone || !joins_groups(comm);
}

void InnerStreams::find_units() {
  Column<std::uint32_t> operations(units_.get_allocator());
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    operations.clear();
    for (const InnerMessage& message : program_.rank(rank).inner_messages) operations.push_back(message.operation);
    std::ranges::sort(operations);
    const auto rest = std::ranges::unique(operations);
    operations.erase(rest.begin(), rest.end());
    for (const std::uint32_t operation : operations)
      if (is_eligible(rank, operation)) units_.push_back({rank, operation});
  }
}

std::uint32_t InnerStreams::unit_of(std::uint32_t rank, std::uint32_t operation) const {
  const Unit wanted{rank, operation};
  const auto found = std::ranges::lower_bound(units_, wanted);
  return found != units_.end() && *found == wanted ? static_cast<std::uint32_t>(found - units_.begin()) : kNone;
}

std::uint32_t InnerStreams::root(std::uint32_t node) const {
  while (parent_[node] != node) node = parent_[node] = parent_[parent_[node]];
  return node;
}

void InnerStreams::join(std::uint32_t a, std::uint32_t b) {
  a = root(a), b = root(b);
  if (a == b) return;
  if (b < a) std::swap(a, b);
  parent_[b] = a;
  if (faults_[a] == Fault::kNoFault) faults_[a] = faults_[b];
}

void InnerStreams::blame(std::uint32_t node, Fault fault) {
  Fault& known = faults_[root(node)];
  if (known == Fault::kNoFault) known = fault;
}

// The operations of one call on all its ranks; where some rank has no messages the call is not run by those of the
// others: it may have waited in ways that left no record.
void InnerStreams::join_calls() {
  struct Call {
    std::uint32_t unit = kNone, members = 0;
  };
  std::map<std::pair<std::uint32_t, bool>, Column<Call>> calls;
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    std::map<std::pair<std::uint32_t, bool>, std::uint32_t> begun;
    const RankProgram& own = program_.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const CommonCall of_all = common_call(own, own.operations[i]);
      if (of_all.comm == kNone) continue;
      const std::pair key{of_all.comm, of_all.of_file};
      const std::uint32_t sequence = begun[key]++;
      const std::uint32_t unit = unit_of(rank, i);
      if (unit == kNone && !exchanges_nothing(own, own.operations[i])) continue;
      Column<Call>& on_comm = calls.try_emplace(key, units_.get_allocator()).first->second;
      if (on_comm.size() <= sequence) on_comm.resize(sequence + std::size_t{1});
      Call& call = on_comm[sequence];
      ++call.members;
      if (unit == kNone) continue;
      if (call.unit == kNone)
        call.unit = unit;
      else
        join(call.unit, unit);
    }
  }
  for (const auto& [key, on_comm] : calls)
    for (const Call& call : on_comm)
      if (call.unit != kNone && call.members < program_.comm(key.first).members.size())
        blame(call.unit, Fault::kMember);
}

void InnerStreams::take_messages(std::uint32_t rank, Column<End>& sends, Column<End>& receives) {
  const RankProgram& own = program_.rank(rank);
  const std::span<const InnerMessage> messages = own.inner_messages;
  std::vector<bool> done(messages.size(), false), sent(messages.size(), false);
  for (const InnerItem& item : own.inner) {
    if (item.kind == InnerKind::kDone) done[item.index] = true;
    if (item.kind == InnerKind::kSend) sent[item.index] = true;
  }
  for (std::uint32_t i = 0; i < messages.size(); ++i) {
    const InnerMessage& message = messages[i];
    const std::uint32_t unit = unit_of(rank, message.operation);
    has_synchronous_ = has_synchronous_ || (message.flags & kInnerSynchronous);
    Fault fault = Fault::kNoFault;
    if (!done[i]) fault = Fault::kIncomplete;
    if (sent[i] && (message.flags & kInnerUnknownBytes)) fault = Fault::kSize;
    if (message.flags & kInnerFailed) fault = Fault::kFailed;
    if (message.peer >= program_.ranks() || message.context >= mpi::kInnerSpace) fault = Fault::kPeer;
    if (fault != Fault::kNoFault && unit != kNone) blame(unit, fault);
    if (fault == Fault::kPeer) continue;
    End end{.context = message.context,
            .source = rank,
            .receiver = message.peer,
            .tag = message.tag,
            .unit = unit,
            .order = i};
    if (!sent[i]) std::swap(end.source, end.receiver);
    (sent[i] ? sends : receives).push_back(end);
  }
}

// The n-th send of a channel belongs to its n-th receive. Where there are more of one, nobody knows which one is
// missing.
void InnerStreams::match(Column<End>& sends, Column<End>& receives) {
  const auto before = [](const End& a, const End& b) {
    return std::tuple_cat(a.channel(), std::tie(a.order)) < std::tuple_cat(b.channel(), std::tie(b.order));
  };
  std::ranges::sort(sends, before);
  std::ranges::sort(receives, before);
  const auto length = [](const Column<End>& ends, std::size_t first) {
    std::size_t n = 0;
    while (first + n < ends.size() && ends[first + n].channel() == ends[first].channel()) ++n;
    return n;
  };
  const auto unmatched = [&](const Column<End>& ends, std::size_t first, std::size_t n) {
    for (std::size_t i = first; i < first + n; ++i)
      if (ends[i].unit != kNone) blame(ends[i].unit, Fault::kUnmatched);
  };
  std::size_t s = 0, r = 0;
  while (s < sends.size() || r < receives.size()) {
    const bool send_first = r == receives.size() || (s < sends.size() && sends[s].channel() <= receives[r].channel());
    const bool both = send_first && r < receives.size() && sends[s].channel() == receives[r].channel();
    const std::size_t ns = send_first ? length(sends, s) : 0, nr = both || !send_first ? length(receives, r) : 0;
    if (ns != nr) {
      unmatched(sends, s, ns);
      unmatched(receives, r, nr);
    }
    for (std::size_t i = 0; ns == nr && i < ns; ++i) {
      const std::uint32_t a = sends[s + i].unit, b = receives[r + i].unit;
      if (a != kNone && b != kNone)
        join(a, b);
      else if (a != kNone || b != kNone)
        blame(a != kNone ? a : b, Fault::kUnmatched);
    }
    s += ns;
    r += nr;
  }
}

void InnerStreams::decide() {
  for (std::vector<bool>& of_rank : runs_) of_rank.clear();
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) {
    if (faults_[root(unit)] != Fault::kNoFault) continue;
    std::vector<bool>& of_rank = runs_[units_[unit].rank];
    if (of_rank.empty()) of_rank.resize(program_.rank(units_[unit].rank).operations.size(), false);
    of_rank[units_[unit].operation] = true;
  }
}

bool InnerStreams::any() const {
  return std::ranges::any_of(runs_, [](const std::vector<bool>& of_rank) { return !of_rank.empty(); });
}

bool InnerStreams::leave_out(std::uint32_t rank, std::uint32_t operation) {
  const std::uint32_t unit = unit_of(rank, operation);
  if (unit == kNone || faults_[root(unit)] != Fault::kNoFault) return false;
  blame(unit, Fault::kPlayed);
  decide();
  return true;
}

void InnerStreams::leave_out_all() {
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) blame(unit, Fault::kPlayed);
  decide();
}

std::string_view InnerStreams::words(Fault fault) {
  switch (fault) {
    case Fault::kIncomplete:
      return "a message inside was never seen to complete";
    case Fault::kFailed:
      return "a message inside was cancelled or failed";
    case Fault::kSize:
      return "the size of a message inside is not known";
    case Fault::kPeer:
      return "the other end of a message inside is not known";
    case Fault::kUnmatched:
      return "a message inside has no other end in the calls that are run";
    case Fault::kMember:
      return "a rank of the call has no messages inside";
    case Fault::kPlayed:
      return "the messages inside wait for each other in the model";
    case Fault::kNoFault:
    case Fault::kFaults:
      break;
  }
  return "";
}

std::vector<InnerFault> InnerStreams::faults() const {
  std::array<std::uint64_t, static_cast<std::size_t>(Fault::kFaults)> counts{};
  for (std::uint32_t unit = 0; unit < units_.size(); ++unit) ++counts[static_cast<std::size_t>(faults_[root(unit)])];
  std::vector<InnerFault> faults;
  for (std::size_t i = 1; i < counts.size(); ++i)
    if (counts[i] > 0) faults.push_back({std::string(words(static_cast<Fault>(i))), counts[i]});
  return faults;
}

}  // namespace plumbline::replay
