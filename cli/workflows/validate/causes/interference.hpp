#pragma once
// Time that ranks were ready and did not run, because something else had their processors: what it cost, and who had
// it.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

inline constexpr std::string_view kInterference = "cpu.interference";  // the check

// Of one run of the suite, in seconds.
struct OffCpu {
  std::string entry;
  double off_s = 0;   // of all ranks together
  double lost_s = 0;  // what the run took beyond what is expected
};

// With one MPI. A run loses at most what its ranks missed together, as where they wait for each other in turn, and no
// more than it lost. Nothing where that is less than 1 % of `suite_s`, the length of these runs. `seen`: processes that
// used processors before and after; null where there were none, and then nothing is found below 5 %: what a quiet
// machine does by itself now and then cost 1.6 % of a short suite on two cores.
std::optional<replay::validate::Diagnosis> interference(const std::vector<OffCpu>& runs, double suite_s,
                                                        const replay::validate::Observation* seen);

// Whether ranks share processors with each other, or are stopped by the quota of a control group: then they do not run
// because of that. Ranks without any binding share none.
bool take_turns(const replay::validate::Validation& validation, const std::vector<node::RankIdentity>& ranks);

// With this setting MPICH gives each rank a thread that spins, and takes the processors of other ranks.
inline constexpr std::string_view kProgressThreads = "MPIR_CVAR_ASYNC_PROGRESS";

// Whether an interference says which processes had the processors.
bool names_processes(const replay::validate::Diagnosis& interference);

// By MPI. Not where ranks take turns. The observation on processes is explained where there is a diagnosis.
std::vector<replay::validate::Diagnosis> interferences(Session& session);

// An interference by nobody who was seen becomes an observation where ranks have such threads, which may be what it is
// of.
void leave_out_own_threads(Session& session, std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
