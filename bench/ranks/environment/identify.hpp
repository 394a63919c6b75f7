#pragma once
// `plumbline-bench-ranks-FLAVOUR --identify DIR [DIRECTORY..]`: each process tells who it is in a file of its own, and
// nothing is sent, so that it works where every rank is rank 0 of 1.

#include <filesystem>
#include <vector>

namespace plumbline::bench {

// Before MPI_Init: writes rank-HOST-PROCESS.json (node::RankIdentity of a world of 0 ranks) to `to`, so that a process
// which MPI_Init ends is known too; and once for each host noise-HOST.json (node::Interruptions as facts), for which
// the processors of its first rank compute for a second. Nodes on one machine take turns. Throws Error.
void identify_before_init(const std::filesystem::path& to);

// Between MPI_Init and MPI_Finalize. Writes that file again with all that is known now, and once for each host
// node-HOST.json and counters-HOST.json (node::Facts: settings, with the file systems of `directories`; counters, and
// which processes of others use the processors, for which it looks twice within 0.3 s). The first process of a host to
// come claims that by the file .node-HOST. `to` must be empty and the same for all nodes. Throws Error.
void identify(const std::filesystem::path& to, const std::vector<std::filesystem::path>& directories);

}  // namespace plumbline::bench
