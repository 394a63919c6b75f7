#pragma once
// Standard streams that are not there, or that nobody reads: what is said there is lost, the work is not.

namespace plumbline {

// For main(), before anything is opened or said. Standard streams that are closed are opened on /dev/null, for this
// process alone, so that no file gets their numbers. `stderr` takes what is written whether it can be passed on or not:
// a full disk or a pipe without a reader (SIGPIPE) neither throws from fmt::print nor ends the process.
void survive_lost_streams();

}  // namespace plumbline
