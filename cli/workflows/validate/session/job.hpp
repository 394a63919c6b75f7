#pragma once
// Child processes of a validation: each has a log, a limit of time, and ends when the user stops us.

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace plumbline::cli::validate {

// Thrown when the user has asked to stop (Ctrl-C, SIGTERM); what is done so far is reported.
struct Interrupted {};

// From now on SIGINT, SIGTERM and SIGHUP are noted instead of ending us.
void note_interrupts();
bool is_interrupted();

struct Job {
  std::vector<std::string> command, environment;  // "NAME=value", in addition to our own
  std::filesystem::path log;                      // both outputs, appended
  double patience_s = 120;                        // then it is ended
  // Whether its log has all that it is to tell; asked twice a second. It is ended `grace_s` after that, since some
  // libraries hang in MPI_Finalize. Empty: nobody knows.
  std::function<bool()> has_told_all = {};
  double grace_s = 10;
};

struct JobEnd {
  // "" after exit(0), "ended with status 3", "was killed by signal 9", "did not end in 120 s", "did not end in 10 s
  // after its last result"
  std::string failure;
  double seconds = 0;
  double hung_s = 0;  // of these, after its last result
};

// Throws Interrupted, and Error (kCannotRunHere) where it cannot be started.
JobEnd run_job(const Job& job);

// The last lines of a log that say something, for an error message; at most so many characters.
std::string tail_of(const std::filesystem::path& log, std::size_t most = 300);

}  // namespace plumbline::cli::validate
