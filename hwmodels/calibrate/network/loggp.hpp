#pragma once
// Parametrised round trips -> LogGP (Hoefler, Lichei, Rehm, "Low-Overhead LogGP Parameter Assessment", 2007; Hoefler,
// Schneider, Lumsdaine, "LogGP in theory and practice", 2009). docs/models/calibration-loggp.md.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "hwmodels/calibrate/fit/line.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

// Sizes are equally far apart, so that there are many between two changes.
inline constexpr ChangeRule kLogGPChanges{.look_ahead = 4, .factor = 2, .floor = 0.01, .memory = 12};

// Medians of PRTT(n, d, s), in ns: the client sends n messages of s bytes, waits d before each after the first, and
// gets one of s bytes back.
struct RoundTrips {
  double size = 1;      // s, at least 1
  double one = 0;       // PRTT(1, 0, s)
  double many = 0;      // PRTT(n, 0, s)
  double spaced = 0;    // PRTT(n, delay, s)
  double delay = 0;     // d; 0: not measured
  double receives = 0;  // what the server takes for its n receives, when it waits receive_delay before each
  double receive_delay = 0;
};

// Sizes that one protocol serves. Lines over the size s in ns: sends and receives are o_s(s) and o_r(s); the interface
// is busy with a message for gap + (s - 1) * gap_per_byte (g and G).
struct LogGPInterval {
  double first = 0, last = 0;  // sizes, both included
  Line sends, receives;
  double gap = 0, gap_per_byte = 0;
  double deviation = 0;  // relative, of the worst measured size from the line of the gap
};

struct LogGPFit {
  double half_trip = 0;  // PRTT(1, 0, s) / 2 of the smallest size: the paper's L, in which o and L cannot be told apart
  double latency = 0;    // without o_s and o_r of that size, at least 0: what the platform has as L
  std::vector<LogGPInterval> intervals;
  // At these sizes the delay was no longer than the interface was busy, and o_s is not known from them (equation 4).
  std::vector<double> delay_too_short;
};

// `messages` is n. Points ascend in size; at least 4 (of fewer no line is told from another). Intervals are split at
// `known` changes (the first sizes behind them, ascending), and between those where `rule` sees one (line.hpp).
LogGPFit fit_loggp(std::span<const RoundTrips> points, std::uint32_t messages, const ChangeRule& rule = kLogGPChanges,
                   std::span<const double> known = {});

// As a platform has it. `rendezvous`: the first size that waits for its receiver, 0 for none: cuts an interval there.
Transport loggp_transport(const LogGPFit& fit, std::uint64_t rendezvous, const std::string& source);

}  // namespace plumbline::hw::calibration
