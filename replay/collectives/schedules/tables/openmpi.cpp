// The fixed decision of coll/tuned in Open MPI 4.1.4 (coll_tuned_decision_fixed.c).
#include <algorithm>
#include <span>
#include <string>

#include "base/check.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/blocks.hpp"
#include "replay/collectives/schedules/non_blocking.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

// From so many ranks on, and of those from so many bytes on, this algorithm. Sorted.
struct Choice {
  std::uint32_t ranks;
  std::uint64_t bytes;
  std::uint32_t number;
};

constexpr Choice kBarrier[] = {
    {2, 0, 3}, {4, 0, 1}, {8, 0, 3}, {64, 0, 4}, {256, 0, 6}, {512, 0, 4}, {1024, 0, 6}, {4096, 0, 4},
};
constexpr Choice kBcast[] = {
    {2, 0, 3},        {2, 32, 5},        {2, 256, 3},     {2, 512, 7},       {2, 1024, 1},    {2, 32768, 5},
    {2, 131072, 2},   {2, 262144, 1},    {2, 524288, 6},  {2, 1048576, 5},   {4, 0, 5},       {4, 64, 6},
    {4, 128, 5},      {4, 2048, 6},      {4, 8192, 1},    {4, 1048576, 2},   {8, 0, 7},       {8, 8, 5},
    {8, 64, 7},       {8, 4096, 5},      {8, 16384, 6},   {8, 32768, 1},     {16, 0, 7},      {16, 4096, 6},
    {16, 1048576, 8}, {32, 0, 6},        {32, 2048, 7},   {64, 0, 7},        {128, 0, 6},     {128, 2, 5},
    {128, 16384, 1},  {128, 32768, 5},   {128, 65536, 7}, {256, 0, 7},       {256, 16384, 4}, {256, 32768, 7},
    {1024, 0, 7},     {1024, 524288, 8}, {2048, 0, 7},    {2048, 262144, 8}, {4096, 0, 7},    {4096, 8192, 5},
    {4096, 16384, 7}, {4096, 262144, 8},
};
constexpr Choice kReduce[] = {
    {2, 0, 7},     {2, 8, 4},     {2, 16, 3},      {2, 32, 1},      {2, 262144, 3},  {2, 524288, 2},   {2, 1048576, 3},
    {4, 0, 4},     {4, 4096, 2},  {4, 65536, 5},   {4, 262144, 1},  {4, 524288, 5},  {4, 1048576, 1},  {8, 0, 4},
    {8, 8192, 5},  {16, 0, 4},    {16, 4096, 5},   {32, 0, 5},      {256, 0, 5},     {256, 8192, 6},   {256, 16384, 5},
    {512, 0, 5},   {2048, 0, 5},  {2048, 512, 6},  {2048, 1024, 5}, {2048, 8192, 6}, {2048, 16384, 5}, {4096, 0, 5},
    {4096, 16, 6}, {4096, 32, 5}, {4096, 1024, 6}, {4096, 2048, 5}, {4096, 8192, 6}, {4096, 16384, 5},
};
constexpr Choice kReduceNonCommutative[] = {
    {2, 0, 6},      {2, 8, 1},  {4, 0, 1},   {8, 0, 6},     {8, 1024, 1},   {8, 8192, 6}, {8, 16384, 1},
    {8, 262144, 6}, {16, 0, 6}, {128, 0, 6}, {128, 512, 1}, {128, 1024, 6}, {256, 0, 6},
};
constexpr Choice kAllreduce[] = {
    {2, 0, 4},        {2, 8, 3},      {2, 4096, 4},     {2, 8192, 3},     {2, 16384, 4},    {2, 65536, 5},
    {2, 262144, 6},   {4, 0, 4},      {4, 16, 3},       {4, 8192, 6},     {8, 0, 3},        {8, 8192, 6},
    {16, 0, 5},       {16, 64, 3},    {16, 4096, 6},    {32, 0, 5},       {32, 128, 6},     {64, 0, 3},
    {64, 262144, 6},  {128, 0, 2},    {128, 131072, 3}, {128, 262144, 6}, {256, 0, 2},      {256, 4096, 6},
    {512, 0, 2},      {512, 2048, 3}, {512, 16384, 6},  {2048, 0, 2},     {2048, 2048, 5},  {2048, 4096, 3},
    {2048, 16384, 6}, {4096, 0, 2},   {4096, 2048, 5},  {4096, 16384, 3}, {4096, 32768, 6},
};
constexpr Choice kAllreduceNonCommutative[] = {
    {2, 0, 3},        {2, 131072, 1},   {4, 0, 3},   {8, 0, 3},      {8, 1048576, 2},  {16, 0, 3},  {128, 0, 2},
    {128, 131072, 3}, {128, 524288, 2}, {256, 0, 2}, {256, 4096, 3}, {256, 524288, 2}, {512, 0, 2}, {512, 2048, 3},
};
constexpr Choice kAllgather[] = {
    {2, 0, 6},         {3, 0, 3},         {32, 0, 3},   {32, 1024, 5}, {32, 65536, 4},   {64, 0, 3},
    {64, 512, 5},      {64, 65536, 4},    {128, 0, 3},  {128, 512, 5}, {128, 131072, 4}, {128, 524288, 5},
    {128, 1048576, 4}, {256, 0, 3},       {256, 32, 2}, {256, 128, 3}, {256, 1024, 5},   {256, 131072, 4},
    {256, 524288, 5},  {256, 1048576, 4}, {512, 0, 3},  {512, 64, 2},  {512, 256, 3},    {512, 2048, 5},
    {1024, 0, 3},      {1024, 4, 2},      {1024, 8, 3}, {1024, 16, 2}, {1024, 32, 3},    {1024, 256, 2},
    {1024, 512, 3},    {1024, 4096, 5},   {2048, 0, 2}, {2048, 32, 3}, {2048, 128, 2},   {2048, 512, 3},
    {2048, 4096, 5},   {4096, 0, 3},      {4096, 2, 2}, {4096, 8, 3},  {4096, 16, 2},    {4096, 512, 3},
    {4096, 4096, 5},
};
constexpr Choice kAllgatherv[] = {
    {2, 0, 3},       {2, 2048, 5},   {2, 4096, 3},      {2, 8192, 5},  {3, 0, 1},       {3, 256, 4},  {3, 4096, 3},
    {3, 8192, 4},    {3, 16384, 2},  {3, 262144, 4},    {8, 0, 1},     {8, 1024, 2},    {16, 0, 1},   {16, 128, 2},
    {16, 262144, 3}, {32, 0, 1},     {32, 256, 2},      {32, 8192, 3}, {64, 0, 1},      {64, 256, 2}, {64, 4096, 3},
    {128, 0, 2},     {128, 1024, 4}, {128, 65536, 3},   {256, 0, 2},   {256, 1024, 3},  {512, 0, 2},  {512, 512, 1},
    {512, 1024, 2},  {512, 4096, 4}, {512, 1048576, 3}, {1024, 0, 2},  {1024, 4096, 4},
};
constexpr Choice kAlltoall[] = {
    {2, 0, 2},        {2, 2, 5},        {2, 4, 2},        {2, 16, 5},        {2, 64, 2},        {2, 256, 5},
    {2, 4096, 2},     {2, 32768, 4},    {2, 262144, 5},   {2, 1048576, 2},   {3, 0, 4},         {3, 8192, 1},
    {3, 16384, 4},    {3, 65536, 1},    {3, 524288, 2},   {3, 1048576, 1},   {8, 0, 4},         {8, 262144, 1},
    {16, 0, 4},       {16, 4, 3},       {16, 512, 4},     {16, 8192, 1},     {16, 32768, 4},    {16, 262144, 1},
    {16, 524288, 4},  {32, 0, 3},       {32, 512, 1},     {32, 524288, 4},   {64, 0, 3},        {64, 1024, 1},
    {64, 2048, 4},    {64, 4096, 1},    {64, 262144, 2},  {128, 0, 3},       {128, 1024, 4},    {128, 2048, 1},
    {128, 262144, 2}, {256, 0, 3},      {256, 1024, 4},   {256, 8192, 1},    {256, 32768, 2},   {512, 0, 3},
    {512, 512, 4},    {512, 8192, 1},   {512, 16384, 4},  {512, 131072, 1},  {512, 262144, 2},  {1024, 0, 3},
    {1024, 512, 4},   {1024, 1024, 1},  {1024, 2048, 4},  {1024, 16384, 1},  {1024, 262144, 4}, {2048, 0, 3},
    {2048, 1024, 4},  {2048, 4096, 1},  {2048, 8192, 4},  {2048, 131072, 1}, {4096, 0, 3},      {4096, 2048, 4},
    {4096, 8192, 1},  {4096, 16384, 4}, {4096, 32768, 1}, {4096, 65536, 4},
};
constexpr Choice kAlltoallv[] = {
    {2, 0, 2}, {4, 0, 1}, {64, 0, 2}, {128, 0, 1}, {256, 0, 2}, {1024, 0, 1},
};
constexpr Choice kGather[] = {
    {2, 0, 3},   {2, 2, 1},      {2, 4, 2},      {2, 32768, 1}, {2, 65536, 2},  {2, 131072, 3},
    {4, 0, 2},   {4, 1024, 1},   {4, 8192, 2},   {4, 32768, 1}, {4, 262144, 3}, {8, 0, 2},
    {256, 0, 2}, {256, 2048, 1}, {256, 8192, 2}, {512, 0, 2},
};
constexpr Choice kScatter[] = {
    {2, 0, 3},       {2, 2, 1},      {2, 131072, 3}, {2, 262144, 1},  {4, 0, 2},  {4, 2048, 1},
    {4, 4096, 2},    {4, 8192, 1},   {4, 32768, 3},  {4, 1048576, 1}, {8, 0, 2},  {8, 16384, 3},
    {8, 1048576, 1}, {16, 0, 2},     {16, 16384, 1}, {16, 32768, 3},  {32, 0, 2}, {32, 512, 3},
    {32, 8192, 2},   {32, 16384, 3}, {64, 0, 2},     {64, 512, 3},
};
constexpr Choice kReduceScatter[] = {
    {2, 0, 3},       {2, 65536, 4},    {2, 131072, 3},   {4, 0, 1},       {4, 8, 2},      {4, 262144, 3},
    {8, 0, 2},       {8, 262144, 3},   {32, 0, 1},       {32, 64, 2},     {32, 2048, 4},  {32, 524288, 3},
    {64, 0, 1},      {64, 256, 2},     {64, 512, 4},     {64, 2048, 2},   {64, 4096, 4},  {128, 0, 1},
    {128, 256, 2},   {128, 512, 4},    {256, 0, 1},      {256, 256, 2},   {256, 1024, 4}, {512, 0, 1},
    {512, 512, 2},   {512, 2048, 4},   {512, 8192, 2},   {512, 16384, 4}, {1024, 0, 1},   {1024, 512, 2},
    {1024, 4096, 4}, {1024, 16384, 2}, {1024, 32768, 4}, {2048, 0, 1},    {2048, 512, 2}, {2048, 4096, 4},
    {4096, 0, 1},    {4096, 1024, 2},  {4096, 8192, 4},
};
constexpr Choice kReduceScatterNonCommutative[] = {
    {2, 0, 1},
};
constexpr Choice kReduceScatterBlock[] = {
    {2, 0, 2},       {2, 4, 4},        {2, 8, 3},        {2, 16, 4},      {2, 128, 3}, {2, 256, 4},
    {2, 4096, 3},    {2, 8192, 4},     {2, 131072, 1},   {4, 0, 3},       {4, 8, 2},   {4, 32, 4},
    {4, 256, 3},     {4, 8192, 4},     {4, 16384, 3},    {4, 1048576, 1}, {8, 0, 1},   {8, 4, 3},
    {8, 32, 4},      {8, 128, 3},      {8, 524288, 1},   {8, 4194304, 4}, {16, 0, 1},  {16, 32, 3},
    {16, 524288, 1}, {16, 2097152, 3}, {16, 4194304, 4}, {32, 0, 3},      {32, 4, 1},  {32, 16, 4},
    {32, 65536, 1},  {32, 262144, 4},
};
constexpr Choice kReduceScatterBlockNonCommutative[] = {
    {2, 0, 1},
};

