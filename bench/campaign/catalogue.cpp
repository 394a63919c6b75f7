#include "bench/campaign/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "base/process/child.hpp"
#include "bench/storage/scratch.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kAnswersWithin{30};
constexpr std::string_view kAnyName = ".NAME";

Parameter parameter_from(const json& each) {
  return {each.at("name"), each.value("summary", ""), each.value("default", ""), each.value("is_word", false)};
}

Operation operation_from(const json& each) {
  Operation operation;
  operation.name = each.at("name");
  operation.summary = each.value("summary", "");
  operation.bytes = each.value("bytes", "");
  operation.implementations = each.at("implementations").get<std::vector<std::string>>();
  for (const json& parameter : each.value("parameters", json::array()))
    operation.parameters.push_back(parameter_from(parameter));
  operation.least_ranks = each.value("least_ranks", 1U);
  operation.phases = each.value("phases", std::vector<std::string>{});
  return operation;
}

std::string answer_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

bool Parameter::covers(std::string_view key) const {
  if (!is_pattern()) return key == name;
  const std::string_view begin = std::string_view(name).substr(0, name.size() - kAnyName.size() + 1);
  return key.size() > begin.size() && key.starts_with(begin);
}

bool Parameter::is_pattern() const { return name.ends_with(kAnyName); }

const Parameter* Operation::parameter(std::string_view key) const {
  const auto found = std::ranges::find_if(parameters, [&](const Parameter& each) { return each.covers(key); });
  return found == parameters.end() ? nullptr : &*found;
}

const Operation* Catalogue::find(std::string_view name) const {
  const auto found = std::ranges::find(operations, name, &Operation::name);
  return found == operations.end() ? nullptr : &*found;
}

std::vector<std::string> Catalogue::names() const {
  std::vector<std::string> result;
  for (const Operation& operation : operations) result.push_back(operation.name);
  return result;
}

Catalogue parse_catalogue(const std::string& text, const std::string& name) {
  Catalogue result{text, {}};
  try {
    const json all = json::parse(text);
    for (const json& each : all.at("families")) result.operations.push_back(operation_from(each));
  } catch (const json::exception&) {
    throw Error(name, "does not tell what can be measured", "build and install Plumbline as a whole",
                ExitCode::kCannotRunHere);
  }
  return result;
}

Catalogue ask_for_catalogue(const fs::path& ranks_program) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const fs::path answer = scratch.path() / "families.json";
  Child child({ranks_program.string(), "--describe"}, {}, answer);
  const auto begin = std::chrono::steady_clock::now();
  while (child.running()) {
    if (std::chrono::steady_clock::now() - begin > kAnswersWithin)
      throw Error(ranks_program.string(), "did not tell what can be measured", "", ExitCode::kCannotRunHere);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (const std::string failure = child.failure(); !failure.empty())
    throw Error(ranks_program.string(), fmt::format("{}: {}", failure, answer_in(answer)),
                "check that the libraries of this MPI are installed", ExitCode::kCannotRunHere);
  return parse_catalogue(answer_in(answer), ranks_program.string());
}

}  // namespace plumbline::bench
