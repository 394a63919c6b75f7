#pragma once
// Whether a machine is still what it was when it was calibrated. A virtual machine beside other guests changes between
// levels for seconds to minutes; then every call of a run is slower than expected, and nothing is wrong with MPI or
// storage.

#include <optional>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Calibrates one machine for some seconds, right after a run of the suite was recorded for the `time`-th time again,
// and tells what that recording shows by it. Nothing for a cluster, whose calibration takes longer, and where it cannot
// be measured or replayed.
std::optional<std::vector<replay::validate::Diagnosis>> shown_by_calibration_after(Session& session,
                                                                                   const SuiteResult& run,
                                                                                   std::uint32_t time);

}  // namespace plumbline::cli::validate
