#include "hwmodels/calibrate/node/socket_streams.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <vector>

#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

// Rates of one kind of experiment, at its largest size.
class LargestRates {
 public:
  void add(std::uint64_t bytes, double rate, double spread) {
    if (bytes < bytes_ || rate <= 0) return;
    if (bytes > bytes_) {
      rates_.clear();
      spreads_.clear();
    }
    bytes_ = bytes;
    rates_.push_back(rate);
    spreads_.push_back(spread);
  }
  double rate() const { return rates_.empty() ? 0 : median(rates_); }
  double spread() const { return rates_.empty() ? 0 : std::max(median(spreads_), spread_of_median(rates_)); }

 private:
  std::uint64_t bytes_ = 0;
  std::vector<double> rates_, spreads_;
};

bool are_on(const std::vector<std::uint32_t>& nodes, const std::vector<Place>& places) {
  return std::all_of(places.begin(), places.end(), [&](const Place& place) {
    return std::find(nodes.begin(), nodes.end(), place.node) != nodes.end();
  });
}

// Senders first, then their receivers: all from one socket to one other.
bool cross_together(const std::vector<Place>& places) {
  const std::size_t half = places.size() / 2;
  if (half < 2 || places.size() % 2 != 0 || !on_two_sockets(places.front(), places.back())) return false;
  for (std::size_t i = 0; i < places.size(); ++i)
    if (!is_of(places[i], i < half ? places.front() : places.back(), Crossing::kSame)) return false;
  return true;
}

bool share_no_socket(const Experiment& experiment) {
  if (experiment.others.size() != 2 || experiment.places.front().node != experiment.others.front().node) return false;
  std::set<std::uint32_t> sockets;
  for (const auto* const places : {&experiment.places, &experiment.others})
    for (const Place& place : *places) sockets.insert(place.socket);
  return sockets.size() == 4 && !sockets.contains(bench::kNoSocket);
}

// Of a socket's time, that streams which cross it must have had: of less, too little is known.
constexpr double kLeastForCrossing = 0.2;

struct SocketLoad {
  double crossing = 0, staying = 0;  // B/s
};

// Streams of part "both" of one node that were under way at once: a ring over its ranks.
struct Ring {
  double crossing = 0, spread = 0;
  std::uint32_t streams = 0, crossed = 0;
  std::map<std::uint32_t, SocketLoad> sockets;

  // By the socket that had the least time for what crossed; 0: not known.
  double socket_does_at_least(double local) const {
    double least = 0;
    for (const auto& [socket, load] : sockets)
      if (const double left = 1 - load.staying / local; left > kLeastForCrossing)
        least = std::max(least, load.crossing / left);
    return least;
  }
};

struct RingRates {
  LargestRates crossing, alone, socket;
};

class CrossingReader {
 public:
  CrossingReader(const Streams& streams, Bytes header, BytesPerSecond local)
      : streams_(streams), header_(header), local_(static_cast<double>(local.count)) {}

  void read(const Experiment& experiment, const Figure& figure) {
    const std::vector<Place>& places = experiment.places;
    const auto bytes = static_cast<double>(experiment.bytes);
    if (bytes <= 0) return;
    const double rate = streams_.rate_of(places.front(), places.back(), experiment.bytes, figure).rate *
                        (bytes + static_cast<double>(header_.count)) / bytes;
    const bool crosses = places.size() == 2 && on_two_sockets(places[0], places[1]);
    if (experiment.part == "across" && cross_together(places))
      together_.add(experiment.bytes, rate * static_cast<double>(places.size() / 2), figure.spread);
    if (experiment.part == "alone" && crosses) alone_.add(experiment.bytes, rate, figure.spread);
    if (experiment.part == "against" && crosses && share_no_socket(experiment))
      apart_.add(experiment.bytes, 2 * rate, figure.spread);
    if (experiment.part == "both" && places.size() == 2) read_both(experiment, rate, figure.spread);
  }

  CrossingRates rates() const {
    CrossingRates result;
    result.alone = alone_.rate();
    result.together = together_.rate();
    result.apart = apart_.rate();
    result.spread = std::max({alone_.spread(), together_.spread(), apart_.spread()});
    std::map<std::uint32_t, RingRates> by_number;
    for (const auto& [key, ring] : rings_) {
      const auto& [bytes, at_once, node] = key;
      const double socket = ring.socket_does_at_least(local_);
      // More streams than at once are of several runs, whose ranks were on other sockets.
      if (ring.streams > at_once || socket <= 0) continue;
      RingRates& rates = by_number[at_once];
      rates.crossing.add(bytes, ring.crossing, ring.spread);
      rates.alone.add(bytes, ring.crossed * alone_.rate(), 0);
      rates.socket.add(bytes, socket, 0);
    }
    for (const auto& [at_once, rates] : by_number) {
      result.both.push_back({rates.crossing.rate(), rates.alone.rate(), rates.socket.rate()});
      result.spread = std::max(result.spread, rates.crossing.spread());
    }
    return result;
  }

 private:
  void read_both(const Experiment& experiment, double rate, double spread) {
    const Place &from = experiment.places[0], &to = experiment.places[1];
    Ring& ring = rings_[{experiment.bytes, experiment.in_flight, from.node}];
    ++ring.streams;
    if (!on_two_sockets(from, to)) {
      ring.sockets[from.socket].staying += rate;
      return;
    }
    ring.crossing += rate;
    ring.spread = std::max(ring.spread, spread);
    ++ring.crossed;
    for (const Place& end : experiment.places) ring.sockets[end.socket].crossing += rate;
  }

  const Streams& streams_;
  Bytes header_;
  double local_;
  LargestRates alone_, together_, apart_;
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, Ring> rings_;  // by size, streams at once, node
};

}  // namespace

CrossingRates crossing_rates(const Streams& streams, const Observations& observations, const SocketGroup& group,
                             Bytes header, BytesPerSecond local) {
  CrossingReader reader(streams, header, local);
  for (const auto& [experiment, figure] : observations.figures)
    if (experiment.operation == "streams" && experiment.places.size() > 1 && are_on(group.nodes, experiment.places))
      reader.read(experiment, figure);
  return reader.rates();
}

}  // namespace plumbline::hw::calibration
