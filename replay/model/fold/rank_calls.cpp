// What one rank did, call by call.

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "replay/model/fold/calls.hpp"

namespace plumbline::replay::model {
namespace {

constexpr double kNotable = 1e-5;  // of what the longest rank does: so many are no more than 100,000 of a rank

}  // namespace

// What one rank does. Requests have the name of the wait that is for them, so that a wait is for all of its name.
class RankCalls {
 public:
  RankCalls(RecordedCalls& all, std::uint32_t rank, const std::function<void(const FoldedCall&, const Gap&)>& visit)
      : all_(all), rank_(rank), own_(all.program_.rank(rank)), visit_(visit), wait_of_(own_.operations.size(), kNone) {}

  void run() {
    find_waits();
    for (at_ = 0; at_ < own_.operations.size(); ++at_) {
      compute();
      operation(own_.operations[at_]);
    }
    if (never_waited_) {
      FoldedCall wait;
      wait.type = message_type("MPI_Waitall");
      wait.request = names_[kNone].number;
      emit(wait);
    }
    if (gap_.computed.sum > 0 || gap_.kept.sum > 0) emit({});
  }

 private:
  struct Name {
    std::uint32_t number = kNone, starts = 0;
  };

  std::uint32_t slot_started_by(const Operation& op) const {
    if (op.kind == OpKind::kIsend || op.kind == OpKind::kIrecv) return op.extra;
    if (op.kind == OpKind::kNonBlockingCollective) return own_.collectives[op.extra].request;
    if (is_io(op.kind) && (op.flags & kNonBlocking) && op.extra != kNone) return own_.accesses[op.extra].request;
    return kNone;
  }

  void find_waits() {
    std::vector<std::uint32_t> open(own_.request_slots, kNone);  // operation, by slot
    for (std::uint32_t i = 0; i < own_.operations.size(); ++i) {
      const Operation& op = own_.operations[i];
      if (const std::uint32_t slot = slot_started_by(op); slot != kNone) open[slot] = i;
      if (op.kind != OpKind::kWait) continue;
      for (const std::uint32_t slot : own_.waits_for(op))
        if (open[slot] != kNone) wait_of_[std::exchange(open[slot], kNone)] = i;
    }
  }

  // The gap as the replay has it, in which no rank computes before the first of all begins.
  void compute() {
    if (at_ == 0) gap_.kept.sum += static_cast<double>((all_.begin_ - Time{}).ps);
    const Time previous = at_ == 0 ? all_.begin_ : own_.times[at_ - 1].end;
    Duration off;
    for (; off_ < own_.off_cpu.size() && own_.off_cpu[off_].operation <= at_; ++off_)
      if (own_.off_cpu[off_].operation == at_) off += own_.off_cpu[off_].delay;
    const Duration gap = own_.times[at_].begin - previous - off - Duration{own_.gap_cost_ps};
    gap_.computed.sum += static_cast<double>(std::max(gap, Duration{}).ps);
  }

  double observed() const { return static_cast<double>((own_.times[at_].end - own_.times[at_].begin).ps); }

  void keep_observed() { gap_.kept.sum += observed(); }

  // A statement of its own, so that its time stays where it was.
  void leave_out(std::string_view reason, const Operation& op) {
    all_.leave_out(reason, op);
    keep_observed();
    FoldedCall call = call_of(op, nullptr);
    call.left_out = op.call;
    emit(call);
  }

  void emit(const FoldedCall& call) {
    for (Elapsed* const part : {&gap_.computed, &gap_.kept, &gap_.least})
      if (part->sum > kNotable * all_.busy_) part->notable = {{0, part->sum}};
    visit_(call, gap_);
    gap_ = {};
  }

  void emit(const Operation& op, const FoldedCall& call) {
    if ((op.flags & kNotJudged) || op.kind == OpKind::kCommCreate || op.kind == OpKind::kIoOpen)
      gap_.least.sum = observed();
    emit(call);
  }

  void operation(const Operation& op) {
    if (is_message(op.kind)) return message(op);
    if (is_data_collective(op.kind)) return collective(op);
    if (op.kind == OpKind::kWait) return wait(op);
    if (op.kind == OpKind::kLocal || op.kind == OpKind::kUnmodelled || op.kind == OpKind::kIoSeek)
      return keep_observed();
    if (op.kind == OpKind::kCommCreate) return create(op);
    if (is_io(op.kind)) return access(op);
    leave_out(is_neighbourhood(op.kind) ? "a neighbourhood collective" : "one-sided communication", op);
  }

  FoldedCall call_of(const Operation& op, const MessageType* type) const {
    FoldedCall call;
    call.type = type;
    call.site = op.site;
    return call;
  }

  template <class Fits>
  static const MessageType* type_of(OpKind kind, Fits fits) {
    for (const MessageType& type : message_types())
      if (type.kind == kind && fits(type)) return &type;
    return nullptr;
  }

  // Whether its other end is in the recording: the n-th message of a channel meets the n-th receive.
  bool is_answered(std::map<RecordedCalls::Channel, std::uint64_t>& counts, const RecordedCalls::Channel& channel) {
    const RecordedCalls::Ends& ends = all_.channels_[channel];
    return ++counts[channel] <= std::min(ends.sends, ends.receives) || all_.open_wildcards_;
  }

