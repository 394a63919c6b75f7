#pragma once
// Collectives of a location, and the communicators that its calls make.

#include <optional>
#include <string_view>
#include <vector>

#include "replay/program/compile/location/state.hpp"

namespace plumbline::replay::compiling {

// The numbers of a text such as "8,16,8"; behind them stand the separators in turn. Valid until the next call. Throws
// Error where the text has anything else.
const std::vector<std::uint64_t>& numbers(LocationState& location, archive::StringId id,
                                          std::string_view separators = ",");

// What a non-blocking collective was started as, in the fields of the record of a blocking one. Nothing where the
// archive does not tell its operation or its communicator.
std::optional<archive::Event> asked_collective(const LocationState& location, const archive::Event& start);

// A non-blocking collective as the program asked for it; the record of its end, if there is one, tells what it became.
// Without what it takes to be played (an archive of another tool) it has no tail yet.
Operation posted_collective(LocationState& location, const archive::Event& event, std::uint32_t slot);

// A blocking collective is over, or the one that has made a communicator.
void collective_ended(LocationState& location, const archive::Event& event);

// A non-blocking one is.
void collective_completed(LocationState& location, const archive::Event& event);

// The call has made a communicator. Without a record of the parent, those who get the new one have certainly met.
void comm_created(LocationState& location, const archive::Event& event);

}  // namespace plumbline::replay::compiling
