#include "viewer/export/perfetto.hpp"

#include <span>
#include <string>
#include <vector>

#include "viewer/export/delivery.hpp"
#include "viewer/export/perfetto_fields.hpp"
#include "viewer/export/perfetto_packets.hpp"
#include "viewer/export/timeline.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

using perfetto::Annotation;

// Where a flow ends: at the operation that completes the message, or at a mark at its end.
enum class FlowEnd { kOperation, kMark, kNone };

// Perfetto sorts by time, and leaves what is of one time in the order of the file, which is that of ranks.
FlowEnd end_of_flow(const Timeline& timeline, const Delivery& delivery) {
  if (!is_in(timeline, delivery) || is_backwards(timeline, delivery)) return FlowEnd::kNone;
  const std::uint64_t sent = timeline.begin_ns(delivery.sent), begun = timeline.begin_ns(delivery.completed);
  const bool is_behind = begun > sent || (begun == sent && delivery.completed > delivery.sent);
  return is_behind ? FlowEnd::kOperation : FlowEnd::kMark;
}

std::uint64_t flow_id(Side side, OperationId sender) {
  return static_cast<std::uint64_t>(side) << 62 | static_cast<std::uint64_t>(sender.rank) << 32 |
         (std::uint64_t{sender.operation} + 1);
}

class PerfettoWriter {
 public:
  PerfettoWriter(const Runs& runs, const Matches& matches, std::ostream& to, Progress* progress)
      : runs_(runs),
        program_(runs.observed),
        matches_(matches),
        timelines_(timelines_of(runs)),
        names_(runs.observed),
        packets_(to),
        progress_(progress) {}

