#include "hwmodels/calibrate/network/send_queue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/observations/curves.hpp"
#include "hwmodels/network/packets/store_and_forward.hpp"
#include "hwmodels/topology/topology.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr Bytes kSmallMessage{1};       // bytes of the small message
constexpr std::uint64_t kSettled = 16;  // packets after which data goes at its rate
constexpr int kPhases = 4;              // of the packet in service when the small message comes

constexpr double kWhole = 0.9;         // of what was left: so long a wait is for all of it
constexpr double kSpreadsLonger = 3;   // a wait is longer than that of turns by more than so many of them,
constexpr double kPacketsLonger = 2;   // than so many packets,
constexpr double kLongerOfTrip = 0.2;  // and than so much of the trip of the small message alone
constexpr double kMostOff = 0.1;       // of a wait, by which no queue gives it: what makes it is something else

double to_ns(Duration duration) { return static_cast<double>(duration.ps) / 1000; }

Duration duration_of_ns(double ns) { return duration_from_seconds(ns * 1e-9); }

}  // namespace

WaitBehindData::WaitBehindData(const Platform& platform, const Nodes& nodes) : platform_(platform), nodes_(nodes) {
  const Bytes some{kSettled * packet()}, twice{2 * kSettled * packet()};
  packet_ns_ = (trip_ns(nodes.data_to, twice) - trip_ns(nodes.data_to, some)) / kSettled;
  small_ns_ = trip_ns(nodes.small_to, kSmallMessage);
}

double WaitBehindData::trip_ns(std::uint32_t to, Bytes size) const {
  Topology topology(platform_);
  return to_ns(idle_time(topology, topology.hops(topology.endpoint(nodes_.from, 0), topology.endpoint(to, 0)), size,
                         platform_.packets));
}

double WaitBehindData::ns_from(Bytes queue, Duration begin) const {
  Packets packets = platform_.packets;
  packets.send_queue.value = queue;
  Topology topology(platform_);
  StoreAndForward network(topology, packets, {.holds = false});
  sim::EventQueue events;
  const Bytes data{queue.count + 4 * kSettled * packet()};
  const ComponentId from = topology.endpoint(nodes_.from, 0);
  constexpr std::uint32_t kData = 0, kProbe = 1;
  network.send(kData, from, topology.endpoint(nodes_.data_to, 0), data, 0, 0, Time{}, events, {.tells_sent = false});
  network.send(kProbe, from, topology.endpoint(nodes_.small_to, 0), kSmallMessage, 0, 1, Time{} + begin, events,
               {.tells_sent = false});
  std::vector<Notification> told;
  while (!events.empty()) {
    const sim::Event event = events.pop();
    told.clear();
    network.handle(event, events, told);
    for (const Notification& each : told)
      if (each.message == kProbe) return to_ns(event.at - (Time{} + begin)) - small_ns_;
  }
  return 0;
}

double WaitBehindData::ns(Bytes queue) const {
  double sum = 0;
  for (int phase = 0; phase < kPhases; ++phase)
    sum += ns_from(queue, duration_of_ns((kSettled + (phase + 0.5) / kPhases) * packet_ns_));
  return sum / kPhases;
}

// It grows by whole packets: half a step on either side of a step is as near to it as to the next.
std::optional<Bytes> WaitBehindData::queue_of(double wait_ns, Bytes data) const {
  const auto of = [&](std::uint64_t packets) { return ns(Bytes{packets * packet()}); };
  const double in_packets = std::min(std::max(wait_ns, 0.0) / packet_ns_, static_cast<double>(data.count / packet()));
  std::uint64_t longer = static_cast<std::uint64_t>(in_packets) + 4, not_longer = 1;
  if (of(longer) < (1 - kMostOff) * wait_ns) return std::nullopt;
  while (not_longer + 1 < longer) {
    const std::uint64_t middle = not_longer + (longer - not_longer) / 2;
    (of(middle) > wait_ns ? longer : not_longer) = middle;
  }
  const double below = of(not_longer), above = of(longer);
  const double part = above > below ? std::clamp((wait_ns - below) / (above - below), 0.0, 1.0) : 0;
  return Bytes{
      static_cast<std::uint64_t>((static_cast<double>(not_longer) + part - 0.5) * static_cast<double>(packet()))};
}

namespace {

// One size, of one sender and its two others.
struct Wait {
  Beside times;
  double uncertain = 0;  // of the wait; ns
  double by_turns = 0;   // of packets; ns
  double packet = 0;     // ns
  std::optional<Bytes> queue;

  bool is_seen() const {
    return times.wait() - by_turns >
           std::max({kSpreadsLonger * uncertain, kPacketsLonger * packet, kLongerOfTrip * times.alone});
  }
};

// Half-widths of waits over the waits.
std::vector<double> spreads_of(const std::vector<const Wait*>& waits) {
  std::vector<double> spreads;
  for (const Wait* const each : waits) spreads.push_back(each->uncertain / each->times.wait());
  return spreads;
}

class SendQueueFitter {
 public:
  SendQueueFitter(const Observations& observations, const Platform& platform, const std::string& source,
                  std::vector<std::string>& notes)
      : platform_(platform), source_(source), notes_(notes) {
    const auto alone = curves_of(observations, "queue", "alone"), data = curves_of(observations, "queue", "data");
    for (const auto& [places, behind] : curves_of(observations, "queue", "behind")) {
      if (!are_apart(places) || !alone.contains(places) || !data.contains(places)) continue;
      add(places, behind, alone.at(places), data.at(places));
    }
  }

