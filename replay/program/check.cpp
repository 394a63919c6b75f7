#include "replay/program/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace plumbline::replay {
namespace {

// Every function returns what is wrong, or "" (the usual case, without any allocation).
class RankCheck {
 public:
  RankCheck(const RankProgram& program, std::uint32_t rank, const ProgramTables& tables)
      : tables_(tables),
        own_rank_(rank),
        rank_(program),
        comms_(tables.comms.size()),
        in_use_(rank_.request_slots, 0) {}

  std::string run() {
    for (std::size_t i = 0; i < rank_.operations.size(); ++i) {
      std::string_view what = times(i);
      if (what.empty()) what = operation(rank_.operations[i]);
      if (!what.empty()) return fmt::format("operation {}: {}", i, what);
    }
    return std::string(side_tables());
  }

 private:
  std::string_view times(std::size_t i) const {
    const OperationTimes& t = rank_.times[i];
    if (t.end < t.begin) return "ends before it begins";
    if (i > 0 && t.begin < rank_.times[i - 1].end) return "begins before its predecessor has ended";
    return {};
  }

  std::string_view operation(const Operation& op) {
    if (op.call >= tables_.calls) return "no such call";
    if (op.site != kNone && op.site >= tables_.sites) return "no such call site";
    switch (op.kind) {
      case OpKind::kSend:
      case OpKind::kRecv:
      case OpKind::kProbe:
        return message(op);
      case OpKind::kIsend:
      case OpKind::kIrecv:
        return first(message(op), start(op.extra));
      case OpKind::kSendrecv:
        return sendrecv(op);
      case OpKind::kWait:
        return wait(op);
      case OpKind::kCollective:
      case OpKind::kNonBlockingCollective:
        return collective(op);
      case OpKind::kCommCreate:
        return op.comm < comms_ ? "" : "no such communicator";
      case OpKind::kIoOpen:
      case OpKind::kIoClose:
      case OpKind::kIoSync:
      case OpKind::kIoRead:
      case OpKind::kIoWrite:
      case OpKind::kIoSeek:
        return io(op);
      case OpKind::kLocal:
      case OpKind::kUnmodelled:
        return {};
      case OpKind::kNeighbourhood:
      case OpKind::kNonBlockingNeighbourhood:
        return neighbourhood(op);
      case OpKind::kWinCreate:
      case OpKind::kWinFree:
      case OpKind::kWinFence:
      case OpKind::kWinPost:
      case OpKind::kWinStart:
      case OpKind::kWinComplete:
      case OpKind::kWinWait:
      case OpKind::kWinLock:
      case OpKind::kWinUnlock:
      case OpKind::kWinFlush:
      case OpKind::kWinSync:
        return on_window(op);
      case OpKind::kRmaPut:
      case OpKind::kRmaGet:
      case OpKind::kRmaAccumulate:
      case OpKind::kRmaFetch:
        return transfer(op);
    }
    return "no such kind of operation";
  }

  static std::string_view first(std::string_view a, std::string_view b) { return a.empty() ? b : a; }

  std::string_view peer(std::uint32_t comm, std::int32_t peer) const {
    if (comm >= comms_) return "no such communicator";
    const std::size_t size = peers_of(tables_.comms[comm], own_rank_).size();
    return peer == kNoPeer || (peer >= 0 && static_cast<std::size_t>(peer) < size) ? ""
                                                                                   : "no such rank in communicator";
  }

  std::string_view message(const Operation& op) const { return peer(op.comm, op.peer); }

  std::string_view sendrecv(const Operation& op) const {
    if (op.extra >= rank_.sendrecvs.size()) return "no such receive of a sendrecv";
    return first(message(op), peer(op.comm, rank_.sendrecvs[op.extra].source));
  }

  std::string_view start(std::uint32_t slot) {
    if (slot >= in_use_.size()) return "no such request";
    if (in_use_[slot]) return "request is in use";
    in_use_[slot] = 1;
    return {};
  }

