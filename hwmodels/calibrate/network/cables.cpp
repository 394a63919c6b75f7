#include "hwmodels/calibrate/network/cables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/fit/knee.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kLimited = 0.9;         // of what streams carry alone; below, something they share is full
constexpr double kSerial = 1.5;          // times as long in both directions at once: one after the other
constexpr std::size_t kMostPoints = 40;  // for the knee, which tries many lines
constexpr double kStages = 2;            // cables between two nodes of one switch

BytesPerSecond rate_from(double per_second) {
  return {static_cast<std::uint64_t>(std::llround(std::clamp(per_second, 1.0, 1e15)))};
}

class CableFitter {
 public:
  CableFitter(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
              const std::string& source)
      : structure_(structure),
        observations_(observations),
        rendezvous_(rendezvous),
        source_(source),
        near_(structure.curve(PairKind::kNear)),
        streams_(observations, structure.one_way) {}

  Cables run() {
    fit_header();
    fit_link();
    fit_duplex();
    fit_packets();
    fit_uplink();
    fit_backplane();
    return std::move(result_);
  }

 private:
  void say(std::string note) { result_.notes.push_back(std::move(note)); }

  void fit_header() {
    if (observations_.headers.empty()) return;
    const double header = median(observations_.headers);
    result_.packets.header = Bytes{static_cast<std::uint64_t>(std::llround(header))};
    header_source_ = fmt::format("counted in the frames of {} pairs and runs", observations_.headers.size());
  }

  void fit_link() {
    const std::vector<LinkSide> sides = link_sides(structure_, streams_.alone());
    if (sides.empty()) return link_from_round_trips();
    std::vector<double> centres, spreads;
    std::size_t runs = 0;
    for (const LinkSide& side : sides) {
      centres.push_back(side.centre);
      spreads.push_back(spread_of_median(side.per_byte.runs));
      runs += side.per_byte.runs.size();
    }
    const double spread = std::max(median(spreads), spread_of_median(centres));
    result_.link = {rate_from(1e9 / median(centres)), spread,
                    fmt::format("{}: streams alone, {} directions of cables, {} medians of runs, centre of the class",
                                source_, sides.size(), runs)};
  }

  void link_from_round_trips() {
    std::vector<Point> points = points_of(near_);
    if (points.size() < 4)
      throw Error("", "neither streams nor round trips of enough sizes were measured between nodes",
                  "measure `streams` and `prtt` (docs/how-to/calibrate.md)", ExitCode::kTooNoisy);
    const double upper = points.back().size / 16;
    std::erase_if(points, [&](const Point& point) { return point.size < upper; });
    const Line line = fit_line(points);
    if (line.slope <= 0)
      throw Error("", "large messages between nodes take no longer than small ones", "measure larger sizes",
                  ExitCode::kTooNoisy);
    result_.link = {rate_from(1e9 / line.slope), std::max(typical_spread(near_), largest_deviation(line, points)),
                    fmt::format("{}: growth of round trips, {} sizes", source_, points.size())};
    say("no streams were measured: the rate of cables is from round trips, with what the ranks take per byte in it");
  }

  // Small messages share the wire only; large ones wait for each other's protocol too.
  void fit_duplex() {
    const std::map<std::uint64_t, double> times = streams_.both_ways();
    std::vector<double> eager, rendezvous;
    for (const auto& [bytes, each] : times) (rendezvous_ && bytes >= *rendezvous_ ? rendezvous : eager).push_back(each);
    if (times.empty()) return say("both directions at once were not measured: cables are taken as full duplex");
    if (!eager.empty())
      result_.half_duplex = median(eager) >= kSerial;
    else
      say("both directions at once were measured with messages that wait for their receivers only: whether cables are "
          "half-duplex is not known, they are taken as full duplex");
    result_.ordered = !result_.half_duplex && !rendezvous.empty() && median(rendezvous) >= kSerial;
  }

  // Few enough, evenly over the sizes.
  std::vector<RestPoint> points(bool waiting) const {
    std::vector<RestPoint> all;
    for (const auto& [size, figure] : near_)
      if ((rendezvous_ && size >= *rendezvous_) == waiting && figure.value > 0)
        all.push_back({static_cast<double>(size), figure.value, figure.value});
    if (all.size() <= kMostPoints) return all;
    std::vector<RestPoint> some;
    for (std::size_t i = 0; i < kMostPoints; ++i) some.push_back(all[i * (all.size() - 1) / (kMostPoints - 1)]);
    return some;
  }

  void fit_packets() {
    const double per_byte = 1e9 / static_cast<double>(result_.link.value.count);
    const std::vector<RestPoint> eager = points(false), waiting = points(true);
    const Knee knee = find_knee(eager, {kStages, per_byte});
    if (knee.seen) return take_packet(knee.packet, "where messages begin to pass the stages side by side");
    const double largest = eager.empty() ? 0 : eager.back().size;
    if (!waiting.empty() && !eager.empty()) return packet_from_rendezvous(eager, waiting, per_byte);
    if (largest > static_cast<double>(result_.packets.granularity.count))
      return take_packet(knee.packet, "that fits best, though messages show no change there");
    say(fmt::format("packets are of {}, the default (of PIOsimHD): messages up to {:.0f} B show no change of slope",
                    format(result_.packets.granularity), largest));
  }

