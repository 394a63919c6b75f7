#pragma once
// Messages between two ranks, by running the probe program of one MPI.

#include <filesystem>
#include <functional>
#include <string>

#include "bench/quick/options.hpp"
#include "bench/results/measurements.hpp"

namespace plumbline::bench {

// A flavour that is installed and has a probe: the wanted one, or the first. Throws Error (kCannotRunHere) otherwise.
struct MpiFlavour {
  std::string name;
  std::filesystem::path launcher, probe;
};
MpiFlavour choose_flavour(const QuickOptions& options);

// Runs the probe for `seconds` and adds its samples. `progress` is told the share of the time that is over.
void measure_messages(const MpiFlavour& flavour, double seconds, const std::function<void(double)>& progress,
                      Measurements& into);

// What the probe wrote; `name` for messages. Throws Error when it is incomplete.
void parse_probe_output(const std::string& text, const std::string& name, Measurements& into);

}  // namespace plumbline::bench
