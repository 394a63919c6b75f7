// What the timeline draws: strips, and what exactly lies in a range of one lane.

#include <algorithm>
#include <charconv>
#include <string>
#include <vector>

#include "viewer/index/lanes/lane_strips.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/index/pyramid/ranges.hpp"
#include "viewer/index/pyramid/search.hpp"
#include "viewer/index/pyramid/strips.hpp"
#include "viewer/index/runs/marks.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"
#include "viewer/server/strips/batch.hpp"
#include "viewer/server/strips/request.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMostBoxesOfBatch = 1U << 19;  // 16 MiB
constexpr std::size_t kMostOperations = 20;
constexpr std::uint64_t kMostTime = std::uint64_t{1} << 62;

Box box_of(const Opened& opened, const PyramidSource& source, std::uint32_t rank, std::uint32_t operation) {
  const replay::OperationTimes& times = source.ranks[rank].times[operation];
  const replay::Operation& record = opened.runs.observed.rank(rank).operations[operation];
  const Facts facts = RankColumns(opened.runs, opened.pyramid.calls, rank).of(operation);
  Box box;
  box.operation = operation;
  box.kind = static_cast<std::uint8_t>(facts.kind);
  box.marks = facts.marks;
  box.call = record.call;
  box.begin = times.begin - source.zero;
  box.observed = std::max(times.end - times.begin, Duration{});
  box.own = log_of(facts.own);
  box.inherited = log_of(facts.inherited);
  box.rank = rank;
  return box;
}

// All operations of a strip, where they are few enough to be drawn one by one.
std::vector<Box> boxes_of(const Opened& opened, const StripsRequest& request, std::uint32_t rank, std::uint32_t x,
                          const Strip& strip) {
  std::vector<Box> boxes;
  if (strip.operations > kMostBoxes) return boxes;
  const TimeRange range = range_of(opened.pyramid, *request.source, request.level, x);
  for (const std::uint32_t operation : operations_in(*request.source, rank, range, kMostBoxes))
    boxes.push_back(box_of(opened, *request.source, rank, operation));
  return boxes;
}

class BatchFiller {
 public:
  BatchFiller(const Opened& opened, const StripsRequest& request, StripBatch& batch)
      : opened_(opened), request_(request), batch_(batch) {}

  void add_lane(std::uint32_t lane) {
    const ComponentHistory* const component = component_of_lane(opened_, lane);
    const bool is_rank = component == nullptr && lane < kFirstFoldLane;
    if (component == nullptr && !is_rank) {
      add_fold(lane);
      return;
    }
    for (std::uint32_t x = request_.first;; ++x) {
      if (is_rank)
        add_rank(lane, x);
      else
        batch_.add(lane, x, strip_of_component(opened_.pyramid, *component, request_.level, x), {});
      if (x == request_.last) return;
    }
  }

 private:
  void add_fold(std::uint32_t lane) {
    const auto kept = [&](std::uint32_t x) {
      return find_strip(opened_.fold_strips, lane - kFirstFoldLane, request_.source->number, request_.level, x);
    };
    if (kept(request_.first) != nullptr) {
      for (std::uint32_t x = request_.first; x <= request_.last; ++x) batch_.add(lane, x, *kept(x), {});
      return;
    }
    std::uint32_t x = request_.first;
    for (const Strip& strip : strips_of_ranks(opened_.runs, opened_.pyramid, *request_.source,
                                              ranks_of_lane(opened_, lane), request_.level, x, request_.last))
      batch_.add(lane, x++, strip, {});
  }

  void add_rank(std::uint32_t rank, std::uint32_t x) {
    const Strip strip = strip_of(opened_.runs, opened_.pyramid, *request_.source, rank, request_.level, x);
    std::vector<Box> boxes = boxes_of(opened_, request_, rank, x, strip);
    if (boxes.size() > kMostBoxesOfBatch - boxes_) {
      boxes.clear();
      batch_.set_truncated();
    }
    boxes_ += boxes.size();
    batch_.add(rank, x, strip, boxes);
  }