std::span<const Choice> table_of(const Call& call) {
  switch (call.operation) {
    case Operation::barrier:
      return kBarrier;
    case Operation::bcast:
      return kBcast;
    case Operation::reduce:
      return call.commutative ? std::span<const Choice>(kReduce) : kReduceNonCommutative;
    case Operation::allreduce:
      return call.commutative ? std::span<const Choice>(kAllreduce) : kAllreduceNonCommutative;
    case Operation::allgather:
      return kAllgather;
    case Operation::allgatherv:
      return kAllgatherv;
    case Operation::alltoall:
      return kAlltoall;
    case Operation::alltoallv:
      return kAlltoallv;
    case Operation::gather:
      return kGather;
    case Operation::scatter:
      return kScatter;
    case Operation::reduce_scatter:
      return call.commutative ? std::span<const Choice>(kReduceScatter) : kReduceScatterNonCommutative;
    case Operation::reduce_scatter_block:
      return call.commutative ? std::span<const Choice>(kReduceScatterBlock) : kReduceScatterBlockNonCommutative;
    default:
      return {};
  }
}

std::uint32_t number_in(std::span<const Choice> table, std::uint32_t ranks, std::uint64_t bytes) {
  std::uint32_t row = 0, number = 0;
  for (const Choice& choice : table)
    if (choice.ranks <= ranks) row = choice.ranks;
  for (const Choice& choice : table)
    if (choice.ranks == row && choice.bytes <= bytes) number = choice.number;
  return number;
}

