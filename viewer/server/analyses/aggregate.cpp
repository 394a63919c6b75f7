// Where time went in a range: sums over its operations.

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "viewer/index/aggregates/efficiency.hpp"
#include "viewer/index/aggregates/histogram.hpp"
#include "viewer/index/aggregates/instances.hpp"
#include "viewer/index/aggregates/matrix.hpp"
#include "viewer/index/aggregates/profile.hpp"
#include "viewer/index/aggregates/waterfall.hpp"
#include "viewer/server/analyses/query.hpp"
#include "viewer/server/encoding/base64.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"
#include "viewer/server/strips/request.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kMostTimeBins = 4096, kTimeBins = 256;

Json row_json(const replay::Program& program, const ProfileRow& row) {
  return {{"call", program.call(row.call)},
          {"site", program.site(row.site)},
          {"kind", static_cast<unsigned>(row.kind)},
          {"count", row.count},
          {"observed_ps", number_json(row.observed.ps)},
          {"expected_ps", number_json(row.expected.ps)},
          {"own_ps", number_json(row.own.ps)},
          {"inherited_ps", number_json(row.inherited.ps)},
          {"bytes", row.bytes}};
}

Json rounded(const std::vector<double>& shares) {
  Json json = Json::array();
  for (const double share : shares) json.push_back(std::round(share * 1e6) / 1e6);
  return json;
}

// Of a what-if run, which may be longer than the observed one: t0 and t1 from its begin, cut to it.
TimeParts parts_of_whatif(const Opened& opened, const PyramidSource& source, const Query& query) {
  Time end = source.zero;
  for (const RankTree& rank : source.ranks)
    if (!rank.times.empty()) end = std::max(end, rank.times.back().end);
  const auto length = static_cast<std::uint64_t>((end - source.zero).ps);
  const std::uint64_t t0 = query.number("t0", 0, INT64_MAX, 0), t1 = query.number("t1", 0, INT64_MAX, length);
  if (t1 < t0) throw BadRequest{400, "t1 is less than t0"};
  const auto at = [&](std::uint64_t time) {
    return source.zero + Duration{static_cast<std::int64_t>(std::min(time, length))};
  };
  return time_parts_of_whatif(opened.runs, source, {at(t0), at(t1)}, asked_ranks(opened, query));
}

}  // namespace

Response waterfall(Opened& opened, const Query& query) {
  const PyramidSource& source = source_of(opened, query.text("s", "obs"));
  if (source.number == 1) throw BadRequest{400, "'s' is obs or whatif-N"};
  const bool is_observed = source.number == 0;
  const TimeParts time = is_observed
                             ? time_parts_of(opened.runs, asked_range(opened, query), asked_ranks(opened, query))
                             : parts_of_whatif(opened, source, query);
  Json parts = Json::array();
  for (std::size_t i = 0; i < kTimeParts; ++i) {
    if (is_observed && static_cast<TimePart>(i) == TimePart::kBeyond) continue;
    parts.push_back(
        {{"id", kTimePartNames[i].id}, {"name", kTimePartNames[i].name}, {"ps", number_json(time.parts[i].ps)}});
  }
  return json_response({{"parts", std::move(parts)}, {"total_ps", number_json(time.total.ps)}});
}

Response profile(Opened& opened, const Query& query) {
  Json rows = Json::array();
  for (const ProfileRow& row : profile_of(opened.runs, asked_range(opened, query), asked_ranks(opened, query)))
    rows.push_back(row_json(opened.runs.observed, row));
  return json_response({{"rows", std::move(rows)}});
}

Response matrix(Opened& opened, const Query& query) {
  constexpr MatrixBy kBy[] = {MatrixBy::kRank, MatrixBy::kNode};
  constexpr MatrixOf kOf[] = {MatrixOf::kBytes, MatrixOf::kCount, MatrixOf::kOwn};
  const Matrix found =
      matrix_of(opened.runs, opened.matches, asked_range(opened, query), kBy[asked_word(query, "by", {"rank", "node"})],
                kOf[asked_word(query, "what", {"bytes", "count", "own"})]);
  Json cells = Json::array();
  for (const MatrixCell& cell : found.cells) cells.push_back({cell.from, cell.to, number_json(cell.value)});
  return json_response({{"names", found.names}, {"cells", std::move(cells)}});
}

Response histogram(Opened& opened, const Query& query) {
  const Histogram found = histogram_of(opened.runs, asked_alike(opened, query));
  Json bounds = Json::array();
  for (const Duration bound : found.bounds) bounds.push_back(bound.ps);
  return json_response({{"bounds_ps", std::move(bounds)}, {"observed", found.observed}, {"expected", found.expected}});
}

Response instances(Opened& opened, const Query& query) {
  const auto first = static_cast<std::uint32_t>(query.number("first", 0, replay::kNone - 1, 0));
  const Instances found = instances_of(opened.runs, asked_alike(opened, query), first);
  return json_response({{"instances", found.instances},
                        {"first", found.first},
                        {"rows", found.rows},
                        {"ranks", found.ranks},
                        {"own_log", base64(found.own)}});
}

Response efficiency(Opened& opened, const Query& query) {
  const auto bins = static_cast<std::uint32_t>(query.number("bins", 1, kMostTimeBins, kTimeBins));
  const TimeRange range = asked_range(opened, query);
  const Efficiency found = efficiency_of(opened.runs, opened.matches, range, bins);
  Json begins = Json::array();
  for (const Time begin : found.bins) begins.push_back(since_begin(opened, begin));
  return json_response({{"bins", std::move(begins)},
                        {"load_balance", rounded(found.load_balance)},
                        {"serialisation", rounded(found.serialisation)},
                        {"transfer", rounded(found.transfer)}});
}

}  // namespace plumbline::viewer
