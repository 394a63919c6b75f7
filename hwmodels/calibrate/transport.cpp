#include "hwmodels/calibrate/transport.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "hwmodels/calibrate/costs.hpp"
#include "hwmodels/calibrate/fit/summary.hpp"
#include "hwmodels/calibrate/one_way_time.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestPoints = 4;  // of a piece, when a long one is cut further
constexpr std::size_t kMostPieces = 8;    // of one protocol
constexpr double kGoodFit = 0.1;          // a piece whose points are all this near its line stays whole
constexpr double kWorthACut = 0.6;        // a cut must reduce the sum of deviations to this share
constexpr double kNoSlope = 1e-9;         // ns/B; less is no cost per byte
constexpr double kSlopeMatters = 0.25;    // share of the time of the largest message of a piece
constexpr double kReceiverMatters = 0.2;  // share of the time of a message
constexpr double kWaitedFor = 0.7;        // share of the time of its receiver

double sum_of_deviations(std::span<const Point> points) {
  const Line line = fit_line(points);
  double sum = 0;
  for (const Point& point : points) sum += std::abs(line.at(point.size) - point.value) / point.value;
  return sum;
}

// Index of the last point before the best cut of [first, last], when cutting helps enough.
std::optional<std::size_t> best_cut(std::span<const Point> points, std::size_t first, std::size_t last) {
  const std::span<const Point> all = points.subspan(first, last - first + 1);
  if (all.size() < 2 * kFewestPoints || largest_deviation(fit_line(all), all) <= kGoodFit) return std::nullopt;
  double best = kWorthACut * sum_of_deviations(all);
  std::optional<std::size_t> cut;
  for (std::size_t left = kFewestPoints; left + kFewestPoints <= all.size(); ++left) {
    const double both = sum_of_deviations(all.first(left)) + sum_of_deviations(all.subspan(left));
    if (both >= best) continue;
    best = both;
    cut = first + left - 1;
  }
  return cut;
}

// Last points of the stretches between the changes within [first, last].
std::vector<std::size_t> ends_of_stretches(std::span<const Point> points, std::size_t first, std::size_t last) {
  std::vector<std::size_t> ends;
  for (const std::size_t change : find_changes(points.subspan(first, last - first + 1))) ends.push_back(first + change);
  ends.push_back(last);
  return ends;
}

// Removes changes that one line over both sides does nearly as well without.
void join_alike(std::span<const Point> points, std::size_t first, std::vector<std::size_t>& ends) {
  std::size_t begin = first;
  for (std::size_t i = 0; i + 1 < ends.size();) {
    const std::span<const Point> left = points.subspan(begin, ends[i] - begin + 1),
                                 right = points.subspan(ends[i] + 1, ends[i + 1] - ends[i]),
                                 both = points.subspan(begin, ends[i + 1] - begin + 1);
    if (sum_of_deviations(left) + sum_of_deviations(right) > kWorthACut * sum_of_deviations(both))
      ends.erase(ends.begin() + static_cast<std::ptrdiff_t>(i));
    else
      begin = ends[i++] + 1;
  }
}

// Cuts stretches that are no line, where the look-ahead rule saw no sudden change.
void cut_bent(std::span<const Point> points, std::size_t first, std::vector<std::size_t>& ends) {
  std::size_t begin = first;
  for (std::size_t i = 0; i < ends.size();) {
    const std::optional<std::size_t> cut =
        ends.size() < kMostPieces ? best_cut(points, begin, ends[i]) : std::optional<std::size_t>{};
    if (cut)
      ends.insert(ends.begin() + static_cast<std::ptrdiff_t>(i), *cut);
    else
      begin = ends[i++] + 1;
  }
}

void add_pieces(std::span<const Point> points, std::size_t first, std::size_t last, Protocol protocol,
                std::vector<Piece>& pieces) {
  if (first > last || last >= points.size()) return;
  std::vector<std::size_t> ends = ends_of_stretches(points, first, last);
  join_alike(points, first, ends);
  cut_bent(points, first, ends);
  for (const std::size_t end : ends) {
    pieces.push_back({first, end, protocol});
    first = end + 1;
  }
}

