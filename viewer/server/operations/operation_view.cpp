// One operation in full.

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <vector>

#include "replay/compare/tally.hpp"
#include "viewer/index/aggregates/served.hpp"
#include "viewer/index/lanes/lanes.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;
using replay::InnerItem;
using replay::InnerKind;
using replay::RankProgram;

constexpr std::size_t kMostInside = 500, kBins = 24;

std::string_view word(InnerKind kind) {
  switch (kind) {
    case InnerKind::kOpen:
      return "open";
    case InnerKind::kClose:
      return "close";
    case InnerKind::kRead:
      return "read";
    case InnerKind::kWrite:
      return "write";
    case InnerKind::kSync:
      return "sync";
    case InnerKind::kOther:
      return "other";
    case InnerKind::kSend:
      return "send";
    case InnerKind::kReceive:
      return "receive";
    case InnerKind::kDone:
      return "done";
  }
  return "";
}

std::uint64_t bytes_of(const RankProgram& program, const InnerItem& item) {
  return replay::is_posix(item.kind) ? program.access_of(item).bytes : program.inner_messages[item.index].bytes;
}

Json inner_json(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  const RankProgram& program = runs.observed.rank(rank);
  std::uint64_t messages = 0, posix = 0, bytes = 0;
  for (const InnerItem& item : program.inner_of(operation)) {
    if (item.kind == InnerKind::kDone) continue;
    ++(replay::is_posix(item.kind) ? posix : messages);
    bytes += bytes_of(program, item);
  }
  const std::uint64_t needed = runs.is_compared() ? runs.expected->ranks[rank].ideal_io[operation] : 0;
  return {{"messages", messages}, {"posix", posix}, {"bytes", bytes}, {"needed", needed}};
}

Json item_json(const Runs& runs, const RankProgram& program, const InnerItem& item, Time begin) {
  Json json{{"kind", word(item.kind)},
            {"begin_ps", (item.times.begin - begin).ps},
            {"end_ps", (item.times.end - begin).ps},
            {"bytes", bytes_of(program, item)},
            {"offset", nullptr},
            {"file", nullptr},
            {"peer", nullptr}};
  if (replay::is_posix(item.kind)) {
    const replay::InnerAccess& access = program.access_of(item);
    if (access.offset != replay::kUnknownOffset) json["offset"] = access.offset;
    if (access.file < runs.observed.files()) json["file"] = runs.observed.file(access.file);
  } else if (program.inner_messages[item.index].peer != replay::kNone) {
    json["peer"] = program.inner_messages[item.index].peer;
  }
  return json;
}

Json inside_json(const Runs& runs, std::uint32_t rank, std::uint32_t operation) {
  const RankProgram& program = runs.observed.rank(rank);
  const Time begin = span_of(runs.observed).begin;
  Json inside = Json::array();
  for (const InnerItem& item : program.inner_of(operation)) {
    if (inside.size() == kMostInside) break;
    inside.push_back(item_json(runs, program, item, begin));
  }
  return inside;
}

Json served_json(const Runs& runs, OperationId id) {
  const Time zero = reference_zero(runs);
  Json all = Json::array();
  for (const Served& served : served_by(runs, id))
    all.push_back({{"lane", kFirstComponentLane + served.component},
                   {"name", runs.components[served.component].name},
                   {"class", runs.components[served.component].kind},
                   {"begin_ps", (served.begin - zero).ps},
                   {"end_ps", (served.end - zero).ps},
                   {"busy_ps", served.busy.ps}});
  return all;
}

// Of operations like this one: those of its row.
struct Alike {
  std::vector<std::int64_t> durations;  // ps
  std::uint64_t not_longer = 0;
};

Alike alike(const Runs& runs, const replay::RowKeys& keys, const replay::RowKey& key, Duration observed) {
  Alike result;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank) {
    const RankProgram& program = runs.observed.rank(rank);
    for (std::size_t i = 0; i < program.operations.size(); ++i) {
      const replay::Operation& other = program.operations[i];
      if (other.call != key.call || other.site != key.site || keys.of(program, other) != key) continue;
      const Duration duration = program.times[i].end - program.times[i].begin;
      result.durations.push_back(duration.ps);
      result.not_longer += duration <= observed ? 1 : 0;
    }
  }
  return result;
}

