#include "hwmodels/settings.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "base/nearest.hpp"
#include "base/quantity.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kWhere = "--set";

// One thing that can be set: false when `value` is none of `expects`.
struct Knob {
  std::string name;
  const char* expects;
  std::function<bool(std::string_view value)> set;
};

constexpr const char* kRate = "a rate such as 100Mbit/s";
constexpr const char* kDuration = "a duration such as 50us";
constexpr const char* kBytes = "an amount of data such as 64KiB";

// "100Mbit" is understood too: there is no rate without "/s".
std::optional<BytesPerSecond> rate_of(std::string_view text) {
  if (text.ends_with("/s")) return parse_rate(text);
  return parse_rate(std::string(text) + "/s");
}

template <class T>
bool assign(Parameter<T>& parameter, const std::optional<T>& value) {
  if (value) parameter = {*value, 0, "set by hand"};
  return value.has_value();
}

class Knobs {
 public:
  explicit Knobs(Platform& platform) {
    for (Node& node : platform.nodes) add_node(node);
    for (Switch& device : platform.switches) rate("switch." + device.name + ".rate", device.rate);
    for (Edge& edge : platform.edges) add_link(edge);
    packets(platform.packets);
    add_transport("inside", platform.inside);
    add_transport("between", platform.between);
    for (FileSystem& file_system : platform.file_systems) add_file_system(file_system);
  }

  std::vector<Knob> take() { return std::move(knobs_); }

 private:
  void rate(std::string name, Parameter<BytesPerSecond>& parameter) {
    knobs_.push_back({std::move(name), kRate, [&parameter](std::string_view text) {
                        const std::optional<BytesPerSecond> value = rate_of(text);
                        return value && value->count > 0 && assign(parameter, value);
                      }});
  }

  void rate(std::string name, std::optional<Parameter<BytesPerSecond>>& parameter) {
    knobs_.push_back({std::move(name), kRate, [&parameter](std::string_view text) {
                        const std::optional<BytesPerSecond> value = rate_of(text);
                        return value && value->count > 0 && assign(parameter.emplace(), value);
                      }});
  }

  void duration(std::string name, Parameter<Duration>& parameter) {
    knobs_.push_back({std::move(name), kDuration,
                      [&parameter](std::string_view text) { return assign(parameter, parse_duration(text)); }});
  }

  void bytes(std::string name, Bytes& amount, Bytes least) {
    knobs_.push_back({std::move(name), kBytes, [&amount, least](std::string_view text) {
                        const std::optional<Bytes> value = parse_bytes(text);
                        if (!value || *value < least) return false;
                        amount = *value;
                        return true;
                      }});
  }

  template <class T>
  void number(std::string name, const char* expects, T& number, T least, T most) {
    knobs_.push_back({std::move(name), expects, [&number, least, most](std::string_view text) {
                        T value{};
                        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
                        if (error != std::errc() || end != text.data() + text.size() ||
                            !(value >= least && value <= most))
                          return false;
                        number = value;
                        return true;
                      }});
  }

  void flag(std::string name, const char* expects, bool& flag, std::string_view yes, std::string_view no) {
    knobs_.push_back({std::move(name), expects, [&flag, yes, no](std::string_view text) {
                        if (text != yes && text != no) return false;
                        flag = text == yes;
                        return true;
                      }});
  }

  void add_node(Node& node) {
    const std::string name = "node." + node.name;
    number(name + ".cores", "a number, at least 1", node.cores, 1U, std::numeric_limits<std::uint32_t>::max());
    number(name + ".speed", "a factor from 0.001 to 1000", node.speed, 0.001, 1000.0);
    rate(name + ".memory-rate", node.memory_rate);
    rate(name + ".interface-rate", node.interface_rate);
    if (node.noise) {
      duration(name + ".noise.period", node.noise->period);
      duration(name + ".noise.duration", node.noise->duration);
    }
    if (!node.sockets) return;
    rate(name + ".sockets.rate", node.sockets->rate);
    rate(name + ".sockets.local-rate", node.sockets->local_rate);
    duration(name + ".sockets.latency", node.sockets->latency);
    rate(name + ".sockets.link-rate", node.sockets->link_rate);
    rate(name + ".sockets.interconnect-rate", node.sockets->interconnect_rate);
  }

  void add_link(Edge& edge) {
    const std::string name = "link." + edge.name;
    rate(name + ".rate", edge.rate);
    duration(name + ".latency", edge.latency);
    flag(name + ".duplex", "half or full", edge.half_duplex, "half", "full");
  }

  void packets(Packets& packets) {
    constexpr Bytes kLeast{64};  // as in a platform file
    bytes("packets.granularity", packets.granularity, kLeast);
    bytes("packets.header", packets.header, {});
  }

