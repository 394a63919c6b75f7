#include "cli/workflows/validate/wrong_data_causes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cli/workflows/validate/archive_settings.hpp"
#include "cli/workflows/validate/campaigns.hpp"
#include "cli/workflows/validate/job.hpp"
#include "cli/workflows/validate/twins.hpp"
#include "cli/workflows/validate/wrong_data.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using plumbline::validate::Diagnosis;
using plumbline::validate::Observation;

enum class Data { kRight, kWrong, kNotKnown };

Data data_of(const bench::Launch& launch, double patience_s, const fs::path& log) {
  std::error_code ignored;
  fs::remove(log, ignored);
  const JobEnd end = run_job({launch.command, launch.environment, log, patience_s});
  if (!wrong_data_in(log).empty()) return Data::kWrong;
  return end.failure.empty() ? Data::kRight : Data::kNotKnown;
}

const bench::SuiteEntry* entry_of(const Session& session, const Diagnosis& diagnosis) {
  for (const plumbline::validate::Datum& row : diagnosis.evidence)
    for (const bench::SuiteEntry& entry : session.suite.entries)
      if (row.name == "suite entry" && row.value == entry.name && entry.program.empty()) return &entry;
  return nullptr;
}

void name(const Observation& setting, Diagnosis& diagnosis) {
  diagnosis.origin = setting.origin;
  diagnosis.evidence.push_back({"with " + setting.component, "wrong, 2 of 2 times", ""});
  diagnosis.evidence.push_back({"without " + setting.component, "right, 2 of 2 times", ""});
  diagnosis.title += fmt::format("; without {} it is right", setting.component);
  diagnosis.samples = 4;
  (diagnosis.mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich) = {text_of_removal(setting)};
}

void try_settings_of_files(Session& session, MpiResult& result, Diagnosis& diagnosis) {
  const bench::SuiteEntry* const entry = entry_of(session, diagnosis);
  if (entry == nullptr) return;
  std::vector<std::string> arguments =
      bench::command_of(*entry, result.mpi->suite, fs::absolute(storage_directory(session)));
  arguments.erase(arguments.begin());
  for (Observation& setting : result.observations) {
    const std::vector<std::string> removal = removal_of(setting, session.directory / "log");
    if (!setting.id.starts_with("io.") || removal.empty()) continue;
    session.begin_step(fmt::format("wrong data with and without {}, {}", setting.component, diagnosis.mpi));
    const fs::path log = session.log(fmt::format("wrong-data-{}-{}", diagnosis.mpi, setting.component));
    if (!is_wrong_only_with(session.site, *result.mpi, arguments, removal, 120 + 10 * entry->seconds, log)) continue;
    setting.explained = true;
    name(setting, diagnosis);
    return;
  }
}

}  // namespace

bool is_wrong_only_with(const Site& site, const Mpi& mpi, const std::vector<std::string>& arguments,
                        const std::vector<std::string>& removal, double patience_s, const fs::path& log) {
  const bench::Launch with = launch_on(site, mpi, mpi.suite, arguments);
  bench::Launch without = with;
  add_changes(removal, without);
  return data_of(without, patience_s, log) == Data::kRight && data_of(with, patience_s, log) == Data::kWrong &&
         data_of(without, patience_s, log) == Data::kRight;
}

void name_settings_of_wrong_data(Session& session) {
  for (Diagnosis& diagnosis : session.validation.diagnoses)
    for (MpiResult& result : session.mpis)
      if (diagnosis.id == "data.wrong" && result.mpi->installed.flavour == diagnosis.mpi &&
          diagnosis.component.starts_with("files in "))
        try_settings_of_files(session, result, diagnosis);
}

}  // namespace plumbline::cli::validate
