#include "viewer/index/matches/matches.hpp"

#include <algorithm>

namespace plumbline::viewer {
namespace {

using replay::OpKind;

OperationId find(const KeptColumn<Link>& links, std::uint32_t operation) {
  const auto found = std::ranges::lower_bound(links, operation, {}, &Link::operation);
  return found != links.end() && found->operation == operation ? found->to : OperationId{};
}

}  // namespace

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

std::vector<OperationId> calls_of(const Matches& matches, Instance instance) {
  const Series& series = matches.series[instance.series];
  std::vector<OperationId> calls;
  for (std::size_t place = 0; place < series.ranks.size(); ++place)
    if (const auto own = series.calls_of(place); instance.number < own.size())
      calls.push_back({series.ranks[place], own[instance.number]});
  return calls;
}

}  // namespace plumbline::viewer
