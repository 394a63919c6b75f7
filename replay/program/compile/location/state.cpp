#include "replay/program/compile/location/state.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "replay/program/compile/context/group_properties.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {

namespace names = archive::names;

TracerCost tracer_cost(const archive::Definitions& definitions, std::uint32_t location) {
  const std::uint32_t group = definitions.locations[location].group;
  if (group >= definitions.location_groups.size()) return {};
  const archive::LocationGroup& process = definitions.location_groups[group];
  TracerCost cost;
  cost.inside = Duration{number(process, names::kPropertyCostInside)};
  cost.outside = Duration{number(process, names::kPropertyCostOutside)};
  if (process.properties.contains(names::kPropertyPollGap))
    cost.poll_gap = Duration{number(process, names::kPropertyPollGap)};
  return cost;
}

}  // namespace plumbline::replay

namespace plumbline::replay::compiling {

LocationState::LocationState(CompileContext& of_archive, std::uint32_t of_rank, TracerCost of_tracer,
                             const InsideOfCalls* of_calls)
    : context(of_archive),
      builder(context.builder),
      rank(of_rank),
      cost(of_tracer),
      walker(context.calls),
      unrecorded_posts(context.scratch),
      inner(context, positions),
      inside(of_calls),
      first_operations(context.scratch),
      inner_messages(context.scratch) {
  if (inside != nullptr) inner_messages.assign(inside->messages.size(), kNone);
}

void fail(const LocationState& location, std::string_view what) {
  throw Error(fmt::format("{}: rank {}, event {}", location.context.where, location.rank, location.events),
              std::string(what));
}

Operation unmodelled(LocationState& location, std::string_view reason) {
  location.reason = reason;
  return of_kind(OpKind::kUnmodelled);
}

}  // namespace plumbline::replay::compiling
