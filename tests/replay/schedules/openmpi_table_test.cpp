// The fixed decision of coll/tuned, table by table: each row is a range of ranks, then the number of the algorithm by
// the compared size in bytes; ">=64: 6" holds from 64 bytes on. At each threshold, below it and at both ends of the
// ranks the choice must be that algorithm, or what runs for it.
#include <gtest/gtest.h>

#include <map>
#include <sstream>

#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"
#include "tests/replay/schedules/player.hpp"

namespace plumbline::replay::collectives::schedules {
namespace {

struct Table {
  Operation operation;
  bool commutative;
  const char* names;
  const char* rows;
};

const Table kTables[] = {
    {Operation::barrier, true, "1=linear 2=double_ring 3=recursive_doubling 4=bruck 5=two_proc 6=tree",
     R"(
2..3: 3
4..7: 1
8..63: 3
64..255: 4
256..511: 6
512..1023: 4
1024..4095: 6
4096+: 4)"},
    {Operation::bcast, true,
     "1=basic_linear 2=chain 3=pipeline 4=split_binary_tree 5=binary_tree 6=binomial 7=knomial "
     "8=scatter_allgather 9=scatter_allgather_ring",
     R"(
2..3: 3, >=32: 5, >=256: 3, >=512: 7, >=1024: 1, >=32768: 5, >=131072: 2, >=262144: 1, >=524288: 6, >=1048576: 5
4..7: 5, >=64: 6, >=128: 5, >=2048: 6, >=8192: 1, >=1048576: 2
8..15: 7, >=8: 5, >=64: 7, >=4096: 5, >=16384: 6, >=32768: 1
16..31: 7, >=4096: 6, >=1048576: 8
32..63: 6, >=2048: 7
64..127: 7
128..255: 6, >=2: 5, >=16384: 1, >=32768: 5, >=65536: 7
256..1023: 7, >=16384: 4, >=32768: 7
1024..2047: 7, >=524288: 8
2048..4095: 7, >=262144: 8
4096+: 7, >=8192: 5, >=16384: 7, >=262144: 8)"},
    {Operation::reduce, true, "1=linear 2=chain 3=pipeline 4=binary 5=binomial 6=in_order_binary 7=rabenseifner",
     R"(
2..3: 7, >=8: 4, >=16: 3, >=32: 1, >=262144: 3, >=524288: 2, >=1048576: 3
4..7: 4, >=4096: 2, >=65536: 5, >=262144: 1, >=524288: 5, >=1048576: 1
8..15: 4, >=8192: 5
16..31: 4, >=4096: 5
32..255: 5
256..511: 5, >=8192: 6, >=16384: 5
512..2047: 5
2048..4095: 5, >=512: 6, >=1024: 5, >=8192: 6, >=16384: 5
4096+: 5, >=16: 6, >=32: 5, >=1024: 6, >=2048: 5, >=8192: 6, >=16384: 5)"},
    {Operation::reduce, false, "1=linear 2=chain 3=pipeline 4=binary 5=binomial 6=in_order_binary 7=rabenseifner",
     R"(
2..3: 6, >=8: 1
4..7: 1
8..15: 6, >=1024: 1, >=8192: 6, >=16384: 1, >=262144: 6
16..127: 6
128..255: 6, >=512: 1, >=1024: 6
256+: 6)"},
    {Operation::allreduce, true,
     "1=basic_linear 2=nonoverlapping 3=recursive_doubling 4=ring 5=segmented_ring 6=rabenseifner",
     R"(
2..3: 4, >=8: 3, >=4096: 4, >=8192: 3, >=16384: 4, >=65536: 5, >=262144: 6
4..7: 4, >=16: 3, >=8192: 6
8..15: 3, >=8192: 6
16..31: 5, >=64: 3, >=4096: 6
32..63: 5, >=128: 6
64..127: 3, >=262144: 6
128..255: 2, >=131072: 3, >=262144: 6
256..511: 2, >=4096: 6
512..2047: 2, >=2048: 3, >=16384: 6
2048..4095: 2, >=2048: 5, >=4096: 3, >=16384: 6
4096+: 2, >=2048: 5, >=16384: 3, >=32768: 6)"},
    {Operation::allreduce, false,
     "1=basic_linear 2=nonoverlapping 3=recursive_doubling 4=ring 5=segmented_ring 6=rabenseifner",
     R"(
2..3: 3, >=131072: 1
4..7: 3
8..15: 3, >=1048576: 2
16..127: 3
128..255: 2, >=131072: 3, >=524288: 2
256..511: 2, >=4096: 3, >=524288: 2
512+: 2, >=2048: 3)"},
    {Operation::allgather, true, "1=linear 2=bruck 3=recursive_doubling 4=ring 5=neighbor 6=two_proc",
     R"(
2..2: 6
3..31: 3
32..63: 3, >=1024: 5, >=65536: 4
64..127: 3, >=512: 5, >=65536: 4
128..255: 3, >=512: 5, >=131072: 4, >=524288: 5, >=1048576: 4
256..511: 3, >=32: 2, >=128: 3, >=1024: 5, >=131072: 4, >=524288: 5, >=1048576: 4
512..1023: 3, >=64: 2, >=256: 3, >=2048: 5
1024..2047: 3, >=4: 2, >=8: 3, >=16: 2, >=32: 3, >=256: 2, >=512: 3, >=4096: 5
2048..4095: 2, >=32: 3, >=128: 2, >=512: 3, >=4096: 5
4096+: 3, >=2: 2, >=8: 3, >=16: 2, >=512: 3, >=4096: 5)"},
    {Operation::allgatherv, true, "1=default 2=bruck 3=ring 4=neighbor 5=two_proc",
     R"(
2..2: 3, >=2048: 5, >=4096: 3, >=8192: 5
3..7: 1, >=256: 4, >=4096: 3, >=8192: 4, >=16384: 2, >=262144: 4
8..15: 1, >=1024: 2
16..31: 1, >=128: 2, >=262144: 3
32..63: 1, >=256: 2, >=8192: 3
64..127: 1, >=256: 2, >=4096: 3
128..255: 2, >=1024: 4, >=65536: 3
256..511: 2, >=1024: 3
512..1023: 2, >=512: 1, >=1024: 2, >=4096: 4, >=1048576: 3
1024+: 2, >=4096: 4)"},
    {Operation::alltoall, true, "1=linear 2=pairwise 3=modified_bruck 4=linear_sync 5=two_proc",
     R"(
2..2: 2, >=2: 5, >=4: 2, >=16: 5, >=64: 2, >=256: 5, >=4096: 2, >=32768: 4, >=262144: 5, >=1048576: 2
3..7: 4, >=8192: 1, >=16384: 4, >=65536: 1, >=524288: 2, >=1048576: 1
8..15: 4, >=262144: 1
16..31: 4, >=4: 3, >=512: 4, >=8192: 1, >=32768: 4, >=262144: 1, >=524288: 4
32..63: 3, >=512: 1, >=524288: 4
64..127: 3, >=1024: 1, >=2048: 4, >=4096: 1, >=262144: 2
128..255: 3, >=1024: 4, >=2048: 1, >=262144: 2
256..511: 3, >=1024: 4, >=8192: 1, >=32768: 2
512..1023: 3, >=512: 4, >=8192: 1, >=16384: 4, >=131072: 1, >=262144: 2
1024..2047: 3, >=512: 4, >=1024: 1, >=2048: 4, >=16384: 1, >=262144: 4
2048..4095: 3, >=1024: 4, >=4096: 1, >=8192: 4, >=131072: 1
4096+: 3, >=2048: 4, >=8192: 1, >=16384: 4, >=32768: 1, >=65536: 4)"},
    {Operation::alltoallv, true, "1=basic_linear 2=pairwise",
     R"(
2..3: 2
4..63: 1
64..127: 2
128..255: 1
256..1023: 2
1024+: 1)"},
    {Operation::gather, true, "1=basic_linear 2=binomial 3=linear_sync",
     R"(
2..3: 3, >=2: 1, >=4: 2, >=32768: 1, >=65536: 2, >=131072: 3
4..7: 2, >=1024: 1, >=8192: 2, >=32768: 1, >=262144: 3
8..255: 2
256..511: 2, >=2048: 1, >=8192: 2
512+: 2)"},
    {Operation::scatter, true, "1=basic_linear 2=binomial 3=linear_nb",
     R"(
2..3: 3, >=2: 1, >=131072: 3, >=262144: 1
4..7: 2, >=2048: 1, >=4096: 2, >=8192: 1, >=32768: 3, >=1048576: 1
8..15: 2, >=16384: 3, >=1048576: 1
16..31: 2, >=16384: 1, >=32768: 3
32..63: 2, >=512: 3, >=8192: 2, >=16384: 3
64+: 2, >=512: 3)"},
    {Operation::reduce_scatter, true, "1=non_overlapping 2=recursive_halving 3=ring 4=butterfly",
     R"(
2..3: 3, >=65536: 4, >=131072: 3
4..7: 1, >=8: 2, >=262144: 3
8..31: 2, >=262144: 3
32..63: 1, >=64: 2, >=2048: 4, >=524288: 3
64..127: 1, >=256: 2, >=512: 4, >=2048: 2, >=4096: 4
128..255: 1, >=256: 2, >=512: 4
256..511: 1, >=256: 2, >=1024: 4
512..1023: 1, >=512: 2, >=2048: 4, >=8192: 2, >=16384: 4
1024..2047: 1, >=512: 2, >=4096: 4, >=16384: 2, >=32768: 4
2048..4095: 1, >=512: 2, >=4096: 4
4096+: 1, >=1024: 2, >=8192: 4)"},
    {Operation::reduce_scatter, false, "1=non_overlapping 2=recursive_halving 3=ring 4=butterfly",
     R"(
2+: 1)"},
    {Operation::reduce_scatter_block, true, "1=basic_linear 2=recursive_doubling 3=recursive_halving 4=butterfly",
     R"(
2..3: 2, >=4: 4, >=8: 3, >=16: 4, >=128: 3, >=256: 4, >=4096: 3, >=8192: 4, >=131072: 1
4..7: 3, >=8: 2, >=32: 4, >=256: 3, >=8192: 4, >=16384: 3, >=1048576: 1
8..15: 1, >=4: 3, >=32: 4, >=128: 3, >=524288: 1, >=4194304: 4
16..31: 1, >=32: 3, >=524288: 1, >=2097152: 3, >=4194304: 4
32+: 3, >=4: 1, >=16: 4, >=65536: 1, >=262144: 4)"},
    {Operation::reduce_scatter_block, false, "1=basic_linear 2=recursive_doubling 3=recursive_halving 4=butterfly",
     R"(
2+: 1)"},
};

// With type_bytes 1, so that the compared size is `bytes`.
Call call_comparing(const Table& table, std::uint32_t ranks, std::uint64_t bytes) {
  Call call = call_of(table.operation, ranks, bytes);
  call.commutative = table.commutative;
  if (table.operation == Operation::allgatherv) call.counts.assign(ranks, bytes);
  if (table.operation == Operation::alltoallv) call.counts.assign(std::size_t{ranks} * ranks, bytes);
  if (table.operation == Operation::reduce_scatter) {
    call.counts.assign(ranks, 0);
    call.counts.back() = bytes;
  }
  return call;
}

std::map<std::uint32_t, std::string> names_of(const Table& table) {
  std::map<std::uint32_t, std::string> names;
  std::istringstream words(table.names);
  for (std::string word; words >> word;)
    names[static_cast<std::uint32_t>(std::stoul(word))] = word.substr(word.find('=') + 1);
  return names;
}

// "2..3" or "64+", which is tried at 64 and at twice as many.
std::pair<std::uint32_t, std::uint32_t> ranks_of(const std::string& range) {
  const auto first = static_cast<std::uint32_t>(std::stoul(range));
  const std::size_t dots = range.find("..");
  return {first,
          dots == std::string::npos ? 2 * first : static_cast<std::uint32_t>(std::stoul(range.substr(dots + 2)))};
}

// "3, >=32: 5" as {0, 3}, {32, 5}.
std::vector<std::pair<std::uint64_t, std::uint32_t>> steps_of(std::string text) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> steps;
  std::istringstream parts(text);
  for (std::string part; std::getline(parts, part, ',');) {
    const std::size_t from = part.find(">="), colon = part.find(':');
    if (from == std::string::npos) {
      steps.emplace_back(0, std::stoul(part));
    } else {
      steps.emplace_back(std::stoull(part.substr(from + 2)), std::stoul(part.substr(colon + 1)));
    }
  }
  return steps;
}

class OpenMpiTable : public testing::TestWithParam<Table> {
 protected:
  void expect(std::uint32_t ranks, std::uint64_t bytes, std::uint32_t number) {
    if (GetParam().operation == Operation::alltoallv && ranks > 1024) return;  // a matrix of ranks x ranks counts
    const Call call = call_comparing(GetParam(), ranks, bytes);
    const Algorithm asked = algorithm_named(kOpenMpi, GetParam().operation, names_.at(number));
    EXPECT_EQ(asked.number, number);
    EXPECT_EQ(openmpi_choice(call), effective(asked, call)) << ranks << " ranks, " << bytes << " B";
    ++tried_;
  }

  const std::map<std::uint32_t, std::string> names_ = names_of(GetParam());
  int tried_ = 0;
};

TEST_P(OpenMpiTable, HoldsAtEveryThresholdAndBelow) {
  std::istringstream rows(GetParam().rows);
  for (std::string row; std::getline(rows, row);) {
    if (row.empty()) continue;
    const std::size_t colon = row.find(": ");
    const auto [first, last] = ranks_of(row.substr(0, colon));
    const auto steps = steps_of(row.substr(colon + 2));
    for (const std::uint32_t ranks : {first, last})
      for (std::size_t i = 0; i < steps.size(); ++i) {
        expect(ranks, steps[i].first, steps[i].second);
        expect(ranks, i + 1 < steps.size() ? steps[i + 1].first - 1 : steps[i].first * 2, steps[i].second);
      }
  }
  EXPECT_GE(tried_, 2);
}

std::string name_of(const testing::TestParamInfo<Table>& info) {
  return std::string(to_string(info.param.operation)) + (info.param.commutative ? "" : "_not_commutative");
}

INSTANTIATE_TEST_SUITE_P(Schedule, OpenMpiTable, testing::ValuesIn(kTables), name_of);

}  // namespace
}  // namespace plumbline::replay::collectives::schedules
