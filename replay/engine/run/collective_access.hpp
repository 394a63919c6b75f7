#pragma once
// What the ranks of a collective access share, and the messages between them and their aggregators.

#include <vector>

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// The number of the collective access of the rank is known. False: the call never comes to be, because a rank of the
// communicator makes fewer.
bool take_part(Run& run, std::uint32_t rank, const Operation& op);

// World ranks that do not make the collective access in which the rank waits.
std::vector<std::uint32_t> missing_ranks(const Run& run, std::uint32_t rank);

// What the ranks of the collective access in hand share.
SharedAccess& shared_by(Run& run, std::uint32_t rank, const Operation& op);

// The rank needs nothing of it any more.
void leave_shared(Run& run, std::uint32_t rank, const Operation& op);

// Plans the collective access in the ideal form.
void make_plan(Run& run, SharedAccess& shared, std::uint32_t rank, const Operation& op);

// A message of an exchange, between the rank and rank `peer` of the communicator.
void post_message(Run& run, std::uint32_t rank, std::uint32_t comm, std::uint32_t sequence, std::uint32_t peer,
                  std::uint64_t bytes, bool sends);

// Waits for the messages of post_message(). As in any call: what came while nobody looked, such as in a POSIX call, is
// answered when all is posted.
void wait_for_posted(Run& run, std::uint32_t rank);

// All messages of the rank in an exchange of the ideal form at once: an aggregator has one with every other rank that
// has data in its domain.
void exchange_data(Run& run, std::uint32_t rank, const Operation& op);

}  // namespace plumbline::replay::engine
