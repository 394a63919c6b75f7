// Random networks in which much happens at one time: whether packets travel express, in which order a caller sends, and
// whether it sends beforehand or when the time has come, all notifications, their order, busy times and bytes are the
// same, to the picosecond. PLUMBLINE_CASES: how many random cases, PLUMBLINE_SEED: of the first one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "hwmodels/store_and_forward.hpp"
#include "sim/random.hpp"

namespace plumbline::hw {
namespace {

using sim::RandomStream;

struct ScriptedMessage {
  std::uint32_t route = 0;
  Bytes size;
  SendOptions options;
  Time at;                             // when it has no cause
  std::optional<std::uint32_t> cause;  // message after whose delivery it is sent ..
  Duration delay;                      // .. this much later
};

// At a point in time: hold a node or let it go on; or provide more of a message.
struct ScriptedAction {
  enum class Kind { kHold, kResume, kProvide } kind = Kind::kHold;
  Time at;
  std::uint32_t what = 0;  // node or message
  Bytes more;
};

struct Script {
  std::vector<Component> components;
  std::vector<Route> routes;
  Packets packets;
  std::vector<ScriptedMessage> messages;
  std::vector<ScriptedAction> actions;
};

struct Noticed {
  Time at;
  Notification note;
  bool operator==(const Noticed&) const = default;
};

struct Outcome {
  std::vector<Noticed> notes;
  std::vector<Duration> busy;
  std::vector<Bytes> served;
  std::uint64_t services = 0;
  bool operator==(const Outcome&) const = default;
};

struct Manner {
  bool express = false;
  bool backwards = false;  // the last message of the script is sent first
  bool in_time = false;    // an event wakes the sender when the time has come
};

class Player {
 public:
  Player(const Script& script, Manner manner)
      : script_(script),
        manner_(manner),
        topology_(script.components, script.routes),
        network_(topology_, script.packets, {.express = manner.express}),
        handles_(script.messages.size()) {}

  Outcome play() {
    const std::uint32_t components = static_cast<std::uint32_t>(script_.components.size());
    const std::uint32_t count = static_cast<std::uint32_t>(script_.messages.size());
    for (std::uint32_t k = 0; k < count; ++k) {
      const std::uint32_t i = manner_.backwards ? count - 1 - k : k;
      if (!script_.messages[i].cause) send_at(i, script_.messages[i].at);
    }
    for (std::uint32_t i = 0; i < script_.actions.size(); ++i)
      queue_.push({script_.actions[i].at, components + count + i, 0, 0, 0, 0, i});
    std::vector<Notification> out;
    while (!queue_.empty()) {
      const sim::Event event = queue_.pop();
      if (event.component >= components + count) {
        act(script_.actions[event.payload], event.at);
        continue;
      }
      if (event.component >= components) {
        send(event.payload, event.at);
        continue;
      }
      out.clear();
      network_.handle(event, queue_, out);
      for (const Notification& note : out) notice(event.at, note);
    }
    EXPECT_EQ(network_.messages_under_way(), 0U);
    for (ComponentId id = 0; id < components; ++id) {
      outcome_.busy.push_back(network_.busy(id));
      outcome_.served.push_back(network_.served(id));
    }
    outcome_.services = network_.services();
    return outcome_;
  }

 private:
  void send_at(std::uint32_t i, Time at) {
    if (!manner_.in_time || at == queue_.now()) return send(i, at);
    queue_.push({at, static_cast<std::uint32_t>(script_.components.size()) + i, 0, 0, 0, 0, i});
  }

  void send(std::uint32_t i, Time at) {
    const ScriptedMessage& message = script_.messages[i];
    const Route& route = script_.routes[message.route];
    handles_[i] = network_.send(i, route.source, route.target, message.size, i * 7 % 5, i, at, queue_, message.options);
  }

  void act(const ScriptedAction& action, Time at) {
    switch (action.kind) {
      case ScriptedAction::Kind::kHold:
        return network_.hold(action.what);
      case ScriptedAction::Kind::kResume:
        return network_.resume(action.what, at, queue_);
      case ScriptedAction::Kind::kProvide:
        return network_.provide(*handles_[action.what], action.more, at, queue_);
    }
  }

  void notice(Time at, const Notification& note) {
    outcome_.notes.push_back({at, note});
    if (note.kind != Notification::Kind::kDelivered) return;
    for (std::uint32_t i = 0; i < script_.messages.size(); ++i)
      if (script_.messages[i].cause == note.message) send_at(i, at + script_.messages[i].delay);
  }

  const Script& script_;
  const Manner manner_;
  Topology topology_;
  StoreAndForward network_;
  sim::EventQueue queue_;
  std::vector<std::optional<StoreAndForward::Handle>> handles_;
  Outcome outcome_;
};

// Round numbers, so that many things happen at one time.
class ScriptWriter {
 public:
  explicit ScriptWriter(std::uint64_t seed) : random_(seed, "express script") {}

  Script write() {
    packets();
    network();
    const std::uint64_t count = 1 + below(below(3) == 0 ? 20 : 6);
    for (std::uint32_t i = 0; i < count; ++i) message(i);
    if (below(4) == 0) holds();
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

  // Routes of distinct components, which often share some with other routes.
  void network() {
    script_.components.resize(1 + below(14));
    for (Component& each : script_.components) each = component();
    const std::uint64_t routes = 1 + below(5);
    for (std::uint32_t i = 0; i < routes; ++i) {
      Route route{i, i + 10, {}};
      const std::uint64_t hops = 1 + below(std::min<std::uint64_t>(script_.components.size(), 8));
      while (route.components.size() < hops) {
        const ComponentId id = static_cast<ComponentId>(below(script_.components.size()));
        if (std::find(route.components.begin(), route.components.end(), id) == route.components.end())
          route.components.push_back(id);
      }
      script_.routes.push_back(route);
    }
  }

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
};

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

std::string describe(const Script& script) {
  testing::Message text;
  text << "header " << script.packets.header.count << "\n";
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
    text << (m.options.piecewise ? " piecewise" : "") << (m.options.available ? " by pieces" : "") << "\n";
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

void compare(std::uint64_t cases, Manner one, Manner other) {
  const std::uint64_t first = number_of("PLUMBLINE_SEED", std::random_device{}());
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Script script = ScriptWriter(seed).write();
    const Outcome a = Player(script, one).play(), b = Player(script, other).play();
    ASSERT_TRUE(a == b) << "PLUMBLINE_SEED=" << seed << "\n"
                        << describe(script) << "one\n"
                        << describe(a.notes) << "other\n"
                        << describe(b.notes);
  }
}

TEST(StoreAndForwardExpress, GivesTheSameAsThePacketEngine) {
  compare(number_of("PLUMBLINE_CASES", 10'000), {}, {.express = true});
}

TEST(StoreAndForwardExpress, TheOrderOfCallsDecidesNothing) {
  for (const bool express : {false, true})
    compare(2'000, {.express = express}, {.express = express, .backwards = true});
}

TEST(StoreAndForwardExpress, ASendBeforehandIsASendWhenTheTimeHasCome) {
  for (const bool express : {false, true}) compare(2'000, {.express = express}, {.express = express, .in_time = true});
}

}  // namespace
}  // namespace plumbline::hw
