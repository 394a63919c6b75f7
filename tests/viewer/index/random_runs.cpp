#include "random_runs.hpp"

#include <algorithm>
#include <cstdio>
#include <vector>

#include "tests/support/seed.hpp"
#include "viewer/index/runs/marks.hpp"

namespace plumbline::viewer {
namespace {

using replay::Operation;
using replay::OperationTimes;
using replay::OpKind;

// Mostly short, sometimes of the order of the whole.
std::int64_t random_length(std::int64_t share, std::int64_t most, std::mt19937_64& random) {
  switch (random() % 8) {
    case 0:
    case 1:
      return 0;
    case 2:
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most / 4 + 1));
    case 3:
      return 1;
    default:
      return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * share + 2));
  }
}

// In order, from somewhere near the begin, until `operations` are there or the time is over.
std::vector<OperationTimes> random_times(std::uint32_t operations, std::int64_t most, std::mt19937_64& random) {
  std::vector<OperationTimes> times;
  const std::int64_t share = most / (2 * std::int64_t{operations} + 2);
  std::int64_t now = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(share + 1));
  while (times.size() < operations) {
    now = std::min(most, now + random_length(share, most / 4, random));
    const std::int64_t end = std::min(most, now + random_length(share, most / 2, random));
    times.push_back({{now}, {end}});
    now = end;
  }
  return times;
}

Operation random_operation(replay::ProgramBuilder& builder, std::mt19937_64& random) {
  Operation operation;
  operation.site = random() % 3 == 0 ? replay::kNone : builder.site(random() % 2 == 0 ? "f (a.c:1)" : "g (b.c:2)");
  operation.bytes = random() % 5000;
  switch (random() % 7) {
    case 0:
      operation.kind = OpKind::kSend, operation.comm = 0, operation.peer = 0, operation.call = builder.call("MPI_Send");
      break;
    case 1:
      operation.kind = OpKind::kWait, operation.call = builder.call("MPI_Waitall");
      break;
    case 2:
      operation.kind = OpKind::kIoWrite, operation.comm = builder.file("/out"), operation.call = builder.call("write");
      break;
    case 3:
      operation.kind = OpKind::kIoRead, operation.comm = builder.file("/in"), operation.flags = replay::kIoIsMpi;
      operation.call = builder.call("MPI_File_read");
      break;
    case 4:
      operation.kind = OpKind::kCommCreate, operation.comm = 0, operation.call = builder.call("MPI_Comm_dup");
      break;
    case 5:
      operation.kind = OpKind::kUnmodelled, operation.call = builder.call("MPI_Init");
      break;
    default:
      operation.call = builder.call(random() % 2 == 0 ? "MPI_Test" : "MPI_Comm_rank");
  }
  return operation;
}

void add_rank(replay::ProgramBuilder& builder, const std::vector<OperationTimes>& times, std::mt19937_64& random) {
  builder.begin_rank(builder.node(random() % 2 == 0 ? "n0" : "n1"), 4);
  for (const OperationTimes& t : times) builder.add(random_operation(builder, random), t);
  for (std::uint32_t operation = 0; operation < times.size(); ++operation)
    if (random() % 40 == 0)
      builder.not_judged(operation, random() % 2 == 0 ? "the process ended in this call" : "for a reason");
  builder.end_rank(0);
}

Duration near(Duration duration, std::mt19937_64& random) {
  const auto length = static_cast<std::uint64_t>(duration.ps);
  switch (random() % 4) {
    case 0:
      return duration;
    case 1:
      return Duration{static_cast<std::int64_t>(random() % (length + 1))};
    case 2:
      return Duration{static_cast<std::int64_t>(std::min<std::uint64_t>(length + random() % (length + 2), 1ULL << 60))};
    default:
      return Duration{static_cast<std::int64_t>(random() % 1'000'000)};
  }
}

replay::ExpectedRank random_columns(std::span<const OperationTimes> observed, const RandomShape& shape,
                                    std::mt19937_64& random) {
  replay::ExpectedRank columns;
  const std::int64_t most = std::int64_t{1} << shape.time_bits;
  std::vector<OperationTimes> free = random_times(static_cast<std::uint32_t>(observed.size()), most, random);
  if (!shape.free_in_order)
    for (OperationTimes& times : free)
      times = {{static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most))},
               {static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most))}};
  for (std::size_t i = 0; i < observed.size(); ++i) {
    const Duration length = observed[i].end - observed[i].begin;
    const Duration lower = near(length, random), upper = std::max(lower, near(length, random));
    columns.free.push_back(free[i]);
    columns.lower.push_back(lower);
    columns.upper.push_back(upper);
    columns.band.push_back(random() % 2 == 0 ? Duration{} : near(length, random));
    columns.as_run.push_back(near(length, random));
    columns.as_run_upper.push_back(near(length, random));
    columns.ideal_io.push_back(0);
    columns.not_judged.push_back(random() % 50 == 0 ? 0 : replay::kNone);
  }
  return columns;
}

replay::Program random_program(const std::filesystem::path& file, const RandomShape& shape, std::mt19937_64& random) {
  replay::ProgramBuilder builder(file);
  const std::uint32_t everybody[] = {0, 1, 2, 3, 4, 5, 6, 7};
  builder.comm(std::span(everybody).first(shape.ranks));
  for (std::uint32_t rank = 0; rank < shape.ranks; ++rank) {
    const bool is_empty = rank > 0 && rank + 1 == shape.ranks && random() % 2 == 0;
    const auto operations = is_empty ? 0U : static_cast<std::uint32_t>(1 + random() % shape.operations);
    add_rank(builder, random_times(operations, std::int64_t{1} << shape.time_bits, random), random);
  }
  return builder.finish();
}

}  // namespace

Runs random_runs(const std::filesystem::path& file, const RandomShape& shape, std::mt19937_64& random) {
  Runs runs{.observed = random_program(file, shape, random), .expected = {}, .comparison = {}};
  if (shape.is_compared) {
    runs.expected.emplace().reasons = {"a reason of the replay"};
    for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
      runs.expected->ranks.push_back(random_columns(runs.observed.rank(rank).times, shape, random));
  }
  std::vector<OperationId> of_findings;
  for (std::uint32_t rank = 0; rank < runs.observed.ranks(); ++rank)
    for (std::uint32_t i = 0; i < runs.observed.rank(rank).operations.size(); ++i)
      if (random() % 100 == 0) of_findings.push_back({rank, i});
  set_marks(runs, of_findings);
  return runs;
}

std::mt19937_64 printed_random() {
  const std::uint64_t seed = test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  return std::mt19937_64(seed);
}

}  // namespace plumbline::viewer
