#include "hwmodels/platform/settings/settings.hpp"

#include <fmt/format.h>

#include <optional>
#include <span>
#include <utility>

#include "base/quantity.hpp"
#include "base/text/nearest.hpp"
#include "hwmodels/platform/part_rules.hpp"
#include "hwmodels/platform/settings/adjustable_parameters.hpp"
#include "hwmodels/platform/settings/adjustable_storage.hpp"
#include "hwmodels/platform/settings/set_fields.hpp"

namespace plumbline::hw {
namespace {

constexpr const char* kWhere = "--set";

// "between.n0-n3:n4", as in <between from="n0-n3" to="n4">.
std::string name_of(const PairTransport& pair, std::span<const Node> nodes) {
  const auto range = [&](std::uint32_t first, std::uint32_t last) {
    return first == last ? nodes[first].name : fmt::format("{}-{}", nodes[first].name, nodes[last].name);
  };
  return fmt::format("between.{}:{}", range(pair.first_a, pair.last_a), range(pair.first_b, pair.last_b));
}

class PlatformParameters : public AdjustableParameters {
 public:
  explicit PlatformParameters(Platform& platform) : network_(platform.network) {
    for (Node& node : platform.nodes) add_node(node);
    for (Switch& device : platform.switches) fields(device, SetFields("switch." + device.name, *this));
    for (Edge& edge : platform.edges) fields(edge, SetFields("link." + edge.name, *this));
    fields(platform.packets, SetFields("packets", *this));
    add_transport("inside", platform.inside);
    add_transport("between", platform.between);
    for (PairTransport& pair : platform.pairs) add_transport(name_of(pair, platform.nodes), pair.transport);
    for (FileSystem& file_system : platform.file_systems) add_file_system(file_system, platform.servers, *this);
    for (Server& server : platform.servers) add_server(server, platform.nodes, *this);
  }

 private:
  void add_node(Node& node) {
    const std::string name = "node." + node.name;
    fields(node, false, SetFields(name, *this));
    add_noise(name + ".noise", node.noise);
    if (node.sockets) fields(*node.sockets, SetFields(name + ".sockets", *this));
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

  void add_transport(const std::string& name, Transport& transport) {
    for (std::size_t i = 0; i < transport.ranges.size(); ++i) {
      MessageRange& range = transport.ranges[i];
      const std::string own = fmt::format("{}.range{}", name, i + 1);
      fields(range, network_, SetFields(own, *this));
      if (!range.times.empty()) scale(own + ".times", range.times);
    }
    fields(transport, SetFields(name, *this));
    eager_limit(name + ".eager-limit", transport);
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

  NetworkKind network_;
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

std::vector<std::string> names_of(const std::vector<AdjustableParameter>& parameters) {
  std::vector<std::string> names;
  for (const AdjustableParameter& parameter : parameters) names.push_back(parameter.name);
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
  return names_of(PlatformParameters(copy).take());
}

void apply(const Setting& setting, Platform& platform, Diagnostics& diagnostics) {
  const std::vector<AdjustableParameter> parameters = PlatformParameters(platform).take();
  const std::string name = in_full(setting.name);
  bool any = false;
  for (const AdjustableParameter& parameter : parameters) {
    if (!matches(name, parameter.name)) continue;
    any = true;
    if (parameter.set(setting.value)) continue;
    diagnostics.add(kWhere, fmt::format("{}={} is not {}", parameter.name, setting.value, parameter.expects),
                    parameter.known ? did_you_mean(setting.value, parameter.known(), "") : "");
    return;
  }
  if (any) return;
  diagnostics.add(kWhere, fmt::format("the platform has no '{}'", setting.name),
                  did_you_mean(name, names_of(parameters), "see docs/reference/settings.md for the names"));
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
