#pragma once
// One-sided communication of a location.

#include <optional>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// Of the Enter of the call in progress.
void window_attribute(LocationState& location, const archive::AttributeValue& value);

// A record of one-sided communication in the call in progress: what the call does becomes call.one_sided.
void window_event(LocationState& location, const archive::Event& event);

// The operation of a flush without records: one that found nothing to complete.
std::optional<Operation> flush_operation(LocationState& location);

// The operation of a call on a window, from call.one_sided.
Operation one_sided_operation(LocationState& location);

}  // namespace plumbline::replay::compiling