  void message(const Operation& op) {
    if (is_never_completed(op)) return leave_out("a receive of whose end the program never learnt", op);
    constexpr std::uint8_t kForm = kSynchronous | kBuffered;
    FoldedCall call = call_of(
        op, type_of(op.kind, [&](const MessageType& type) { return (type.flags & kForm) == (op.flags & kForm); }));
    if (call.type == nullptr) return leave_out("a call that the language does not have", op);
    const bool both = op.kind == OpKind::kSendrecv;
    call.tag = call.receive_tag = all_.tag_of(op.comm, op.tag);
    call.size = call.receive_size = op.kind == OpKind::kProbe ? 0 : op.bytes;
    const std::int32_t peer = all_.world_rank(rank_, op.comm, op.peer);
    (both || op.kind == OpKind::kSend || op.kind == OpKind::kIsend ? call.to : call.from) = peer;
    if (is_open_wildcard(op)) call.from = kFromAny;
    if (both) {
      const SendrecvTail& tail = own_.sendrecvs[op.extra];
      call.from = all_.world_rank(rank_, op.comm, tail.source);
      call.receive_tag = all_.tag_of(op.comm, tail.tag);
      call.receive_size = tail.bytes;
    }
    bool answered = true;
    if (call.to >= 0) answered = is_answered(sent_, {rank_, static_cast<std::uint32_t>(call.to), call.tag});
    if (call.from >= 0 && op.kind != OpKind::kProbe)
      answered &= is_answered(received_, {static_cast<std::uint32_t>(call.from), rank_, call.receive_tag});
    if (!answered) return leave_out("a message whose other end was not recorded", op);
    if (op.kind == OpKind::kIsend || op.kind == OpKind::kIrecv) call.request = start();
    emit(op, call);
  }

  void collective(const Operation& op) {
    if (!all_.is_foldable_collective(op)) return leave_out("a collective of some ranks", op);
    const auto kind = static_cast<Collective>(op.tag);
    FoldedCall call = call_of(op, type_of(op.kind, [&](const MessageType& type) { return type.collective == kind; }));
    const RecordedCalls::CollectiveSizes& sizes = all_.collectives_[collectives_++];
    if (call.type == nullptr) return leave_out("a call that the language does not have", op);
    call.size = sizes.most;
    if (sizes.least != sizes.most) {
      call.size = static_cast<std::uint64_t>(std::llround(sizes.sum / static_cast<double>(sizes.ranks)));
      all_.leave_out("sizes differ between ranks: folded with their mean", op, true);
    }
    if (contains(call.type->optional, Attribute::kRoot)) call.root = std::max(op.peer, 0);
    if (op.kind == OpKind::kNonBlockingCollective) call.request = start();
    emit(op, call);
  }

  // Its synchronisation, as the replay plays it.
  void create(const Operation& op) {
    if (!all_.is_world_[op.comm]) return leave_out("creates something for some ranks", op);
    emit(op, call_of(op, message_type("MPI_Barrier")));
  }

  void access(const Operation& op) {
    if (const std::string_view why_not = all_.files_.why_not(op.comm); !why_not.empty()) return leave_out(why_not, op);
    FoldedCall call = call_of(op, type_of(op.kind, [&](const MessageType& type) {
                                const std::uint8_t mask = has_bytes(op) ? kIoIsCollective | kNonBlocking : 0;
                                return ((type.flags ^ op.flags) & mask) == 0;
                              }));
    if (call.type == nullptr) return leave_out("a call that the language does not have", op);
    call.file = op.comm;
    call.size = has_bytes(op) ? op.bytes : 0;
    if (has_bytes(op)) {
      const RecordedFiles::Where where = all_.files_.where(own_.accesses[op.extra]);
      call.view = where.view;
      call.offset = where.offset;
      call.displacement = where.displacement;
    }
    if (op.flags & kNonBlocking) call.request = start();
    emit(op, call);
  }

  static bool has_bytes(const Operation& op) { return op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite; }

  std::uint32_t start() {
    Name& name = names_[wait_of_[at_]];
    if (name.number == kNone) name.number = free_.empty() ? next_++ : take_free();
    ++name.starts;
    never_waited_ = never_waited_ || wait_of_[at_] == kNone;
    return name.number;
  }

  std::uint32_t take_free() {
    const std::uint32_t number = *free_.begin();
    free_.erase(free_.begin());
    return number;
  }

  void wait(const Operation& op) {
    const auto found = names_.find(at_);
    if (found == names_.end()) {
      if (own_.waits_for(op).empty()) return;
      return leave_out("waits for what is not folded", op);
    }
    const bool one = found->second.starts == 1 && all_.program_.call(op.call) != "MPI_Waitall";
    FoldedCall call = call_of(op, message_type(one ? "MPI_Wait" : "MPI_Waitall"));
    call.request = found->second.number;
    free_.insert(call.request);
    names_.erase(found);
    emit(op, call);
  }

  RecordedCalls& all_;
  const std::uint32_t rank_;
  const RankProgram& own_;
  const std::function<void(const FoldedCall&, const Gap&)>& visit_;
  std::vector<std::uint32_t> wait_of_;             // by operation that starts something; kNone: nobody waits
  std::unordered_map<std::uint32_t, Name> names_;  // by wait
  std::set<std::uint32_t> free_;                   // numbers of names
  std::map<RecordedCalls::Channel, std::uint64_t> sent_, received_;
  std::uint32_t next_ = 0, at_ = 0;
  std::size_t off_ = 0, collectives_ = 0;
  bool never_waited_ = false;
  Gap gap_;
};

void RecordedCalls::visit(std::uint32_t rank, const std::function<void(const FoldedCall&, const Gap&)>& visit) {
  RankCalls(*this, rank, visit).run();
}

}  // namespace plumbline::replay::model
