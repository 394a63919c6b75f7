#include "hwmodels/calibrate/streams.hpp"

#include <algorithm>

#include "hwmodels/calibrate/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::string_view kStreams = "streams";

// Of n messages of s bytes in t ns, the first one after `lead`.
double bytes_per_second(std::uint32_t messages, std::uint64_t bytes, double t, double lead) {
  const auto size = static_cast<double>(bytes);
  if (messages > 1 && lead > 0 && lead < t) return (messages - 1) * size / (t - lead) * 1e9;
  return std::max(messages, 1U) * size / t * 1e9;
}

// Of a cell of several streams: senders first, then their receivers in the same order.
std::vector<PlacePair> pairs_of(const std::vector<Place>& places) {
  std::vector<PlacePair> pairs;
  const std::size_t half = places.size() / 2;
  for (std::size_t i = 0; i < half; ++i) pairs.emplace_back(places[i], places[half + i]);
  return pairs;
}

Flow flow_of(const Place& from, const Place& to) { return {from.node, to.node}; }

bool is_between_nodes(const Place& a, const Place& b) { return a.node != b.node; }

}  // namespace

Streams::Streams(const Observations& observations, const std::map<PlacePair, Curve>& one_way)
    : observations_(observations), one_way_(one_way), alone_curves_(curves_of(observations, kStreams, "alone")) {
  std::vector<const Curve*> between;
  for (const auto& [pair, curve] : one_way)
    if (is_between_nodes(pair.first, pair.second)) between.push_back(&curve);
  typical_ = centre(between);
  for (const auto& [places, curve] : alone_curves_) {
    if (places.size() != 2) continue;
    const auto& [bytes, figure] = *curve.rbegin();
    alone_.push_back(rate_of(places[0], places[1], bytes, figure));
  }
}

double Streams::lead(const Place& from, const Place& to, std::uint64_t bytes) const {
  const auto reaches = [&](const Curve& curve) { return !curve.empty() && curve.rbegin()->first >= bytes; };
  const auto own = one_way_.find(std::minmax(from, to));
  if (own != one_way_.end() && reaches(own->second)) return value_at(own->second, static_cast<double>(bytes));
  return is_between_nodes(from, to) && reaches(typical_) ? value_at(typical_, static_cast<double>(bytes)) : 0;
}

StreamRate Streams::rate_of(const Place& from, const Place& to, std::uint64_t bytes, const Figure& figure) const {
  const double first = lead(from, to, bytes);
  StreamRate result{from, to, bytes, bytes_per_second(figure.messages, bytes, figure.value, first), figure.spread, {}};
  for (const double run : figure.runs) result.runs.push_back(bytes_per_second(figure.messages, bytes, run, first));
  return result;
}

const Figure* Streams::alone_at(const Place& from, const Place& to, std::uint64_t bytes) const {
  const auto curve = alone_curves_.find({from, to});
  if (curve == alone_curves_.end()) return nullptr;
  const auto figure = curve->second.find(bytes);
  return figure == curve->second.end() ? nullptr : &figure->second;
}

std::vector<Contention> Streams::contentions() const {
  std::vector<Contention> result;
  for (const auto& [experiment, figure] : observations_.figures) {
    const std::vector<Place>& places = experiment.places;
    if (experiment.operation != kStreams || experiment.part != "against" || places.size() != 2) continue;
    const Figure* const alone = alone_at(places[0], places[1], experiment.bytes);
    const Place &from = experiment.others[0], &to = experiment.others[1];
    const bool apart = is_between_nodes(places[0], places[1]) && is_between_nodes(from, to) &&
                       places[0].node != from.node && places[1].node != to.node;
    if (alone == nullptr || !apart) continue;
    result.push_back({flow_of(places[0], places[1]), {flow_of(from, to)}, figure.value / alone->value});
  }
  return result;
}

std::map<std::uint64_t, double> Streams::both_ways() const {
  std::map<std::uint64_t, std::vector<double>> times;
  for (const auto& [places, curve] : curves_of(observations_, kStreams, "both")) {
    if (places.size() != 2 || !is_between_nodes(places[0], places[1])) continue;
    for (const auto& [bytes, figure] : curve)
      if (const Figure* const alone = alone_at(places[0], places[1], bytes))
        times[bytes].push_back(figure.value / alone->value);
  }
  std::map<std::uint64_t, double> medians;
  for (const auto& [bytes, each] : times) medians[bytes] = median(each);
  return medians;
}

std::vector<Streams::Together> Streams::together() const {
  std::vector<Together> result;
  for (const auto& [places, curve] : curves_of(observations_, kStreams, "across")) {
    const std::vector<PlacePair> pairs = pairs_of(places);
    if (pairs.empty()) continue;
    const auto& [bytes, figure] = *curve.rbegin();
    Together together;
    bool known = true;
    for (const auto& [from, to] : pairs) {
      together.flows.push_back(flow_of(from, to));
      together.rate += rate_of(from, to, bytes, figure).rate;
      const Figure* const alone = alone_at(from, to, bytes);
      known = known && alone != nullptr;
      if (alone != nullptr) together.alone += rate_of(from, to, bytes, *alone).rate;
    }
    if (!known) together.alone = 0;
    together.spread = figure.spread;
    result.push_back(std::move(together));
  }
  return result;
}

}  // namespace plumbline::hw::calibration
