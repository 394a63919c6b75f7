#include "cli/workflows/validate/session/archive_settings.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/files/output.hpp"
#include "base/node/setting_line.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::cli::validate {
namespace {

namespace fs = std::filesystem;
using replay::validate::ControlVariable;
using replay::validate::Origin;

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

std::string without_lines(const std::string& text, const std::set<std::uint32_t>& gone) {
  std::istringstream lines(text);
  std::string result, each;
  for (std::uint32_t number = 1; std::getline(lines, each); ++number)
    if (!gone.contains(number)) result += each + "\n";
  return result;
}

// A copy of each file of parameters of which lines are to go, and the list of all files with these copies.
std::string files_without(const std::map<std::string, std::set<std::uint32_t>>& lines, const fs::path& directory) {
  std::string files;
  std::size_t copies = 0;
  for (const fs::path& file : parameter_files()) {
    fs::path read = file;
    if (const auto gone = lines.find(file.string()); gone != lines.end()) {
      read = directory / fmt::format("without-lines-{}.conf", copies++);
      write_file(read, without_lines(contents_of(file), gone->second), Overwrite::kYes);
    }
    files += (files.empty() ? "" : ":") + fs::absolute(read).string();
  }
  return files;
}

// Of the first rank.
std::vector<ControlVariable> settings_of_run(const fs::path& archive, const std::string& mpi) {
  archive::Reader reader(archive);
  std::map<std::string, std::string> meta;
  for (const archive::LocationGroup& group : reader.definitions().location_groups)
    for (const auto& [name, value] : group.properties)
      if (name.starts_with(kMeta)) meta.try_emplace(name.substr(kMeta.size()), value);
  std::vector<ControlVariable> settings = replay::validate::control_variables(meta, mpi);
  for (ControlVariable& each : settings)
    if (each.origin.how == "file" && each.origin.line == 0)
      each.origin.line = node::setting_line(contents_of(each.origin.file), each.name);
  return settings;
}

}  // namespace

std::vector<ControlVariable> settings_of(std::span<const fs::path> archives, const std::string& mpi) {
  std::vector<ControlVariable> settings;
  std::set<std::string> known;
  for (const fs::path& archive : archives)
    for (ControlVariable& each : settings_of_run(archive, mpi))
      if (known.insert(each.name).second) settings.push_back(std::move(each));
  return settings;
}

bool can_be_removed(const replay::validate::Observation& setting) {
  if (!setting.origin) return false;
  const Origin& origin = *setting.origin;
  // What is not in our own surroundings the launcher or the library has set for itself.
  if (origin.how == "environment") return std::getenv(origin.file.c_str()) != nullptr;
  return origin.how == "file" && origin.line != 0;
}

std::vector<std::string> removal_of(const std::vector<const replay::validate::Observation*>& settings,
                                    const fs::path& directory) {
  std::set<std::string> changes;
  std::map<std::string, std::set<std::uint32_t>> lines;
  for (const replay::validate::Observation* setting : settings) {
    if (!can_be_removed(*setting)) continue;
    const Origin& origin = *setting->origin;
    if (origin.how == "environment")
      changes.insert(origin.file + "=");
    else
      lines[origin.file].insert(origin.line);
  }
  if (!lines.empty()) changes.insert("OMPI_MCA_mca_base_param_files=" + files_without(lines, directory));
  return {changes.begin(), changes.end()};
}

std::string text_of_removal(const replay::validate::Observation& setting) {
  const auto& origin = *setting.origin;
  if (origin.how == "environment") return fmt::format("unset {}", origin.file);
  return fmt::format("remove line {} of {}", origin.line, origin.file);
}

}  // namespace plumbline::cli::validate
