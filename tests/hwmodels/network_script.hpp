#pragma once
// Random networks and what happens on them, to be played by several networks that must agree.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hwmodels/network/packets/store_and_forward.hpp"
#include "hwmodels/usage/use_history.hpp"

namespace plumbline::hw {

struct ScriptedMessage {
  std::uint32_t route = 0;
  Bytes size;
  SendOptions options;
  Time at;                             // when it has no cause
  std::optional<Duration> holds;       // its target, for so long, when it is delivered
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
  Duration step;  // between two looks at what components have done
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
  std::vector<std::vector<UsePoint>> uses = {};  // by component
  bool operator==(const Outcome&) const = default;
};

// Of few components, with round numbers, so that many things happen at one time.
Script random_script(std::uint64_t seed);

std::string describe(const Script& script);
std::string describe(const std::vector<Noticed>& notes);

// By step, what those components did of which the two tell different things.
std::string describe_differences(const Outcome& one, const Outcome& other);

// Takes the samples of a script that are due by `now`; uses(at) is asked for what components have done before `at`.
template <class Uses>
void sample_until(Time now, UseHistory& history, Uses uses) {
  while (history.next() <= now) {
    history.sample_changed(uses(history.next()));
  }
}

std::vector<std::vector<UsePoint>> points_of(const UseHistory& history);

// Of the source of a message; its sequence number is that of the message.
constexpr std::uint32_t source_rank(std::uint32_t message) { return message * 7 % 5; }

}  // namespace plumbline::hw
