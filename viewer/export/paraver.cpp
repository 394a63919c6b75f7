#include "viewer/export/paraver.hpp"

#include <algorithm>
#include <vector>

#include "viewer/export/delivery.hpp"
#include "viewer/export/paraver_calls.hpp"
#include "viewer/export/paraver_records.hpp"
#include "viewer/export/timeline.hpp"
#include "viewer/index/runs/parts.hpp"

namespace plumbline::viewer {
namespace {

using paraver::Row;

// What is next on a rank: the begin of an operation, or the end of one that has begun.
struct Cursor {
  std::uint64_t time_ns = 0;
  Row row;
  std::uint32_t operation = 0;
  bool is_inside = false;
  std::uint64_t end_ns = 0;  // of the operation that it is inside of, or that it left last
};

// A heap has the greatest at its front.
bool comes_later(const Cursor& a, const Cursor& b) {
  if (a.time_ns != b.time_ns) return a.time_ns > b.time_ns;
  if (a.row.side != b.row.side) return a.row.side > b.row.side;
  return a.row.rank > b.row.rank;
}

class PrvWriter {
 public:
  PrvWriter(const Runs& runs, const Matches& matches, std::ostream& to, Progress* progress)
      : runs_(runs),
        program_(runs.observed),
        matches_(matches),
        timelines_(timelines_of(runs)),
        length_ns_(length_ns(runs, timelines_)),
        calls_(paraver::events_of_calls(runs.observed)),
        machine_(paraver::machine_of(runs)),
        records_(to, machine_),
        progress_(progress) {}

  ExportSummary run(const std::string& date) {
    records_.header(date, length_ns_, static_cast<std::uint32_t>(timelines_.size()));
    for (const Timeline& timeline : timelines_)
      for (std::uint32_t rank = 0; rank < program_.ranks(); ++rank) start({.row = {timeline.side(), rank}});
    std::ranges::make_heap(cursors_, comes_later);
    while (!cursors_.empty()) {
      std::ranges::pop_heap(cursors_, comes_later);
      if (step(cursors_.back()))
        std::ranges::push_heap(cursors_, comes_later);
      else
        cursors_.pop_back();
    }
    records_.finish();
    return summary_;
  }

 private:
  const Timeline& timeline(Row row) const { return timelines_[static_cast<std::size_t>(row.side)]; }
  OperationId operation(const Cursor& cursor) const { return {cursor.row.rank, cursor.operation}; }

  void start(Cursor cursor) {
    const bool goes_on = find_next(cursor);
    records_.state(cursor.row, 0, goes_on ? cursor.time_ns : length_ns_, paraver::kNotCreated);
    if (goes_on) cursors_.push_back(cursor);
  }

  // From `operation` on: the next one of this run. False: there is none.
  bool find_next(Cursor& cursor) const {
    const std::size_t operations = program_.rank(cursor.row.rank).operations.size();
    const Timeline& times = timeline(cursor.row);
    while (cursor.operation < operations && !times.has(operation(cursor))) ++cursor.operation;
    if (cursor.operation >= operations) return false;
    const Drawn place = drawn(times, operation(cursor), cursor.end_ns);
    cursor.time_ns = place.begin_ns;
    cursor.end_ns = place.end_ns;
    cursor.is_inside = false;
    return true;
  }

  // False: that was the last of its rank.
  bool step(Cursor& cursor) {
    if (!cursor.is_inside) {
      begin(cursor);
      cursor.is_inside = true;
      cursor.time_ns = cursor.end_ns;
      return true;
    }
    fill_events(cursor);
    for (paraver::Event& event : events_) event.second = 0;
    records_.events(cursor.row, cursor.end_ns, events_);
    const std::uint64_t end_ns = cursor.end_ns;
    ++cursor.operation;
    const bool goes_on = find_next(cursor);
    if (goes_on)
      records_.state(cursor.row, end_ns, cursor.time_ns, paraver::kRunning);
    else
      records_.state(cursor.row, end_ns, length_ns_, paraver::kIdle);
    return goes_on;
  }

  void begin(const Cursor& cursor) {
    const OperationId id = operation(cursor);
    const replay::Operation& what = program_.rank(id.rank).operations[id.operation];
    records_.state(cursor.row, cursor.time_ns, cursor.end_ns, paraver::state_of(program_, what));
    fill_events(cursor);
    records_.events(cursor.row, cursor.time_ns, events_);
    communicate(cursor, what);
    if (cursor.row.side == Side::kObserved) ++summary_.operations;
    if (progress_ != nullptr && ++done_ % 65536 == 0) progress_->update(done_);
  }

  // Types of which the value is 0 are left out: that is their value anyway.
  void fill_events(const Cursor& cursor) {
    const OperationId id = operation(cursor);
    const replay::Operation& what = program_.rank(id.rank).operations[id.operation];
    const paraver::CallEvent call = calls_[what.call];
    events_.assign(1, {call.type, call.value});
    if (what.bytes != 0) events_.emplace_back(paraver::kBytes, what.bytes);
    if (cursor.row.side != Side::kObserved || !runs_.is_compared()) return;
    const Parts parts = parts_of(runs_, id.rank, id.operation);
    if (!parts.judged) return;
    add_time(paraver::kOwn, parts.own);
    add_time(paraver::kGained, parts.gained);
    add_time(paraver::kInherited, parts.inherited);
    add_time(paraver::kInheritedLess, -parts.inherited);
  }

  void add_time(std::uint32_t type, Duration time) {
    if (const std::int64_t ns = time.ps / 1000; ns > 0) events_.emplace_back(type, static_cast<std::uint64_t>(ns));
  }

  void communicate(const Cursor& cursor, const replay::Operation& send) {
    const Delivery delivery = delivery_of(program_, matches_, operation(cursor));
    const Timeline& times = timeline(cursor.row);
    if (!delivery.exists() || !is_in(times, delivery)) return;
    if (is_backwards(times, delivery)) {
      ++summary_.backwards;
      return;
    }
    ++summary_.messages;
    records_.communication({cursor.row, cursor.time_ns, cursor.time_ns},
                           {{cursor.row.side, delivery.received.rank},
                            times.begin_ns(delivery.received),
                            times.end_ns(delivery.completed)},
                           send.bytes, send.tag);
  }

  const Runs& runs_;
  const replay::Program& program_;
  const Matches& matches_;
  const std::vector<Timeline> timelines_;
  const std::uint64_t length_ns_;
  const std::vector<paraver::CallEvent> calls_;
  const paraver::Machine machine_;
  paraver::Records records_;
  Progress* progress_;
  std::vector<Cursor> cursors_;
  std::vector<paraver::Event> events_;
  ExportSummary summary_;
  std::uint64_t done_ = 0;
};

}  // namespace

ExportSummary write_prv(const Runs& runs, const Matches& matches, const std::string& date, std::ostream& to,
                        Progress* progress) {
  return PrvWriter(runs, matches, to, progress).run(date);
}

}  // namespace plumbline::viewer
