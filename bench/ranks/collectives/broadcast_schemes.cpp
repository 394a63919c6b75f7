// How benchmarks time broadcasts: one at a time, many in a loop, many with another root each time (Hoefler, Schneider,
// Lumsdaine, "LogGP in theory and practice", 2009, section 4). Only the first is the time of a broadcast:
// docs/notebook/broadcasts-in-a-loop.md.

#include <climits>
#include <vector>

#include "base/error.hpp"
#include "bench/algorithms/table.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kSchemes[] = {"isolated", "loop", "rotating root"};
enum Scheme : std::size_t { kIsolated, kLoop, kRotatingRoot };

// One repetition: so many broadcasts with nothing in between.
struct Broadcasts {
  std::vector<std::byte> data;
  algorithms::Function* function;
  std::uint64_t number = 1;
  bool rotates = false;

  int operator()(MPI_Comm comm) {
    try {
      const auto ranks = static_cast<std::uint64_t>(size_of(comm));
      for (std::uint64_t k = 0; k < number; ++k)
        function({.comm = comm, .receive = data, .root = rotates ? static_cast<int>(k % ranks) : 0});
      return MPI_SUCCESS;
    } catch (const MpiFailure& failure) {
      return failure.code;
    }
  }
};

void bcast_library(const algorithms::Call& call) {
  must(MPI_Bcast(call.receive.data(), static_cast<int>(call.receive.size()), MPI_BYTE, call.root, call.comm));
}

algorithms::Function* function_of(const Request& request) {
  if (request.implementation == "library") return bcast_library;
  return algorithms::find_implementation(algorithms::Operation::kBcast, request.implementation)->function;
}

Broadcasts make_broadcasts(const Request& request, std::uint64_t bytes) {
  if (bytes > INT_MAX) throw Error(request.operation, "a broadcast of 2 GiB or more does not fit MPI's counts");
  const std::size_t scheme = choice(request, "scheme", kSchemes);
  return {std::vector<std::byte>(bytes), function_of(request),
          scheme == kIsolated ? 1 : count(request, "broadcasts", 1), scheme == kRotatingRoot};
}

// The time of each of them as such a benchmark tells it.
void divide(std::vector<double>& seconds, std::uint64_t number) {
  for (double& value : seconds) value /= static_cast<double>(number);
}

void measure_schemes(const Context& context, const Request& request) {
  for_each_size(context, request, [&](std::uint64_t bytes) {
    Broadcasts broadcasts = together(context.world, [&] { return make_broadcasts(request, bytes); });
    Cell cell =
        measure_cell(context.world, operation_of("broadcasts", broadcasts), request.effort, cell_of(request, bytes));
    cell.numbers["broadcasts"] = static_cast<double>(broadcasts.number);
    divide(cell.seconds, broadcasts.number);
    divide(cell.of_ranks, broadcasts.number);
    context.give(cell);
    return median_time(cell);
  });
}

constexpr FamilyParameter kSchemeParameters[] = {
    {"scheme", "isolated, loop, or rotating root", "isolated", true},
    {"broadcasts", "of a loop", "1000"},
};

std::span<const std::string_view> implementations() {
  static const std::vector<std::string_view> all = [] {
    std::vector<std::string_view> names{"library"};
    for (const auto& each : algorithms::implementations_of(algorithms::Operation::kBcast))
      if (each.needs == algorithms::Needs::kAny) names.push_back(each.name);
    return names;
  }();
  return all;
}

}  // namespace

std::span<const Family> broadcast_scheme_families() {
  static const Family family[] = {
      {"bcast_scheme", "what benchmarks call the time of a broadcast: the whole of a repetition over its broadcasts",
       "the data", implementations(), kSchemeParameters, 2, measure_schemes}};
  return family;
}

}  // namespace plumbline::bench
