#include <fmt/format.h>

#include <chrono>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.hpp"
#include "base/process/child.hpp"
#include "bench/storage/scratch.hpp"
#include "bench/suite/cell_kinds.hpp"

namespace plumbline::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::chrono::seconds kListsWithin{30};

CellKind cell_kind_from(const json& each) {
  CellKind kind{each.at("name"), each.at("summary"), each.at("least_ranks"), each.at("files"), {}};
  for (const json& parameter : each.at("parameters"))
    kind.parameters.push_back({parameter.at("name"), parameter.at("summary"), parameter.at("default"),
                               parameter.at("least"), parameter.at("most")});
  return kind;
}

std::string text_in(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

CellKinds parse_cell_kinds(const std::string& text, const std::string& name) {
  CellKinds result;
  try {
    const json all = json::parse(text);
    for (const json& each : all.at("cells")) result.push_back(cell_kind_from(each));
  } catch (const json::exception&) {
    throw Error(name, "does not tell what cells it has", "build and install Plumbline as a whole",
                ExitCode::kCannotRunHere);
  }
  return result;
}

CellKinds ask_for_cell_kinds(const fs::path& suite_program) {
  const ScratchDirectory scratch(fs::temp_directory_path());
  const fs::path answer = scratch.path() / "cells.json";
  Child child({suite_program.string(), "--list"}, {}, answer);
  const auto begin = std::chrono::steady_clock::now();
  while (child.running()) {
    if (std::chrono::steady_clock::now() - begin > kListsWithin)
      throw Error(suite_program.string(), "did not tell what cells it has", "", ExitCode::kCannotRunHere);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  if (const std::string failure = child.failure(); !failure.empty())
    throw Error(suite_program.string(), fmt::format("{}: {}", failure, text_in(answer)),
                "check that the libraries of this MPI are installed", ExitCode::kCannotRunHere);
  return parse_cell_kinds(text_in(answer), suite_program.string());
}

}  // namespace plumbline::bench