  ExportSummary run() {
    packets_.names(names_.all());
    for (const Timeline& timeline : timelines_) {
      packets_.process(timeline.side(), title_of(runs_, timeline.side()), program_.ranks());
      for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) write_rank(timeline, rank);
    }
    packets_.finish();
    return summary_;
  }

 private:
  void write_rank(const Timeline& timeline, std::uint32_t rank) {
    const std::vector<Delivery> all = deliveries_to(program_, matches_, rank);
    std::span<const Delivery> deliveries = all;
    const std::size_t operations = program_.rank(rank).operations.size();
    begin_rank(timeline, rank);
    std::uint64_t now_ns = 0;
    for (OperationId id{rank, 0}; id.operation < operations; ++id.operation) {
      std::size_t completed = 0;
      while (completed < deliveries.size() && deliveries[completed].completed == id) ++completed;
      if (timeline.has(id)) now_ns = write_operation(timeline, id, now_ns, deliveries.first(completed));
      deliveries = deliveries.subspan(completed);
    }
    if (timeline.side() == Side::kObserved) summary_.operations += operations;
    done_ += operations;
    if (progress_ != nullptr) progress_->update(done_);
  }

  void begin_rank(const Timeline& timeline, std::uint32_t rank) {
    packets_.rank(timeline.side(), rank, program_.ranks(), rank_title(runs_, rank));
    if (timeline.side() != Side::kObserved || !runs_.is_compared()) return;
    packets_.excess(rank, "own excess so far, rank " + std::to_string(rank));
    own_ = {};
    if (program_.rank(rank).operations.empty()) return;
    write_excess(rank, timeline.begin_ns({rank, 0}));
  }

  // Its end.
  std::uint64_t write_operation(const Timeline& timeline, OperationId id, std::uint64_t not_before_ns,
                                std::span<const Delivery> completes) {
    const Drawn place = drawn(timeline, id, not_before_ns);
    const std::uint64_t track = perfetto::rank_track(timeline.side(), id.rank);
    const Parts parts = parts_of(runs_, id.rank, id.operation);
    event_.begin(perfetto::event::kSliceBegin, track);
    interned_.clear();
    describe(id);
    compare(timeline.side(), id, parts);
    begin_flow(timeline, id);
    for (const Delivery& delivery : completes)
      if (end_of_flow(timeline, delivery) == FlowEnd::kOperation)
        event_.end_of_flow(flow_id(timeline.side(), delivery.sent));
    packets_.event(place.begin_ns, event_, interned_);
    for (const Delivery& delivery : completes) write_mark(timeline, delivery, track, place.end_ns);
    event_.begin(perfetto::event::kSliceEnd, track);
    packets_.event(place.end_ns, event_);
    if (timeline.side() == Side::kObserved && parts.own != Duration{}) {
      own_ += parts.own;
      write_excess(id.rank, place.end_ns);
    }
    return place.end_ns;
  }

  void describe(OperationId id) {
    const ExportedOperation facts = exported(program_, id);
    const replay::Operation& operation = *facts.operation;
    event_.name(names_.call(operation.call), perfetto::Names::category(kind_of(program_, operation)));
    event_.annotate(Annotation::kOperation, id.operation);
    if (operation.bytes != 0) event_.annotate(Annotation::kBytes, operation.bytes);
    if (facts.peer) event_.annotate(Annotation::kPeer, *facts.peer);
    if (facts.tag) event_.annotate(Annotation::kTag, static_cast<std::uint64_t>(*facts.tag));
    if (facts.comm_size) event_.annotate(Annotation::kCommSize, *facts.comm_size);
    if (const std::uint64_t site = names_.site(operation.site)) event_.annotate_text(Annotation::kSite, site);
    if (const std::uint64_t file = names_.file(facts.file)) event_.annotate_text(Annotation::kFile, file);
  }

  void compare(Side side, OperationId id, const Parts& parts) {
    if (!runs_.is_compared()) return;
    if (!parts.judged) {
      event_.annotate_text(Annotation::kNotJudged,
                           names_.text(why_not_judged(runs_, id.rank, id.operation), interned_));
      return;
    }
    event_.annotate(Annotation::kLower, parts.lower);
    event_.annotate(Annotation::kUpper, parts.upper);
    if (side != Side::kObserved) return;
    event_.annotate(Annotation::kFree, parts.free);
    event_.annotate(Annotation::kBand, parts.band);
    event_.annotate(Annotation::kOwn, parts.own);
    event_.annotate(Annotation::kInherited, parts.inherited);
    event_.annotate(Annotation::kStructure, parts.structure);
    event_.annotate(Annotation::kStack, parts.stack);
    event_.annotate(Annotation::kGained, parts.gained);
  }

  void begin_flow(const Timeline& timeline, OperationId id) {
    const Delivery delivery = delivery_of(program_, matches_, id);
    if (!delivery.exists() || !is_in(timeline, delivery)) return;
    const bool is_drawn = end_of_flow(timeline, delivery) != FlowEnd::kNone;
    ++(is_drawn ? summary_.messages : summary_.backwards);
    if (is_drawn) event_.flow(flow_id(timeline.side(), id));
  }

  void write_mark(const Timeline& timeline, const Delivery& delivery, std::uint64_t track, std::uint64_t time_ns) {
    if (end_of_flow(timeline, delivery) != FlowEnd::kMark) return;
    event_.begin(perfetto::event::kInstant, track);
    event_.name(names_.received_message(), perfetto::Names::category(CallKind::kPointToPoint));
    event_.annotate(Annotation::kFrom, delivery.sent.rank);
    event_.end_of_flow(flow_id(timeline.side(), delivery.sent));
    packets_.event(time_ns, event_);
  }

  void write_excess(std::uint32_t rank, std::uint64_t time_ns) {
    event_.begin(perfetto::event::kCounter, perfetto::excess_track(rank));
    event_.counter(own_.ps / 1000);
    packets_.event(time_ns, event_);
  }

  const Runs& runs_;
  const replay::Program& program_;
  const Matches& matches_;
  const std::vector<Timeline> timelines_;
  perfetto::Names names_;
  perfetto::Packets packets_;
  Progress* progress_;
  ExportSummary summary_;
  std::uint64_t done_ = 0;
  perfetto::Event event_;
  std::string interned_;
  Duration own_;  // of the rank, up to here
};

}  // namespace

ExportSummary write_perfetto(const Runs& runs, const Matches& matches, std::ostream& to, Progress* progress) {
  return PerfettoWriter(runs, matches, to, progress).run();
}

}  // namespace plumbline::viewer
