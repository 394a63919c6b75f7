#include "reference_network.hpp"

#include <algorithm>
#include <compare>
#include <deque>
#include <map>
#include <tuple>
#include <utility>

namespace plumbline::hw {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;  // source and target node

struct ReferencePacket {
  std::uint32_t message = 0, number = 0;
  Bytes payload, size;
  bool is_last = false;
  std::uint32_t hop = 0;
  Duration service;  // in the hop that took it last
};

struct PairAtComponent {
  Pair pair;
  std::uint32_t component = 0;
  bool queues = false;  // at the first cable, where nodes have send queues
  Duration latency, full, used;
  std::uint32_t under_way = 0;
  std::deque<ReferencePacket> waiting;

  bool is_blocked() const { return under_way > 0 && used >= latency + (queues ? full + full : full); }
};

struct ReferenceComponent {
  bool is_busy = false, is_held = false, tells = false;
  std::deque<PairAtComponent*> list;  // whose grant it is, in front
  ReferencePacket served;
  PairAtComponent* served_pair = nullptr;
  Time idle_at;               // it is, or was
  std::uint64_t in_turn = 0;  // bytes of the pair that was served last, since others waited
};

struct Part {  // what is left of a message, and there
  std::uint64_t left = 0, available = 0;
  std::uint32_t packets = 0;
  bool waits = false;
  bool buffered = false;  // that it fits was told
};

struct Return {
  PairAtComponent* to;
  Duration service;
};

// What is due in one round of one instant.
struct Due {
  std::vector<std::uint32_t> sends, actions, resumes, makes, ends, told;
  std::vector<ReferencePacket> arrivals;
  std::vector<Return> returns;
};

class Reference {
 public:
  explicit Reference(const Script& script)
      : script_(script),
        components_(script.components.size()),
        parts_(script.messages.size()),
        history_(components_.size(), {}, script.step) {
    outcome_.busy.resize(components_.size());
    outcome_.served.resize(components_.size());
  }

  Outcome play() {
    for (std::uint32_t i = 0; i < script_.messages.size(); ++i)
      if (!script_.messages[i].cause) due_[{script_.messages[i].at, 0}].sends.push_back(i);
    for (std::uint32_t i = 0; i < script_.actions.size(); ++i) due_[{script_.actions[i].at, 0}].actions.push_back(i);
    while (!due_.empty()) {
      now_ = due_.begin()->first;
      look_until(now_.at);
      due_in_hand_ = std::move(due_.begin()->second);
      due_.erase(due_.begin());
      play_round();
    }
    look_until(history_.next());
    outcome_.uses = points_of(history_);
    return outcome_;
  }

 private:
  void look_until(Time now) {
    sample_until(now, history_, [&](Time at) { return uses(at); });
  }

  // Packets wait for a component unless it is the next one that keeps their pair waiting.
  std::vector<ComponentSample> uses(Time at) const {
    std::vector<ComponentSample> all;
    for (std::uint32_t i = 0; i < components_.size(); ++i) {
      const Duration to_come = components_[i].is_busy ? components_[i].idle_at - at : Duration{};
      all.push_back({i, {outcome_.busy[i] - to_come, outcome_.served[i], 0}});
    }
    for (const auto& [where, place] : places_)
      if (!place.is_blocked()) all[place.component].use.waiting += static_cast<std::uint32_t>(place.waiting.size());
    return all;
  }

  void play_round() {
    for (const std::uint32_t i : due_in_hand_.actions) act(script_.actions[i]);
    for (const std::uint32_t node : due_in_hand_.resumes) held_[node] = false;
    for (const std::uint32_t i : due_in_hand_.sends) begin(i);
    hold_ends();
    joining_.clear();
    for (const std::uint32_t component : due_in_hand_.told) components_[component].tells = false;
    for (const std::uint32_t component : due_in_hand_.ends) end_service(component);
    for (const Return& each : due_in_hand_.returns) give_back(each);
    for (const std::uint32_t i : due_in_hand_.makes) make_at_source(i);
    arrive();
    join();
    for (std::uint32_t component = 0; component < components_.size(); ++component) decide(component);
    notify();
  }

  Due& later(Time at) { return due_[{at, at == now_.at ? now_.round + 1 : 0}]; }
  const Route& route_of(std::uint32_t message) const { return script_.routes[script_.messages[message].route]; }

  PairAtComponent& place(const ReferencePacket& packet) {
    const Route& route = route_of(packet.message);
    PairAtComponent& place = places_[{{route.source, route.target}, packet.hop}];
    const Component& component = script_.components[route.components[packet.hop]];
    place.pair = {route.source, route.target};
    place.component = route.components[packet.hop];
    place.latency = component.latency;
    place.full = transfer_time(script_.packets.granularity, component.rate);
    place.queues = script_.packets.send_queue.value > script_.packets.granularity && packet.hop == 1 &&
                   route.components.size() > 2;
    return place;
  }

