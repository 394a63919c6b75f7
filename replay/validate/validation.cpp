#include "replay/validate/validation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace plumbline::replay::validate {

std::string text_of(const Origin& origin) {
  if (origin.how == "environment")
    return origin.file.empty() ? "set in the environment"
                               : fmt::format("set by the environment variable {}", origin.file);
  if (origin.how == "file") {
    if (origin.file.empty()) return "set by a file";
    return origin.line == 0 ? fmt::format("set by {}", origin.file)
                            : fmt::format("set by {}, line {}", origin.file, origin.line);
  }
  if (origin.how.empty() || origin.how == "default") return {};
  return origin.file.empty() ? fmt::format("set by the {}", origin.how)
                             : fmt::format("set by the {} ({})", origin.how, origin.file);
}

double Validation::suite_s() const {
  double sum = 0;
  for (const SuiteRun& run : suite) sum += run.observed_s;
  return sum;
}

bool is_of_library(const Diagnosis& diagnosis) {
  return diagnosis.reference == Reference::kStructure && !diagnosis.origin;
}

void sort_diagnoses(Validation& validation) {
  const auto place = [](const Diagnosis& of) {
    return std::tuple(!of.suppressed_by.empty(), !of.fatal, is_of_library(of), -of.cost_s);
  };
  std::ranges::stable_sort(validation.diagnoses,
                           [&](const Diagnosis& a, const Diagnosis& b) { return place(a) < place(b); });
}

void mark_found_checks(Validation& validation) {
  for (CheckResult& result : validation.checks) {
    bool found = false, counts = false;
    for (const Diagnosis& diagnosis : validation.diagnoses)
      if (diagnosis.id == result.id) found = true, counts = counts || diagnosis.suppressed_by.empty();
    if (found) result.state = counts ? CheckState::kFound : CheckState::kSuppressed;
  }
}

std::string_view word(Reference reference) {
  switch (reference) {
    case Reference::kStructure:
      return "structure";
    case Reference::kPeers:
      return "peers";
    case Reference::kNominal:
      return "nominal";
    case Reference::kBaseline:
      return "baseline";
    case Reference::kRule:
      return "rule";
    case Reference::kWitness:
      return "witness";
  }
  return "";
}

std::string_view word(CheckState state) {
  switch (state) {
    case CheckState::kPassed:
      return "passed";
    case CheckState::kFound:
      return "found";
    case CheckState::kCouldNotRun:
      return "could not run";
    case CheckState::kNotJudged:
      return "not judged";
    case CheckState::kSuppressed:
      return "suppressed";
  }
  return "";
}

}  // namespace plumbline::replay::validate
