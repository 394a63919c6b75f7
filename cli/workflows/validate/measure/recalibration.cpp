#include "cli/workflows/validate/measure/recalibration.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "cli/workflows/validate/measure/calibration.hpp"
#include "cli/workflows/validate/measure/shown.hpp"
#include "cli/workflows/validate/suite/suite.hpp"

namespace plumbline::cli::validate {

std::optional<std::vector<replay::validate::Diagnosis>> shown_by_calibration_after(Session& session,
                                                                                   const SuiteResult& run,
                                                                                   std::uint32_t time) {
  if (!calibrates_alone(session, *run.mpi)) return std::nullopt;
  session.begin_step(fmt::format("calibration beside {}, {}", run.entry->name, run.mpi->installed.flavour));
  try {
    return shown_by(judge_repetition(session, run, time, calibrate_briefly(session, *run.mpi)), run);
  } catch (const Error& error) {
    session.validation.notes.push_back(fmt::format("calibration beside {}: {}", run.entry->name, error.what()));
    return std::nullopt;
  }
}

}  // namespace plumbline::cli::validate