  void act(const ScriptedAction& action) {
    if (action.kind == ScriptedAction::Kind::kProvide) {
      Part& part = parts_[action.what];
      part.available += action.more.count;
      if (part.waits && is_there(part)) due_in_hand_.makes.push_back(action.what);
      return;
    }
    held_[action.what] = action.kind == ScriptedAction::Kind::kHold;
  }

  void begin(std::uint32_t i) {
    const ScriptedMessage& message = script_.messages[i];
    parts_[i].left = message.size.count;
    parts_[i].available = message.options.available.value_or(message.size).count;
    if (const Bytes buffer = message.options.buffer; buffer.count > 0 && message.size <= buffer) tell_of_buffer(i);
    const Route& route = route_of(i);
    ends_.emplace_back(route.source, route.components.front());
    ends_.emplace_back(route.target, route.components.back());
    due_in_hand_.makes.push_back(i);
  }

  void tell_of_buffer(std::uint32_t i) {
    parts_[i].buffered = true;
    ReferencePacket any;
    any.message = i;
    note(any, Notification::Kind::kBuffered, {});
  }

  void hold_ends() {
    for (ReferenceComponent& component : components_) component.is_held = false;
    for (const auto& [node, component] : ends_) components_[component].is_held |= held_[node];
  }

  bool is_there(const Part& part) const {
    return part.available >= std::min(part.left, script_.packets.granularity.count);
  }

  ReferencePacket next_packet(std::uint32_t i) {
    Part& part = parts_[i];
    ReferencePacket packet;
    packet.message = i;
    packet.number = part.packets++;
    packet.payload = {std::min(part.left, script_.packets.granularity.count)};
    packet.size = packet.number == 0 ? packet.payload + script_.packets.header : packet.payload;
    part.left -= packet.payload.count;
    part.available -= packet.payload.count;
    packet.is_last = part.left == 0;
    return packet;
  }

  void make_at_source(std::uint32_t i) {
    parts_[i].waits = !is_there(parts_[i]);
    if (!parts_[i].waits) due_in_hand_.arrivals.push_back(next_packet(i));
  }

  void end_service(std::uint32_t index) {
    ReferenceComponent& component = components_[index];
    component.is_busy = false;
    joining_.push_back(component.served_pair);
    ReferencePacket packet = component.served;
    if (packet.hop + 1 == route_of(packet.message).components.size()) {
      give_back({component.served_pair, packet.service});
      const bool is_piecewise = script_.messages[packet.message].options.piecewise;
      if (is_piecewise) {
        note(packet, Notification::Kind::kPacketDelivered, packet.payload);
        component.tells = true;  // whoever is told may hold it before it goes on
        due_[{now_.at, now_.round + 1}].told.push_back(index);
      }
      if (packet.is_last) note(packet, Notification::Kind::kDelivered, {});
      return;
    }
    ++packet.hop;
    const Duration latency = component.served_pair->latency;
    (latency.ps == 0 ? due_in_hand_ : later(now_.at + latency)).arrivals.push_back(packet);
  }

  void give_back(const Return& each) {
    const bool was_blocked = each.to->is_blocked();
    each.to->used -= each.service;
    --each.to->under_way;
    if (was_blocked && !each.to->is_blocked()) joining_.push_back(each.to);
  }

  auto content(const ReferencePacket& packet) const {
    return std::tuple(source_rank(packet.message), packet.message, packet.number);
  }

  void arrive() {
    std::sort(due_in_hand_.arrivals.begin(), due_in_hand_.arrivals.end(),
              [&](const ReferencePacket& a, const ReferencePacket& b) { return content(a) < content(b); });
    for (const ReferencePacket& packet : due_in_hand_.arrivals) {
      place(packet).waiting.push_back(packet);
      joining_.push_back(&place(packet));
    }
  }

  std::deque<PairAtComponent*>& list_of(const PairAtComponent& place) {
    const ReferencePacket& packet = place.waiting.front();
    return components_[route_of(packet.message).components[packet.hop]].list;
  }

  bool may_join(const PairAtComponent& place) {
    if (place.waiting.empty() || place.is_blocked()) return false;
    const std::deque<PairAtComponent*>& list = list_of(place);
    return std::find(list.begin(), list.end(), &place) == list.end();
  }