std::vector<Point> points_of(const std::vector<SizeSummary>& summaries) {
  std::vector<Point> points;
  for (const SizeSummary& each : summaries)
    if (each.value > 0) points.push_back({static_cast<double>(each.size), each.value});
  return points;
}

// The figures of one series within the sizes of a piece.
struct Part {
  std::vector<Point> points;
  double spread = 0;  // median over the sizes
};

Part part_of(const std::vector<SizeSummary>& summaries, double first, double last) {
  Part part;
  std::vector<double> spreads;
  for (const SizeSummary& each : summaries) {
    const double size = static_cast<double>(each.size);
    if (size < first || size > last || each.value <= 0) continue;
    part.points.push_back({size, each.value});
    spreads.push_back(each.spread);
  }
  if (!spreads.empty()) part.spread = median(spreads);
  return part;
}

struct Observed {
  std::vector<SizeSummary> ping_pong, send, receive, met;
};

Observed gather(const bench::Measurements& measurements) {
  const auto of = [&](std::string_view name) { return summarise(find(measurements, name), Estimate::kUndisturbed); };
  Observed result{of(bench::kPingPong), of(bench::kSend), of(bench::kReceive), of(bench::kSendMet)};
  for (const SizeSummary& each : of(bench::kIsend)) result.send.push_back(each);
  return result;
}

// The time until the data of a rendezvous has arrived: all of a message but what its receiver spends on it.
double arrival_ns(const Platform& platform, Bytes size) {
  const MessageRange& range = range_of(platform.inside, size);
  Duration receive = range.receive.value;
  if (range.receive_rate) receive = receive + transfer_time(size, range.receive_rate->value);
  return static_cast<double>((one_way_time(platform, size) - receive).ps) / 1000;
}

// Whether sends that met their receiver lasted until it had copied the data, and not only until the data had arrived.
// Only sizes count of which the receiver takes a noticeable part; without any the two are the same.
bool sender_waits_for_copies(const Platform& platform, const std::vector<SizeSummary>& met) {
  std::vector<double> shares;  // of the receiver's time that the send has waited for
  for (const SizeSummary& each : met) {
    const Bytes size{each.size};
    if (range_of(platform.inside, size).protocol != Protocol::kRendezvous) continue;
    const double arrival = arrival_ns(platform, size);
    const double whole = static_cast<double>(one_way_time(platform, size).ps) / 1000;
    if (whole - arrival >= kReceiverMatters * whole) shares.push_back((each.value - arrival) / (whole - arrival));
  }
  return !shares.empty() && median(shares) > kWaitedFor;
}

class Fitter {
 public:
  Fitter(const bench::Measurements& measurements, const std::string& source, Calibration& into)
      : measurements_(measurements), source_(source), into_(into), series_(gather(measurements)) {}

  void run() {
    points_ = points_of(series_.ping_pong);
    if (points_.size() < 8)
      throw Error(measurements_.environment.host,
                  fmt::format("only {} sizes of messages were measured", points_.size()),
                  "give the measurement more time", ExitCode::kTooNoisy);
    note_disturbed_sizes();
    const bench::Series* const late = find(measurements_, bench::kSendLate);
    if (late == nullptr)
      into_.notes.push_back("no test of the protocol: all messages are taken as eager");
    else
      rendezvous_ = first_rendezvous(*late, measurements_.environment.late_ns);
    const std::vector<Piece> pieces = find_pieces(points_, rendezvous_);
    raise_memory_rate(pieces);
    for (const Piece& piece : pieces) add_range(piece, &piece == &pieces.back());
    if (sender_waits_for_copies(into_.platform, series_.met)) into_.platform.inside.sender_free = SenderFree::kCopied;
    report(pieces);
  }

 private:
  std::span<const Point> of(const Piece& piece) const {
    return std::span(points_).subspan(piece.first, piece.last - piece.first + 1);
  }

