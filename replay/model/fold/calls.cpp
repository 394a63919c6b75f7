#include "replay/model/fold/calls.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <tuple>

namespace plumbline::replay::model {
bool has_offset(const FoldedCall& call) {
  return call.type != nullptr && contains(call.type->required, Attribute::kOffset);
}

bool is_same_call(const FoldedCall& a, const FoldedCall& b) {
  const auto key = [](const FoldedCall& call) {
    return std::tuple(call.type, call.left_out, call.site, call.file, call.view, call.request, call.tag,
                      call.receive_tag, call.root, call.size, call.receive_size);
  };
  return key(a) == key(b);
}

Gap& Gap::operator+=(const Gap& other) {
  const auto add = [&](Elapsed& own, const Elapsed& more) {
    own.sum += more.sum;
    for (const Passage& one : more.notable) own.notable.push_back({times + one.number, one.time});
  };
  add(computed, other.computed);
  add(kept, other.kept);
  add(least, other.least);
  times += other.times;
  return *this;
}

RecordedCalls::RecordedCalls(const Program& program)
    : program_(program), begin_(begin_of(program)), files_(program, is_world_) {
  find_comms();
  number_tags();
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    look_at(rank);
    busy_ = std::max(busy_, busy_of(program.rank(rank)));
  }
}

void RecordedCalls::find_comms() {
  std::vector<std::set<std::uint32_t>> taken(program_.ranks());  // colours, by rank
  for (std::uint32_t index = 0; index < program_.comms(); ++index) {
    const CommView comm = program_.comm(index);
    bool world = comm.remote_members.empty() && comm.members.size() == program_.ranks();
    for (std::uint32_t i = 0; world && i < comm.members.size(); ++i) world = comm.members[i] == i;
    is_world_.push_back(world);
    std::uint32_t colour = 0;
    const auto is_taken = [&](std::uint32_t rank) { return taken[rank].contains(colour); };
    while (std::ranges::any_of(comm.members, is_taken) || std::ranges::any_of(comm.remote_members, is_taken)) ++colour;
    for (const auto members : {comm.members, comm.remote_members})
      for (const std::uint32_t rank : members) taken[rank].insert(colour);
    colour_.push_back(colour);
  }
}

// Messages of two communicators never match, so that a tag which is used in both is two. The first one keeps it.
void RecordedCalls::number_tags() {
  std::set<std::pair<std::uint32_t, std::int32_t>> used;
  const auto use = [&](std::uint32_t comm, std::int32_t tag) { used.insert({colour_[comm], std::max(tag, 0)}); };
  for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) {
    const RankProgram& own = program_.rank(rank);
    for (const Operation& op : own.operations) {
      if (!is_message(op.kind) || op.comm == kNone) continue;
      use(op.comm, op.tag);
      if (op.kind == OpKind::kSendrecv) use(op.comm, own.sendrecvs[op.extra].tag);
    }
  }
  std::set<std::int32_t> given;
  std::int32_t next = 0;
  for (const auto& [colour, tag] : used) next = std::max(next, tag);
  for (const auto& key : used) tags_[key] = given.insert(key.second).second ? key.second : ++next;
}

std::int32_t RecordedCalls::tag_of(std::uint32_t comm, std::int32_t tag) const {
  const auto found = tags_.find({colour_[comm], std::max(tag, 0)});
  return found == tags_.end() ? std::max(tag, 0) : found->second;
}

std::int32_t RecordedCalls::world_rank(std::uint32_t rank, std::uint32_t comm, std::int32_t peer) const {
  if (peer == kNoPeer) return kNoPeer;
  return static_cast<std::int32_t>(peers_of(program_.comm(comm), rank)[static_cast<std::size_t>(peer)]);
}

