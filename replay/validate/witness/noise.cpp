#include "replay/validate/witness/noise.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <string_view>

#include "base/quantity.hpp"
#include "replay/validate/witness/parts.hpp"

namespace plumbline::replay::validate {
namespace {

// Of the time; of a node and of one processor that much more than the peers.
constexpr double kMoreOfNode = 0.02, kMoreOfOne = 0.05, kLeastOfAll = 0.05;
// Of the peers. Eight quiet nodes on one core of a virtual machine lost 0.8 to 1.6 %, and 2.9 to 4.9 % beside a process
// that stopped another one of them.
constexpr double kFactor = 2;
constexpr std::size_t kTimes = 2;

using Timed = std::vector<node::Interruptions>;
using Share = double node::Interruptions::*;

double least(const Timed& timed, Share share) { return std::ranges::min(timed, {}, share).*share; }

// Of the others the one in the middle; of an even number the lesser. 0: there are no others.
double middle_of_others(const std::map<std::string, Timed>& timed, const std::string& host, Share share) {
  std::vector<double> others;
  for (const auto& [other, times] : timed)
    if (other != host) others.push_back(least(times, share));
  if (others.empty()) return 0;
  std::ranges::sort(others);
  return others[(others.size() - 1) / 2];
}

// Which one it is, where it is the same each time.
std::optional<std::uint32_t> only_processor(const Timed& timed) {
  const std::uint32_t first = timed.front().worst_processor;
  const bool is_same = std::ranges::all_of(timed, [&](const auto& each) { return each.worst_processor == first; });
  return is_same ? std::optional(first) : std::nullopt;
}

std::optional<Noise> noise_of_node(const std::map<std::string, Timed>& timed, const std::string& host) {
  const Timed& times = timed.at(host);
  const auto stands_out = [&](Share share, double more) {
    const double own = least(times, share), others = middle_of_others(timed, host, share);
    return timed.size() > 1 && own >= others + more && own >= kFactor * others;
  };
  const auto made = [&](Share share, std::optional<std::uint32_t> one) {
    return Noise{host, least(times, share), one ? 0 : least(times, &node::Interruptions::length),
                 middle_of_others(timed, host, share), one};
  };
  if (stands_out(&node::Interruptions::usual, kMoreOfNode)) return made(&node::Interruptions::usual, {});
  const auto one = only_processor(times);
  if (one && stands_out(&node::Interruptions::worst, kMoreOfOne)) return made(&node::Interruptions::worst, one);
  return {};
}

std::string at_a_time(double length) {
  return length > 0 ? fmt::format(", {} at a time", format(duration_from_seconds(length))) : std::string();
}

std::string text_of(const Noise& noise) {
  const std::string share = fmt::format("{:.1f} % of the time", 100 * noise.share);
  if (noise.host.empty()) return fmt::format("Processors are taken away for {}{}", share, at_a_time(noise.length));
  const std::string whose = noise.one ? fmt::format("Processor {} of {} is", *noise.one, noise.host)
                                      : fmt::format("Processors of {} are", noise.host);
  return fmt::format("{} taken away for {}{}, those of other nodes for {:.1f} %", whose, share, at_a_time(noise.length),
                     100 * noise.peers);
}

}  // namespace

std::vector<Noise> noise_of(const std::map<std::string, std::vector<node::Interruptions>>& timed) {
  std::map<std::string, Timed> often = timed;
  std::erase_if(often, [](const auto& node) { return node.second.size() < kTimes; });
  std::vector<Noise> found;
  for (const auto& [host, times] : often)
    if (auto noise = noise_of_node(often, host)) found.push_back(*std::move(noise));
  if (!found.empty() || often.empty() || often.size() < timed.size()) return found;
  Noise all{{}, 1, 1, 0, {}};
  for (const auto& [host, times] : often) {
    all.share = std::min(all.share, least(times, &node::Interruptions::usual));
    all.length = std::min(all.length, least(times, &node::Interruptions::length));
  }
  if (all.share >= kLeastOfAll) found.push_back(all);
  return found;
}

Observation observation_of(const Noise& noise, const std::vector<node::Interruptions>& timed) {
  Observation seen{std::string(kNoise), text_of(noise), noise.host.empty() ? "processors" : noise.host, {}};
  if (!noise.host.empty()) seen.places = {noise.host};
  constexpr std::string_view kWhen[] = {"before", "afterwards"};
  for (std::size_t i = 0; i < timed.size() && i < std::size(kWhen); ++i) {
    const node::Interruptions& each = timed[i];
    seen.rows.push_back({fmt::format("usual processor, {}", kWhen[i]), fmt::format("{:.2f}", 100 * each.usual), "%"});
    seen.rows.push_back({fmt::format("processor {}, {}", each.worst_processor, kWhen[i]),
                         fmt::format("{:.2f}", 100 * each.worst), "%"});
  }
  return seen;
}

void see_noise(const WitnessInput& input, std::vector<Observation>& into) {
  std::map<std::string, Timed> timed;
  for (const NodeWitness& node : input.nodes) timed[node.host] = node.noise;
  for (const Noise& noise : noise_of(timed))
    into.push_back(observation_of(noise, noise.host.empty() ? Timed() : timed.at(noise.host)));
}

}  // namespace plumbline::replay::validate
