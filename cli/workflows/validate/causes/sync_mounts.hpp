#pragma once
// File systems that are mounted so that each write waits for the device.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Whether the observation is of a mount on which each write waits, and not only the making of files.
bool waits_for_device(const replay::validate::Observation& observation);

// Seconds that the rank which writes longest spends in writing to files, in one run of the suite.
double seconds_of_writing(const std::vector<replay::Row>& rows);

// By MPI, for the directory that the suite writes to. Nobody measured the same file system mounted otherwise, and the
// platform holds what the device takes, so that the suite is as fast as expected: all its writing is the most that the
// mount can cost. The observation is explained where there is a diagnosis.
std::vector<replay::validate::Diagnosis> sync_mounts(Session& session);

}  // namespace plumbline::cli::validate
