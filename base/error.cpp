#include "base/error.hpp"

#include <cstring>
#include <utility>

namespace plumbline {
namespace {

std::string join(const std::vector<Problem>& problems) {
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) text += '\n';
    text += to_string(problem);
  }
  return text;
}

}  // namespace

std::string to_string(const Problem& problem) {
  std::string text;
  if (!problem.where.empty()) text += problem.where + ": ";
  text += problem.what;
  if (!problem.hint.empty()) text += "; " + problem.hint;
  return text;
}

Error::Error(std::vector<Problem> problems, ExitCode code)
    : std::runtime_error(join(problems)), problems_(std::move(problems)), code_(code) {}

Error::Error(Problem problem, ExitCode code) : Error(std::vector<Problem>{std::move(problem)}, code) {}

Error::Error(std::string where, std::string what, std::string hint, ExitCode code)
    : Error(Problem{std::move(where), std::move(what), std::move(hint)}, code) {}

void throw_system_error(const std::string& path, const char* what, int error) {
  throw Error(path, std::string(what) + ": " + std::strerror(error));
}

void Diagnostics::add(std::string where, std::string what, std::string hint) {
  problems_.push_back({std::move(where), std::move(what), std::move(hint)});
}

void Diagnostics::throw_if_any(ExitCode code) const {
  if (!problems_.empty()) throw Error(problems_, code);
}

}  // namespace plumbline
