#include "base/team/failure.hpp"

#include <exception>
#include <filesystem>
#include <new>
#include <utility>
#include <vector>

#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"

namespace plumbline {

template <class Io>
void fields(Io& io, Problem& problem) {
  io(problem.where, problem.what, problem.hint);
}

namespace {

// One of the two: an Error, or a fault.
struct Failure {
  std::vector<Problem> problems;
  ExitCode code = ExitCode::kInternal;
  std::string fault;
};

template <class Io>
void fields(Io& io, Failure& failure) {
  io(failure.problems, failure.code, failure.fault);
}

std::string as_bytes(std::vector<Problem> problems, ExitCode code) {
  return to_bytes(Failure{std::move(problems), code, {}});
}

}  // namespace

std::string failure_now() try { throw; } catch (const Error& error) {
  return as_bytes(error.problems(), error.code());
} catch (const std::filesystem::filesystem_error& error) {
  return as_bytes({{error.path1().string(), error.code().message(), "check the name and its rights"}},
                  ExitCode::kBadInput);
} catch (const std::bad_alloc&) {
  return as_bytes({{"", "there is not enough memory", "share the work among fewer processes"}},
                  ExitCode::kCannotRunHere);
} catch (const std::exception& fault) {
  return to_bytes(Failure{{}, ExitCode::kInternal, fault.what()});
}

void throw_failure(std::string_view failure) {
  const auto told = from_bytes<Failure>(failure);
  Diagnostics problems;
  for (const Problem& problem : told.problems) problems.add(problem.where, problem.what, problem.hint);
  problems.throw_if_any(told.code);
  throw InternalFault(told.fault);
}

}  // namespace plumbline
