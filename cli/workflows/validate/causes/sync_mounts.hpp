#pragma once
// File systems that are mounted so that each write waits for the device.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Whether the observation is of a mount on which each write waits, and not only the making of files.
bool waits_for_device(const replay::validate::Observation& observation);

// Seconds that one run of the suite spends in writing, opening and closing files, on the rank that does so longest.
double seconds_with_device(const std::vector<replay::Row>& rows);

// By MPI, for the directory that the suite writes to. Nobody measured the same file system mounted otherwise, and the
// platform holds what the device takes, so that the suite is as fast as expected: those seconds are the most that the
// mount can cost, but for removing files, which has no kind of its own, and for requests that are waited for later. The
// observation is explained where there is a diagnosis.
std::vector<replay::validate::Diagnosis> sync_mounts(Session& session);

// Whether it is one of them.
bool is_sync_mount(const replay::validate::Diagnosis& diagnosis);

// Writes that were split into many accesses below such a directory, each of which waits for the device, become evidence
// of the mount, with their own evidence, if they cost no more than that: its cost has theirs in it.
void fold_splits_into_mounts(std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
