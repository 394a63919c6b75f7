#include "bench/ranks/collectives/collective_call.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cmath>

#include "base/check.hpp"
#include "base/error.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

using Call = CollectiveCall;
using algorithms::Operation;

// --- MPI's functions, in the order of its standard

int barrier(Call& c, char*, char*, MPI_Request* r) { return r ? MPI_Ibarrier(c.comm, r) : MPI_Barrier(c.comm); }

int bcast(Call& c, char*, char* to, MPI_Request* r) {
  return r ? MPI_Ibcast(to, c.count, c.type, c.root, c.comm, r) : MPI_Bcast(to, c.count, c.type, c.root, c.comm);
}

int gather(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Igather(from, c.count, c.type, to, c.count, c.type, c.root, c.comm, r)
           : MPI_Gather(from, c.count, c.type, to, c.count, c.type, c.root, c.comm);
}

int gatherv(Call& c, char* from, char* to, MPI_Request* r) {
  const int own = c.own_counts[0];
  return r ? MPI_Igatherv(from, own, c.type, to, c.counts.data(), c.places.data(), c.type, c.root, c.comm, r)
           : MPI_Gatherv(from, own, c.type, to, c.counts.data(), c.places.data(), c.type, c.root, c.comm);
}

int scatter(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Iscatter(from, c.count, c.type, to, c.count, c.type, c.root, c.comm, r)
           : MPI_Scatter(from, c.count, c.type, to, c.count, c.type, c.root, c.comm);
}

int scatterv(Call& c, char* from, char* to, MPI_Request* r) {
  const int own = c.own_counts[0];
  return r ? MPI_Iscatterv(from, c.counts.data(), c.places.data(), c.type, to, own, c.type, c.root, c.comm, r)
           : MPI_Scatterv(from, c.counts.data(), c.places.data(), c.type, to, own, c.type, c.root, c.comm);
}

int allgather(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Iallgather(from, c.count, c.type, to, c.count, c.type, c.comm, r)
           : MPI_Allgather(from, c.count, c.type, to, c.count, c.type, c.comm);
}

int allgatherv(Call& c, char* from, char* to, MPI_Request* r) {
  const int own = c.own_counts[0];
  return r ? MPI_Iallgatherv(from, own, c.type, to, c.counts.data(), c.places.data(), c.type, c.comm, r)
           : MPI_Allgatherv(from, own, c.type, to, c.counts.data(), c.places.data(), c.type, c.comm);
}

int alltoall(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ialltoall(from, c.count, c.type, to, c.count, c.type, c.comm, r)
           : MPI_Alltoall(from, c.count, c.type, to, c.count, c.type, c.comm);
}

int alltoallv(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ialltoallv(from, c.counts.data(), c.places.data(), c.type, to, c.own_counts.data(),
                            c.own_places.data(), c.type, c.comm, r)
           : MPI_Alltoallv(from, c.counts.data(), c.places.data(), c.type, to, c.own_counts.data(), c.own_places.data(),
                           c.type, c.comm);
}

int alltoallw(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ialltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.own_counts.data(),
                            c.own_byte_places.data(), c.types.data(), c.comm, r)
           : MPI_Alltoallw(from, c.counts.data(), c.byte_places.data(), c.types.data(), to, c.own_counts.data(),
                           c.own_byte_places.data(), c.types.data(), c.comm);
}

int reduce(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ireduce(from, to, c.count, c.type, c.op, c.root, c.comm, r)
           : MPI_Reduce(from, to, c.count, c.type, c.op, c.root, c.comm);
}

int allreduce(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Iallreduce(from, to, c.count, c.type, c.op, c.comm, r)
           : MPI_Allreduce(from, to, c.count, c.type, c.op, c.comm);
}

int reduce_scatter_block(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ireduce_scatter_block(from, to, c.count, c.type, c.op, c.comm, r)
           : MPI_Reduce_scatter_block(from, to, c.count, c.type, c.op, c.comm);
}

int reduce_scatter(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Ireduce_scatter(from, to, c.counts.data(), c.type, c.op, c.comm, r)
           : MPI_Reduce_scatter(from, to, c.counts.data(), c.type, c.op, c.comm);
}

int scan(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Iscan(from, to, c.count, c.type, c.op, c.comm, r) : MPI_Scan(from, to, c.count, c.type, c.op, c.comm);
}

int exscan(Call& c, char* from, char* to, MPI_Request* r) {
  return r ? MPI_Iexscan(from, to, c.count, c.type, c.op, c.comm, r)
           : MPI_Exscan(from, to, c.count, c.type, c.op, c.comm);
}

