#pragma once
// Reads what a node says of itself.

#include "base/node/facts.hpp"

namespace plumbline::node {

// Settings: what does not change while a program runs.
Facts read_settings(const ReadOptions& options = {});

// Counters: what grows. Numbers, of which a difference between two readings says what happened meanwhile.
Facts read_counters(const ReadOptions& options = {});

}  // namespace plumbline::node