  std::string_view complete(std::uint32_t slot) {
    if (slot >= in_use_.size()) return "no such request";
    if (!in_use_[slot]) return "waits for a request that was not started";
    in_use_[slot] = 0;
    return {};
  }

  std::string_view wait(const Operation& op) {
    if (op.flags & kNoRequestList) return complete(op.extra);
    if (op.extra == kNone) return {};
    const auto lists = rank_.request_lists;
    if (op.extra >= lists.size() || lists[op.extra] > lists.size() - op.extra - 1) return "no such request list";
    for (const std::uint32_t slot : rank_.waits_for(op))
      if (const std::string_view what = complete(slot); !what.empty()) return what;
    return {};
  }

  std::string_view counts(std::uint32_t index, const CommView& comm) const {
    if (index == kNone) return {};
    const std::size_t size = peers_of(comm, own_rank_).size();
    return index <= rank_.counts.size() && size <= rank_.counts.size() - index ? "" : "counts per rank are missing";
  }

  std::string_view collective(const Operation& op) {
    if (op.tag < 0 || op.tag > static_cast<std::int32_t>(Collective::kExscan)) return "no such collective";
    if (op.extra >= rank_.collectives.size()) return "no such collective tail";
    if (const std::string_view what = peer(op.comm, op.peer); !what.empty()) return what;
    const CollectiveTail& tail = rank_.collectives[op.extra];
    const CommView& comm = tables_.comms[op.comm];
    std::string_view what = first(counts(tail.sent_counts, comm), counts(tail.received_counts, comm));
    if (op.kind == OpKind::kNonBlockingCollective) what = first(what, start(tail.request));
    return what;
  }

  std::string_view neighbourhood(const Operation& op) {
    if (op.tag < 0 || op.tag > static_cast<std::int32_t>(Neighbourhood::kAlltoallw))
      return "no such neighbourhood collective";
    if (op.extra >= rank_.neighbourhoods.size()) return "no such tail of a neighbourhood collective";
    if (op.comm >= comms_) return "no such communicator";
    const NeighbourTail& tail = rank_.neighbourhoods[op.extra];
    const std::size_t known = rank_.neighbours.size(), listed = std::size_t{tail.to} + tail.from;
    if (tail.first > known || listed > known - tail.first) return "neighbours are missing";
    const std::size_t members = tables_.comms[op.comm].members.size();
    for (const Neighbour& neighbour : rank_.neighbours.subspan(tail.first, listed))
      if (neighbour.rank >= members) return "no such neighbour in communicator";
    return op.kind == OpKind::kNonBlockingNeighbourhood ? start(tail.request) : "";
  }

  std::string_view on_window(const Operation& op) const {
    if (op.comm >= tables_.windows.size()) return "no such window";
    const std::span<const std::uint32_t> members = tables_.comms[tables_.windows[op.comm].comm].members;
    const bool is_identity = own_rank_ < members.size() && members[own_rank_] == own_rank_;
    if (!is_identity && std::ranges::find(members, own_rank_) == members.end()) return "on a window of other ranks";
    const bool names_rank =
        op.kind == OpKind::kWinLock || op.kind == OpKind::kWinUnlock || op.kind == OpKind::kWinFlush;
    if (names_rank && (op.peer == kNoPeer) != ((op.flags & kWinAll) != 0)) return "of one rank, or of all of a window";
    if (op.peer != kNoPeer && (op.peer < 0 || static_cast<std::size_t>(op.peer) >= members.size()))
      return "no such rank in window";
    if ((op.kind != OpKind::kWinPost && op.kind != OpKind::kWinStart) || op.extra == kNone) return {};
    const std::span<const std::uint32_t> groups = rank_.groups;
    if (op.extra >= groups.size() || groups[op.extra] > groups.size() - op.extra - 1) return "no such group";
    const bool fits = std::ranges::all_of(rank_.group_of(op), [&](std::uint32_t r) { return r < members.size(); });
    return fits ? "" : "no such rank in window";
  }