  void note_disturbed_sizes() {
    const auto count = std::count_if(series_.ping_pong.begin(), series_.ping_pong.end(),
                                     [](const SizeSummary& each) { return each.disturbed; });
    if (count > 0)
      into_.notes.push_back(fmt::format("at {} of {} sizes most messages were held up: their fastest 5 % are taken",
                                        count, series_.ping_pong.size()));
  }

  // A message cannot be faster than the memory it goes through, so the memory is at least as fast as the messages.
  void raise_memory_rate(const std::vector<Piece>& pieces) {
    BytesPerSecond& rate = into_.platform.nodes[0].memory_rate.value;
    const BytesPerSecond measured = rate;
    for (const Piece& piece : pieces) {
      const Line line = fit_line(of(piece));
      const double largest = points_[piece.last].size;
      if (line.slope * largest < kSlopeMatters * line.at(largest)) continue;
      rate.count = std::max(rate.count, static_cast<std::uint64_t>(std::llround(1e9 / line.slope)));
    }
    if (rate == measured) return;
    into_.notes.push_back(
        fmt::format("messages go through memory at up to {}, copies beyond the caches at {}: the first is taken",
                    format(rate), format(measured)));
    into_.platform.nodes[0].memory_rate.source += ", raised to the rate of messages in the cache";
  }

  double route_per_byte() const { return 1e9 / static_cast<double>(into_.platform.nodes[0].memory_rate.value.count); }

  // ns that the two messages without payload take which go before a rendezvous.
  double handshake() const { return first_ ? 2 * first_->fixed() : 0; }

  // Of sizes of the piece; where the calls of none of them were measured, of all.
  static Part calls_of(const std::vector<SizeSummary>& calls, double first, double last) {
    const Part part = part_of(calls, first, last);
    return part.points.empty() ? part_of(calls, 0, std::numeric_limits<double>::max()) : part;
  }

  void add_range(const Piece& piece, bool open) {
    const double first = points_[piece.first].size, last = points_[piece.last].size;
    const Part trip = part_of(series_.ping_pong, first, last), send = calls_of(series_.send, first, last),
               receive = calls_of(series_.receive, first, last);
    const bool rendezvous = piece.protocol == Protocol::kRendezvous;
    Line total = fit_line(trip.points, {rendezvous ? handshake() : 0, route_per_byte()});
    const double deviation = largest_deviation(total, trip.points);
    total.slope -= route_per_byte();
    total.intercept -= rendezvous ? handshake() : 0;
    if (rendezvous && !first_) total.intercept /= 3;  // the first range is its own request and clear-to-send
    const Line send_line = send.points.empty() ? Line{} : fit_line(send.points);
    Line receive_line = receive.points.empty() ? Line{} : fit_line(receive.points);
    if (rendezvous) receive_line = {first_ ? first_->receive : 0, 0};  // its calls include the way of the data
    bool scaled = false;
    const Costs costs = divide(total, rendezvous ? Line{send_line.intercept, 0} : send_line, receive_line, scaled);
    if (scaled)
      into_.notes.push_back(
          fmt::format("{:.0f} to {:.0f} B: sending and receiving alone take {:.3g} and {:.3g} ns, "
                      "more than the whole message: both are cut and the latency is 0",
                      first, last, send_line.intercept, receive_line.intercept));
    if (!first_) first_ = costs;
    append(piece, costs, open, std::max(trip.spread, deviation), send.spread, receive.spread);
  }

  void append(const Piece& piece, const Costs& costs, bool open, double trip, double send, double receive) {
    const std::uint32_t rounds = rounds_of(piece);
    const auto source = [&](const char* what) {
      return fmt::format("{}: {}, {} sizes, {} rounds, median of medians", source_, what, piece.last - piece.first + 1,
                         rounds);
    };
    const auto duration = [](double ns) { return duration_from_seconds(ns * 1e-9); };
    const auto rate = [](double per_byte) {
      return BytesPerSecond{static_cast<std::uint64_t>(std::llround(1e9 / per_byte))};
    };
    MessageRange range;
    if (!open) range.upto = Bytes{upper_end(piece)};
    range.protocol = piece.protocol;
    range.send = {duration(costs.send), std::max(trip, send), source("duration of the send call")};
    range.receive = {duration(costs.receive), std::max(trip, receive), source("duration of the receive call")};
    range.latency = {duration(costs.latency), trip, source("rest of the ping-pong")};
    if (costs.send_per_byte > kNoSlope)
      range.send_rate = {rate(costs.send_per_byte), std::max(trip, send), source("growth of the send call")};
    if (costs.receive_per_byte > kNoSlope)
      range.receive_rate = {rate(costs.receive_per_byte), std::max(trip, receive), source("growth of the ping-pong")};
    into_.platform.inside.ranges.push_back(std::move(range));
  }