  std::optional<Parameter<Bytes>> run() {
    if (!measured_) return unknown("`queue` was not measured");
    if (waits_.empty())
      return unknown("the data of `queue` had left before the small message came: measure larger sizes");
    const Wait& most = *std::ranges::max_element(waits_, {}, [](const Wait& each) { return each.times.left(); });
    if (!most.is_seen()) return not_seen(most);
    if (!most.queue)
      return unknown(
          fmt::format("a small message waits for {} behind data, which no queue of the sender explains on "
                      "these cables",
                      format(duration_of_ns(most.times.wait()))));
    return found(most);
  }

 private:
  static bool are_apart(const std::vector<Place>& places) {
    return places.size() == 3 && places[0].node != places[1].node && places[0].node != places[2].node &&
           places[1].node != places[2].node;
  }

  void add(const std::vector<Place>& places, const Curve& behind, const Curve& alone, const Curve& data) {
    const WaitBehindData model(platform_, {places[0].node, places[1].node, places[2].node});
    const double by_turns = model.ns(Bytes{0});
    for (const auto& [bytes, figure] : behind) {
      if (!alone.contains(bytes) || !data.contains(bytes)) continue;
      measured_ = true;
      const Figure& single = alone.at(bytes);
      const double arrived = data.at(bytes).value - behind_data_ns(Bytes{bytes});
      Wait wait{{single.value, figure.value, arrived, figure.wait}, 0, by_turns, model.packet_ns(), {}};
      if (wait.times.left() < std::max(2 * kPacketsLonger * wait.packet, kLongerOfTrip * single.value)) continue;
      wait.uncertain = std::hypot(figure.spread * figure.value, single.spread * single.value);
      wait.queue = model.queue_of(wait.times.wait(), Bytes{bytes});
      repetitions_ += figure.repetitions;
      waits_.push_back(wait);
    }
  }

  // What passes when data has arrived until its receiver has it, and not of the small message.
  double behind_data_ns(Bytes size) const {
    const MessageRange& range = range_of(platform_.between, size);
    const Duration latency = range.latency.value - range_of(platform_.between, Bytes{0}).latency.value;
    return to_ns(std::max(latency, Duration{})) +
           (range.receive_rate ? to_ns(transfer_time(size, range.receive_rate->value)) : 0);
  }

  std::optional<Parameter<Bytes>> unknown(const std::string& why) {
    notes_.push_back(
        fmt::format("whether what a node sends one other node holds up what it sends a third is not known: {}", why));
    return std::nullopt;
  }

  std::string stands_on(std::size_t sizes) const {
    return fmt::format("{} sizes, {} repetitions", sizes, repetitions_);
  }

  Parameter<Bytes> not_seen(const Wait& most) {
    notes_.push_back(
        fmt::format("what a node sends one other node was not seen to hold up what it sends a third ({}: a small "
                    "message waits for {} behind data, and for {} where packets take turns; {})",
                    source_, format(duration_of_ns(std::max(most.times.wait(), 0.0))),
                    format(duration_of_ns(most.by_turns)), stands_on(waits_.size())));
    return {};
  }

  // By the size of which most data was left and those at which a queue is seen, too. Data of which less was left than
  // what the former waits for was queued whole, and says no more than that; where it was itself, its wait is all that
  // is known.
  Parameter<Bytes> found(const Wait& decides) {
    std::vector<const Wait*> beyond;
    for (const Wait& each : waits_)
      if (each.is_seen() && each.queue && kWhole * each.times.left() > decides.times.wait()) beyond.push_back(&each);
    const bool at_least = beyond.empty();
    if (at_least) beyond = {&decides};
    std::vector<double> queues;
    for (const Wait* const each : beyond) queues.push_back(static_cast<double>(each->queue->count));
    const double middle = median(queues), packet = static_cast<double>(platform_.packets.granularity.count);
    const auto [least, most] = std::ranges::minmax(queues);
    const double spread = std::max(median(spreads_of(beyond)), (most - least) / 2 / middle) + packet / 2 / middle;
    const std::string on = stands_on(beyond.size());
    Parameter<Bytes> result{Bytes{static_cast<std::uint64_t>(std::llround(middle))}, std::min(1.0, spread),
                            fmt::format("{}: what a message waits for behind data to another node, {}", source_, on)};
    if (at_least) {
      result.spread = 0;
      result.source += "; at least, no larger data was measured";
    }
    notes_.push_back(fmt::format("what a node sends waits for {}{} of what it has sent another node ({}; {})",
                                 at_least ? "at least " : "", format(result.value), source_, on));
    return result;
  }

  const Platform& platform_;
  const std::string& source_;
  std::vector<std::string>& notes_;
  std::vector<Wait> waits_;
  bool measured_ = false;
  std::uint32_t repetitions_ = 0;
};

}  // namespace

std::optional<Parameter<Bytes>> fit_send_queue(const Observations& observations, const Platform& platform,
                                               const std::string& source, std::vector<std::string>& notes) {
  if (observations.nodes.size() < 3) return std::nullopt;
  return SendQueueFitter(observations, platform, source, notes).run();
}

}  // namespace plumbline::hw::calibration
