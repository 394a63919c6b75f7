#pragma once
// Outputs under construction, and their removal when a signal ends the process. A recording of a large job is tens of
// gigabytes: what Ctrl-C or a job's time limit leaves half-written must not fill the disk under a hidden name.

namespace plumbline {

// Until `forget_unfinished`, `path` (a file or a directory with all in it) is removed when a signal ends the process.
// The text must stay where it is as long. Does nothing beyond 64 outputs at a time.
void note_unfinished(const char* path);
void forget_unfinished(const char* path);

// From now on SIGINT, SIGTERM, SIGHUP and SIGXCPU remove what is unfinished and then end the process as they would
// have; a signal that is ignored or has a handler is left alone. For main(), not for libraries.
void remove_unfinished_when_ended();

}  // namespace plumbline
