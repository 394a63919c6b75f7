#include "viewer/index/matches/matches.hpp"

#include <algorithm>
#include <tuple>

#include "viewer/index/matches/match_parts.hpp"
#include "viewer/index/matches/series.hpp"

namespace plumbline::viewer {
namespace {

using replay::kNone;
using replay::OpKind;

OperationId find(const KeptColumn<Link>& links, std::uint32_t operation) {
  const auto found = std::ranges::lower_bound(links, operation, {}, &Link::operation);
  return found != links.end() && found->operation == operation ? found->to : OperationId{};
}

}  // namespace

Matches match_operations(const replay::Program& program, const Scratch& scratch) {
  Matches matches;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) {
    RankMatches own{KeptColumn<OperationId>(scratch), KeptColumn<Link>(scratch), KeptColumn<Link>(scratch)};
    own.partner.resize(program.rank(rank).operations.size());
    matches.ranks.push_back(std::move(own));
  }
  match_messages(program, matches);
  match_collectives(program, matches, scratch);
  match_window_groups(program, matches);
  match_requests(program, matches);
  return matches;
}

OperationId receiver_of(const replay::Program& program, const Matches& matches, OperationId id) {
  const RankMatches& own = matches.ranks[id.rank];
  switch (program.rank(id.rank).operations[id.operation].kind) {
    case OpKind::kSend:
    case OpKind::kIsend:
      return own.partner[id.operation];
    case OpKind::kSendrecv:
      return find(own.sent_to, id.operation);
    default:
      return {};
  }
}

OperationId completion_of(const Matches& matches, OperationId start) {
  return find(matches.ranks[start.rank].completed, start.operation);
}

std::optional<Instance> instance_of(const replay::Program& program, const Matches& matches, OperationId id) {
  const std::optional<SeriesKey> key = series_key(program, id);
  if (!key) return std::nullopt;
  const auto series = std::ranges::lower_bound(matches.series, *key, {}, key_of);
  if (series == matches.series.end() || key_of(*series) != *key) return std::nullopt;
  const auto rank = std::ranges::lower_bound(series->ranks, id.rank);
  if (rank == series->ranks.end() || *rank != id.rank) return std::nullopt;
  const auto calls = series->calls_of(static_cast<std::size_t>(rank - series->ranks.begin()));
  const auto call = std::ranges::lower_bound(calls, id.operation);
  if (call == calls.end() || *call != id.operation) return std::nullopt;
  return Instance{static_cast<std::uint32_t>(series - matches.series.begin()),
                  static_cast<std::uint32_t>(call - calls.begin())};
}

std::vector<OperationId> calls_of(const Matches& matches, Instance instance) {
  const Series& series = matches.series[instance.series];
  std::vector<OperationId> calls;
  for (std::size_t place = 0; place < series.ranks.size(); ++place)
    if (const auto own = series.calls_of(place); instance.number < own.size())
      calls.push_back({series.ranks[place], own[instance.number]});
  return calls;
}

}  // namespace plumbline::viewer