  // The change is beyond the eager messages: packets are such that a rendezvous costs its two control messages and
  // nothing more.
  void packet_from_rendezvous(const std::vector<RestPoint>& eager, std::vector<RestPoint> waiting, double per_byte) {
    std::vector<RestPoint> small = eager;
    for (RestPoint& each : small) each.value -= kStages * each.size * per_byte;
    const double fixed = fit_rest(small).intercept;
    waiting.erase(waiting.begin(), waiting.begin() + static_cast<std::ptrdiff_t>(waiting.size() / 2));
    for (RestPoint& each : waiting) each.value -= each.size * per_byte;
    const double packet = (fit_rest(waiting).intercept - 3 * fixed) / per_byte / (kStages - 1);
    if (packet < eager.back().size || packet > waiting.front().size)
      return say(fmt::format("packets are of {}, the default (of PIOsimHD): no change of slope tells of others",
                             format(result_.packets.granularity)));
    take_packet(packet, "which leaves a rendezvous the costs of two control messages");
  }

  void take_packet(double packet, const char* how) {
    result_.packets.granularity = Bytes{static_cast<std::uint64_t>(std::llround(std::max(packet, 1.0)))};
    say(fmt::format("packets are of {} B, {}; the header of a message is {} B, {}", result_.packets.granularity.count,
                    how, result_.packets.header.count, header_source_));
  }

  void fit_uplink() {
    if (structure_.grouping.groups < 2) return;
    std::vector<double> limited, spreads, others;
    for (const Streams::Together& each : streams_.together()) {
      if (!leave_one_group(each)) continue;
      const double alone = each.alone > 0 ? each.alone : static_cast<double>(each.flows.size()) * link_rate();
      (each.rate < kLimited * alone ? limited : others).push_back(each.rate);
      spreads.push_back(each.spread);
    }
    if (!limited.empty()) {
      result_.uplink = {rate_from(median(limited)), std::max(median(spreads), spread_of_median(limited)),
                        fmt::format("{}: streams of a whole group across, {} groups", source_, limited.size())};
      return;
    }
    if (!others.empty()) return uplink_at_least(*std::max_element(others.begin(), others.end()), "all streams across");
    uplink_from_contention();
  }

  // A stream that another slows has half of what both share.
  void uplink_from_contention() {
    std::vector<double> rates;
    const Contentions contentions = streams_.contentions();
    for (const Contention& each : contentions.streams)
      if (each.times >= ContentionRule().slowed && is_far(each.stream) && contentions.rounds[each.round].size() == 2)
        rates.push_back(2 * link_rate() / each.times);
    if (rates.empty()) return uplink_at_least(2 * link_rate(), "no stream across was slowed by another");
    result_.uplink = {rate_from(median(rates)), spread_of_median(rates),
                      fmt::format("{}: streams that slow each other, {} of them", source_, rates.size())};
  }

  void uplink_at_least(double rate, const char* why) {
    say(fmt::format("ways between switches carry {} or more ({}): the least is taken", format(rate_from(rate)), why));
    result_.uplink = {rate_from(rate), 0, fmt::format("{}: at least; {}", source_, why)};
  }

  bool is_far(const Flow& flow) const {
    const auto& group_of = structure_.grouping.group_of;
    return group_of[flow.from] != group_of[flow.to];
  }

  bool leave_one_group(const Streams::Together& of) const {
    const auto& group_of = structure_.grouping.group_of;
    return of.flows.size() > 1 && std::all_of(of.flows.begin(), of.flows.end(), [&](const Flow& flow) {
             return is_far(flow) && group_of[flow.from] == group_of[of.flows.front().from];
           });
  }

  // Streams of all nodes at once, all slower than alone.
  void fit_backplane() {
    result_.backplane = unseen_rate(result_.link.value);
    std::vector<double> rates;
    const double nodes = static_cast<double>(observations_.nodes.size());
    for (const StreamRate& each : streams_.loaded())
      if (each.from.node != each.to.node) rates.push_back(nodes * each.rate);
    const bool full = !rates.empty() && median(rates) < kLimited * nodes * link_rate();
    if (structure_.grouping.groups > 1 || result_.half_duplex || !full) return backplane_from_contention();
    result_.backplane = {rate_from(median(rates)), spread_of_median(rates),
                         fmt::format("{}: streams of all nodes at once, {} pairs", source_, rates.size())};
  }

  void backplane_from_contention() {
    if (structure_.grouping.sharing != Sharing::kBackplane) return;
    std::vector<double> rates;
    const Contentions contentions = streams_.contentions();
    for (const Contention& each : contentions.streams)
      rates.push_back(static_cast<double>(contentions.rounds[each.round].size()) * link_rate() / each.times);
    result_.backplane = {rate_from(median(rates)), spread_of_median(rates),
                         fmt::format("{}: streams that slow each other, {} of them", source_, rates.size())};
  }

  double link_rate() const { return static_cast<double>(result_.link.value.count); }

  const Structure& structure_;
  const Observations& observations_;
  std::optional<std::uint64_t> rendezvous_;
  const std::string& source_;
  Curve near_;
  Streams streams_;
  std::string header_source_ = "the default (of PIOsimHD)";
  Cables result_;
};

}  // namespace

Cables fit_cables(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
                  const std::string& source) {
  return CableFitter(structure, observations, rendezvous, source).run();
}

Parameter<BytesPerSecond> unseen_rate(BytesPerSecond cable) {
  constexpr std::uint64_t kTimes = 1000;
  return {{cable.count * kTimes}, 0, "not seen: 1000 times the rate of the cables, so that it decides nothing"};
}

}  // namespace plumbline::hw::calibration
