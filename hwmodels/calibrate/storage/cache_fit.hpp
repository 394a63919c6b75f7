#pragma once
// Chunks of a growing file -> what a page cache takes before writers wait.

#include <optional>
#include <vector>

namespace plumbline::hw::calibration {

struct CacheFill {
  double chunk = 0;             // bytes
  std::vector<double> seconds;  // of each chunk, in the order in which they were written
};

struct CacheFit {
  double written = 0;                 // bytes, all
  double rate = 0;                    // B/s until writers wait
  std::optional<double> dirty_limit;  // bytes; nothing: it was not reached
  double rate_beyond = 0;             // B/s; 0 where it was not
  double spread = 0;                  // relative, of the limit: a block of chunks, and what may have been written back
};

// Where writing becomes slower for good. The limit is what was written until then, less what the device had taken
// meanwhile: at rate_beyond, from when `background` bytes were dirty (nothing: half of what was written, as the ratio
// of Linux's defaults is).
CacheFit fit_cache(const CacheFill& fill, std::optional<double> background);

}  // namespace plumbline::hw::calibration
