#include "replay/program/compile/location/state.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"

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