  const Opened& opened_;
  const StripsRequest& request_;
  StripBatch& batch_;
  std::size_t boxes_ = 0;
};

std::uint64_t number_of_key(const std::string& key) {
  std::uint64_t number = 0;
  std::from_chars(key.data(), key.data() + key.size(), number, 16);
  return number;
}

}  // namespace

Response strips(Opened& opened, const Query& query) {
  const StripsRequest request = strips_request(opened, query);
  const std::size_t count = request.lanes.size() * (std::size_t{request.last} - request.first + 1);
  StripBatch batch(number_of_key(opened.key), request.level, request.source->number, static_cast<std::uint32_t>(count));
  if (!opened.runs.banners.empty()) batch.set_damaged();
  BatchFiller filler(opened, request, batch);
  for (const std::uint32_t lane : request.lanes) filler.add_lane(lane);
  // What-if runs are numbered anew when the server is started again.
  return {200, "application/octet-stream", batch.finish(), request.source->number <= 1};
}

namespace {

Json id_json(OperationId id) {
  if (!id.exists()) return nullptr;
  return {{"rank", id.rank}, {"operation", id.operation}};
}

// Of several ranks together; of equally bad operations the first rank's.
struct Totals {
  std::uint64_t operations = 0;
  TimeSum busy;
  Duration own, inherited;
  OperationId of_own, of_inherited;

  void add(std::uint32_t rank, const RangeSummary& summary) {
    operations += std::uint64_t{summary.begun} + summary.carried;
    for (const std::int64_t time : summary.time_ps) busy += Duration{time};
    if (is_worse(summary.own, own)) own = summary.own, of_own = {rank, summary.own_operation};
    if (is_worse(summary.inherited, inherited))
      inherited = summary.inherited, of_inherited = {rank, summary.inherited_operation};
  }
};

Json totals_json(const Totals& totals) {
  Json json;
  json["count"] = totals.operations;
  json["busy_ps"] = totals.busy.duration().value_or(Duration{INT64_MAX}).ps;
  json["worst_own_ps"] = totals.own.ps;
  json["worst_own_operation"] = id_json(totals.of_own);
  json["worst_inherited_ps"] = totals.inherited.ps;
  json["worst_inherited_operation"] = id_json(totals.of_inherited);
  return json;
}

}  // namespace

Response at(Opened& opened, const Query& query) {
  const auto lane = static_cast<std::uint32_t>(query.number("lane", 0, UINT32_MAX));
  const PyramidSource& source = source_of(opened, query.text("s", "obs"));
  const std::uint64_t from = query.number("t0", 0, kMostTime), to = query.number("t1", 0, kMostTime);
  if (to < from) throw BadRequest{400, "'t1' is before 't0'"};
  // A point in time is the picosecond that begins there.
  const TimeRange range{source.zero + Duration{static_cast<std::int64_t>(from)},
                        source.zero + Duration{static_cast<std::int64_t>(std::max(to, from + 1))}};
  const std::vector<std::uint32_t> ranks = ranks_of_lane(opened, lane);
  Totals totals;
  for (const std::uint32_t rank : ranks) totals.add(rank, summary_of(opened.runs, opened.pyramid, source, rank, range));
  Json json = totals_json(totals);
  if (const ComponentHistory* const component = component_of_lane(opened, lane)) {
    const Duration length = range.end - range.begin;
    json["busy_ps"] =
        static_cast<std::int64_t>(busy_share(*component, range.begin, length) * static_cast<double>(length.ps));
  }
  json["operations"] = Json::array();
  for (const OperationId id : worst_in(opened.runs, opened.pyramid, source, ranks, range, kMostOperations))
    json["operations"].push_back(operation_json(opened.runs, id.rank, id.operation));
  return json_response(json);
}

}  // namespace plumbline::viewer
