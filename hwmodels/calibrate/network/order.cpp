#include "hwmodels/calibrate/network/order.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hwmodels/calibrate/fit/summary.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr double kLeastWait = 0.25;  // of a message alone: below, the data is not what takes the time
constexpr double kOff = 0.4;         // of the wait, at most, with what is uncertain; half would be as far from both

struct Seen {
  double share = 0, uncertain = 0;  // half-width of its 95 % interval
  double turns = 0;                 // how much longer both directions took than one, of the wait
  std::uint32_t repetitions = 0;
};

Seen seen_in(const Figure& alone, const Figure& apart, const Figure& inside, double control) {
  const Exchange times{alone.value, apart.value, inside.value, control};
  const double wait = times.wait();
  Seen seen;
  seen.share = times.share();
  // Each part is measured for itself, so their errors are independent.
  seen.uncertain =
      std::hypot(inside.spread * inside.value, apart.spread * apart.value, seen.share * alone.spread * alone.value) /
      wait;
  seen.turns = (apart.value - alone.value) / wait;
  seen.repetitions = inside.repetitions;
  return seen;
}

// Of all sizes together.
Seen centre_of(const std::vector<Seen>& sizes) {
  Seen centre;
  std::vector<double> shares, uncertain, turns;
  for (const Seen& each : sizes) {
    shares.push_back(each.share);
    uncertain.push_back(each.uncertain);
    turns.push_back(each.turns);
    centre.repetitions += each.repetitions;
  }
  const auto [least, most] = std::ranges::minmax(shares);
  centre.share = median(shares);
  centre.uncertain = std::max(median(uncertain), (most - least) / 2);
  centre.turns = median(turns);
  return centre;
}

bool fits(const Seen& seen, double hypothesis) { return std::abs(seen.share - hypothesis) + seen.uncertain < kOff; }

class OrderFitter {
 public:
  OrderFitter(const Structure& structure, const Observations& observations, std::optional<std::uint64_t> rendezvous,
              const std::string& source, std::vector<std::string>& notes)
      : structure_(structure), observations_(observations), rendezvous_(rendezvous), source_(source), notes_(notes) {}

  std::optional<bool> run() {
    const Curve control = structure_.curve(structure_.measured_best()), alone = part("alone"), apart = part("apart"),
                inside = part("inside");
    if (control.empty() || alone.empty()) return unknown("`order` was not measured");
    const double empty = std::ranges::min(control.begin()->second.runs);  // what others do makes it longer only
    std::vector<Seen> sizes;
    for (const auto& [bytes, figure] : alone) {
      if (!rendezvous_ || bytes < *rendezvous_ || !apart.contains(bytes) || !inside.contains(bytes)) continue;
      if (Exchange{figure.value, 0, 0, empty}.wait() >= kLeastWait * figure.value)
        sizes.push_back(seen_in(figure, apart.at(bytes), inside.at(bytes), empty));
    }
    if (sizes.empty()) return unknown("`order` has no message that waits for its receiver and is large enough");
    return decide(centre_of(sizes), sizes.size());
  }

 private:
  Curve part(const char* name) const {
    return centre_of_kind(structure_, observations_, "order", name, PairKind::kNear);
  }

  std::optional<bool> unknown(const std::string& why) {
    notes_.push_back(fmt::format("whether the messages of two ranks stay in order is not known: {}", why));
    return std::nullopt;
  }

  std::optional<bool> decide(const Seen& seen, std::size_t sizes) {
    const std::string share = fmt::format("{:.2f} ± {:.2f} of the data", seen.share, seen.uncertain);
    if (seen.turns > kOff) return unknown("both directions at once go one after the other even where no answer waits");
    if (!fits(seen, 1) && !fits(seen, 0))
      return unknown("the answer to one's own request waits for " + share + ", which is neither all of it nor nothing");
    const bool ordered = fits(seen, 1);
    notes_.push_back(
        fmt::format("messages of two ranks between nodes {} ({}: the answer to one's own request waits for "
                    "{}; {} sizes, {} repetitions)",
                    ordered ? "stay in order" : "pass each other", source_, share, sizes, seen.repetitions));
    return ordered;
  }

  const Structure& structure_;
  const Observations& observations_;
  std::optional<std::uint64_t> rendezvous_;
  const std::string& source_;
  std::vector<std::string>& notes_;
};

}  // namespace

std::optional<bool> fit_order(const Structure& structure, const Observations& observations,
                              std::optional<std::uint64_t> rendezvous, const std::string& source,
                              std::vector<std::string>& notes) {
  return OrderFitter(structure, observations, rendezvous, source, notes).run();
}

}  // namespace plumbline::hw::calibration
