#include "replay/mpi/window_control.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "replay/mpi/engine_messages.hpp"
#include "replay/mpi/engine_requests.hpp"
#include "replay/mpi/window_calls.hpp"
#include "replay/mpi/window_locks.hpp"
#include "replay/mpi/window_transfers.hpp"

namespace plumbline::replay::mpi::rma {
namespace {

std::uint32_t new_control_message(Windows& windows, const ControlMessage& control) {
  std::uint32_t id = windows.free_control_messages;
  if (id == kNone) {
    id = static_cast<std::uint32_t>(windows.control_messages.size());
    windows.control_messages.emplace_back();
  } else {
    windows.free_control_messages = windows.control_messages[id].next_free;
  }
  windows.control_messages[id] = control;
  return id;
}

std::uint32_t new_message(Windows& windows, const ControlMessage& control, std::uint64_t bytes) {
  const std::uint32_t from = windows.world(control.window, control.from),
                      to = windows.world(control.window, control.to);
  const std::uint32_t id = new_message(windows.engine, {to, from, kWindowSpace | control.window, 0});
  const std::uint32_t receive = request_for(windows, to, control);
  Message& message = windows.engine.messages[id];
  message.bytes = bytes;
  message.stage = Message::Stage::kEager;
  message.receive_request = receive;
  begin(windows.engine, receive, id);
  ++windows.engine.messages_sent;
  return id;
}

// Whether it has overtaken a transfer that it comes after.
bool is_early(Windows& windows, const ControlMessage& control) {
  if (windows.way(control.window) != WindowWay::kQueued) return false;
  const bool counts = control.what == What::kComplete || control.what == What::kUnlock || control.what == What::kFlush;
  return counts && peer_of(side(windows, control.window, control.to), control.from).carried_out < control.count;
}

void act(Windows& windows, const ControlMessage& control, Time at) {
  if (is_early(windows, control)) return side(windows, control.window, control.to).early.push_back(control);
  switch (control.what) {
    case What::kThere:
      carry_out(windows, control, at);
      break;
    case What::kBack:
    case What::kCopied:
      came_back(windows, control.transfer, at);
      break;
    case What::kPost:
      post_came(windows, control.window, control.to, control.from);
      break;
    case What::kComplete:
      ++side(windows, control.window, control.to).completes;
      ++peer_of(side(windows, control.window, control.to), control.from).completes;
      if (!control.takes_cpu && control.from != control.to &&
          !windows.same_node(control.window, control.from, control.to))
        answer(windows, What::kAnswer, control, at);
      break;
    case What::kLockRequest:
      lock_requested(windows, control, at);
      break;
    case What::kGrant:
      granted(windows, control);
      break;
    case What::kUnlock:
      unlocked(windows, control, at);
      break;
    case What::kFlush:
    case What::kVisit:
      answer(windows, What::kAnswer, control, at);
      break;
    case What::kAnswer:
      --side(windows, control.window, control.to).unanswered;
      break;
    case What::kCollected:
      windows.calls[windows.world(control.window, control.to)].collected = true;
      break;
    case What::kNothing:
      return;
  }
  settle(windows, control.window, control.to, at);
}

}  // namespace

void taken(Windows& windows, std::uint32_t id, Time at) {
  const ControlMessage control = windows.control_messages[id];
  windows.control_messages[id].next_free = windows.free_control_messages;
  windows.free_control_messages = id;
  if (control.what == What::kNothing) return;
  if (control.takes_cpu) at = windows.engine.rank(windows.world(control.window, control.to)).clock;
  act(windows, control, at);
}

void tell(Windows& windows, ControlMessage control, Time at) {
  if (control.from == control.to) return act(windows, control, at);
  switch (means_of_control(windows.way(control.window), windows.same_node(control.window, control.from, control.to))) {
    case Means::kOwn:
    case Means::kAnswered:
      return send(windows, control, 0, true);
    case Means::kInterface:
      control.takes_cpu = false;
      return send(windows, control, 0, true);
    case Means::kDirect: {
      control.takes_cpu = false;
      const std::uint32_t from = windows.world(control.window, control.from), node = windows.engine.node(from);
      RankState& state = windows.engine.rank(from);
      state.clock =
          std::max(state.clock, at) + windows.engine.costs.of(windows.engine.costs.transport(node, node), 0).send;
      return send_by_interface(windows, control, 0, state.clock, false);
    }
  }
}

void answer(Windows& windows, What what, const ControlMessage& to, Time at) {
  ControlMessage control = to;
  control.what = what;
  std::swap(control.from, control.to);
  control.takes_cpu = true;
  if (control.from == control.to) return act(windows, control, at);
  const Means means =
      means_of_control(windows.way(control.window), windows.same_node(control.window, control.from, control.to));
  if (means == Means::kAnswered) return send(windows, control, 0, true);
  control.takes_cpu = false;
  send_by_interface(windows, control, 0, at, means == Means::kInterface);
}

void act_on_early(Windows& windows, std::uint32_t window, std::uint32_t own, Time at) {
  for (std::size_t i = 0; i < side(windows, window, own).early.size();) {
    const ControlMessage control = side(windows, window, own).early[i];
    if (is_early(windows, control)) {
      ++i;
      continue;
    }
    std::vector<ControlMessage>& early = side(windows, window, own).early;
    early.erase(early.begin() + static_cast<std::ptrdiff_t>(i));
    act(windows, control, at);
  }
}

void send(Windows& windows, const ControlMessage& control, std::uint64_t bytes, bool at_once) {
  const std::uint32_t id = new_message(windows, control, bytes);
  const auto [to, from] =
      std::pair{windows.engine.messages[id].channel.receiver, windows.engine.messages[id].channel.source};
  const TransportId transport = windows.engine.messages[id].transport;
  const MessageCost cost = windows.engine.costs.of(transport, bytes);
  if (at_once || !cost.rendezvous) {
    inject(windows.engine, id, from, to, bytes, cost);
    if (control.what == What::kThere && !is_answered(windows, windows.transfers[control.transfer]))
      finish(windows, control.transfer, windows.engine.rank(from).clock);  // over for the origin
    return;
  }
  ControlMessage own = control;
  own.what = is_answered(windows, windows.transfers[control.transfer]) ? What::kNothing : What::kBack;
  own.to = control.from;
  own.takes_cpu = false;
  const std::uint32_t sends = request_for(windows, from, own);
  Message& message = windows.engine.messages[id];
  message.send_request = sends;
  message.stage = Message::Stage::kRequest;
  begin(windows.engine, sends, id);
  expect_to_ask(windows.engine, message, true);
  ++windows.engine.ranks[from].reactive;
  inject(windows.engine, id, from, to, 0, windows.engine.costs.control(transport));
}

void send_by_interface(Windows& windows, const ControlMessage& control, std::uint64_t bytes, Time at,
                       bool with_latency) {
  const std::uint32_t id = new_message(windows, control, bytes);
  const Message& message = windows.engine.messages[id];
  MessageCost cost;
  if (with_latency) {
    const MessageCost& known = windows.engine.costs.of(message.transport, bytes);
    cost.latency = known.latency + known.behind;
  }
  inject_by_interface(windows.engine, id, message.channel.source, message.channel.receiver, bytes, cost, at);
}

std::uint32_t request_for(Windows& windows, std::uint32_t rank, const ControlMessage& control) {
  const std::uint32_t request = pooled_request(windows.engine, rank);
  const std::uint32_t id = new_control_message(windows, control);
  windows.control_messages[id].reader = rank;
  windows.engine.requests[request].owner = kControlMessage | id;
  windows.engine.requests[request].of_step = true;
  return request;
}

}  // namespace plumbline::replay::mpi::rma
