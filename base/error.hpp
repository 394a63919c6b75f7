#pragma once
// What went wrong with something that was given to us, told to the person who gave it: where, what, and what to do.
// Our own bugs are not errors of this kind: they stop in base/check.hpp.

#include <stdexcept>
#include <string>
#include <vector>

namespace plumbline {

// The exit codes of the `plumbline` command (docs/reference/exit-codes.md).
enum class ExitCode : int {
  kAsExpected = 0,
  kFindings = 1,
  kWrongUse = 2,
  kBadInput = 3,
  kNotComparable = 4,
  kTooNoisy = 5,
  kCannotRunHere = 6,
  kInternal = 70,
};

struct Problem {
  std::string where;  // "cluster.xml:14", "OBS/traces.otf2: rank 7, event 1203"; may be empty
  std::string what;   // "disk 'ssd0' has no rate"
  std::string hint;   // "add rate=\"2GB/s\""; may be empty
};

// "where: what; hint" on one line.
std::string to_string(const Problem& problem);

// One located problem; thrown by whoever detects it first, caught once, in main.
class Error : public std::runtime_error {
 public:
  explicit Error(Problem problem, ExitCode code = ExitCode::kBadInput);
  Error(std::string where, std::string what, std::string hint = {}, ExitCode code = ExitCode::kBadInput);

  const std::vector<Problem>& problems() const { return problems_; }
  ExitCode code() const { return code_; }

 private:
  friend class Diagnostics;
  Error(std::vector<Problem> problems, ExitCode code);

  std::vector<Problem> problems_;
  ExitCode code_;
};

// The system refused something about a file: throws "path: what: reason", the reason by `error`, an errno.
[[noreturn]] void throw_system_error(const std::string& path, const char* what, int error);

// Collects the faults of one input, so that all are shown together.
class Diagnostics {
 public:
  void add(std::string where, std::string what, std::string hint = {});
  bool empty() const { return problems_.empty(); }
  const std::vector<Problem>& problems() const { return problems_; }

  // Throws one Error with everything collected, if there is anything.
  void throw_if_any(ExitCode code = ExitCode::kBadInput) const;

 private:
  std::vector<Problem> problems_;
};

}  // namespace plumbline