Algorithm named(Operation operation, std::string_view name) {
  for (const Algorithm& algorithm : algorithms_for(kOpenMpi, operation))
    if (algorithm.name == name) return algorithm;
  PLUMBLINE_CHECK(false, "no such algorithm of Open MPI: " + std::string(name));
}

Algorithm numbered(Operation operation, std::uint32_t number) {
  for (const Algorithm& algorithm : algorithms_for(kOpenMpi, operation))
    if (algorithm.number == number) return algorithm;
  PLUMBLINE_CHECK(false, "no algorithm of Open MPI with number " + std::to_string(number));
}

}  // namespace

std::uint64_t openmpi_compared_bytes(const Call& call) {
  switch (call.operation) {
    case Operation::allgatherv:
      return Blocks(call).total() / call.ranks;
    case Operation::reduce_scatter:
      return Blocks(call).total();
    case Operation::barrier:
    case Operation::alltoallv:
    case Operation::alltoallw:
    case Operation::gatherv:
    case Operation::scatterv:
    case Operation::scan:
    case Operation::exscan:
      return 0;
    default:
      return bytes_of(call);
  }
}

Algorithm openmpi_choice(const Call& call) {
  check(call);
  if (is_non_blocking(call.operation)) return libnbc_choice(call);
  if (call.ranks == 1) return named(call.operation, "self");
  const std::span<const Choice> table = table_of(call);
  if (table.empty()) return effective(named(call.operation, "linear"), call);  // coll/basic
  return effective(numbered(call.operation, number_in(table, call.ranks, openmpi_compared_bytes(call))), call);
}

}  // namespace plumbline::replay::collectives::schedules