  std::string_view transfer(const Operation& op) {
    if (const std::string_view what = on_window(op); !what.empty()) return what;
    if (op.peer == kNoPeer) return "one-sided communication with nobody";
    if (op.extra >= rank_.rma.size()) return "no such tail of one-sided communication";
    const std::uint32_t request = rank_.rma[op.extra].request;
    return request == kNone ? "" : start(request);
  }

  std::string_view io(const Operation& op) {
    if (op.comm >= tables_.files) return "no such file";
    if (op.extra == kNone)
      return op.flags & (kIoIsCollective | kNonBlocking) ? "collective or non-blocking I/O without an access" : "";
    if (op.extra >= rank_.accesses.size()) return "no such access";
    const IoAccess& access = rank_.accesses[op.extra];
    if (access.layout != kNone && access.layout >= tables_.layouts) return "no such layout";
    if (access.hints != kNoHints && access.hints >= tables_.hint_texts) return "no such hints";
    if (access.comm != kNone ? access.comm >= comms_ : (op.flags & kIoIsCollective) != 0) return "no such communicator";
    return op.flags & kNonBlocking ? start(access.request) : "";
  }

  // Posts come in the order of their messages, each in a slot that is free; what is done was posted, and once.
  std::string_view inner_stream() const {
    if (rank_.inner_slots > rank_.inner_messages.size()) return "more slots than inner messages";
    std::vector<std::uint32_t> messages(rank_.inner_slots, kNone);  // by slot, under way
    std::uint32_t least = 0;
    std::size_t posted = 0;
    for (const InnerItem& item : rank_.inner) {
      if (item.operation < least || item.operation >= rank_.operations.size()) return "inner stream is out of order";
      if (item.kind > InnerKind::kDone || item.times.end < item.times.begin) return "damaged inner stream";
      least = item.operation;
      if (is_posix(item.kind)) {
        if (item.index >= rank_.inner_accesses.size()) return "no such inner access";
        const std::uint32_t file = rank_.inner_accesses[item.index].file;
        if (file != kNone && file >= tables_.files) return "inner access to no file";
        continue;
      }
      if (item.index >= rank_.inner_messages.size()) return "no such inner message";
      const InnerMessage& message = rank_.inner_messages[item.index];
      if (message.operation > item.operation) return "an inner message belongs to a later operation";
      if (message.slot >= messages.size()) return "no such slot of an inner message";
      std::uint32_t& in_slot = messages[message.slot];
      const bool ends = item.kind == InnerKind::kDone;
      if (ends ? in_slot != item.index : in_slot != kNone || item.index != posted) return "inner messages are damaged";
      in_slot = ends ? kNone : item.index;
      if (!ends) ++posted;
    }
    return posted == rank_.inner_messages.size() ? "" : "an inner message was never posted";
  }

  std::string_view side_tables() const {
    if (const std::string_view what = inner_stream(); !what.empty()) return what;
    std::uint32_t least = 0;
    for (const OffCpu& off : rank_.off_cpu) {
      if (off.operation < least || off.operation >= rank_.operations.size()) return "run delays are out of order";
      least = off.operation;
    }
    least = 0;
    for (const Reason& reason : rank_.reasons) {
      if (reason.operation < least || reason.operation >= rank_.operations.size()) return "reasons are out of order";
      if (reason.text >= tables_.reasons) return "no such reason";
      least = reason.operation;
    }
    return {};
  }

  const ProgramTables& tables_;
  const std::uint32_t own_rank_;
  const RankProgram& rank_;
  std::size_t comms_;
  std::vector<std::uint8_t> in_use_;
};

}  // namespace

std::string fault_of(const RankProgram& program, std::uint32_t rank, const ProgramTables& tables) {
  if (program.times.size() != program.operations.size()) return "operations and times differ in number";
  if (program.operations.size() >= kNone) return "too many operations";
  if (program.request_slots > program.operations.size()) return "more requests than operations";
  if (program.node >= tables.nodes || program.processor >= tables.nodes) return "no such node";
  return RankCheck(program, rank, tables).run();
}

}  // namespace plumbline::replay
