#include "hwmodels/calibrate/one_way_time.hpp"

#include "base/check.hpp"

namespace plumbline::hw::calibration {
namespace {

Duration fixed_time(const MessageRange& range) { return range.send.value + range.latency.value + range.receive.value; }

}  // namespace

Duration one_way_time(const Platform& platform, Bytes size) {
  PLUMBLINE_CHECK(!platform.nodes.empty() && !platform.inside.ranges.empty(), "a platform with a node and a transport");
  const MessageRange& range = range_of(platform.inside, size);
  Duration time = fixed_time(range) + transfer_time(size, platform.nodes[0].memory_rate.value);
  if (range.send_rate) time += transfer_time(size, range.send_rate->value);
  if (range.receive_rate) time += transfer_time(size, range.receive_rate->value);
  if (range.protocol == Protocol::kRendezvous) time += fixed_time(platform.inside.ranges.front()) * 2;
  return time;
}

}  // namespace plumbline::hw::calibration