constexpr Operation kBarrier = Operation::kBarrier, kBcast = Operation::kBcast, kGather = Operation::kGather,
                    kScatter = Operation::kScatter, kAllgather = Operation::kAllgather,
                    kAlltoall = Operation::kAlltoall, kReduce = Operation::kReduce, kAllreduce = Operation::kAllreduce,
                    kReduceScatterBlock = Operation::kReduceScatterBlock, kScan = Operation::kScan;

using enum Blocks;
constexpr std::string_view kOneBlock = "the block of one rank", kMeanBlock = "the block of one rank, on average",
                           kVector = "the vector of one rank", kResult = "the block of the result on one rank";

constexpr Collective kCollectives[] = {
    {"barrier", "nobody leaves before all have come", "", kNone, kNone, barrier, Sizes::kSame, false, false, &kBarrier},
    {"bcast", "what the root has goes to all", "the data", kNone, kOne, bcast, Sizes::kSame, false, true, &kBcast},
    {"gather", "a block of each rank goes to the root", kOneBlock, kOne, kAllOnRoot, gather, Sizes::kSame, false, false,
     &kGather},
    {"gatherv", "gather, of blocks that may differ", kMeanBlock, kOne, kAllOnRoot, gatherv, Sizes::kDiffer},
    {"scatter", "a block for each rank comes from the root", kOneBlock, kAllOnRoot, kOne, scatter, Sizes::kSame, false,
     true, &kScatter},
    {"scatterv", "scatter, of blocks that may differ", kMeanBlock, kAllOnRoot, kOne, scatterv, Sizes::kDiffer, false,
     true},
    {"allgather", "a block of each rank goes to all", kOneBlock, kOne, kAll, allgather, Sizes::kSame, false, false,
     &kAllgather},
    {"allgatherv", "allgather, of blocks that may differ", kMeanBlock, kOne, kAll, allgatherv, Sizes::kDiffer},
    {"alltoall", "each rank has a block for each", "one block, of one rank for one other", kAll, kAll, alltoall,
     Sizes::kSame, false, false, &kAlltoall},
    {"alltoallv", "alltoall, of blocks that may differ by who gets them", "one block, on average", kAll, kAll,
     alltoallv, Sizes::kDiffer},
    {"alltoallw", "alltoallv with a datatype for each rank", "one block, on average", kAll, kAll, alltoallw,
     Sizes::kDiffer},
    {"reduce", "vectors of all ranks are joined on the root", kVector, kOne, kOneOnRoot, reduce, Sizes::kSame, true,
     false, &kReduce},
    {"allreduce", "vectors of all ranks are joined, for all", kVector, kOne, kOne, allreduce, Sizes::kSame, true, false,
     &kAllreduce},
    {"reduce_scatter_block", "vectors of all ranks are joined, and each gets a block of the result", kResult, kAll,
     kOne, reduce_scatter_block, Sizes::kSame, true, false, &kReduceScatterBlock},
    {"reduce_scatter", "reduce_scatter_block, of blocks that may differ", "the block of the result, on average", kAll,
     kOne, reduce_scatter, Sizes::kDiffer, true},
    {"scan", "each rank gets what the ranks up to it have, joined", kVector, kOne, kOne, scan, Sizes::kSame, true,
     false, &kScan},
    {"exscan", "each rank gets what the ranks before it have, joined", kVector, kOne, kOne, exscan, Sizes::kSame, true},
};

constexpr std::string_view kTypeWords[] = {"double", "float", "int32", "int64"};
constexpr std::uint64_t kTypeBytes[] = {8, 4, 4, 8};
constexpr std::string_view kOpWords[] = {"sum", "prod", "min", "max"};

MPI_Datatype type_of(const Request& request) {
  const MPI_Datatype types[] = {MPI_DOUBLE, MPI_FLOAT, MPI_INT32_T, MPI_INT64_T};
  return types[choice(request, "type", kTypeWords)];
}

MPI_Op op_of(const Request& request) {
  const MPI_Op ops[] = {MPI_SUM, MPI_PROD, MPI_MIN, MPI_MAX};
  return ops[choice(request, "op", kOpWords)];
}

// From 1 - spread of the mean on the first rank to 1 + spread on the last.
std::vector<int> spread_counts(const Request& request, std::uint64_t mean, int ranks) {
  const double spread = number(request, "spread");
  if (!(spread >= 0 && spread <= 1)) throw Error(request.operation, "'spread' is not between 0 and 1");
  std::vector<int> counts;
  for (int rank = 0; rank < ranks; ++rank) {
    const double place = ranks > 1 ? 2.0 * rank / (ranks - 1) - 1 : 0;
    counts.push_back(static_cast<int>(std::llround(static_cast<double>(mean) * (1 + spread * place))));
  }
  return counts;
}

