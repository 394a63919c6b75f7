#pragma once
// Calls to files, and to the servers that hold some of them.

#include "replay/engine/run/run.hpp"

namespace plumbline::replay::engine {

// A POSIX operation on a file begins at the rank's clock; file_done() is called when it is over. Only what moves data
// takes time: the platform has no figure for a lock. On a local file system it is a system call that reaches no device;
// so what is expected stays a lower bound.
void access(Run& run, std::uint32_t rank, std::uint32_t file, const io::FileOperation& operation);

// All that the rank accesses on file servers, as one call with a list.
void access_list(Run& run, std::uint32_t rank, const Operation& op);

// When an operation on a local file system ends that begins now.
Time end_of_access(Run& run, std::uint32_t file, const io::FileOperation& operation, Time now);

// The rank asks file servers about a file, and waits for the answer.
void ask_servers(Run& run, std::uint32_t rank, std::uint32_t file, DistributedFiles::Metadata what);

// The call to a file that the rank waits for is over.
void file_done(Run& run, std::uint32_t rank);

// The oldest of the operations that the rank has submitted is over.
void submitted_done(Run& run, std::uint32_t rank);

// Takes what the file servers have done. Ranks that go on may ask for something that is done at once.
void serve_files(Run& run);

}  // namespace plumbline::replay::engine
