// Random networks in which much happens at one time: whether packets travel express, in which order a caller sends, and
// whether it sends beforehand or when the time has come, all notifications, their order, busy times and bytes are the
// same, to the picosecond, and are those of the text; so is what components have done at any time. PLUMBLINE_CASES: how
// many random cases of the express path, PLUMBLINE_SEED: the first one.

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <vector>

#include "network_script.hpp"
#include "reference_network.hpp"
#include "tests/support/seed.hpp"

namespace plumbline::hw {
namespace {

struct Manner {
  bool express = false;
  bool holds = true;
  bool backwards = false;  // the last message of the script is sent first
  bool in_time = false;    // an event wakes the sender when the time has come
};

class Player {
  static constexpr std::uint32_t kResume = 1;  // kind of event

 public:
  Player(const Script& script, Manner manner)
      : script_(script),
        manner_(manner),
        topology_(script.components, script.routes),
        network_(topology_, script.packets, {.express = manner.express, .holds = manner.holds, .watched = true}),
        handles_(script.messages.size()),
        history_(script.components.size(), {}, script.step) {}

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
      look_until(event.at);
      if (event.kind == kResume) {
        network_.resume(event.payload, event.at, queue_);
        continue;
      }
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
    look_until(history_.next());
    outcome_.uses = points_of(history_);
    return outcome_;
  }

 private:
  void look_until(Time now) {
    sample_until(now, history_, [&](Time at) { return network_.uses(at); });
  }

  void send_at(std::uint32_t i, Time at) {
    if (!manner_.in_time || at == queue_.now()) return send(i, at);
    queue_.push({at, static_cast<std::uint32_t>(script_.components.size()) + i, 0, 0, 0, 0, i});
  }

  void send(std::uint32_t i, Time at) {
    const ScriptedMessage& message = script_.messages[i];
    const Route& route = script_.routes[message.route];
    handles_[i] =
        network_.send(i, route.source, route.target, message.size, source_rank(i), i, at, queue_, message.options);
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
    const ScriptedMessage& message = script_.messages[note.message];
    if (message.holds) {
      const std::uint32_t node = script_.routes[message.route].target;
      network_.hold(node);
      queue_.push({at + *message.holds, 1'000'000 + note.message, kResume, 0, 0, 0, node});
    }
    for (std::uint32_t i = 0; i < script_.messages.size(); ++i)
      if (script_.messages[i].cause == note.message) send_at(i, at + script_.messages[i].delay);
  }

  const Script& script_;
  const Manner manner_;
  Topology topology_;
  StoreAndForward network_;
  sim::EventQueue queue_;
  std::vector<std::optional<StoreAndForward::Handle>> handles_;
  UseHistory history_;
  Outcome outcome_;
};

std::uint64_t number_of(const char* variable, std::uint64_t otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::strtoull(value, nullptr, 10);
}

template <typename One, typename Other>
void compare(std::uint64_t cases, const One& one, const Other& other) {
  const std::uint64_t first = plumbline::test::random_seed();
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    const Script script = random_script(seed);
    const Outcome a = one(script), b = other(script);
    ASSERT_TRUE(a == b) << "PLUMBLINE_SEED=" << seed << "\n"
                        << describe(script) << "one\n"
                        << describe(a.notes) << "other\n"
                        << describe(b.notes) << describe_differences(a, b);
  }
}

auto played(Manner manner) {
  return [manner](const Script& script) { return Player(script, manner).play(); };
}

TEST(StoreAndForwardExpress, GivesTheSameAsThePacketEngine) {
  compare(number_of("PLUMBLINE_CASES", 10'000), played({}), played({.express = true}));
}

// Where nothing is held and all messages are whole, the ends of routes know their grants too.
auto without_holds(auto play) {
  return [play](Script script) {
    script.actions.clear();
    for (ScriptedMessage& message : script.messages) {
      message.holds.reset();
      message.options = {.tells_sent = message.options.tells_sent, .buffer = message.options.buffer};
    }
    return play(script);
  };
}

TEST(StoreAndForwardExpress, GivesTheSameWhereTheEndsOfRoutesKnowTheirTurns) {
  const auto knowing = without_holds(played({.express = true, .holds = false}));
  compare(number_of("PLUMBLINE_CASES", 10'000), without_holds(played({})), knowing);
  compare(500, knowing, without_holds(play_by_the_text));
}

// Every other message is one packet of no bytes.
auto with_empty_messages(auto play) {
  return [play](Script script) {
    script.packets.header = {};
    for (std::size_t i = 0; i < script.messages.size(); i += 2) {
      script.messages[i].size = {};
      script.messages[i].options.available.reset();
    }
    std::erase_if(script.actions, [](const ScriptedAction& action) {
      return action.kind == ScriptedAction::Kind::kProvide && action.what % 2 == 0;
    });
    return play(script);
  };
}

TEST(StoreAndForwardExpress, GivesTheSameWhereMessagesAreEmpty) {
  const std::uint64_t cases = number_of("PLUMBLINE_CASES", 5'000);
  compare(cases, with_empty_messages(played({})), with_empty_messages(played({.express = true})));
  const auto knowing = with_empty_messages(without_holds(played({.express = true, .holds = false})));
  compare(cases, with_empty_messages(without_holds(played({}))), knowing);
  compare(500, knowing, with_empty_messages(without_holds(play_by_the_text)));
}

TEST(StoreAndForwardExpress, DoesWhatTheTextSays) {
  compare(2'000, played({}), play_by_the_text);
  compare(500, played({.express = true}), play_by_the_text);
}

TEST(StoreAndForwardExpress, TheOrderOfCallsDecidesNothing) {
  for (const bool express : {false, true})
    compare(1'000, played({.express = express}), played({.express = express, .backwards = true}));
  compare(1'000, without_holds(played({.express = true, .holds = false})),
          without_holds(played({.express = true, .holds = false, .backwards = true})));
}

TEST(StoreAndForwardExpress, ASendBeforehandIsASendWhenTheTimeHasCome) {
  for (const bool express : {false, true})
    compare(1'000, played({.express = express}), played({.express = express, .in_time = true}));
  compare(1'000, without_holds(played({.express = true, .holds = false})),
          without_holds(played({.express = true, .holds = false, .in_time = true})));
}

}  // namespace
}  // namespace plumbline::hw
