#include "cli/workflows/validate/measure/calibration.hpp"

#include <filesystem>
#include <string_view>

#include "bench/quick/quick.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "hwmodels/calibrate/calibrate.hpp"

namespace plumbline::cli::validate {

MachineCampaign machine_campaign_on(const Session& session, const Mpi& mpi) {
  return {mpi.installed.flavour, mpi.layout, session.options.level, storage_directory(session), 0};
}

bool calibrates_alone(const Session& session, const Mpi& mpi) {
  return mpi.layout.nodes == 1 && mpi.layout.launcher.empty() && session.options.nominal.empty();
}

hw::Platform calibrate_briefly(Session& session, const Mpi& mpi) {
  constexpr double kSeconds = 5;  // some eight rounds of messages
  bench::QuickOptions quick = quick_options(session, mpi, kSeconds);
  quick.progress = [](double, std::string_view) {
    if (is_interrupted()) throw Interrupted{};
  };
  return hw::calibration::calibrate(bench::run_quick(quick), {"validate"}).platform;
}

bench::QuickOptions quick_options(const Session& session, const Mpi& mpi, double seconds) {
  bench::QuickOptions quick;
  quick.directory = storage_directory(session);
  quick.mpi = mpi.installed.flavour;
  quick.seconds = seconds;
  return quick;
}

}  // namespace plumbline::cli::validate