  void add_transport(const std::string& name, Transport& transport) {
    for (std::size_t i = 0; i < transport.ranges.size(); ++i) {
      MessageRange& range = transport.ranges[i];
      const std::string own = fmt::format("{}.range{}", name, i + 1);
      duration(own + ".send", range.send);
      duration(own + ".receive", range.receive);
      duration(own + ".latency", range.latency);
      rate(own + ".send-rate", range.send_rate);
      rate(own + ".receive-rate", range.receive_rate);
      duration(own + ".gap", range.gap);
      rate(own + ".gap-rate", range.gap_rate);
    }
    flag(name + ".ordered", "yes or no", transport.ordered, "yes", "no");
    progress(name + ".progress", transport.progress);
    eager_limit(name + ".eager-limit", transport);
  }

  void progress(std::string name, Progress& progress) {
    knobs_.push_back({std::move(name), "in-calls, thread or hardware", [&progress](std::string_view text) {
                        if (text == "in-calls")
                          progress = Progress::kInCalls;
                        else if (text == "thread")
                          progress = Progress::kThread;
                        else if (text == "hardware")
                          progress = Progress::kHardware;
                        else
                          return false;
                        return true;
                      }});
  }

  // The largest eager message, where a transport goes from eager to rendezvous once. Ranges between the old and the new
  // limit change their protocol and keep their costs; one that holds the new limit is cut in two.
  void eager_limit(std::string name, Transport& transport) {
    knobs_.push_back({std::move(name), "an amount of data such as 64KiB", [&transport](std::string_view text) {
                        const std::optional<Bytes> limit = parse_bytes(text);
                        if (limit) set_eager_limit(transport, *limit);
                        return limit.has_value();
                      }});
  }

  static void set_eager_limit(Transport& transport, Bytes limit) {
    std::vector<MessageRange> ranges;
    for (const MessageRange& range : transport.ranges) {
      const bool goes_beyond = !range.upto || limit < *range.upto;
      const bool begins_below = ranges.empty() || *ranges.back().upto < limit;
      if (begins_below) {
        ranges.push_back(range);
        ranges.back().protocol = Protocol::kEager;
        if (goes_beyond) ranges.back().upto = limit;
      }
      if (!goes_beyond) continue;
      ranges.push_back(range);
      ranges.back().protocol = Protocol::kRendezvous;
    }
    transport.ranges = std::move(ranges);
  }

  void add_file_system(FileSystem& file_system) {
    const std::string name = "filesystem." + file_system.name;
    access(name + ".cached-write", file_system.cached_write);
    access(name + ".cached-read", file_system.cached_read);
    access(name + ".device-write", file_system.device_write);
    access(name + ".device-read", file_system.device_read);
    duration(name + ".open", file_system.open);
    duration(name + ".close", file_system.close);
    duration(name + ".sync", file_system.sync);
  }

  void access(const std::string& name, AccessCost& cost) {
    duration(name + ".call", cost.call);
    rate(name + ".rate", cost.rate);
  }

  std::vector<Knob> knobs_;
};

bool matches(std::string_view pattern, std::string_view name) {
  const std::size_t star = pattern.find('*');
  if (star == pattern.npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  for (std::size_t i = star; i <= name.size(); ++i)
    if (matches(rest, name.substr(i))) return true;
  return false;
}

std::vector<std::string> names_of(const std::vector<Knob>& knobs) {
  std::vector<std::string> names;
  for (const Knob& knob : knobs) names.push_back(knob.name);
  return names;
}

}  // namespace

Setting parse_setting(std::string_view text) {
  const std::size_t equals = text.find('=');
  if (equals == 0 || equals == text.npos || equals + 1 == text.size())
    throw Error(kWhere, fmt::format("'{}' is not NAME=VALUE", text), "for example --set link.s0-n3.rate=100Mbit/s",
                ExitCode::kWrongUse);
  return {std::string(text.substr(0, equals)), std::string(text.substr(equals + 1))};
}

std::vector<std::string> setting_names(const Platform& platform) {
  Platform copy = platform;
  return names_of(Knobs(copy).take());
}

void apply(const Setting& setting, Platform& platform, Diagnostics& diagnostics) {
  const std::vector<Knob> knobs = Knobs(platform).take();
  bool any = false;
  for (const Knob& knob : knobs) {
    if (!matches(setting.name, knob.name)) continue;
    any = true;
    if (knob.set(setting.value)) continue;
    diagnostics.add(kWhere, fmt::format("{}={} is not {}", knob.name, setting.value, knob.expects));
    return;
  }
  if (any) return;
  diagnostics.add(kWhere, fmt::format("the platform has no '{}'", setting.name),
                  did_you_mean(setting.name, names_of(knobs), "see docs/reference/settings.md for the names"));
}

}  // namespace plumbline::hw
