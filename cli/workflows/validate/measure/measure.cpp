#include "cli/workflows/validate/measure/measure.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "bench/quick/options.hpp"
#include "bench/quick/quick.hpp"
#include "bench/results/campaign_file.hpp"
#include "bench/results/file.hpp"
#include "cli/workflows/validate/measure/calibration.hpp"
#include "cli/workflows/validate/measure/rule_layouts.hpp"
#include "cli/workflows/validate/measure/server_findings.hpp"
#include "cli/workflows/validate/preflight/preflight.hpp"
#include "cli/workflows/validate/session/campaigns.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/calibrate/campaign/campaign.hpp"
#include "hwmodels/platform/xml/platform_xml.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;

// Seconds of each level: of the quick calibration, of a campaign that a calibration is made from, and of the rules.
struct Times {
  double quick, campaign, rules;
};

Times times_of(Level level) {
  switch (level) {
    case Level::kQuick:
      return {18, 75, 45};
    case Level::kDefault:
      return {40, 150, 90};
    default:
      return {45, 400, 240};
  }
}

// What a platform is made of, as far as the storage lets the time of the level go.
std::string machine_campaign(const Session& session, const Mpi& mpi) {
  constexpr std::uint64_t kProbe = 4 << 20;  // bytes: a third of a second at 100 Mbit/s
  MachineCampaign campaign = machine_campaign_on(session, mpi);
  campaign.write_rate = write_rate(campaign.directory, kProbe);
  return text_of(campaign);
}

fs::path samples_of(const Session& session, const Mpi& mpi) {
  return session.directory / fmt::format("measured-{}.h5", mpi.installed.flavour);
}

hw::calibration::Calibration calibrate_machine(Session& session, const Mpi& mpi, double planned) {
  bench::QuickOptions quick = quick_options(session, mpi, times_of(session.options.level).quick);
  quick.progress = [&](double fraction, std::string_view) {
    if (is_interrupted()) throw Interrupted{};
    session.part_of_step(planned, fraction);
  };
  const bench::Measurements measurements = bench::run_quick(quick);
  bench::write_measurements(measurements, samples_of(session, mpi), Overwrite::kYes);
  return hw::calibration::calibrate(measurements, {"validate"});
}

hw::calibration::Calibration calibrate_campaign(const Session& session, const bench::Campaign& campaign,
                                                MpiResult& result) {
  result.servers = server_rates(campaign);
  hw::calibration::CampaignOptions how;
  if (!session.options.nominal.empty()) {
    how.nominal = hw::read_platform(session.options.nominal);
    how.nominal_name = session.options.nominal.string();
  }
  return hw::calibration::calibrate(campaign, how);
}

// Files appear whole, so that one that is there need not be measured again; of a campaign the findings are worked out
// again.
void measure_platform(Session& session, MpiResult& result) {
  const Mpi& mpi = *result.mpi;
  const Times times = times_of(session.options.level);
  const bool one = calibrates_alone(session, mpi);
  const double planned = one ? times.quick * 1.3 : times.campaign;
  const fs::path platform = session.directory / fmt::format("platform-{}.xml", mpi.installed.flavour);
  session.begin_step(fmt::format("calibration, {}", mpi.installed.flavour));
  const bool is_there = session.options.resume && fs::exists(platform);
  if (!is_there || !one) {
    const fs::path samples = samples_of(session, mpi);
    const auto campaign = [&] {
      if (!is_there || !fs::exists(samples))
        return run_campaign(session, machine_campaign(session, mpi), "calibration", samples, planned);
      bench::Campaign measured = bench::read_campaign(samples);
      note_disturbances(session, measured, "calibration");
      return measured;
    };
    const hw::calibration::Calibration calibration =
        one ? calibrate_machine(session, mpi, planned) : calibrate_campaign(session, campaign(), result);
    for (const std::string& note : calibration.notes)
      session.validation.notes.push_back(fmt::format("calibration, {}: {}", mpi.installed.flavour, note));
    result.calibrated = calibration.findings;
    write_file(platform, hw::to_xml(calibration.platform), Overwrite::kYes);
  }
  result.platform = platform;
  session.end_step(planned);
}

void measure_rules(Session& session, MpiResult& result) {
  const Mpi& mpi = *result.mpi;
  const double planned = times_of(session.options.level).rules;
  const fs::path file = session.directory / fmt::format("rules-{}.h5", mpi.installed.flavour);
  if (const std::string why = why_no_rule_can_be_judged(session, result); !why.empty()) {
    result.verdict = verdict_on_no_rule(result, why);
    session.validation.notes.push_back(
        fmt::format("rules, {}: not measured, because {}: their times would hold that they wait for each other",
                    mpi.installed.flavour, why));
    return session.end_step(planned);
  }
  session.begin_step(fmt::format("rules, {}", mpi.installed.flavour));
  if (!(session.options.resume && fs::exists(file)))
    run_campaign(session, bench::campaign_text(rules_campaign_on(session, result)), "rules", file, planned);
  result.verdict = bench::judge_rules(bench::read_campaign(file));
  session.end_step(planned);
}

}  // namespace

double planned_seconds_to_measure(const Session& session) {
  const Times times = times_of(session.options.level);
  double seconds = 0;
  for (const Mpi& mpi : session.site.mpis) {
    if (session.wants_platform()) seconds += calibrates_alone(session, mpi) ? times.quick * 1.3 : times.campaign;
    if (session.wants({"rule.", "net.backplane"})) seconds += times.rules;
  }
  return seconds;
}

void measure(Session& session) {
  for (MpiResult& result : session.mpis) {
    const auto attempt = [&](auto work) {
      try {
        work(session, result);
      } catch (const Error& error) {
        session.part_failed("measure", error);
        end_where_nothing_runs(session, "measure", *result.mpi);
      }
    };
    if (session.wants_platform()) attempt(measure_platform);
    if (!session.is_over && session.wants({"rule.", "net.backplane"})) attempt(measure_rules);
    if (session.is_over) return;
  }
}

}  // namespace plumbline::cli::validate