void RecordedCalls::look_at(std::uint32_t rank) {
  const RankProgram& own = program_.rank(rank);
  std::size_t collectives = 0;
  for (const Operation& op : own.operations) {
    open_wildcards_ = open_wildcards_ || is_open_wildcard(op);
    const auto sends = [&] {
      const std::int32_t to = world_rank(rank, op.comm, op.peer);
      if (to != kNoPeer) ++channels_[{rank, static_cast<std::uint32_t>(to), tag_of(op.comm, op.tag)}].sends;
    };
    const auto receives = [&](std::int32_t peer, std::int32_t tag) {
      const std::int32_t from = world_rank(rank, op.comm, peer);
      if (from != kNoPeer) ++channels_[{static_cast<std::uint32_t>(from), rank, tag_of(op.comm, tag)}].receives;
    };
    if (op.kind == OpKind::kSend || op.kind == OpKind::kIsend || op.kind == OpKind::kSendrecv) sends();
    if ((op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv) && !is_never_completed(op)) receives(op.peer, op.tag);
    if (op.kind == OpKind::kSendrecv) receives(own.sendrecvs[op.extra].source, own.sendrecvs[op.extra].tag);
    if (is_io(op.kind) && op.kind != OpKind::kIoSeek) files_.look_at(own, op);
    if (!is_foldable_collective(op)) continue;
    if (collectives == collectives_.size()) collectives_.emplace_back();
    CollectiveSizes& sizes = collectives_[collectives++];
    const std::uint64_t size = collective_size(own, op);
    sizes.least = std::min(sizes.least, size);
    sizes.most = std::max(sizes.most, size);
    sizes.sum += static_cast<double>(size);
    ++sizes.ranks;
  }
}

double RecordedCalls::busy_of(const RankProgram& own) const {
  Duration busy;
  Time previous = begin_;
  for (std::size_t i = 0; i < own.operations.size(); ++i) {
    const OpKind kind = own.operations[i].kind;
    const bool moves = is_io(kind) && kind != OpKind::kIoOpen;
    const bool waits = is_message(kind) || is_data_collective(kind) || kind == OpKind::kWait || moves;
    busy += std::max(own.times[i].begin - previous, Duration{});
    if (!waits) busy += own.times[i].end - own.times[i].begin;
    previous = own.times[i].end;
  }
  for (const auto& off : own.off_cpu) busy -= off.delay;
  return static_cast<double>(std::max(busy, Duration{}).ps);
}

bool RecordedCalls::is_foldable_collective(const Operation& op) const {
  return is_data_collective(op.kind) && is_world_[op.comm];
}

// The language's size of a collective (docs/reference/model-language.md) from what was recorded
// (docs/internals/program-file.md, "Bytes of collectives"). In place, a rank sends nothing of its own.
std::uint64_t RecordedCalls::collective_size(const RankProgram& own, const Operation& op) const {
  const std::uint64_t sent = op.bytes, received = own.collectives[op.extra].received;
  const std::uint64_t ranks = std::max(program_.ranks(), 1U);
  switch (static_cast<Collective>(op.tag)) {
    case Collective::kBarrier:
      return 0;
    case Collective::kGather:
      return sent > 0 || received == 0 ? sent : received / ranks;
    case Collective::kScatter:
      return received > 0 || sent == 0 ? received : sent / ranks;
    case Collective::kAllgather:
      return received / ranks;
    case Collective::kAlltoall:
      return std::max(sent, received) / ranks;
    case Collective::kReduceScatter:
      return received;
    case Collective::kReduce:
    case Collective::kBcast:
    case Collective::kAllreduce:
    case Collective::kScan:
    case Collective::kExscan:
      return std::max(sent, received);
  }
  return 0;
}

void RecordedCalls::leave_out(std::string_view reason, const Operation& op, bool approximated) {
  ++not_folded_[{reason, op.call, op.site, approximated}];
}

std::vector<NotFolded> RecordedCalls::not_folded() const {
  std::vector<NotFolded> all;
  for (const auto& [key, operations] : not_folded_) {
    const auto& [reason, call, site, approximated] = key;
    all.push_back({std::string(reason), std::string(program_.call(call)), std::string(program_.site(site)),
                   approximated, operations});
  }
  std::ranges::stable_sort(all, std::greater<>(), &NotFolded::operations);
  return all;
}

}  // namespace plumbline::replay::model
