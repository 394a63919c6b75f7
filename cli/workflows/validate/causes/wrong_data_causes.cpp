#include "cli/workflows/validate/causes/wrong_data_causes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/workflows/validate/session/archive_settings.hpp"
#include "cli/workflows/validate/session/job.hpp"
#include "cli/workflows/validate/session/twins.hpp"
#include "cli/workflows/validate/suite/suite.hpp"
#include "cli/workflows/validate/suite/wrong_data.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using replay::validate::Diagnosis;
using replay::validate::Observation;

enum class Data { kRight, kWrong, kNotKnown };

Data data_of(const bench::Launch& launch, double patience_s, const fs::path& log) {
  std::error_code ignored;
  fs::remove(log, ignored);
  const JobEnd end = run_job({launch.command, launch.environment, log, patience_s});
  if (!wrong_data_in(log).empty()) return Data::kWrong;
  return end.failure.empty() ? Data::kRight : Data::kNotKnown;
}

const bench::SuiteEntry* entry_of(const Session& session, const Diagnosis& diagnosis) {
  for (const replay::validate::Datum& row : diagnosis.evidence)
    for (const bench::SuiteEntry& entry : session.suite.entries)
      if (row.name == "suite entry" && row.value == entry.name && entry.program.empty()) return &entry;
  return nullptr;
}

void name(const Observation& setting, Diagnosis& diagnosis) {
  diagnosis.origin = setting.origin;
  diagnosis.evidence.push_back({"with " + setting.component, "wrong, 3 of 3 times", ""});
  diagnosis.evidence.push_back({"without " + setting.component, "right, 2 of 2 times", ""});
  diagnosis.title += fmt::format("; without {} it is right", setting.component);
  diagnosis.samples = 5;
  (diagnosis.mpi == "openmpi" ? diagnosis.remedy.openmpi : diagnosis.remedy.mpich) = {text_of_removal(setting)};
}

// Hints, and parameters of what Open MPI has for files.
bool is_of_files(const Observation& setting) {
  constexpr std::array<std::string_view, 5> kFrameworks{"io", "fs", "fcoll", "fbtl", "sharedfp"};
  return setting.id.starts_with("io.") || std::ranges::any_of(kFrameworks, [&](std::string_view framework) {
           return setting.component == framework || setting.component.starts_with(fmt::format("{}_", framework));
         });
}

void try_settings_of_files(Session& session, MpiResult& result, Diagnosis& diagnosis) {
  const bench::SuiteEntry* const entry = entry_of(session, diagnosis);
  if (entry == nullptr) return;
  const bench::Launch launch = launch_of(session, *entry, *result.mpi);
  for (Observation& setting : result.observations) {
    if (!is_of_files(setting) || !can_be_removed(setting)) continue;
    session.begin_step(fmt::format("wrong data with and without {}, {}", setting.component, diagnosis.mpi));
    const std::vector<std::string> removal = removal_of({&setting}, session.directory / "log");
    const fs::path log = session.log(fmt::format("wrong-data-{}", diagnosis.mpi));
    if (!is_wrong_only_with(launch, removal, 120 + 10 * entry->seconds, log)) continue;
    setting.explained = true;
    name(setting, diagnosis);
    return;
  }
}

}  // namespace

bool is_wrong_only_with(const bench::Launch& with, const std::vector<std::string>& removal, double patience_s,
                        const fs::path& log) {
  constexpr int kTimes = 2;
  bench::Launch without = with;
  add_changes(removal, without);
  for (int time = 0; time < kTimes; ++time)
    if (data_of(without, patience_s, log) != Data::kRight || data_of(with, patience_s, log) != Data::kWrong)
      return false;
  return true;
}

void name_settings_of_wrong_data(Session& session) {
  for (Diagnosis& diagnosis : session.validation.diagnoses)
    for (MpiResult& result : session.mpis)
      if (diagnosis.id == "data.wrong" && result.mpi->installed.flavour == diagnosis.mpi &&
          diagnosis.component.starts_with("files in "))
        try_settings_of_files(session, result, diagnosis);
}

}  // namespace plumbline::cli::validate