  std::uint32_t rounds_of(const Piece& piece) const {
    std::uint32_t most = 0;
    for (const SizeSummary& each : series_.ping_pong)
      if (static_cast<double>(each.size) <= points_[piece.last].size &&
          static_cast<double>(each.size) >= points_[piece.first].size)
        most = std::max(most, each.rounds);
    return most;
  }

  // The change of protocol is known to the byte; other changes lie somewhere behind the last point.
  std::uint64_t upper_end(const Piece& piece) const {
    const auto last = static_cast<std::uint64_t>(points_[piece.last].size);
    const bool before_change =
        rendezvous_ && *rendezvous_ > last && points_[piece.last + 1].size >= static_cast<double>(*rendezvous_);
    return before_change ? *rendezvous_ - 1 : last;
  }

  void report(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      std::vector<double> deviations;
      for (const Point& point : of(piece)) {
        const Duration modelled = one_way_time(into_.platform, Bytes{static_cast<std::uint64_t>(point.size)});
        deviations.push_back(std::abs(static_cast<double>(modelled.ps) / 1000 - point.value) / point.value);
      }
      into_.ranges.push_back({static_cast<std::uint64_t>(points_[piece.first].size),
                              static_cast<std::uint64_t>(points_[piece.last].size),
                              static_cast<std::uint32_t>(deviations.size()), median(deviations),
                              *std::max_element(deviations.begin(), deviations.end())});
    }
  }

  const bench::Measurements& measurements_;
  const std::string& source_;
  Calibration& into_;
  Observed series_;
  std::vector<Point> points_;
  std::optional<std::uint64_t> rendezvous_;
  std::optional<Costs> first_;  // of the first range
};

}  // namespace

std::optional<std::uint64_t> first_that_waits(std::span<const std::pair<std::uint64_t, bool>> sizes) {
  // Of equal limits the largest, which is the least of a claim.
  const auto contradictions = [&](std::size_t limit) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) count += sizes[i].second != (i >= limit) ? 1 : 0;
    return count;
  };
  std::size_t best = sizes.size();
  for (std::size_t limit = sizes.size(); limit-- > 0;)
    if (contradictions(limit) < contradictions(best)) best = limit;
  return best == sizes.size() ? std::nullopt : std::optional(sizes[best].first);
}

std::optional<std::uint64_t> first_rendezvous(const bench::Series& send_late, double late_ns) {
  std::map<std::uint64_t, std::vector<double>> of_size;
  for (const bench::Sample& sample : send_late.samples) of_size[sample.size].push_back(sample.value);
  std::vector<std::pair<std::uint64_t, bool>> waits;
  for (const auto& [size, values] : of_size) waits.emplace_back(size, median(values) >= late_ns / 2);
  return first_that_waits(waits);
}

std::vector<Piece> find_pieces(std::span<const Point> points, std::optional<std::uint64_t> rendezvous) {
  std::size_t eager = points.size();
  if (rendezvous)
    eager = static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](const Point& point) {
      return point.size < static_cast<double>(*rendezvous);
    }));
  std::vector<Piece> pieces;
  if (eager > 0) add_pieces(points, 0, eager - 1, Protocol::kEager, pieces);
  add_pieces(points, eager, points.size() - 1, Protocol::kRendezvous, pieces);
  return pieces;
}

void fit_transport(const bench::Measurements& measurements, const std::string& source, Calibration& into) {
  Fitter(measurements, source, into).run();
}

}  // namespace plumbline::hw::calibration
