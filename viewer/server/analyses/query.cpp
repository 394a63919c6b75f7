#include "viewer/server/analyses/query.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <numeric>

#include "viewer/server/opened.hpp"
#include "viewer/server/strips/request.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::int64_t kLatest = std::numeric_limits<std::int64_t>::max();
constexpr std::size_t kMostLanesAsked = 65'536;

}  // namespace

TimeRange asked_range(const Opened& opened, const Query& query) {
  const Span span = span_of(opened.runs.observed);
  const auto length = static_cast<std::uint64_t>(span.length.ps);
  const std::uint64_t begin = query.number("t0", 0, kLatest, 0), end = query.number("t1", 0, kLatest, length);
  if (end < begin) throw BadRequest{400, "t1 is less than t0"};
  const auto at = [&](std::uint64_t time) {
    return span.begin + Duration{static_cast<std::int64_t>(std::min(time, length))};
  };
  return {at(begin), at(end)};
}

std::vector<std::uint32_t> asked_ranks(const Opened& opened, const Query& query) {
  const std::string_view lanes = query.text("lanes");
  std::vector<std::uint32_t> ranks;
  if (lanes.empty()) {
    ranks.resize(opened.runs.observed.ranks());
    std::iota(ranks.begin(), ranks.end(), 0U);
    return ranks;
  }
  for (const std::uint32_t lane : number_list(lanes, kMostLanesAsked))
    std::ranges::copy(ranks_of_lane(opened, lane), std::back_inserter(ranks));
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  return ranks;
}

OperationId asked_operation(const Opened& opened, const Query& query, std::string_view rank_name,
                            std::string_view operation_name) {
  const replay::Program& program = opened.runs.observed;
  const std::uint64_t rank = query.number(rank_name, 0, replay::kNone),
                      index = query.number(operation_name, 0, replay::kNone);
  if (rank >= program.ranks()) throw BadRequest{404, fmt::format("there is no rank {}", rank)};
  if (index >= program.rank(static_cast<std::uint32_t>(rank)).operations.size())
    throw BadRequest{404, fmt::format("rank {} has no operation {}", rank, index)};
  return {static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(index)};
}

OperationsAlike asked_alike(const Opened& opened, const Query& query) {
  if (query.values.contains("row")) {
    const std::uint64_t row = query.number("row", 0, kLatest);
    const std::size_t rows = opened.runs.comparison ? opened.runs.comparison->rows.size() : 0;
    if (row >= rows) throw BadRequest{404, fmt::format("there is no row {}: the report has {}", row, rows)};
    return {opened.runs, static_cast<std::size_t>(row)};
  }
  const std::string_view call = query.text("call");
  if (call.empty()) throw BadRequest{400, "say which operations: row=0, or call=MPI_Send"};
  const bool has_site = query.values.contains("site");
  OperationsAlike alike(opened.runs, call, has_site ? std::optional(query.text("site")) : std::nullopt);
  if (alike.is_empty()) throw BadRequest{404, fmt::format("the program has no call '{}' there", call)};
  return alike;
}

std::size_t asked_word(const Query& query, std::string_view name, std::initializer_list<std::string_view> words) {
  const std::string_view word = query.text(name, *words.begin());
  const auto found = std::ranges::find(words, word);
  if (found == words.end()) throw BadRequest{400, fmt::format("'{}' is none of: {}", word, fmt::join(words, ", "))};
  return static_cast<std::size_t>(found - words.begin());
}

std::int64_t since_begin(const Opened& opened, Time time) { return (time - span_of(opened.runs.observed).begin).ps; }

nlohmann::ordered_json number_json(TimeSum::Picoseconds value) {
  if (const std::optional<Duration> exact = TimeSum::of(value).duration()) return exact->ps;
  return static_cast<double>(value);
}

nlohmann::ordered_json id_json(OperationId id) {
  if (!id.exists()) return nullptr;
  return {{"rank", id.rank}, {"operation", id.operation}};
}

}  // namespace plumbline::viewer
