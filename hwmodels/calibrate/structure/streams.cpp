#include "hwmodels/calibrate/structure/streams.hpp"

#include <algorithm>
#include <set>

#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::string_view kStreams = "streams";

// Of n messages of s bytes that took t ns each.
double bytes_per_second(std::uint32_t messages, std::uint64_t bytes, double t, double fill) {
  const double before = fill / std::max(messages, 1U);
  return static_cast<double>(bytes) / (before < t ? t - before : t) * 1e9;
}

bool reaches(const Curve& curve, std::uint64_t bytes) { return !curve.empty() && curve.rbegin()->first >= bytes; }

// Of a cell of several streams: senders first, then their receivers in the same order.
std::vector<PlacePair> pairs_of(const std::vector<Place>& places) {
  std::vector<PlacePair> pairs;
  const std::size_t half = places.size() / 2;
  for (std::size_t i = 0; i < half; ++i) pairs.emplace_back(places[i], places[half + i]);
  return pairs;
}

Flow flow_of(const Place& from, const Place& to) { return {from.node, to.node}; }

bool is_between_nodes(const Place& a, const Place& b) { return a.node != b.node; }

// Index in typical_.
std::size_t way_of(const Place& a, const Place& b) { return is_between_nodes(a, b) ? 2 : on_two_sockets(a, b) ? 1 : 0; }

}  // namespace

Streams::Streams(const Observations& observations, const std::map<PlacePair, Curve>& one_way)
    : observations_(observations), one_way_(one_way), alone_curves_(curves_of(observations, kStreams, "alone")) {
  std::array<std::vector<const Curve*>, 3> by_way;
  for (const auto& [pair, curve] : one_way) by_way[way_of(pair.first, pair.second)].push_back(&curve);
  for (std::size_t way = 0; way < by_way.size(); ++way) typical_[way] = centre(by_way[way]);
  for (const auto& [places, curve] : alone_curves_) {
    if (places.size() != 2) continue;
    const auto& [bytes, figure] = *curve.rbegin();
    alone_.push_back(rate_of(places[0], places[1], bytes, figure));
  }
  for (const auto& [places, curve] : curves_of(observations, kStreams, "all")) {
    if (places.size() != 2) continue;
    const auto& [bytes, figure] = *curve.rbegin();
    loaded_.push_back(rate_of(places[0], places[1], bytes, figure));
  }
}

namespace {

// Who sends, and who receives, in each loaded round.
class Rounds {
 public:
  explicit Rounds(const Observations& observations) {
    for (const auto& [experiment, figure] : observations.figures) {
      if (!holds(experiment)) continue;
      senders_[key(experiment)].insert(experiment.places[0].node);
      receivers_[key(experiment)].insert(experiment.places[1].node);
    }
  }

  static bool holds(const Experiment& of) {
    return of.operation == kStreams && of.part == "all" && of.places.size() == 2 &&
           is_between_nodes(of.places[0], of.places[1]);
  }

  // How many of both its ends do the other direction, too.
  int ends_of_both(const Experiment& of) const {
    return static_cast<int>(receivers_.at(key(of)).contains(of.places[0].node)) +
           static_cast<int>(senders_.at(key(of)).contains(of.places[1].node));
  }

 private:
  using Key = std::pair<std::uint64_t, std::uint32_t>;  // size and round
  static Key key(const Experiment& of) { return {of.bytes, of.round}; }

  std::map<Key, std::set<std::uint32_t>> senders_, receivers_;
};

}  // namespace

std::vector<StreamRate> Streams::one_direction() const {
  std::vector<StreamRate> result = loaded_with(0);
  result.insert(result.end(), alone_.begin(), alone_.end());
  return result;
}

std::vector<StreamRate> Streams::both_directions() const { return loaded_with(2); }

std::vector<StreamRate> Streams::loaded_with(int ends_of_both) const {
  const Rounds rounds(observations_);
  std::vector<StreamRate> result;
  for (const auto& [experiment, figure] : observations_.figures)
    if (Rounds::holds(experiment) && rounds.ends_of_both(experiment) == ends_of_both)
      result.push_back(rate_of(experiment.places[0], experiment.places[1], experiment.bytes, figure));
  return result;
}

double Streams::fill(std::size_t way, std::uint64_t bytes) const {
  const Curve& one_way = typical_[way];
  if (!reaches(one_way, bytes)) return 0;
  const double one = value_at(one_way, static_cast<double>(bytes)), back = one_way.begin()->second.value;
  std::vector<double> per_byte;
  for (const auto& [places, curve] : alone_curves_) {
    const auto figure = curve.find(bytes);
    if (places.size() != 2 || way_of(places[0], places[1]) != way || figure == curve.end()) continue;
    if (figure->second.messages > 1)
      per_byte.push_back((figure->second.messages * figure->second.value - one - back) / (figure->second.messages - 1) /
                         static_cast<double>(bytes));
  }
  return per_byte.empty() ? 0 : std::max(0.0, one + back - static_cast<double>(bytes) * median(per_byte));
}

