#pragma once
// The store-and-forward network once more, as the text of docs/models/network-store-and-forward.md has it and as
// plainly as can be: every end of a service is an event, and in every round every component decides.

#include "network_script.hpp"

namespace plumbline::hw {

Outcome play_by_the_text(const Script& script);

}  // namespace plumbline::hw
