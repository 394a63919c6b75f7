#include "replay/engine/unmatched_operations.hpp"

#include <algorithm>
#include <map>
#include <tuple>

namespace plumbline::replay {
namespace {

// One end of a message; those of one channel lie side by side once they are sorted.
struct End {
  std::uint32_t sender = 0, receiver = 0, comm = 0;
  std::int32_t tag = 0;
  std::uint32_t operation = 0;
  auto channel() const { return std::tie(comm, sender, receiver, tag); }
  bool operator<(const End& other) const {
    return std::tie(comm, sender, receiver, tag, operation) <
           std::tie(other.comm, other.sender, other.receiver, other.tag, other.operation);
  }
};

struct Ends {
  std::vector<End> sends, receives, probes;

  void take(const Program& program, std::uint32_t rank) {
    const RankProgram& own = program.rank(rank);
    for (std::uint32_t i = 0; i < own.operations.size(); ++i) {
      const Operation& op = own.operations[i];
      const auto end = [&](std::int32_t peer, std::int32_t tag, bool is_send) {
        const std::uint32_t other = peers_of(program.comm(op.comm), rank)[static_cast<std::size_t>(peer)];
        return is_send ? End{rank, other, op.comm, tag, i} : End{other, rank, op.comm, tag, i};
      };
      const bool both = op.kind == OpKind::kSendrecv;
      if ((both || op.kind == OpKind::kSend || op.kind == OpKind::kIsend) && op.peer != kNoPeer)
        sends.push_back(end(op.peer, op.tag, true));
      const bool is_open = op.kind == OpKind::kIrecv && (op.flags & kNotCompleted);  // nobody waits for it
      if ((op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv) && op.peer != kNoPeer && !is_open)
        receives.push_back(end(op.peer, op.tag, false));
      if (both && own.sendrecvs[op.extra].source != kNoPeer)
        receives.push_back(end(own.sendrecvs[op.extra].source, own.sendrecvs[op.extra].tag, false));
      if (op.kind == OpKind::kProbe && op.peer != kNoPeer) probes.push_back(end(op.peer, op.tag, false));
    }
  }

  void sort() {
    for (std::vector<End>* ends : {&sends, &receives, &probes}) std::sort(ends->begin(), ends->end());
  }
};

std::size_t number_on(const std::vector<End>& ends, const End& channel) {
  const auto less = [](const End& a, const End& b) { return a.channel() < b.channel(); };
  const auto [first, behind] = std::equal_range(ends.begin(), ends.end(), channel, less);
  return static_cast<std::size_t>(behind - first);
}

// Of the same channel, by earlier operations.
std::size_t taken_before(const std::vector<End>& receives, const End& probe) {
  End first = probe;
  first.operation = 0;
  return static_cast<std::size_t>(std::lower_bound(receives.begin(), receives.end(), probe) -
                                  std::lower_bound(receives.begin(), receives.end(), first));
}

// Calls visit(end) for each that has as many of its channel before it as there are `others`.
template <class Visit>
void beyond(const std::vector<End>& ends, const std::vector<End>& others, Visit visit) {
  for (std::size_t first = 0; first < ends.size();) {
    std::size_t behind = first;
    while (behind < ends.size() && ends[behind].channel() == ends[first].channel()) ++behind;
    for (std::size_t i = first + number_on(others, ends[first]); i < behind; ++i) visit(ends[i]);
    first = behind;
  }
}

bool gathers(const Program& program, const Operation& op) {
  if (!is_data_collective(op.kind) && op.kind != OpKind::kCommCreate) return false;
  return program.comm(op.comm).remote_members.empty();
}

}  // namespace

UnmatchedOperations::UnmatchedOperations(const Program& program) : ranks_(program.ranks()) {
  Ends ends;
  std::vector<std::map<std::uint32_t, std::vector<std::uint32_t>>> calls(program.comms());  // by rank
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    ends.take(program, rank);
    const auto operations = program.rank(rank).operations;
    for (std::uint32_t i = 0; i < operations.size(); ++i)
      if (gathers(program, operations[i])) calls[operations[i].comm][rank].push_back(i);
  }
  ends.sort();
  beyond(ends.sends, ends.receives, [&](const End& end) { add(end.sender, end.operation, kSends); });
  beyond(ends.receives, ends.sends, [&](const End& end) { add(end.receiver, end.operation, kReceives); });
  for (const End& probe : ends.probes)
    if (taken_before(ends.receives, probe) >= number_on(ends.sends, probe))
      add(probe.receiver, probe.operation, kReceives);
  for (std::uint32_t comm = 0; comm < program.comms(); ++comm) {
    std::size_t all = SIZE_MAX;  // calls that every rank of it makes
    for (const std::uint32_t member : program.comm(comm).members) all = std::min(all, calls[comm][member].size());
    for (const auto& [rank, own] : calls[comm])
      for (std::size_t i = all; i < own.size(); ++i) add(rank, own[i], kGathers);
  }
  for (std::vector<Found>& own : ranks_)
    std::sort(own.begin(), own.end(), [](const Found& a, const Found& b) { return a.operation < b.operation; });
}

void UnmatchedOperations::add(std::uint32_t rank, std::uint32_t operation, std::uint8_t part) {
  ranks_[rank].push_back({operation, part});
}

std::uint8_t UnmatchedOperations::of(std::uint32_t rank, std::uint32_t operation) const {
  const std::vector<Found>& own = ranks_[rank];
  auto found = std::lower_bound(own.begin(), own.end(), operation,
                                [](const Found& a, std::uint32_t b) { return a.operation < b; });
  std::uint8_t parts = kNothing;
  for (; found != own.end() && found->operation == operation; ++found) parts |= found->parts;
  return parts;
}

bool UnmatchedOperations::any() const {
  return std::any_of(ranks_.begin(), ranks_.end(), [](const auto& own) { return !own.empty(); });
}

bool says_it_is_incomplete(const Program& program) {
  const std::string_view remarks = program.property("remarks");
  return remarks.starts_with("incomplete: ") || remarks.find("\nincomplete: ") != remarks.npos;
}

}  // namespace plumbline::replay
