#pragma once
// The third stage: the programs of the suite under `plumbline record`.

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

double planned_seconds_to_record(const Session& session);

// The command that starts the ranks of an entry, with its environment: our suite, or a program of the user's own.
bench::Launch launch_of(const Session& session, const bench::SuiteEntry& entry, const Mpi& mpi);

// suite/MPI/ENTRY/observed for each entry and MPI; what is there already is taken (--resume). An entry that fails is
// noted with the last words of its log, and the rest goes on as long as ranks start; its archive is "observed.failed".
void record_suite(Session& session);

// Replays and compares what was recorded, on the platform of its MPI.
void judge_suite(Session& session);

// Records and judges an entry once more, elsewhere; for a re-test. Throws Error where it fails.
Judged judge_again(Session& session, const SuiteResult& run, std::uint32_t time);

// What judge_again() has recorded that time, on another platform.
Judged judge_repetition(const Session& session, const SuiteResult& run, std::uint32_t time,
                        const hw::Platform& platform);

}  // namespace plumbline::cli::validate
