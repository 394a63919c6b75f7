#include "hwmodels/settings.hpp"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "base/nearest.hpp"
#include "base/quantity.hpp"
#include "hwmodels/knobs.hpp"
#include "hwmodels/part_rules.hpp"
#include "hwmodels/storage_knobs.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kWhere = "--set";

constexpr std::array<WordOf<Progress>, 3> kProgress{
    {{"in-calls", Progress::kInCalls}, {"thread", Progress::kThread}, {"hardware", Progress::kHardware}}};

// "between.n0-n3:n4", as in <between from="n0-n3" to="n4">.
std::string name_of(const PairTransport& pair, std::span<const Node> nodes) {
  const auto range = [&](std::uint32_t first, std::uint32_t last) {
    return first == last ? nodes[first].name : fmt::format("{}-{}", nodes[first].name, nodes[last].name);
  };
  return fmt::format("between.{}:{}", range(pair.first_a, pair.last_a), range(pair.first_b, pair.last_b));
}

class Knobs : public KnobList {
 public:
  explicit Knobs(Platform& platform) {
    for (Node& node : platform.nodes) add_node(node);
    for (Switch& device : platform.switches) rate("switch." + device.name + ".rate", device.rate);
    for (Edge& edge : platform.edges) add_link(edge);
    packets(platform.packets);
    add_transport("inside", platform.inside);
    add_transport("between", platform.between);
    for (PairTransport& pair : platform.pairs) add_transport(name_of(pair, platform.nodes), pair.transport);
    for (FileSystem& file_system : platform.file_systems) add_file_system(file_system, platform.servers, *this);
    for (Server& server : platform.servers) add_server(server, platform.nodes, *this);
  }

 private:
  void add_node(Node& node) {
    const std::string name = "node." + node.name;
    number(name + ".cores", "a number, at least 1", node.cores, 1U, std::numeric_limits<std::uint32_t>::max());
    number(name + ".speed", "a factor from 0.001 to 1000", node.speed, 0.001, 1000.0);
    rate(name + ".memory-rate", node.memory_rate);
    rate(name + ".interface-rate", node.interface_rate);
    add_noise(name + ".noise", node.noise);
    if (!node.sockets) return;
    number(name + ".sockets.count", "a number, at least 1", node.sockets->count, 1U,
           std::numeric_limits<std::uint32_t>::max());
    rate(name + ".sockets.rate", node.sockets->rate);
    rate(name + ".sockets.local-rate", node.sockets->local_rate);
    duration(name + ".sockets.latency", node.sockets->latency);
    rate(name + ".sockets.link-rate", node.sockets->link_rate);
    rate(name + ".sockets.interconnect-rate", node.sockets->interconnect_rate);
  }

  // Noise comes to be when one of the two is set.
  void add_noise(const std::string& name, std::optional<Noise>& noise) {
    const auto add_part = [&](const char* part, Parameter<Duration> Noise::*place) {
      add(name + part, "a duration such as 50us", [&noise, place](std::string_view text) {
        const std::optional<Duration> value = parse_duration(text);
        if (!value) return false;
        if (!noise) noise.emplace();
        return assign((*noise).*place, value);
      });
    };
    add_part(".period", &Noise::period);
    add_part(".duration", &Noise::duration);
  }

  void add_link(Edge& edge) {
    const std::string name = "link." + edge.name;
    rate(name + ".rate", edge.rate);
    duration(name + ".latency", edge.latency);
    flag(name + ".duplex", edge.half_duplex, "half", "full");
  }

  void packets(Packets& packets) {
    constexpr Bytes kLeast{64};  // as in a platform file
    bytes("packets.granularity", packets.granularity, kLeast);
    bytes("packets.header", packets.header, {});
    bytes("packets.send-queue", packets.send_queue);
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
      if (!range.times.empty()) scale(own + ".times", range.times);
    }
    flag(name + ".ordered", transport.ordered, "yes", "no");
    word(name + ".progress", transport.progress, kProgress);
    eager_limit(name + ".eager-limit", transport);
    bytes(name + ".send-buffer", transport.send_buffer);
  }

  // All that was measured, in shares of it.
  void scale(std::string name, std::vector<MessageTimes>& times) {
    add(std::move(name), "a share such as 50%, above 0%", [&times](std::string_view text) {
      const std::optional<double> factor = parse_fraction(text);
      constexpr double kMostSeconds = 9e6;  // about as long as a time can be
      if (!factor || !(*factor > 0)) return false;
      for (const MessageTimes& each : times)
        if (each.quantiles.back().value.seconds() * *factor > kMostSeconds) return false;
      for (MessageTimes& each : times)
        for (Quantile& quantile : each.quantiles)
          quantile.value = duration_from_seconds(quantile.value.seconds() * *factor);
      return true;
    });
  }

  // The largest eager message, where a transport goes from eager to rendezvous once. Ranges between the old and the new
  // limit change their protocol and keep their costs; one that holds the new limit is cut in two.
  void eager_limit(std::string name, Transport& transport) {
    add(std::move(name), "an amount of data such as 64KiB", [&transport](std::string_view text) {
      const std::optional<Bytes> limit = parse_bytes(text);
      if (limit) set_eager_limit(transport, *limit);
      return limit.has_value();
    });
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

// "fs." is short for "filesystem.".
std::string in_full(const std::string& name) {
  constexpr std::string_view kShort = "fs.";
  return name.starts_with(kShort) ? "filesystem." + name.substr(kShort.size()) : name;
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
  const std::string name = in_full(setting.name);
  bool any = false;
  for (const Knob& knob : knobs) {
    if (!matches(name, knob.name)) continue;
    any = true;
    if (knob.set(setting.value)) continue;
    diagnostics.add(kWhere, fmt::format("{}={} is not {}", knob.name, setting.value, knob.expects),
                    knob.known ? did_you_mean(setting.value, knob.known(), "") : "");
    return;
  }
  if (any) return;
  diagnostics.add(kWhere, fmt::format("the platform has no '{}'", setting.name),
                  did_you_mean(name, names_of(knobs), "see docs/reference/settings.md for the names"));
}

void check_settings(const Platform& platform, Diagnostics& diagnostics) {
  const auto note = [&](const std::string& subject, const std::vector<PartFault>& faults) {
    for (const PartFault& fault : faults)
      diagnostics.add(kWhere, fmt::format("{} {}", subject, fault.what), fault.hint);
  };
  for (const Node& node : platform.nodes) {
    if (node.noise) note(fmt::format("noise of node '{}'", node.name), faults_of(*node.noise));
    if (node.sockets) note(fmt::format("node '{}'", node.name), faults_of(*node.sockets, node.cores));
  }
  for (const Server& server : platform.servers) {
    ServerCache cache = server.cache;
    if (cache.policy != CachePolicy::kPageCache) cache.dirty_background = cache.dirty_limit = std::nullopt;
    note(fmt::format("cache of server '{}'", server.name), faults_of(cache));
    note(fmt::format("server '{}'", server.name), faults_of(server, platform.packets.granularity));
  }
  for (const FileSystem& file_system : platform.file_systems) {
    const std::string subject = fmt::format("distribution of filesystem '{}'", file_system.name);
    note(subject, faults_of(file_system.distribution));
    if (!file_system.distribution.local) continue;
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t server : file_system.distribution.servers) nodes.push_back(platform.servers[server].node);
    note(subject, faults_of_local(std::move(nodes), platform.nodes));
  }
}

}  // namespace plumbline::hw
