#include "replay/program/compile/context/collective_sizes.hpp"

#include <algorithm>

namespace plumbline::replay {

std::optional<Collective> collective_of(archive::CollectiveOp op) {
  using Op = archive::CollectiveOp;
  switch (op) {
    case Op::kBarrier:
      return Collective::kBarrier;
    case Op::kBcast:
      return Collective::kBcast;
    case Op::kGather:
    case Op::kGatherv:
      return Collective::kGather;
    case Op::kScatter:
    case Op::kScatterv:
      return Collective::kScatter;
    case Op::kAllgather:
    case Op::kAllgatherv:
      return Collective::kAllgather;
    case Op::kAlltoall:
    case Op::kAlltoallv:
    case Op::kAlltoallw:
      return Collective::kAlltoall;
    case Op::kAllreduce:
      return Collective::kAllreduce;
    case Op::kReduce:
      return Collective::kReduce;
    case Op::kReduceScatter:
    case Op::kReduceScatterBlock:
      return Collective::kReduceScatter;
    case Op::kScan:
      return Collective::kScan;
    case Op::kExscan:
      return Collective::kExscan;
    case Op::kCreateHandle:
    case Op::kDestroyHandle:
    case Op::kCreateHandleAndAllocate:
    case Op::kDestroyHandleAndDeallocate:
    case Op::kOther:
      return std::nullopt;
  }
  return std::nullopt;
}

namespace {

CollectiveSizes from_score_p(Collective collective, CollectiveSizes recorded, CollectivePlace place) {
  const std::uint64_t size = std::max<std::uint64_t>(place.size, 1);
  const auto [sent, received] = recorded;
  switch (collective) {
    case Collective::kBcast:
      return {received > 0 ? received : sent / size, received};
    case Collective::kAllgather:
      return {sent / size, received};
    case Collective::kAllreduce:
      return {sent / size, received / size};
    case Collective::kReduce:
    case Collective::kReduceScatter:
      return {sent, received / size};
    case Collective::kScan:
    case Collective::kExscan:
      return {sent / (size - std::min(place.rank, size - 1)), received / (place.rank + 1)};
    case Collective::kBarrier:
    case Collective::kGather:
    case Collective::kScatter:
    case Collective::kAlltoall:
      return recorded;
  }
  return recorded;
}

}  // namespace

CollectiveSizes collective_sizes(Collective collective, CollectiveSizes recorded, CollectivePlace place,
                                 bool score_p_convention) {
  for (std::uint64_t* bytes : {&recorded.sent, &recorded.received})
    if (*bytes == archive::kUnknownSize) *bytes = 0;
  if (score_p_convention) recorded = from_score_p(collective, recorded, place);
  switch (collective) {
    case Collective::kBarrier:
      return {};
    case Collective::kBcast: {
      const std::uint64_t payload = std::max(recorded.sent, recorded.received);
      return {payload, payload};
    }
    case Collective::kGather:
    case Collective::kReduce:
      return {recorded.sent, place.is_root ? recorded.received : 0};
    case Collective::kScatter:
      return {place.is_root ? recorded.sent : 0, recorded.received};
    case Collective::kAllgather:
    case Collective::kAlltoall:
    case Collective::kAllreduce:
    case Collective::kReduceScatter:
    case Collective::kScan:
    case Collective::kExscan:
      return recorded;
  }
  return recorded;
}

}  // namespace plumbline::replay
