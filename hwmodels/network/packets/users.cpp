#include "hwmodels/network/packets/users.hpp"

#include <utility>

#include "hwmodels/network/packets/express.hpp"
#include "hwmodels/network/packets/fall_back.hpp"

namespace plumbline::hw::packets {
namespace {

void leave_components(State& state, std::uint32_t index) {
  Pair& pair = state.pairs[index];
  for (std::uint32_t hop = 0; hop < pair.hops; ++hop) {
    Users& users = state.users[state.components[pair.first + hop]];
    users.only ^= index;
    if (--users.count == 1) state.pairs[users.only].stale = true;
  }
}

}  // namespace

void use_components(State& state, std::uint32_t index, const Round& round) {
  Pair& pair = state.pairs[index];
  pair.stale = true;
  for (std::uint32_t hop = 0; hop < pair.hops; ++hop) {
    Users& users = state.users[state.components[pair.first + hop]];
    if (++users.count == 2) state.express.disturbed.push_back(users.only);
    users.only ^= index;
  }
  for (const std::uint32_t other : state.express.disturbed) state.pairs[other].stale = true;
  for (const std::uint32_t other : state.express.disturbed)
    if (state.pairs[other].stale) keep_to_what_is_alone(state, state.pairs[other], round);
  state.express.disturbed.clear();
}

void stay_registered(State& state, std::uint32_t index) {
  Pair& pair = state.pairs[index];
  if (pair.flow != kNone) give_back(state, pair);
  if (state.express.long_messages > 0) return leave_components(state, index);
  pair.stays_registered = true;
  ++state.express.idle_registered;
  if (!std::exchange(pair.listed, true)) state.express.stay_registered.push_back(index);
}

void unregister_idle(State& state) {
  for (const std::uint32_t index : state.express.stay_registered) {
    state.pairs[index].listed = false;
    if (std::exchange(state.pairs[index].stays_registered, false)) leave_components(state, index);
  }
  state.express.stay_registered.clear();
  state.express.idle_registered = 0;
}

void find_alone(State& state, Pair& pair) {
  pair.stale = false;
  pair.alone_from = pair.hops;
  if (pair.hops > ExpressFlow::kMostHops) return;
  while (pair.alone_from > 0) {
    const std::uint32_t component = state.components[pair.first + pair.alone_from - 1];
    if (state.users[component].count != 1 || state.servers[component].held > 0) return;
    --pair.alone_from;
  }
}

void keep_to_what_is_alone(State& state, Pair& pair, const Round& round) {
  find_alone(state, pair);
  if (pair.express_from < pair.alone_from) fall_back_to_packets(state, pair, round);
}

}  // namespace plumbline::hw::packets
