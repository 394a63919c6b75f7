// What a rank does without others: memory that is copied, vectors that are joined, time that is spent.

#include <climits>
#include <cmath>
#include <cstring>

#include "base/error.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/memory_area.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

void refuse_acknowledged(const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
}

// --- Memory

struct Copy {
  MemoryArea from, to;
  std::size_t bytes = 0;
  bool takes_part = true;

  int operator()(MPI_Comm) {
    if (!takes_part) return MPI_SUCCESS;
    char* target = to.next();
    std::memcpy(target, from.next(), bytes);
    asm volatile("" ::"r"(target) : "memory");  // the copy is the purpose
    return MPI_SUCCESS;
  }
};

// How many ranks of the first node copy at once.
std::uint32_t copying(const Context& context, bool all) {
  std::uint32_t number_of_them = 0;
  for (const std::uint32_t node : context.places.node_of) number_of_them += node == 0 ? 1 : 0;
  return all ? number_of_them : 1;
}

void measure_copy(const Context& context, const Request& request) {
  refuse_acknowledged(request);
  constexpr std::string_view kWho[] = {"all", "one"};
  const bool all = choice(request, "ranks", kWho) == 0;
  const std::uint64_t fresh = count(request, kFreshMib.name);
  const bool takes_part = all || rank_in(context.world) == 0;
  for_each_size(context, request, [&](std::uint64_t bytes) {
    Copy copy = together(context.world, [&] {
      const std::size_t own = takes_part ? bytes : 0;
      return Copy{MemoryArea(own, takes_part ? fresh : 0), MemoryArea(own, takes_part ? fresh : 0), own, takes_part};
    });
    Cell cell = cell_of(request, bytes);
    cell.in_flight = copying(context, all);
    cell = measure_cell(context.world, operation_of("memory_copy", copy), request.effort, std::move(cell));
    context.give(cell);
    return median_time(cell);
  });
}

// --- Vectors

struct Join {
  MemoryArea from, into;
  int count = 0;

  int operator()(MPI_Comm) { return MPI_Reduce_local(from.next(), into.next(), count, MPI_DOUBLE, MPI_SUM); }
};

void measure_join(const Context& context, const Request& request) {
  refuse_acknowledged(request);
  const std::uint64_t fresh = count(request, kFreshMib.name);
  for_each_size(context, request, [&](std::uint64_t asked) {
    const std::uint64_t elements = (asked + sizeof(double) - 1) / sizeof(double), bytes = elements * sizeof(double);
    if (elements > INT_MAX) throw Error(request.operation, "more elements than MPI counts", "measure smaller sizes");
    Join join = together(context.world, [&] {
      return Join{MemoryArea(bytes, fresh), MemoryArea(bytes, fresh), static_cast<int>(elements)};
    });
    Cell cell =
        measure_cell(context.world, operation_of("reduce_local", join), request.effort, cell_of(request, bytes));
    context.give(cell);
    return median_time(cell);
  });
}

// --- Time

void wait_ns(std::int64_t ns) {
  const std::int64_t end = now_ns() + ns;
  while (now_ns() < end) {
  }
}

// Everybody waits, the last rank longer.
struct Delay {
  std::int64_t all_ns = 0, extra_ns = 0;

  int operator()(MPI_Comm comm) {
    wait_ns(all_ns + (rank_in(comm) == size_of(comm) - 1 ? extra_ns : 0));
    return MPI_SUCCESS;
  }
};

std::int64_t nanoseconds(const Request& request, std::string_view name) {
  const double us = number(request, name);
  if (!(us >= 0 && us <= 1e7)) throw Error(request.operation, "a delay is not between 0 and 10 s");
  return std::llround(us * 1e3);
}

void measure_delay(const Context& context, const Request& request) {
  refuse_acknowledged(request);
  Delay delay{nanoseconds(request, "delay_us"), nanoseconds(request, "extra_us")};
  context.give(measure_cell(context.world, operation_of("delay", delay), request.effort, cell_of(request, 0)));
}

constexpr FamilyParameter kCopyParameters[] = {
    {"ranks", "all, at once, or one, the first", "all", true},
    kFreshMib,
};
constexpr FamilyParameter kJoinParameters[] = {kFreshMib};
constexpr FamilyParameter kDelayParameters[] = {
    {"delay_us", "how long every rank is in it", "100"},
    {"extra_us", "how much longer the last rank is", "0"},
};

constexpr Family kLocalFamilies[] = {
    {"memory_copy", "each rank copies from one buffer of its own to another", "what is copied", kOnlyLibrary,
     kCopyParameters, 1, measure_copy},
    {"reduce_local", "each rank joins two vectors of its own: sums of double (MPI_Reduce_local)", "a vector",
     kOnlyLibrary, kJoinParameters, 1, measure_join},
    {"delay", "nothing but a time that is known: what a method of timing makes of it on this machine", "", kOnlyLibrary,
     kDelayParameters, 1, measure_delay},
};

}  // namespace

std::span<const Family> local_families() { return kLocalFamilies; }

}  // namespace plumbline::bench
