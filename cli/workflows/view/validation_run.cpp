#include "cli/workflows/view/validation_run.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "base/files/text_file.hpp"

namespace plumbline::cli::view {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

constexpr std::size_t kMostBytes = 256 << 20;

std::string text_in(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_string() ? json[key].get<std::string>() : "";
}

double number_in(const Json& json, const char* key) {
  return json.is_object() && json.contains(key) && json[key].is_number() ? json[key].get<double>() : 0;
}

Json read_validation(const fs::path& directory) {
  const fs::path file = directory / "report.json";
  Json json = Json::parse(read_text_file(file, "name the directory that validate wrote", kMostBytes), nullptr, false);
  if (text_in(json, "format") != "plumbline-validation" || !json.contains("suite") || !json["suite"].is_array())
    throw Error(file.string(), "is no report of a validation", "name the directory that `plumbline validate -o` wrote");
  return json;
}

std::string name_of(const Json& run) { return text_in(run, "name") + "/" + text_in(run, "mpi"); }

// Below the directory, whatever the file says.
std::optional<fs::path> archive_of(const fs::path& directory, const Json& run) {
  const fs::path relative = fs::path(text_in(run, "archive")).lexically_normal();
  if (relative.empty() || relative.is_absolute() || *relative.begin() == "..") return std::nullopt;
  const fs::path archive = directory / relative;
  return fs::exists(archive) ? std::optional(archive) : std::nullopt;
}

// That of the run's MPI; else the one that the report names.
fs::path platform_of(const fs::path& directory, const Json& validation, const Json& run) {
  for (const std::string& name :
       {fmt::format("platform-{}.xml", text_in(run, "mpi")), text_in(validation, "platform")}) {
    const fs::path file = directory / fs::path(name).filename();
    if (!name.empty() && fs::is_regular_file(file)) return file;
  }
  return {};
}

}  // namespace

bool is_validation(const fs::path& directory) {
  if (!fs::is_directory(directory) || !fs::is_regular_file(directory / "report.json")) return false;
  return std::ranges::none_of(fs::directory_iterator(directory),
                              [](const fs::directory_entry& entry) { return entry.path().extension() == ".otf2"; });
}

bool has_run(const fs::path& directory) {
  const Json validation = read_validation(directory);
  return std::ranges::any_of(validation["suite"],
                             [&](const Json& run) { return archive_of(directory, run).has_value(); });
}

ValidationRun validation_run(const fs::path& directory, const std::string& name) {
  ValidationRun result{read_validation(directory), {}, {}, {}, {}};
  const Json* best = nullptr;
  double most = 0;
  for (const Json& run : result.validation["suite"]) {
    if (!archive_of(directory, run)) continue;
    result.others.push_back(name_of(run));
    if (!name.empty() && name != name_of(run) && name != text_in(run, "name")) continue;
    const double loss = number_in(run, "observed_s") - number_in(run, "expected_s");
    if (best != nullptr && loss <= most) continue;
    best = &run;
    most = loss;
  }
  if (best == nullptr && result.others.empty())
    throw Error(directory.string(), "has no archive of a run of the suite", "validate again");
  if (best == nullptr)
    throw Error("--run", fmt::format("there is no run '{}'", name),
                fmt::format("there are {}", fmt::join(result.others, ", ")), ExitCode::kWrongUse);
  result.name = name_of(*best);
  result.archive = *archive_of(directory, *best);
  result.platform = platform_of(directory, result.validation, *best);
  std::erase(result.others, result.name);
  return result;
}

}  // namespace plumbline::cli::view