  void join() {
    std::erase_if(joining_, [&](const PairAtComponent* place) { return !may_join(*place); });
    std::sort(joining_.begin(), joining_.end(), [&](const PairAtComponent* a, const PairAtComponent* b) {
      return content(a->waiting.front()) < content(b->waiting.front());
    });
    for (PairAtComponent* place : joining_)
      if (may_join(*place)) join_list(place);
  }

  void join_list(PairAtComponent* place) {
    const ReferencePacket& packet = place->waiting.front();
    const ReferenceComponent& component = components_[route_of(packet.message).components[packet.hop]];
    const bool keeps_turn = place->queues && component.served_pair == place && component.idle_at >= now_.at &&
                            component.in_turn < script_.packets.send_queue.value.count;
    if (keeps_turn)
      list_of(*place).push_front(place);
    else
      list_of(*place).push_back(place);
  }

  void decide(std::uint32_t index) {
    ReferenceComponent& component = components_[index];
    if (component.is_busy || component.is_held || component.tells || component.list.empty()) return;
    PairAtComponent& pair = *component.list.front();
    component.list.pop_front();
    ReferencePacket packet = pair.waiting.front();
    pair.waiting.pop_front();
    if (packet.hop > 0) {
      ReferencePacket before = packet;
      --before.hop;
      due_[{now_.at, now_.round + 1}].returns.push_back({&place(before), packet.service});
    }
    packet.service = transfer_time(packet.size, script_.components[index].rate);
    pair.used += packet.service;
    ++pair.under_way;
    const bool was_idle = component.idle_at < now_.at;
    if (component.served_pair != &pair || component.list.empty() || was_idle) component.in_turn = 0;
    component.in_turn += packet.size.count;
    component.idle_at = now_.at + packet.service;
    component.is_busy = true;
    component.served = packet;
    component.served_pair = &pair;
    later(now_.at + packet.service).ends.push_back(index);
    outcome_.busy[index] += packet.service;
    outcome_.served[index] += packet.size;
    ++outcome_.services;
    if (packet.hop == 0) begin_at_source(packet, pair);
  }

  void begin_at_source(const ReferencePacket& packet, PairAtComponent& pair) {
    const SendOptions& options = script_.messages[packet.message].options;
    if (options.piecewise) note(packet, Notification::Kind::kPacketTaken, packet.payload);
    const Part& part = parts_[packet.message];
    if (options.buffer.count > 0 && !part.buffered && part.left <= options.buffer.count) tell_of_buffer(packet.message);
    if (packet.is_last && options.tells_sent) note(packet, Notification::Kind::kSent, {});
    if (packet.is_last) return;
    parts_[packet.message].waits = !is_there(parts_[packet.message]);
    if (parts_[packet.message].waits) return;
    pair.waiting.push_back(next_packet(packet.message));
    if (may_join(pair)) join_list(&pair);
  }

  void note(const ReferencePacket& packet, Notification::Kind kind, Bytes bytes) {
    notes_.push_back({packet, {kind, packet.message, bytes}});
  }

  void notify() {
    constexpr std::uint32_t kPlaces[] = {2, 4, 0, 3, 1};  // sent, delivered, packet taken, packet delivered, buffered
    std::sort(notes_.begin(), notes_.end(), [&](const auto& a, const auto& b) {
      const auto key = [&](const auto& each) {
        return std::tuple(source_rank(each.first.message), each.first.message,
                          kPlaces[static_cast<std::size_t>(each.second.kind)]);
      };
      return key(a) < key(b);
    });
    for (const auto& each : notes_) {
      outcome_.notes.push_back({now_.at, each.second});
      if (each.second.kind != Notification::Kind::kDelivered) continue;
      if (const auto& holds = script_.messages[each.second.message].holds) {
        const std::uint32_t node = route_of(each.second.message).target;
        held_[node] = true;
        later(now_.at + *holds).resumes.push_back(node);
      }
      for (std::uint32_t i = 0; i < script_.messages.size(); ++i)
        if (script_.messages[i].cause == each.second.message)
          later(now_.at + script_.messages[i].delay).sends.push_back(i);
    }
    notes_.clear();
  }

  const Script& script_;
  std::vector<ReferenceComponent> components_;
  std::vector<Part> parts_;
  std::map<std::pair<Pair, std::uint32_t>, PairAtComponent> places_;  // by pair and hop
  std::map<std::uint32_t, bool> held_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> ends_;  // node and component
  std::map<Instant, Due> due_;
  Instant now_;
  Due due_in_hand_;
  std::vector<PairAtComponent*> joining_;
  std::vector<std::pair<ReferencePacket, Notification>> notes_;
  UseHistory history_;
  Outcome outcome_;
};

}  // namespace

Outcome play_by_the_text(const Script& script) { return Reference(script).play(); }

}  // namespace plumbline::hw
