#include "replay/model/compile/process_compiler.hpp"

#include <fmt/format.h>

#include <limits>
#include <vector>

#include "base/quantity.hpp"
#include "replay/model/compile/names_in_programs.hpp"

namespace plumbline::replay::model {
namespace {

struct Amounts {
  std::uint64_t sent = 0, received = 0;
};

// docs/internals/program-file.md, "Bytes of collectives". The size of a model is the count of the MPI call: the own
// part of a gather, scatter or reduce_scatter_block, what goes to each rank of an alltoall.
Amounts amounts_of(Collective collective, std::uint64_t size, std::uint64_t ranks, bool is_root) {
  switch (collective) {
    case Collective::kBarrier:
      return {};
    case Collective::kGather:
      return {size, is_root ? size * ranks : 0};
    case Collective::kScatter:
      return {is_root ? size * ranks : 0, size};
    case Collective::kAllgather:
      return {size, size * ranks};
    case Collective::kAlltoall:
      return {size * ranks, size * ranks};
    case Collective::kReduce:
      return {size, is_root ? size : 0};
    case Collective::kReduceScatter:
      return {size * ranks, size};
    case Collective::kBcast:
    case Collective::kAllreduce:
    case Collective::kScan:
    case Collective::kExscan:
      return {size, size};
  }
  return {};
}

bool has_root(const MessageType& type) { return contains(type.optional, Attribute::kRoot); }

}  // namespace

std::uint16_t SharedNames::call(const MessageType& type) {
  const auto known = calls_.find(&type);
  return known != calls_.end() ? known->second : calls_.emplace(&type, builder_.call(type.name)).first->second;
}

std::uint32_t SharedNames::site(Place place) {
  const auto known = sites_.find(place);
  return known != sites_.end() ? known->second
                               : sites_.emplace(place, builder_.site(faults_.where(place))).first->second;
}

std::uint32_t SharedNames::file(const Message& message) {
  const auto known = files_.find(&message);
  return known != files_.end() ? known->second : files_.emplace(&message, builder_.file(message.file)).first->second;
}

void ProcessCompiler::take(const Action& action) {
  if (!fits(action)) return;
  if (action.message == nullptr) return action.delays ? delay(action) : compute(action);
  Operation op;
  const MessageType& type = *action.message->type;
  op.kind = type.kind;
  op.flags = type.flags;
  op.call = names_.call(type);
  op.site = names_.site(action.place);
  fill(op, action);
  add(op, action.compute);
}

// A fault where the process would end later than a replay can hold.
bool ProcessCompiler::fits(const Action& action) {
  if (action.compute <= Duration{std::numeric_limits<std::int64_t>::max()} - (now_ - Time{})) return true;
  fault(action.place, "too long", "takes longer than a replay can hold (106 days)", "fewer iterations tell as much");
  return false;
}

void ProcessCompiler::compute(const Action& action) {
  if (builder_.operations() == 0 && action.compute > Duration{}) add_mark(kBeginOfProcess);
  now_ += action.compute;
  computed_ = computed_ || action.compute > Duration{};
}

void ProcessCompiler::add(const Operation& op, Duration least) {
  builder_.add(op, {now_, now_ + least});
  if (least > Duration{}) builder_.not_judged(static_cast<std::uint32_t>(builder_.operations() - 1), kTakesAtLeast);
  now_ += least;
  computed_ = false;
}

// The replay keeps its duration.
void ProcessCompiler::delay(const Action& action) {
  if (action.compute == Duration{}) return;
  Operation op;
  op.kind = OpKind::kLocal;
  op.call = builder_.call(kDelay);
  op.site = names_.site(action.place);
  builder_.add(op, {now_, now_ + action.compute});
  now_ += action.compute;
  computed_ = false;
}

void ProcessCompiler::fill(Operation& op, const Action& action) {
  if (op.kind == OpKind::kWait) return wait(op, action);
  if (is_data_collective(op.kind)) return collective(op, action);
  if (is_io(op.kind)) return access(op, action);
  message(op, action);
}

void ProcessCompiler::message(Operation& op, const Action& action) {
  op.comm = 0;
  op.tag = action.tag;
  op.bytes = action.size;
  const bool receives = op.kind == OpKind::kRecv || op.kind == OpKind::kIrecv;
  op.peer = receives || op.kind == OpKind::kProbe ? action.from : action.to;
  require_measured(action, action.to, action.size);
  if (receives) require_measured(action, action.from, action.size);
  if (receives) refuse_overtaken_wildcard(action, action.tag);
  if (op.kind == OpKind::kSendrecv) refuse_overtaken_wildcard(action, action.receive_tag);
  if (action.from_any) op.flags |= kAnySource;
  if (op.kind == OpKind::kIsend || op.kind == OpKind::kIrecv) op.extra = start(action);
  if (op.kind == OpKind::kSendrecv)
    op.extra = builder_.add(SendrecvTail{action.from, action.receive_tag, action.receive_size});
}

void ProcessCompiler::require_measured(const Action& action, std::int32_t peer, std::uint64_t bytes) {
  if (peer != kNoPeer) require_measured(action, layout_.largest(rank_, static_cast<std::uint32_t>(peer)), bytes);
}

void ProcessCompiler::require_measured(const Action& action, std::uint64_t largest, std::uint64_t bytes) {
  if (bytes <= largest) return;
  fault(action.place, "unmeasured",
        fmt::format("size is {}, but the platform has times of messages up to {} only", format(Bytes{bytes}),
                    format(Bytes{largest})),
        "measure larger ones, or go on from the largest with --extrapolate");
}

void ProcessCompiler::collective(Operation& op, const Action& action) {
  const MessageType& type = *action.message->type;
  const bool is_root = static_cast<std::uint32_t>(action.root) == rank_;
  const Amounts amounts = amounts_of(type.collective, action.size, instance_.numprocs, is_root);
  if (instance_.numprocs > 1) require_measured(action, layout_.largest_together, action.size);
  op.comm = 0;
  op.tag = static_cast<std::int32_t>(type.collective);
  if (has_root(type)) op.peer = action.root;
  op.bytes = amounts.sent;
  CollectiveTail tail;
  tail.received = amounts.received;
  if (op.kind == OpKind::kNonBlockingCollective) tail.request = start(action);
  op.extra = builder_.add(tail);
}

void ProcessCompiler::access(Operation& op, const Action& action) {
  const Message& message = *action.message;
  op.comm = names_.file(message);
  op.bytes = action.size;
  const bool moves = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
  IoAccess tail{.offset = kUnknownOffset};
  if (moves) {
    const auto access = names_.views.access(message, action.offset, action.displacement);
    if (!access) return fault(action.place, "outside", "accesses what no file has through this view", "");
    tail = *access;
  }
  tail.comm = 0;
  tail.hints = names_.views.hints(message.file);
  if (op.flags & kNonBlocking) tail.request = start(action);
  op.extra = builder_.add(tail);
}

std::uint32_t ProcessCompiler::start(const Action& action) {
  const std::uint32_t slot = slots_.take();
  requests_[action.message->request].push_back({slot, action.place, action.from_any, action.tag});
  if (action.from_any) open_wildcards_[action.tag].emplace(slot, action.place);
  return slot;
}

// MPI gives a message to the first receive that was posted and fits it. The replay has the order of those from a named
// rank, and of those from any, but not of one kind against the other.
void ProcessCompiler::refuse_overtaken_wildcard(const Action& action, std::int32_t tag) {
  if (action.from_any || action.from == kNoPeer) return;
  const auto open = open_wildcards_.find(tag);
  if (open == open_wildcards_.end()) return;
  fault(action.place, "behind",
        fmt::format("receives from a named rank while a receive from any of the same tag is outstanding ({})",
                    faults_.where(open->second.begin()->second)),
        "give them different tags, or wait for the other first");
}

void ProcessCompiler::forget(const Outstanding& request) {
  if (!request.from_any) return;
  const auto open = open_wildcards_.find(request.tag);
  open->second.erase(request.slot);
  if (open->second.empty()) open_wildcards_.erase(open);
}

// MPI_Wait: for the oldest of its name; MPI_Waitall: for all, and without a name for those of every name.
void ProcessCompiler::wait(Operation& op, const Action& action) {
  const Message& message = *action.message;
  std::vector<std::uint32_t> done;
  for (auto& [name, outstanding] : requests_) {
    if (name != message.request && !(message.type->waits_for_all && message.request.empty())) continue;
    while (!outstanding.empty() && (message.type->waits_for_all || done.empty())) {
      done.push_back(outstanding.front().slot);
      forget(outstanding.front());
      outstanding.pop_front();
    }
  }
  if (done.empty() && !message.type->waits_for_all)
    return fault(action.place, "nothing",
                 message.request.empty()
                     ? std::string("waits for a request, but none without a name is outstanding")
                     : fmt::format("waits for the request '{}', which is not outstanding", message.request),
                 "start it before");
  for (const std::uint32_t slot : done) slots_.give_back(slot);
  if (done.size() == 1) op.flags |= kNoRequestList;
  if (done.size() == 1) op.extra = done.front();
  if (done.size() > 1) op.extra = builder_.add_requests(done);
}

void ProcessCompiler::finish() {
  for (const auto& [name, outstanding] : requests_)
    if (!outstanding.empty())
      fault(outstanding.front().place, "unwaited",
            fmt::format("starts {} that it never waits for", outstanding.size() == 1
                                                                 ? std::string("a request")
                                                                 : fmt::format("{} requests", outstanding.size())),
            "write Message type = MPI_Waitall at the end");
  if (computed_) add_mark(kEndOfProcess);
}

void ProcessCompiler::add_mark(std::string_view call) {
  Operation mark;
  mark.kind = OpKind::kWait;
  mark.call = builder_.call(call);
  add(mark);
}

void ProcessCompiler::fault(Place place, std::string_view kind, std::string what, std::string hint) {
  faults_.add(kind, rank_, instance_.numprocs, {place, std::move(what), std::move(hint), false});
}

}  // namespace plumbline::replay::model
