#include "hwmodels/network/packets/use.hpp"

#include <vector>

#include "hwmodels/network/packets/steps.hpp"

namespace plumbline::hw::packets {
namespace {

// Of one moment. "Before" and "by now" exclude it.
class UseReader {
 public:
  UseReader(State& state, Time now) : state_(state), now_(now) {
    state_.use.passed.resize(state_.pair_queues.size());
    state_.use.uses.resize(state_.servers.size());
  }

  void read() {
    begin_uses();
    state_.use.granted.forget_before(now_);
    for (const GrantedService& each : state_.use.granted.all()) take_granted(each);
    for (const ExpressFlow& flow : state_.express.flows)
      for (std::size_t i = 0; i < flow.size(); ++i) take_express(flow, i);
    for (const std::uint32_t index : state_.use.waited_in) count_untold(index);
    for (const std::uint32_t index : pair_queues_) count_waiting(index);
    end_uses();
  }

 private:
  // Of all components that may have changed since the last moment, what they have been granted. Where packets wait that
  // may be because their pair is no longer blocked.
  void begin_uses() {
    std::erase_if(state_.use.waited_in, [&](std::uint32_t index) {
      PairQueue& pair_queue = state_.pair_queues[index];
      pair_queue.noted = pair_queue.head != kNone;
      if (pair_queue.noted) note_use(state_, pair_queue.component);
      return !pair_queue.noted;
    });
    for (const std::uint32_t id : state_.use.used)
      state_.use.uses[id] = {state_.servers[id].busy_time, state_.servers[id].served, 0};
  }

  // Those that have nothing more to do will not have changed at the next moment.
  void end_uses() {
    state_.use.samples.clear();
    std::erase_if(state_.use.used, [&](std::uint32_t id) {
      const ComponentUse& use = state_.use.uses[id];
      ComponentState& server = state_.servers[id];
      state_.use.samples.push_back({id, use});
      server.noted = use != ComponentUse{server.busy_time, server.served, 0};
      return !server.noted;
    });
  }

  PairQueueUse& at(std::uint32_t index) {
    PairQueueUse& use = state_.use.passed[index];
    if (!use.is_listed) {
      use.is_listed = true;
      pair_queues_.push_back(index);
    }
    return use;
  }

  // From what the component has done what this service has to come. False: it has begun.
  bool take_off(const GrantedService& granted) {
    ComponentUse& use = state_.use.uses[state_.components[granted.pair_queue]];
    if (granted.begin < now_) {
      if (granted.end() > now_) use.busy -= granted.end() - now_;
      return false;
    }
    use.busy -= granted.service;
    use.bytes = use.bytes - granted.size;
    if (granted.arrival < now_) ++at(granted.pair_queue).waiting;
    return true;
  }

  void change_window(std::uint32_t index, Duration more, std::int32_t packets) {
    PairQueueUse& use = at(index);
    use.used += more;
    use.under_way += packets;
  }

  // A pair queue knows what it has been granted and the next one has not taken; the last one only the newest.
  void take_granted(const GrantedService& granted) {
    const bool is_to_come = take_off(granted);
    if (state_.pair_queues[granted.pair_queue].last) {
      if (!is_to_come) change_window(granted.pair_queue, granted.service, 1);
    } else if (is_to_come) {
      change_window(granted.pair_queue, -granted.service, -1);
    }
  }

  // The pair queues know nothing of it.
  void take_express(const ExpressFlow& flow, std::size_t i) {
    const Packet& packet = state_.packets[flow[i].packet];
    const std::uint32_t entry = flow[i].entry, first = packet.pair_queue - entry;
    for (std::uint32_t hop = entry; hop < flow.hops(); ++hop) {
      const Passage& passage = flow.passage(i, hop);
      const bool is_last = hop + 1 == flow.hops();
      const Time gone = is_last ? passage.end().at : flow.passage(i, hop + 1).begin.at;
      if (gone < now_) continue;
      const bool is_to_come =
          take_off({flow.arrival(i, hop).at, passage.begin.at, passage.service, packet.size, first + hop});
      if (!is_to_come) change_window(first + hop, passage.service, 1);
    }
  }

  // Packets that have come and have not been granted their service.
  void count_untold(std::uint32_t index) {
    std::uint32_t& waiting = at(index).waiting;
    for (std::uint32_t packet = state_.pair_queues[index].head; packet != kNone; packet = state_.packets[packet].next)
      ++waiting;
  }

  // What a grant gives back to a window that is closed is a signal where packets wait, so the pair queue knows of it.
  bool is_blocked(std::uint32_t index, const PairQueueUse& use) const {
    const PairQueue& pair_queue = state_.pair_queues[index];
    Duration used = use.used;
    std::int64_t under_way = use.under_way;
    if (!pair_queue.last) {
      used += pair_queue.used;
      under_way += pair_queue.under_way;
    }
    return under_way > 0 && used >= pair_queue.window;
  }

  void count_waiting(std::uint32_t index) {
    PairQueueUse& use = state_.use.passed[index];
    if (use.waiting > 0 && !is_blocked(index, use)) state_.use.uses[state_.components[index]].waiting += use.waiting;
    use = {};
  }

  State& state_;
  const Time now_;
  std::vector<std::uint32_t> pair_queues_;
};

}  // namespace

std::span<const ComponentSample> uses(State& state, Time now) {
  PLUMBLINE_CHECK(state.options.watched, "a network that is not watched tells nothing of its use");
  UseReader(state, now).read();
  return state.use.samples;
}

}  // namespace plumbline::hw::packets
