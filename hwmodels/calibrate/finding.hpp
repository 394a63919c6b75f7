#pragma once
// What of a machine is slower than it should be, as its calibration shows it: by what reference, how much, how sure.

#include <cstdint>
#include <string>
#include <string_view>

namespace plumbline::hw::calibration {

// Against what: other components of its class, or what the hardware is said to do.
enum class Reference { kPeers, kNominal };

struct Finding {
  Reference reference = Reference::kPeers;
  std::string component;  // "link n3-s0, from n3", "node n3", "n2 to n5"
  std::string quantity;   // "rate", "latency", "send call", "receive call", "time inside", ...
  double measured = 0, expected = 0;
  std::string unit;           // "B/s", "ns"
  double severity = 0;        // part of a rate that is missing, or of a time that is too much: 0.5 is half the rate
  double p = 1;               // chance to see this where nothing is wrong, adjusted for the number of components
  std::uint32_t samples = 0;  // medians of runs that tell of it
  std::string basis;          // what p is from
};

std::string_view word(Reference reference);  // "peers", "nominal"
// "certain" below 0.0001, "high" below 0.001, "good" up to 0.05; "low": by size alone.
std::string_view confidence(const Finding& finding);
// One sentence.
std::string title(const Finding& finding);

}  // namespace plumbline::hw::calibration