double Streams::fill_of(const Place& from, const Place& to, std::uint64_t bytes) const {
  const std::size_t way = way_of(from, to);
  const Curve& all = typical_[way];
  const double before = fill(way, bytes);
  const auto own = one_way_.find(std::minmax(from, to));
  if (before <= 0 || own == one_way_.end() || own->second.empty()) return before;
  const auto& [smallest, figure] = *own->second.begin();
  return std::max(0.0, before + 2 * (figure.value - value_at(all, static_cast<double>(smallest))));
}

StreamRate Streams::rate_of(const Place& from, const Place& to, std::uint64_t bytes, const Figure& figure) const {
  const double before = fill_of(from, to, bytes);
  StreamRate result{from, to, bytes, bytes_per_second(figure.messages, bytes, figure.value, before), figure.spread, {}};
  for (const double run : figure.runs) result.runs.push_back(bytes_per_second(figure.messages, bytes, run, before));
  return result;
}

const Figure* Streams::alone_at(const Place& from, const Place& to, std::uint64_t bytes) const {
  const auto curve = alone_curves_.find({from, to});
  if (curve == alone_curves_.end()) return nullptr;
  const auto figure = curve->second.find(bytes);
  return figure == curve->second.end() ? nullptr : &figure->second;
}

Contentions Streams::contentions() const {
  Contentions result;
  add_against(result);
  add_loaded(result);
  return result;
}

void Streams::add_against(Contentions& into) const {
  for (const auto& [experiment, figure] : observations_.figures) {
    const std::vector<Place>& places = experiment.places;
    if (experiment.operation != kStreams || experiment.part != "against" || places.size() != 2) continue;
    const Figure* const alone = alone_at(places[0], places[1], experiment.bytes);
    const Place &from = experiment.others[0], &to = experiment.others[1];
    const bool apart = is_between_nodes(places[0], places[1]) && is_between_nodes(from, to) &&
                       places[0].node != from.node && places[1].node != to.node;
    if (alone == nullptr || !apart) continue;
    const Flow own = flow_of(places[0], places[1]);
    into.streams.push_back({own, static_cast<std::uint32_t>(into.rounds.size()), figure.value / alone->value});
    into.rounds.push_back({own, flow_of(from, to)});
  }
}

void Streams::add_loaded(Contentions& into) const {
  std::map<std::uint32_t, double> out, in;                                  // the least of each node
  std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t> rounds;  // by size and number
  std::vector<std::pair<Contention, double>> streams;
  for (const auto& [experiment, figure] : observations_.figures) {
    const std::vector<Place>& places = experiment.places;
    if (experiment.operation != kStreams || experiment.part != "all" || places.size() != 2 ||
        !is_between_nodes(places[0], places[1]))
      continue;
    const Flow own = flow_of(places[0], places[1]);
    const auto [round, is_new] =
        rounds.try_emplace({experiment.bytes, experiment.round}, static_cast<std::uint32_t>(into.rounds.size()));
    if (is_new) into.rounds.emplace_back();
    into.rounds[round->second].push_back(own);
    const double per_byte = figure.value / static_cast<double>(experiment.bytes);
    streams.push_back({{own, round->second, 1}, per_byte});
    for (auto* const least :
         {&out.try_emplace(own.from, per_byte).first->second, &in.try_emplace(own.to, per_byte).first->second})
      *least = std::min(*least, per_byte);
  }
  for (auto& [stream, per_byte] : streams) {
    stream.times = per_byte / std::max(out[stream.stream.from], in[stream.stream.to]);
    into.streams.push_back(stream);
  }
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

std::map<PlacePair, std::vector<double>> Streams::both_ways_of_pairs() const {
  std::map<PlacePair, std::vector<double>> times;
  for (const auto& [places, curve] : curves_of(observations_, kStreams, "both")) {
    if (places.size() != 2 || !is_between_nodes(places[0], places[1]) || curve.empty()) continue;
    const auto& [bytes, figure] = *curve.begin();
    const Figure* const alone = alone_at(places[0], places[1], bytes);
    if (alone == nullptr) continue;
    std::vector<double>& of_pair = times[std::minmax(places[0], places[1])];
    for (const double run : figure.runs) of_pair.push_back(run / alone->value);
  }
  return times;
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
