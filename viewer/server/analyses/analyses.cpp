// Operations as a list, and the search for them.

#include "viewer/index/aggregates/ranking.hpp"
#include "viewer/index/filter/select.hpp"
#include "viewer/server/analyses/query.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t kPage = 200, kMostPages = 100'000, kMostTicks = 4096;

SortBy asked_order(const Query& query) {
  constexpr SortBy kOrders[] = {SortBy::kOwn, SortBy::kInherited, SortBy::kBegin, SortBy::kObserved, SortBy::kBytes};
  return kOrders[asked_word(query, "sort", {"own", "inherited", "begin", "observed", "bytes"})];
}

Json ticks_json(const Opened& opened, const std::vector<Time>& ticks) {
  Json json = Json::array();
  const Time begin = span_of(opened.runs.observed).begin;
  for (const Time tick : ticks) json.push_back((tick - begin).ps);
  return json;
}

}  // namespace

Response operations(Opened& opened, const Query& query) {
  const Selection selection(opened.runs, query.text("filter"));
  const std::uint64_t page = query.number("page", 0, kMostPages, 0);
  const RankedPage found = ranked(opened.runs, selection, asked_range(opened, query), asked_ranks(opened, query),
                                  asked_order(query), page * kPage, kPage);
  Json list = Json::array();
  for (const OperationId id : found.operations) list.push_back(operation_json(opened.runs, id.rank, id.operation));
  return json_response({{"total", found.total},
                        {"page", page},
                        {"pages", (found.total + kPage - 1) / kPage},
                        {"operations", std::move(list)}});
}

Response search(Opened& opened, const Query& query) {
  const Selection selection(opened.runs, query.text("q"));
  const auto most = static_cast<std::size_t>(query.number("limit", 0, kMostTicks, kMostTicks));
  OperationId from;
  if (query.values.contains("from_rank")) from = asked_operation(opened, query, "from_rank", "from_operation");
  const bool backwards = asked_word(query, "dir", {"next", "previous"}) == 1;
  const Hits hits = hits_of(opened.runs, selection, most);
  const OperationId hit =
      backwards ? previous_hit(opened.runs, selection, from) : next_hit(opened.runs, selection, from);
  return json_response({{"count", hits.count},
                        {"hit", hit.exists() ? operation_json(opened.runs, hit.rank, hit.operation) : Json(nullptr)},
                        {"ticks", ticks_json(opened, hits.ticks)}});
}

}  // namespace plumbline::viewer
