#include "hwmodels/calibrate/node/socket_gap.hpp"

#include <algorithm>
#include <vector>

#include "hwmodels/calibrate/fit/line.hpp"

namespace plumbline::hw::calibration {
namespace {

constexpr std::size_t kFewestBeyond = 3;  // sizes; of two the error is too large beside what streams tell
constexpr double kSeveralPackets = 2;

Line gap_line(const std::vector<RestPoint>& points) {
  if (points.empty()) return {};
  if (points.size() == 1) return {std::max(0.0, points.front().value), 0};
  return fit_rest(points);
}

}  // namespace

double SocketGap::at(std::uint64_t size) const {
  const auto bytes = static_cast<double>(size), one = static_cast<double>(packet.count);
  const double starts = rendezvous && size >= *rendezvous ? 3 : 1;
  return starts * start + per_byte * std::min(bytes, one) + beyond.value_or(per_byte) * std::max(0.0, bytes - one);
}

SocketGap fit_gap(const SocketGroup& group, Bytes packet, std::optional<std::uint64_t> rendezvous) {
  SocketGap gap;
  gap.packet = packet;
  gap.rendezvous = rendezvous;
  const auto one = static_cast<double>(packet.count);
  const auto waits = [&](const RestPoint& point) {
    return rendezvous && point.size >= static_cast<double>(*rendezvous);
  };
  std::vector<RestPoint> single, several;
  for (const auto& [size, other] : group.other)
    if (const auto same = group.same.find(size); same != group.same.end()) {
      const auto bytes = static_cast<double>(size);
      const RestPoint point{bytes, other.value - same->second.value, other.value};
      if (bytes <= one) single.push_back(point);
      if (bytes > kSeveralPackets * one) several.push_back(point);
    }
  std::vector<RestPoint> eager = single;
  std::erase_if(eager, waits);
  gap.start = eager.empty() ? gap_line(single).intercept / 3 : gap_line(eager).intercept;
  for (RestPoint& point : single)
    if (waits(point)) point.value -= 2 * gap.start;
  const Line line = gap_line(single);
  gap.start = line.intercept;
  gap.per_byte = line.slope;
  if (several.size() < kFewestBeyond) return gap;
  for (RestPoint& point : several) {
    point.value -= (waits(point) ? 3 : 1) * gap.start + gap.per_byte * one;
    point.size -= one;
  }
  gap.beyond = fit_rest(several).slope;
  return gap;
}

}  // namespace plumbline::hw::calibration
