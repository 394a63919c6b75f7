#include "replay/program/compile/location_compiler.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "replay/program/failed_calls.hpp"

namespace plumbline::replay {

using archive::Event;
using archive::EventKind;

LocationCompiler::LocationCompiler(CompileContext& context, std::uint32_t rank, TracerCost cost,
                                   const InsideOfCalls* inside)
    : context_(context),
      builder_(context.builder),
      rank_(rank),
      cost_(cost),
      walker_(context.calls),
      unrecorded_posts_(context.scratch),
      inner_(context, positions_),
      inside_(inside),
      first_operations_(context.scratch),
      inner_messages_(context.scratch) {
  if (inside_ != nullptr) inner_messages_.assign(inside_->messages.size(), kNone);
}

void LocationCompiler::fail(std::string_view what) const {
  throw Error(fmt::format("{}: rank {}, event {}", context_.where, rank_, events_), std::string(what));
}

void LocationCompiler::event(const Event& event) {
  ++events_;
  if (event.time < now_)
    ++context_.tally.disorder;
  else
    now_ = event.time;
  if (event.kind == EventKind::kEnter && walker_.depth() == 0) {
    ++outermost_;
    if (inside_ != nullptr) first_operations_.push_back(builder_.operations());
  }
  switch (walker_.next(event)) {
    case CallWalker::Step::kOutside:
      return outside(event);
    case CallWalker::Step::kBegins:
      return begin_call(event);
    case CallWalker::Step::kInside:
      return inside(event);
    case CallWalker::Step::kNested:
      return nested(event);
    case CallWalker::Step::kEnds:
      return end_call(&event);
    case CallWalker::Step::kMismatch:
      fail("leaves a region that is not the innermost one, or enters an unknown one");
  }
}

void LocationCompiler::outside(const Event& event) const {
  switch (event.kind) {
    case EventKind::kMpiSend:
    case EventKind::kMpiIsend:
    case EventKind::kMpiIsendComplete:
    case EventKind::kMpiIrecvRequest:
    case EventKind::kMpiRecv:
    case EventKind::kMpiIrecv:
    case EventKind::kMpiCollectiveEnd:
    case EventKind::kNonBlockingCollectiveRequest:
    case EventKind::kNonBlockingCollectiveComplete:
      fail("a message or collective outside any MPI call");
    case EventKind::kIoOperationBegin:
    case EventKind::kIoOperationComplete:
      fail("an I/O operation outside any call");
    default:
      return;  // definitions, threads and notes of the recording stand anywhere
  }
}

void LocationCompiler::begin_call(const Event& event) {
  std::destroy_at(&call_);
  std::construct_at(&call_);
  call_.traits = context_.calls[event.region];
  call_.begin = now_;
  call_.region = event.region;
  call_.name = context_.call(event.region);
  call_.first_operation = builder_.operations();
  find_inside();
  const AttributeIds& ids = context_.attributes;
  for (const archive::AttributeValue& value : event.attributes) {
    if (value.attribute == ids.site) {
      call_.site = context_.site(value.string);
      call_.site_text = value.string;
    } else if (value.attribute == ids.run_delay)
      call_.run_delay = Duration{static_cast<std::int64_t>(value.u64)};
    else if (value.attribute == ids.poll_computed)
      call_.computed = Duration{static_cast<std::int64_t>(std::min<std::uint64_t>(value.u64, INT64_MAX))};
    else if (value.attribute == ids.waits)
      call_.names_its_waits = true;
    else
      window_attribute(value);
  }
  if (call_.traits.shape == CallShape::kNeighbourhood) begin_neighbourhood(event);
  if (call_.traits.shape == CallShape::kProbe) begin_probe(event);
}

void LocationCompiler::end_call(const Event* leave) {
  const bool unfinished = leave == nullptr || find(*leave, context_.attributes.unfinished) != nullptr;
  call_.unfinished = unfinished;
  if (call_.traits.sets_atomicity) ++context_.tally.atomicity_set;
  if (leave != nullptr && call_.traits.is_file) change_hints(*leave);
  if (leave != nullptr) complete_unrecorded(*leave);
  if (leave != nullptr && call_.probe) end_probe(*leave);
  reason_.clear();
  note_failure(leave);
  if (posts_.empty()) posts_.push_back(has_no_effect() ? unmodelled("") : decide());
  convert_own_completions();
  if (unfinished) leave_unfinished(posts_.front());
  if (!call_.error_class.empty()) reason_ = reason_of_failure(call_.error_class, unfinished);
  PLUMBLINE_CHECK(posts_.size() == walker_.operations_of_call(), "a call is as many operations as the walker says");

  call_.begin += std::min(call_.computed, now_ - call_.begin);  // what was computed comes first, then the wait
  const Duration observed = now_ - call_.begin;
  const Duration cost = cost_.of_call(walker_.regions_inside() + records_inside(leave));
  const Time end = call_.begin + std::max(observed - cost, Duration{});
  for (std::size_t i = 0; i < posts_.size(); ++i) {
    builder_.add(posts_[i], {i == 0 ? call_.begin : end, end});
    Operation& added = builder_.operation(call_.first_operation + static_cast<std::uint32_t>(i));
    added.call = call_.name;  // there: a copy would wait for what has just been set
    added.site = call_.site;
  }
  posts_.clear();
  judge(call_.first_operation, observed, cost);
  if (call_.run_delay > Duration{}) builder_.add(OffCpu{call_.first_operation, 0, call_.run_delay});
  const bool has_inner = write_inner(end);
  if (call_.traits.polls)
    poll_ended(has_inner);
  else
    failed_polls_ = {};
}

void LocationCompiler::judge(std::uint32_t operation, Duration observed, Duration cost) {
  if (!reason_.empty()) return builder_.not_judged(operation, reason_);
  switch (builder_.operation(operation).kind) {
    case OpKind::kLocal:
    case OpKind::kUnmodelled:
    case OpKind::kCommCreate:
      return;
    default:
      if (cost * 20 > observed && cost > Duration{})
        builder_.not_judged(operation, "tracer cost above 5 % of the operation");
  }
}

namespace {

constexpr std::string_view kUnrecorded = "waits for a request that the archive does not record";
constexpr std::string_view kOfOtherThread = "waits for what another thread has started, whose calls are not replayed";
constexpr std::string_view kAwaitsOneSided = "waits for one-sided communication that the archive does not record";

Operation of_kind(OpKind kind) {
  Operation operation;
  operation.kind = kind;
  return operation;
}

}  // namespace

Operation LocationCompiler::unmodelled(std::string_view reason) {
  reason_ = reason;
  return of_kind(OpKind::kUnmodelled);
}

Operation LocationCompiler::start_up() {
  constexpr std::string_view kReason = "start-up and shutdown";
  // Nobody waits in MPI_Finalize for a process that never gets there.
  if (call_.traits.is_finalize && !context_.all_finalized) return unmodelled(kReason);
  return comm_create(0, kReason);
}

Operation LocationCompiler::comm_create(std::uint32_t comm, std::string_view reason) {
  reason_ = reason;
  Operation operation = of_kind(OpKind::kCommCreate);
  operation.comm = comm;
  return operation;
}

// What the records inside the call say, else what its name says.
Operation LocationCompiler::decide() {
  if (call_.traits.shape == CallShape::kStartUp) return start_up();
  if (call_.io) return io_operation();
  if (call_.one_sided) return one_sided_operation();
  if (const std::optional<Operation> flushes = flush()) return *flushes;
  if (call_.send || call_.receive) return message_operation();
  if (call_.has_collective) return call_.collective;
  if (call_.neighbourhood) return *call_.neighbourhood;
  if (call_.probe && call_.probe->kind == OpKind::kProbe) return *call_.probe;
  if (call_.created_comm != kNone) return comm_create(call_.created_comm, "creation of a communicator");
  if (call_.waits_for_one_sided) reason_ = kAwaitsOneSided;
  if (call_.waits_for_unrecorded) reason_ = kUnrecorded;
  if (call_.waits_for_other_thread) reason_ = kOfOtherThread;
  if (!completed_.empty()) return wait();
  return decide_by_name();
}

Operation LocationCompiler::decide_by_name() {
  if (call_.waits_for_other_thread) return unmodelled(kOfOtherThread);
  switch (call_.traits.shape) {
    case CallShape::kWait:
      if (call_.waits_for_one_sided) return unmodelled(kAwaitsOneSided);
      if (call_.waits_for_unrecorded) return unmodelled(kUnrecorded);
      if (call_.names_its_waits || !has_unrecorded_collectives_) return of_kind(OpKind::kWait);
      return unmodelled(kUnrecorded);
    case CallShape::kPost:
      unrecorded_posts_.push_back(call_.first_operation);
      return of_kind(OpKind::kLocal);
    case CallShape::kTest:
    case CallShape::kLocal:
    case CallShape::kMessage:
      return of_kind(OpKind::kLocal);
    case CallShape::kNonBlockingCollective:
      has_unrecorded_collectives_ = true;
      ++context_.tally.collectives_without_record;
      return unmodelled("non-blocking collective that the archive does not record");
    case CallShape::kNeighbourhood:
      has_unrecorded_collectives_ = true;
      return unmodelled("neighbourhood collective that the archive does not record");
    case CallShape::kCommCreate:
      return unmodelled("creation of a communicator that the archive does not record");
    case CallShape::kPosix:
      return unmodelled("POSIX calls other than open, close, read, write and sync");
    case CallShape::kRegion:
    case CallShape::kProbe:
      if (!call_.traits.blocks) return of_kind(OpKind::kLocal);
      return unmodelled("probes of which the archive does not record what they found");
    case CallShape::kStartUp:
    case CallShape::kByRecords:
      break;
  }
  const archive::Definitions& definitions = context_.definitions;
  return unmodelled(
      fmt::format("{} is not modelled", definitions.strings[definitions.regions[walker_.ended_region()].name]));
}

// The process ended in this call. What it gave to others (a message, its part of a collective) is there for them, but
// nothing in the replay waits for what never came.
void LocationCompiler::leave_unfinished(Operation& operation) {
  switch (operation.kind) {
    case OpKind::kSend:
      operation.kind = OpKind::kIsend;
      operation.extra = slots_.take();
      break;
    case OpKind::kCollective: {
      CollectiveTail tail = call_.tail;
      tail.request = slots_.take();
      operation.kind = OpKind::kNonBlockingCollective;
      operation.extra = builder_.add(tail);
      break;
    }
    case OpKind::kNeighbourhood:
      operation.kind = OpKind::kNonBlockingNeighbourhood;
      operation.extra = builder_.add_neighbours(to_, from_, slots_.take());
      break;
    case OpKind::kLocal:
    case OpKind::kRecv:
    case OpKind::kSendrecv:
    case OpKind::kProbe:
    case OpKind::kCommCreate:
    case OpKind::kWinCreate:
    case OpKind::kWinFree:
    case OpKind::kWinFence:
    case OpKind::kWinComplete:
    case OpKind::kWinWait:
    case OpKind::kWinLock:
    case OpKind::kWinUnlock:
    case OpKind::kWinFlush:
      operation = of_kind(OpKind::kUnmodelled);
      break;
    case OpKind::kWait:
      if (operation.extra == kNone) operation = of_kind(OpKind::kUnmodelled);
      break;
    default:
      if (operation.flags & kIoIsCollective) operation = of_kind(OpKind::kUnmodelled);
  }
  reason_ = "the process ended in this call";
  constexpr std::size_t kMost = 8;  // of thousands of ranks that hang in one place
  if (context_.tally.unfinished.size() == kMost) return;
  const archive::Definitions& d = context_.definitions;
  const std::string site = call_.site_text == archive::kUndefined ? "" : " at " + d.strings[call_.site_text];
  context_.tally.unfinished.push_back(fmt::format("incomplete: rank {} ended in {}{}{}{}", rank_,
                                                  d.strings[d.regions[call_.region].name], site,
                                                  call_.error_class.empty() ? "" : ": ", call_.error_class));
}

void LocationCompiler::finish() {
  if (walker_.in_call()) {
    ++context_.tally.calls_without_end;
    end_call(nullptr);
  }
  Tally& tally = context_.tally;
  requests_.for_each([&](const Request& request) {
    Operation& operation = builder_.operation(request.operation);
    if (request.kind == OpKind::kIrecv) {
      ++tally.receives_never_completed;
      operation = never_completed(operation);
    } else if (request.kind == OpKind::kNonBlockingCollective) {
      ++tally.others_never_completed;
      if (operation.extra != kNone) return;
      operation = Operation{.kind = OpKind::kUnmodelled, .call = operation.call, .site = operation.site};
      builder_.not_judged(request.operation, "non-blocking collective that never completed");
    } else if (request.kind == OpKind::kNonBlockingNeighbourhood) {
      ++tally.others_never_completed;
    } else {
      ++tally.sends_never_completed;
    }
  });
  tally.others_never_completed += io_requests_.size() + one_sided_requests_.size();
  tally.late_completions += completed_.size();
}

}  // namespace plumbline::replay
