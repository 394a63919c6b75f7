#include "hwmodels/calibrate/observations/frames.hpp"

namespace plumbline::hw::calibration {
namespace {

// IEEE 802.3: preamble and start of frame 8, check sequence 4, gap between packets 12; no interface counts them.
constexpr double kOnTheWireOfEthernet = 24;
constexpr std::uint64_t kSmall = 512;  // bytes of a message that is sure to be in one frame
constexpr double kFew = 0.05;          // further frames a message that do not matter
constexpr double kMost = 1000;         // bytes; more is no header

double number_in(const bench::Cell& cell, const char* name) {
  const auto found = cell.numbers.find(name);
  return found == cell.numbers.end() ? 0 : found->second;
}

}  // namespace

std::optional<double> header_in(const bench::Cell& cell) {
  const double further = number_in(cell, "wire_frames") - 1, acknowledgement = number_in(cell, "acknowledgement_bytes");
  if (cell.bytes > kSmall || further < 0 || (further > kFew && acknowledgement <= 0)) return std::nullopt;
  const double counted = number_in(cell, "wire_bytes") - further * acknowledgement - static_cast<double>(cell.bytes);
  const double header = counted + (number_in(cell, "ethernet") != 0 ? kOnTheWireOfEthernet : 0);
  if (!(header > 0 && header < kMost)) return std::nullopt;
  return header;
}

}  // namespace plumbline::hw::calibration
