// Non-blocking collectives, and how much of them goes on while ranks compute.

#include <string>

#include "bench/ranks/collectives/collective_call.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/overlap.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

void measure_nonblocking(const Context& context, const Request& request) {
  const Collective& collective = collective_of(std::string_view(request.operation).substr(1));
  for_each_size(context, request, [&](std::uint64_t asked) {
    const std::uint64_t bytes = whole_elements(collective, request, asked);
    CollectiveCall call = together(context.world, [&] { return make_call(collective, request, bytes, context.world); });
    return measure_overlap(context, context.world, request, cell_of(request, bytes), [&](MPI_Request* handle) {
      return collective.function(call, call.send.next(), call.receive.next(), handle);
    });
  });
}

struct NonBlocking {
  std::string name, summary;
  std::vector<FamilyParameter> parameters;
};

std::vector<NonBlocking> describe_all() {
  std::vector<NonBlocking> all;
  for (const Collective& collective : collectives()) {
    std::vector<FamilyParameter> parameters = parameters_of(collective);
    parameters.insert(parameters.end(), {kTests, kCompute});
    all.push_back({"i" + std::string(collective.name),
                   std::string(collective.name) + " that does not block: alone, beside computing, and computing alone",
                   std::move(parameters)});
  }
  return all;
}

}  // namespace

std::span<const Family> nonblocking_families() {
  static const std::vector<NonBlocking> described = describe_all();
  static const std::vector<Family> all = [] {
    std::vector<Family> made;
    for (std::size_t i = 0; i < described.size(); ++i)
      made.push_back({described[i].name, described[i].summary, collectives()[i].bytes, kOnlyLibrary,
                      described[i].parameters, 1, measure_nonblocking, kPhasesOfOverlap});
    return made;
  }();
  return all;
}

}  // namespace plumbline::bench
