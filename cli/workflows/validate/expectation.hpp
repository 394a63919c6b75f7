#pragma once
// One recorded run of the suite, replayed on the platform of its MPI and compared.

#include <filesystem>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "cli/workflows/validate/blame.hpp"
#include "hwmodels/platform.hpp"
#include "replay/report/report.hpp"

namespace plumbline::cli::validate {

struct Judged {
  replay::Report report;
  Duration expected;  // of the free replay
  Blame blame;        // of several nodes alone: of one nothing can be told apart
};

// In one go: no expected archive is written. Throws Error where the archive is unreadable or cannot be replayed, also by
// a fault of ours, so that the other runs are judged.
Judged judge_run(const std::filesystem::path& archive, const hw::Platform& platform, const std::string& platform_name);

// From the first begin to the last end of any operation.
Duration observed_length(const std::filesystem::path& archive);

}  // namespace plumbline::cli::validate
