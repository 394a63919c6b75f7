#include "network_script.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "sim/random.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

class ScriptWriter {
 public:
  explicit ScriptWriter(std::uint64_t seed) : random_(seed, "express script") {}

  Script write() {
    packets();
    network();
    const std::uint64_t count = 1 + below(below(3) == 0 ? 20 : 6);
    for (std::uint32_t i = 0; i < count; ++i) message(i);
    while (below(3) == 0) holds();
    constexpr std::uint64_t kQueues[] = {0, 0, 0, 1'500, 2'000, 5'000, 20'000};
    script_.packets.send_queue.value = {kQueues[below(7)]};
    constexpr std::int64_t kSteps[] = {250'000, 333'333, 500'000, 1'700'001};
    script_.step = {kSteps[below(4)]};
    return script_;
  }

 private:
  std::uint64_t below(std::uint64_t bound) { return random_.below(bound); }

  void packets() {
    constexpr std::uint64_t kHeaders[] = {0, 0, 40, 500, 1'000};
    script_.packets = {{1'000}, {kHeaders[below(5)]}};
  }

  Component component() {
    constexpr std::uint64_t kRates[] = {1, 1, 1, 2, 4, 5, 10};  // bytes per ns
    constexpr std::int64_t kLatencies[] = {0, 0, 0, 500, 1'000, 1'500, 7'000};
    return {{kRates[below(7)] * 1'000'000'000}, nanoseconds(kLatencies[below(7)]), ""};
  }

  // Routes of distinct components, which often share some with other routes. In every other network each component
  // prefers one successor, so that routes run together for a while, as they do where cables leave a switch.
  void network() {
    script_.components.resize(1 + below(14));
    for (Component& each : script_.components) each = component();
    const bool together = below(2) == 0;
    for (std::size_t i = 0; i < script_.components.size(); ++i) successors_.push_back(any_component());
    const std::uint64_t routes = 1 + below(5);
    for (std::uint32_t i = 0; i < routes; ++i) {
      Route route{i, i + 10, {any_component()}};
      const std::uint64_t hops = 1 + below(std::min<std::uint64_t>(script_.components.size(), 8));
      while (route.components.size() < hops) {
        const bool follows = together && below(4) > 0;
        const ComponentId id = follows ? successors_[route.components.back()] : any_component();
        if (std::find(route.components.begin(), route.components.end(), id) == route.components.end())
          route.components.push_back(id);
      }
      script_.routes.push_back(route);
    }
  }

  ComponentId any_component() { return static_cast<ComponentId>(below(script_.components.size())); }

  void message(std::uint32_t i) {
    ScriptedMessage message;
    message.route = static_cast<std::uint32_t>(below(script_.routes.size()));
    constexpr std::uint64_t kUnits[] = {1, 500, 1'000, 1'000};
    message.size = {below(below(3) == 0 ? 40 : 6) * kUnits[below(4)]};
    message.at = time();
    if (i > 0 && below(3) == 0) {
      message.cause = static_cast<std::uint32_t>(below(i));
      message.delay = below(2) == 0 ? Duration{} : nanoseconds(static_cast<std::int64_t>(below(4)) * 500);
    } else if (below(10) == 0) {
      in_pieces(i, message);
    }
    message.options.piecewise = below(12) == 0;
    message.options.tells_sent = below(3) > 0;
    if (below(3) == 0) message.options.buffer = {below(2) == 0 ? below(8'000) : message.size.count / (1 + below(4))};
    if (below(12) == 0) message.holds = nanoseconds(static_cast<std::int64_t>(below(5)) * 500);
    script_.messages.push_back(message);
  }

  void in_pieces(std::uint32_t i, ScriptedMessage& message) {
    std::uint64_t left = message.size.count;
    const std::uint64_t first = below(left + 1);
    message.options.available = Bytes{first};
    left -= first;
    Time at = message.at;
    while (left > 0) {
      const std::uint64_t more = 1 + below(left);
      at += nanoseconds(static_cast<std::int64_t>(1 + below(6)) * 500);
      script_.actions.push_back({ScriptedAction::Kind::kProvide, at, i, {more}});
      left -= more;
    }
  }

  void holds() {
    const Route& route = script_.routes[below(script_.routes.size())];
    const std::uint32_t node = below(2) == 0 ? route.source : route.target;
    const Time at = time();
    script_.actions.push_back({ScriptedAction::Kind::kHold, at, node, {}});
    const Time until = at + nanoseconds(static_cast<std::int64_t>(below(20)) * 500);
    script_.actions.push_back({ScriptedAction::Kind::kResume, until, node, {}});
  }

  Time time() { return Time{} + nanoseconds(static_cast<std::int64_t>(below(below(2) == 0 ? 4 : 40)) * 500); }

  RandomStream random_;
  Script script_;
  std::vector<ComponentId> successors_;  // of each component the preferred one
};

}  // namespace

Script random_script(std::uint64_t seed) { return ScriptWriter(seed).write(); }

std::string describe(const Script& script) {
  testing::Message text;
  text << "header " << script.packets.header.count << ", send queue " << script.packets.send_queue.value.count
       << ", step " << script.step.ps << " ps\n";
  for (std::size_t i = 0; i < script.components.size(); ++i)
    text << "component " << i << ": " << script.components[i].rate.count / 1'000'000'000 << " B/ns, "
         << script.components[i].latency.ps / 1'000 << " ns\n";
  for (const Route& route : script.routes) {
    text << "route:";
    for (const ComponentId id : route.components) text << " " << id;
    text << "\n";
  }
  for (std::size_t i = 0; i < script.messages.size(); ++i) {
    const ScriptedMessage& m = script.messages[i];
    text << "message " << i << ": route " << m.route << ", " << m.size.count << " B at " << m.at.ps / 1'000;
    if (m.cause) text << " or " << m.delay.ps / 1'000 << " after " << *m.cause;
    text << (m.options.piecewise ? " piecewise" : "") << (m.options.tells_sent ? "" : " silent")
         << (m.options.buffer.count > 0 ? " buffers " + std::to_string(m.options.buffer.count) : "")
         << (m.options.available ? " by pieces" : "") << (m.holds ? " holds" : "") << "\n";
  }
  for (const ScriptedAction& a : script.actions)
    text << "action " << static_cast<int>(a.kind) << " at " << a.at.ps / 1'000 << ": " << a.what << "\n";
  return text.GetString();
}

std::string describe(const std::vector<Noticed>& notes) {
  testing::Message text;
  for (const Noticed& each : notes)
    text << each.at.ps / 1'000 << " ns: message " << each.note.message << " kind " << static_cast<int>(each.note.kind)
         << "\n";
  return text.GetString();
}

std::string describe_differences(const Outcome& one, const Outcome& other) {
  testing::Message text;
  for (std::size_t component = 0; component < one.uses.size() && component < other.uses.size(); ++component) {
    if (one.uses[component] == other.uses[component]) continue;
    for (const Outcome* outcome : {&one, &other}) {
      text << (outcome == &one ? "one" : "other") << ", component " << component << ":";
      for (const UsePoint& point : outcome->uses[component])
        text << "  " << point.step << ": " << point.use.busy.ps << " ps " << point.use.bytes.count << " B "
             << point.use.waiting << " wait";
      text << "\n";
    }
  }
  return text.GetString();
}

std::vector<std::vector<UsePoint>> points_of(const UseHistory& history) {
  std::vector<std::vector<UsePoint>> points;
  for (std::size_t component = 0; component < history.components(); ++component)
    points.push_back(history.of(component));
  return points;
}

}  // namespace plumbline::hw