std::vector<int> places_of(const std::vector<int>& counts, int unit) {
  std::vector<int> places(counts.size());
  for (std::size_t i = 1; i < counts.size(); ++i) places[i] = places[i - 1] + counts[i - 1] * unit;
  return places;
}

std::uint64_t sum_of(const std::vector<int>& counts) {
  std::uint64_t sum = 0;
  for (const int count : counts) sum += static_cast<std::uint64_t>(count);
  return sum;
}

// In elements.
std::uint64_t extent(const Call& call, Blocks blocks, bool sends) {
  const bool differ = !call.counts.empty();
  const bool on_root = rank_in(call.comm) == call.root;
  const auto ranks = static_cast<std::uint64_t>(size_of(call.comm));
  const std::uint64_t one = differ ? static_cast<std::uint64_t>(call.own_counts[0]) : static_cast<unsigned>(call.count);
  switch (blocks) {
    case kNone:
      return 0;
    case kOneOnRoot:
      return on_root ? one : 0;
    case kOne:
      return one;
    case kAllOnRoot:
      if (!on_root) return 0;
      [[fallthrough]];
    case kAll:
      // What goes to each rank is as large as its block; what comes from each, as one's own (alltoallv).
      if (differ && !sends && call.own_places.size() > 1) return one * ranks;
      return differ ? sum_of(call.counts) : one * ranks;
  }
  return 0;
}

}  // namespace

std::span<const Collective> collectives() { return kCollectives; }

const Collective& collective_of(std::string_view name) {
  const auto* found = std::ranges::find(kCollectives, name, &Collective::name);
  PLUMBLINE_CHECK(found != std::end(kCollectives), "a family of a collective that is none");
  return *found;
}

std::vector<FamilyParameter> parameters_of(const Collective& collective) {
  std::vector<FamilyParameter> parameters;
  if (collective.reduces) {
    parameters.push_back({"type", "double, float, int32 or int64; sizes are rounded up to whole ones", "double", true});
    parameters.push_back({"op", "sum, prod, min or max", "sum", true});
  }
  if (collective.sizes == Sizes::kDiffer)
    parameters.push_back({"spread", "blocks grow from 1 - spread of the mean on the first rank to 1 + spread", "0"});
  if (!collective.bytes.empty()) parameters.push_back(kFreshMib);
  return parameters;
}

std::uint64_t whole_elements(const Collective& collective, const Request& request, std::uint64_t bytes) {
  if (!collective.reduces) return bytes;
  const std::uint64_t each = kTypeBytes[choice(request, "type", kTypeWords)];
  return (bytes + each - 1) / each * each;
}

CollectiveCall make_call(const Collective& collective, const Request& request, std::uint64_t bytes, MPI_Comm comm) {
  Call call;
  call.comm = comm;
  call.root = static_cast<int>(request.effort.root);
  const int ranks = size_of(comm);
  if (call.root < 0 || call.root >= ranks)
    throw Error(request.operation, fmt::format("the root is {}, of {} ranks", request.effort.root, ranks));
  std::uint64_t each = 1;
  if (collective.reduces) {
    call.type = type_of(request);
    call.op = op_of(request);
    each = kTypeBytes[choice(request, "type", kTypeWords)];
  }
  // Twice: the largest of blocks that differ. Places of w are bytes.
  const std::uint64_t most =
      collective.sizes == Sizes::kDiffer ? 2 * bytes * static_cast<unsigned>(ranks) : bytes / each;
  if (bytes > INT_MAX * each || most > INT_MAX)
    throw Error(request.operation, fmt::format("{} bytes are more than MPI counts here", bytes),
                "measure smaller sizes");
  call.count = static_cast<int>(bytes / each);
  if (collective.sizes == Sizes::kDiffer) {
    const auto number_of_ranks = static_cast<std::size_t>(ranks);
    call.counts = spread_counts(request, bytes / each, ranks);
    call.places = places_of(call.counts, 1);
    call.byte_places = places_of(call.counts, static_cast<int>(each));
    call.own_counts.assign(number_of_ranks, call.counts[static_cast<std::size_t>(rank_in(comm))]);
    const bool from_all = collective.send == kAll && collective.receive == kAll;
    if (from_all) call.own_places = places_of(call.own_counts, 1);
    if (from_all) call.own_byte_places = places_of(call.own_counts, static_cast<int>(each));
    call.types.assign(number_of_ranks, call.type);
  }
  call.send_bytes = extent(call, collective.send, true) * each;
  call.receive_bytes = extent(call, collective.receive, false) * each;
  const std::uint64_t fresh = collective.bytes.empty() ? 0 : count(request, kFreshMib.name);
  call.send = MemoryArea(call.send_bytes, fresh);
  call.receive = MemoryArea(call.receive_bytes, fresh);
  return call;
}

}  // namespace plumbline::bench
