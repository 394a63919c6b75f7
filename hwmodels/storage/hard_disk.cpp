#include "hwmodels/storage/hard_disk.hpp"

#include "base/check.hpp"

namespace plumbline::hw::storage {
namespace {

// Whether `a` comes before `b` on the way of the head; of equals the one that arrived first.
bool goes_before(const DeviceAccess& a, const DeviceAccess& b, HeadPosition head) {
  const auto turn = [head](const DeviceAccess& access) {
    if (access.file != head.file) return 2;
    if (access.operation == Operation::kFlush) return 1;
    return access.extent.offset >= head.offset ? 0 : 2;
  };
  if (turn(a) != turn(b)) return turn(a) < turn(b);
  return turn(a) == 0 && a.extent.offset < b.extent.offset;
}

}  // namespace

SeekClass seek_class(const HardDisk& disk, HeadPosition head, std::uint32_t file, std::uint64_t offset) {
  if (file != head.file) return SeekClass::kAverage;
  if (offset == head.offset) return SeekClass::kContiguous;
  const std::uint64_t distance = offset > head.offset ? offset - head.offset : head.offset - offset;
  return distance < disk.close.count ? SeekClass::kShort : SeekClass::kAverage;
}

Duration access_time(const HardDisk& disk, SeekClass seek, Bytes size) {
  Duration time = transfer_time(size, disk.rate.value);
  if (seek == SeekClass::kContiguous) return time;
  time += picoseconds(disk.turn.value.ps / 2);  // until the first byte passes the head, on average
  return time + (seek == SeekClass::kShort ? disk.track_to_track.value : disk.average_seek.value);
}

DeviceAccess Elevator::take(HeadPosition head) {
  PLUMBLINE_CHECK(!waiting_.empty(), "there is an access to take");
  std::size_t best = 0;
  for (std::size_t i = 1; i < waiting_.size(); ++i)
    if (goes_before(waiting_[i], waiting_[best], head)) best = i;
  const DeviceAccess taken = waiting_[best];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(best));
  return taken;
}

}  // namespace plumbline::hw::storage
