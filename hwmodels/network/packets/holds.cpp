#include "hwmodels/network/packets/holds.hpp"

#include <algorithm>
#include <vector>

#include "hwmodels/network/packets/users.hpp"

namespace plumbline::hw::packets {

void add_end(State& state, std::uint32_t node, std::uint32_t component, const Round& round) {
  if (state.holds.ends.size() <= node) state.holds.ends.resize(node + 1);
  std::vector<std::uint32_t>& ends = state.holds.ends[node];
  if (std::find(ends.begin(), ends.end(), component) != ends.end()) return;
  ends.push_back(component);
  if (node < state.holds.held.size() && state.holds.held[node]) hold_component(state, component, round);
}

void hold_component(State& state, std::uint32_t component, const Round& round) {
  ComponentState& server = state.servers[component];
  ++server.held;
  if (state.users[component].count == 1) keep_to_what_is_alone(state, state.pairs[state.users[component].only], round);
}

bool let_go(State& state, std::uint32_t component) {
  ComponentState& server = state.servers[component];
  if (--server.held > 0) return false;
  if (state.users[component].count == 1) state.pairs[state.users[component].only].stale = true;
  return true;
}

void hold(State& state, std::uint32_t node) {
  PLUMBLINE_CHECK(state.options.holds, "no node is expected to be held");
  if (state.holds.held.size() <= node) state.holds.held.resize(node + 1);
  if (state.holds.held[node]) return;
  state.holds.held[node] = true;
  if (node >= state.holds.ends.size()) return;
  const Time now = state.queue->now();
  const Round round{now, state.queue->earliest_round(now), *state.queue};
  for (const std::uint32_t component : state.holds.ends[node]) hold_component(state, component, round);
  if (!state.work.candidates.empty()) state.queue->push_signal({now, round.number, kGoesOn});
}

void resume(State& state, std::uint32_t node, Time now, sim::EventQueue& queue) {
  if (node >= state.holds.held.size() || !state.holds.held[node]) return;
  state.holds.held[node] = false;
  if (node >= state.holds.ends.size()) return;
  for (const std::uint32_t component : state.holds.ends[node])
    if (let_go(state, component)) queue.push_signal({now, queue.earliest_round(now), kWakes | component});
}

}  // namespace plumbline::hw::packets
