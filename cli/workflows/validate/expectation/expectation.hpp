#pragma once
// One recorded run of the suite, replayed on the platform of its MPI and compared.

#include <filesystem>
#include <string>
#include <vector>

#include "base/team/task.hpp"
#include "base/units.hpp"
#include "cli/workflows/validate/expectation/blame.hpp"
#include "hwmodels/platform/platform.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/program.hpp"
#include "replay/report/report.hpp"

namespace plumbline::cli::validate {

struct Judged {
  replay::Report report;
  Duration expected;             // of the free replay
  Blame blame;                   // of several nodes alone: of one nothing can be told apart
  bool thread_multiple = false;  // the ranks have MPI_THREAD_MULTIPLE
};

// A recording that is to be judged.
struct Recorded {
  std::filesystem::path archive;
  replay::Program program;
  replay::CompileSummary summary;
};

// By libotf2, which is not for several threads. Throws Error where the archive is unreadable.
Recorded read_run(const std::filesystem::path& archive);

// In one go: no expected archive is written. Throws Error where the run cannot be replayed, also by a fault of ours, so
// that the other runs are judged. Runs may be judged side by side.
Judged judge_run(const Recorded& run, const hw::Platform& platform, const std::string& platform_name, const Team& team);

// From the first begin to the last end of any operation.
Duration observed_length(const std::filesystem::path& archive);

}  // namespace plumbline::cli::validate
