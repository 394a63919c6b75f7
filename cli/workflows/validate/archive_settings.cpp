#include "cli/workflows/validate/archive_settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>
#include <string_view>

#include "base/node/setting_line.hpp"
#include "base/output.hpp"
#include "tracer/archive/reader.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using plumbline::validate::ControlVariable;
using plumbline::validate::Origin;

constexpr std::string_view kMeta = "PLUMBLINE::META::";

std::string contents_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

// Files that Open MPI reads its parameters from, the one that counts first; as mca_base_param_files says by default.
std::vector<fs::path> parameter_files() {
  if (const char* given = std::getenv("OMPI_MCA_mca_base_param_files")) {
    std::vector<fs::path> files;
    std::istringstream words(given);
    for (std::string word; std::getline(words, word, ':');) files.emplace_back(word);
    return files;
  }
  const char* home = std::getenv("HOME");
  return {fs::path(home == nullptr ? "/" : home) / ".openmpi/mca-params.conf", "/etc/openmpi/openmpi-mca-params.conf"};
}

std::string without_line(const std::string& text, std::uint32_t line) {
  std::istringstream lines(text);
  std::string result, each;
  for (std::uint32_t number = 1; std::getline(lines, each); ++number)
    if (number != line) result += each + "\n";
  return result;
}

}  // namespace

std::vector<ControlVariable> settings_of(const fs::path& archive, const std::string& mpi) {
  archive::Reader reader(archive);
  std::map<std::string, std::string> meta;
  for (const archive::LocationGroup& group : reader.definitions().location_groups)
    for (const auto& [name, value] : group.properties)
      if (name.starts_with(kMeta)) meta.try_emplace(name.substr(kMeta.size()), value);
  std::vector<ControlVariable> settings = plumbline::validate::control_variables(meta, mpi);
  for (ControlVariable& each : settings)
    if (each.origin.how == "file" && each.origin.line == 0)
      each.origin.line = node::setting_line(contents_of(each.origin.file), each.name);
  return settings;
}

std::vector<std::string> removal_of(const plumbline::validate::Observation& setting, const fs::path& directory) {
  if (!setting.origin) return {};
  const Origin& origin = *setting.origin;
  // What is not in our own surroundings the launcher or the library has set for itself.
  if (origin.how == "environment")
    return std::getenv(origin.file.c_str()) == nullptr ? std::vector<std::string>{} : std::vector{origin.file + "="};
  if (origin.how != "file" || origin.line == 0) return {};
  std::string files;
  for (const fs::path& file : parameter_files()) {
    fs::path read = file;
    if (file == origin.file) {
      read = directory / fmt::format("without-{}.conf", setting.component);
      write_file(read, without_line(contents_of(file), origin.line), Overwrite::kYes);
    }
    files += (files.empty() ? "" : ":") + fs::absolute(read).string();
  }
  return {"OMPI_MCA_mca_base_param_files=" + files};
}

std::string text_of_removal(const plumbline::validate::Observation& setting) {
  const auto& origin = *setting.origin;
  if (origin.how == "environment") return fmt::format("unset {}", origin.file);
  return fmt::format("remove line {} of {}", origin.line, origin.file);
}

}  // namespace plumbline::cli::validate
