#include "hwmodels/calibrate/node/socket_parts.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace plumbline::hw::calibration {
namespace {

constexpr double kCloseEnough = 0.05;  // relative
constexpr double kOfSeveral = 0.10;    // the same where rates of several streams are taken off each other

enum PartOfWay : std::size_t { kSocket, kLink, kInterconnect };
constexpr std::array<double, 3> kPasses = {2, 2, 1};  // how often a message passes it
constexpr std::array<std::array<PartOfWay, 3>, 6> kOrders = {{{kLink, kSocket, kInterconnect},
                                                              {kLink, kInterconnect, kSocket},
                                                              {kSocket, kLink, kInterconnect},
                                                              {kSocket, kInterconnect, kLink},
                                                              {kInterconnect, kLink, kSocket},
                                                              {kInterconnect, kSocket, kLink}}};

using ByteTimes = std::array<double, 3>;  // [part] ns for a byte

// What streams say of the parts: each takes at most this, and some exactly that.
struct StreamLimits {
  ByteTimes most = {};
  double any = 0;                // one part, whichever
  std::vector<BothWays> one_of;  // of each, the interconnect or a socket
  double middle = 0;             // the interconnect
};

StreamLimits limits_of(const CrossingSeen& seen, bool with_both) {
  StreamLimits limits;
  limits.most.fill(seen.one_way);
  limits.any = seen.one_way;
  if (!with_both) return limits;
  // Where streams both ways carry what one way does, it is one limit, and only noise tells it twice.
  const auto limit = [&](double together) {
    const bool is_one = std::abs(together - seen.one_way) <= kCloseEnough * seen.one_way;
    return is_one ? seen.one_way : together;
  };
  for (const BothWays& each : seen.both) {
    const BothWays both{limit(each.interconnect), limit(each.socket), each.slowed};
    limits.most[kSocket] = std::min(limits.most[kSocket], both.socket);
    limits.most[kInterconnect] = std::min(limits.most[kInterconnect], both.interconnect);
    if (both.slowed) limits.one_of.push_back(both);
  }
  if (seen.apart > 0) limits.middle = limits.most[kInterconnect] = std::min(limits.most[kInterconnect], seen.apart);
  return limits;
}

double filled(const std::array<PartOfWay, 3>& order, const ByteTimes& most, double packet, ByteTimes& times) {
  for (const PartOfWay part : order) {
    times[part] = std::min(most[part], packet / kPasses[part]);
    packet -= kPasses[part] * times[part];
  }
  return packet;  // that is left
}

bool fits_limits(const ByteTimes& times, const StreamLimits& limits) {
  const auto reaches = [](double time, double wanted, double within = kCloseEnough) {
    return time >= (1 - within) * wanted;
  };
  return reaches(*std::max_element(times.begin(), times.end()), limits.any) &&
         reaches(times[kInterconnect], limits.middle) &&
         std::all_of(limits.one_of.begin(), limits.one_of.end(), [&](const BothWays& both) {
           return reaches(times[kSocket], both.socket, kOfSeveral) ||
                  reaches(times[kInterconnect], both.interconnect, kOfSeveral);
         });
}

std::vector<ByteTimes> explanations(const StreamLimits& limits, double packet) {
  std::vector<ByteTimes> all;
  for (const auto& order : kOrders) {
    ByteTimes times{};
    const double left = filled(order, limits.most, packet, times);
    if (left <= kCloseEnough * packet && fits_limits(times, limits)) all.push_back(times);
  }
  return all;
}

double doubt_of(PartOfWay part, const std::vector<ByteTimes>& all) {
  const double chosen = all.front()[part];
  double doubt = 0;
  for (const ByteTimes& other : all)
    if (std::abs(other[part] - chosen) > 1e-9 * chosen)
      doubt = std::max(doubt, other[part] > 0 ? std::abs(chosen / other[part] - 1) : 1.0);
  return std::min(doubt, 1.0);
}

CrossingParts parts_by(const std::vector<ByteTimes>& all, std::string note) {
  const auto part = [&](PartOfWay which) { return CrossingPart{all.front()[which], doubt_of(which, all)}; };
  return {part(kSocket), part(kLink), part(kInterconnect), std::move(note)};
}

}  // namespace

CrossingParts parts_of_crossing(CrossingSeen seen) {
  if (seen.one_way <= 0) {
    const CrossingPart any{seen.packet / 5, 1};
    return {any, any, any, "no streams across sockets were measured: all parts of the way are taken as equally fast"};
  }
  std::string note;
  if (seen.packet < seen.one_way) {
    if (seen.packet < (1 - kCloseEnough) * seen.one_way)
      note = "messages cross sockets faster than streams do: the rate of messages is taken";
    seen.one_way = seen.packet;
    for (BothWays& both : seen.both) {
      both.interconnect = std::min(both.interconnect, seen.packet);
      both.socket = std::min(both.socket, seen.packet);
    }
  }
  if (auto all = explanations(limits_of(seen, true), seen.packet); !all.empty()) return parts_by(all, note);
  if (auto all = explanations(limits_of(seen, false), seen.packet); !all.empty())
    return parts_by(all, "streams across sockets at once carried other than what single messages let expect");
  const StreamLimits limits = limits_of(seen, true);
  return parts_by({limits.most},
                  "messages in one packet take longer across sockets than the rates of streams let expect");
}

}  // namespace plumbline::hw::calibration
