#include "cli/workflows/validate/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>

#include "cli/workflows/validate/settings/forced.hpp"
#include "replay/diagnose/finding.hpp"

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;

constexpr std::string_view kMca = "OMPI_MCA_";
constexpr std::string_view kHint = "hint.";

std::string in_upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return text;
}

bool is_hint(const std::string& line) { return !line.starts_with(kMca) && !line.starts_with("MPIR_CVAR_"); }

std::string hints_file(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines)
    if (is_hint(line)) text += fmt::format("{} {}\n", line.substr(0, line.find('=')), line.substr(line.find('=') + 1));
  return text;
}

}  // namespace

std::vector<HintValues> hints_to_try(const Diagnosis& diagnosis) {
  HintValues aggregators{"cb_nodes", {"1", "2", "4", "8"}};
  for (const auto& each : diagnosis.evidence)
    if (each.name == replay::kIdealAggregators && std::ranges::count(aggregators.values, each.value) == 0)
      aggregators.values.push_back(each.value);
  return {{"romio_cb_write", {"enable", "disable"}},
          {"romio_cb_read", {"enable", "disable"}},
          {"romio_ds_write", {"enable", "disable"}},
          {"romio_ds_read", {"enable", "disable"}},
          std::move(aggregators),
          {"cb_buffer_size", {"1048576", "4194304", "16777216", "67108864"}}};
}

void advise_hints(Diagnosis& diagnosis, const std::vector<hw::Setting>& hints, double gain_s) {
  diagnosis.predicted_gain_s = gain_s;
  std::vector<std::string> lines, parameters;
  for (const hw::Setting& hint : hints) {
    lines.push_back(fmt::format("{}={}", hint.name.substr(kHint.size()), hint.value));
    if (hint.name == "hint.cb_nodes") parameters.push_back("OMPI_MCA_io_ompio_num_aggregators=" + hint.value);
  }
  if (!lines.empty()) diagnosis.remedy.lines = lines;
  if (diagnosis.id == "io.hints.aggregators" && diagnosis.mpi == "openmpi") diagnosis.remedy.openmpi = parameters;
}

void advise_algorithm(Diagnosis& diagnosis, const replay::collectives::schedules::Algorithm& algorithm, double gain_s) {
  const std::string operation = operation_of(diagnosis);
  diagnosis.predicted_gain_s = gain_s;
  diagnosis.evidence.push_back({"the fastest here", std::string(algorithm.name), ""});
  if (diagnosis.mpi == "openmpi")
    diagnosis.remedy.openmpi = {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                fmt::format("OMPI_MCA_coll_tuned_{}_algorithm={}", operation, algorithm.number)};
  else
    diagnosis.remedy.mpich = {fmt::format("MPIR_CVAR_{}_INTRA_ALGORITHM={}", in_upper_case(operation), algorithm.name)};
}

std::vector<std::string> settings_in(const std::vector<std::string>& lines) {
  std::vector<std::string> result;
  std::ranges::copy_if(lines, std::back_inserter(result), [](const std::string& line) {
    return line.find('=') != std::string::npos && line.find(' ') == std::string::npos;
  });
  return result;
}

std::map<std::string, std::string> tuned_files(const std::vector<Diagnosis>& diagnoses) {
  std::string openmpi, mpich, hints;
  for (const Diagnosis& diagnosis : diagnoses) {
    if (!diagnosis.predicted_gain_s) continue;
    const std::string why = fmt::format("# {}: {}\n", diagnosis.id, diagnosis.title);
    for (const std::string& line : settings_in(diagnosis.remedy.openmpi))
      if (line.starts_with(kMca)) openmpi += why + line.substr(kMca.size()) + "\n";
    for (const std::string& line : settings_in(diagnosis.remedy.mpich)) mpich += why + "export " + line + "\n";
    const std::string of_files = hints_file(settings_in(diagnosis.remedy.lines));
    if (!of_files.empty()) hints += why + of_files;
  }
  std::map<std::string, std::string> files{
      {"openmpi-mca-params.conf", openmpi}, {"mpich.sh", mpich}, {"romio-hints", hints}};
  std::erase_if(files, [](const auto& file) { return file.second.empty(); });
  return files;
}

}  // namespace plumbline::cli::validate
