// Blocking collectives: the library's, and our own in its place.

#include <fmt/format.h>

#include "base/error.hpp"
#include "bench/ranks/collectives/collective_call.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

struct ByLibrary {
  const Collective& collective;
  CollectiveCall& call;

  int operator()(MPI_Comm) { return collective.function(call, call.send.next(), call.receive.next(), nullptr); }
};

struct ByOurs {
  algorithms::Function* function;
  CollectiveCall& call;
  std::size_t segment;

  int operator()(MPI_Comm) {
    try {
      const auto* from = reinterpret_cast<const std::byte*>(call.send.next());
      auto* to = reinterpret_cast<std::byte*>(call.receive.next());
      function({call.comm, {from, call.send_bytes}, {to, call.receive_bytes}, call.root, call.type, call.op, segment});
      return MPI_SUCCESS;
    } catch (const MpiFailure& failure) {
      return failure.code;
    } catch (...) {
      return MPI_ERR_NO_MEM;
    }
  }
};

// Null: the library's.
const algorithms::Implementation* ours(const Collective& collective, const Request& request, int ranks) {
  if (request.implementation == "library") return nullptr;
  const auto* found = algorithms::find_implementation(*collective.ours, request.implementation);
  if (found->works_with(ranks)) return found;
  throw Error(request.operation, fmt::format("'{}' is not made for {} ranks", request.implementation, ranks),
              found->needs == algorithms::Needs::kEven ? "it needs an even number" : "it needs a power of two");
}

Cell measure_size(const Context& context, const Request& request, const Collective& collective, std::uint64_t bytes) {
  const auto* own = ours(collective, request, size_of(context.world));
  CollectiveCall call = together(context.world, [&] { return make_call(collective, request, bytes, context.world); });
  Cell cell = cell_of(request, bytes);
  const auto measure = [&](auto body) {
    return measure_cell(context.world, operation_of(collective.name.data(), body), request.effort, std::move(cell));
  };
  if (own == nullptr) return measure(ByLibrary{collective, call});
  const std::size_t segment = collective.bytes.empty() ? 0 : count(request, "segment");
  return measure(ByOurs{own->function, call, segment});
}

void measure_collective(const Context& context, const Request& request) {
  const Collective& collective = collective_of(request.operation);
  if (request.effort.timing == "acknowledged" && !collective.from_root)
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  for_each_size(context, request, [&](std::uint64_t bytes) {
    const Cell cell = measure_size(context, request, collective, whole_elements(collective, request, bytes));
    context.give(cell);
    return median_time(cell);
  });
}

// Names and parameters of a family must outlive it.
struct Described {
  std::vector<std::string_view> implementations{"library"};
  std::vector<FamilyParameter> parameters;
};

Described describe(const Collective& collective) {
  Described described;
  described.parameters = parameters_of(collective);
  if (collective.ours == nullptr) return described;
  for (const algorithms::Implementation& each : algorithms::implementations_of(*collective.ours))
    described.implementations.push_back(each.name);
  if (!collective.bytes.empty())
    described.parameters.push_back({"segment", "of our own pipelines, in bytes; 0: 32 KiB", "0"});
  return described;
}

}  // namespace

std::span<const Family> collective_families() {
  static const std::vector<Described> described = [] {
    std::vector<Described> all;
    for (const Collective& collective : collectives()) all.push_back(describe(collective));
    return all;
  }();
  static const std::vector<Family> all = [] {
    std::vector<Family> made;
    for (std::size_t i = 0; i < described.size(); ++i) {
      const Collective& each = collectives()[i];
      made.push_back({each.name, each.summary, each.bytes, described[i].implementations, described[i].parameters, 1,
                      measure_collective});
    }
    return made;
  }();
  return all;
}

}  // namespace plumbline::bench