// Bins of equal width in the logarithm; of the n + 1 bounds two enclose each count.
Json histogram_json(const Alike& alike) {
  const auto [least, most] = std::ranges::minmax(alike.durations);
  const double low = std::log(static_cast<double>(std::max<std::int64_t>(least, 1)));
  const double high = std::log(static_cast<double>(std::max<std::int64_t>(most, 1)));
  const std::size_t bins = high > low ? kBins : 1;
  const double width = (high - low) / static_cast<double>(bins);
  std::vector<std::int64_t> bounds{least};
  for (std::size_t i = 1; i < bins; ++i) bounds.push_back(std::llround(std::exp(low + width * static_cast<double>(i))));
  bounds.push_back(most);
  std::vector<std::uint64_t> counts(bins);
  for (const std::int64_t duration : alike.durations) {
    const auto above = std::upper_bound(bounds.begin() + 1, bounds.end() - 1, duration);
    ++counts[static_cast<std::size_t>(above - bounds.begin()) - 1];
  }
  const double share = static_cast<double>(alike.not_longer) / static_cast<double>(alike.durations.size());
  return {{"bounds_ps", bounds}, {"counts", counts}, {"percentile", 100 * share}};
}

// The report's row of these operations.
std::optional<std::size_t> row_of(const Opened& opened, const replay::RowKey& key) {
  if (!opened.runs.comparison || !opened.report.is_object()) return std::nullopt;
  const replay::Program& program = opened.runs.observed;
  const std::string_view file =
      key.file == replay::kNone ? std::string_view() : opened.runs.comparison->files[key.file];
  const std::uint64_t least = key.size_class == 0 ? 0 : std::uint64_t{1} << (key.size_class - 1);
  const Json& rows = opened.report["rows"];
  const auto row = std::ranges::find_if(rows, [&](const Json& each) {
    return each["call"] == program.call(key.call) && each["least_bytes"] == least &&
           each["communicator_size"] == key.comm_size && each["site"] == program.site(key.site) && each["file"] == file;
  });
  if (row == rows.end()) return std::nullopt;
  return static_cast<std::size_t>(row - rows.begin());
}

// Indices of the findings that are about operations of this row on this rank.
Json findings_on(const Opened& opened, std::optional<std::size_t> row, std::uint32_t rank) {
  Json findings = Json::array();
  if (!row) return findings;
  const auto holds = [](const Json& list, std::size_t number) {
    return std::ranges::find(list, Json(number)) != list.end();
  };
  const Json& all = opened.report["findings"];
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].contains("rows") && holds(all[i]["rows"], *row) && holds(all[i]["ranks"], rank)) findings.push_back(i);
  return findings;
}

}  // namespace

Response operation(Opened& opened, const Query& query) {
  const Runs& runs = opened.runs;
  const replay::Program& program = runs.observed;
  if (program.ranks() == 0) throw BadRequest{404, "there is no rank"};
  const auto rank = static_cast<std::uint32_t>(query.number("0", 0, program.ranks() - 1));
  const RankProgram& part = program.rank(rank);
  if (part.operations.empty()) throw BadRequest{404, "this rank has no operation"};
  const auto index = static_cast<std::uint32_t>(query.number("1", 0, part.operations.size() - 1));
  const replay::RowKeys keys(program);
  const replay::RowKey key = keys.of(part, part.operations[index]);
  const std::optional<std::size_t> row = row_of(opened, key);
  const OperationId partner = opened.matches.partner({rank, index});

  Json json = operation_json(runs, rank, index);
  json["node"] = part.node < program.nodes() ? program.node(part.node) : std::string_view();
  json["row"] = row ? Json(*row) : Json(nullptr);
  json["inner"] = inner_json(runs, rank, index);
  json["inside"] = inside_json(runs, rank, index);
  json["served_by"] = served_json(runs, {rank, index});
  json["partner"] = partner.exists() ? Json{{"rank", partner.rank}, {"operation", partner.operation}} : Json(nullptr);
  json["findings"] = findings_on(opened, row, rank);
  json["in_its_kind"] = histogram_json(alike(runs, keys, key, part.times[index].end - part.times[index].begin));
  return json_response(json);
}

}  // namespace plumbline::viewer
