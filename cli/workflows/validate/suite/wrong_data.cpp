#include "cli/workflows/validate/suite/wrong_data.hpp"

#include <fmt/format.h>

#include <fstream>
#include <string_view>

#include "replay/validate/checks/catalogue.hpp"

namespace plumbline::cli::validate {
namespace {

constexpr char kId[] = "data.wrong";

// As bench/suite/program/data.c says it.
constexpr std::string_view kProgram = "plumbline-suite: ", kMark = "wrong data: ";

}  // namespace

std::string wrong_data_in(const std::filesystem::path& log) {
  std::ifstream file(log);
  for (std::string line; std::getline(file, line);) {
    const std::size_t begin = line.find(kProgram), mark = line.find(kMark);
    if (begin == std::string::npos || mark == std::string::npos || mark < begin) continue;
    return line.erase(mark, kMark.size()).substr(begin + kProgram.size());
  }
  return {};
}

replay::validate::Diagnosis wrong_data(const std::string& said, const std::string& entry, const std::string& mpi,
                                       const std::string& directory) {
  replay::validate::Diagnosis diagnosis;
  diagnosis.id = kId;
  diagnosis.title = "The suite found wrong data: " + said;
  diagnosis.component = said.find(directory) != std::string::npos ? "files in " + directory : "messages of " + mpi;
  diagnosis.mpi = mpi;
  diagnosis.confidence = replay::validate::Confidence::kCertain;
  diagnosis.samples = 1;
  diagnosis.cost_basis = "none: wrong data has no time that could be judged";
  diagnosis.evidence = {{"suite entry", entry, ""}, {"said", said, ""}};
  diagnosis.remedy = replay::validate::remedy_of(*replay::validate::find_check(kId));
  diagnosis.fatal = true;
  return diagnosis;
}

}  // namespace plumbline::cli::validate
