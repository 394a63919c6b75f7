#pragma once
// One run of a validation's suite.

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace plumbline::cli::view {

// Whether the directory is one that `plumbline validate` wrote.
bool is_validation(const std::filesystem::path& directory);

struct ValidationRun {
  nlohmann::ordered_json validation;        // its report.json
  std::filesystem::path archive, platform;  // of the run; platform empty: there is none
  std::string name;                         // "strided/mpich"
  std::vector<std::string> others;          // names of the runs that can be shown instead
};

// Whether an archive of some run of its suite is there.
bool has_run(const std::filesystem::path& directory);

// The run of that name ("strided" or "strided/mpich"); of "" the one that took longest beyond what was expected. Error
// where no run has an archive, or none this name.
ValidationRun validation_run(const std::filesystem::path& directory, const std::string& name);

}  // namespace plumbline::cli::view
