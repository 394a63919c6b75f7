#pragma once
// How an MPI library is told, by its surroundings, that ranks of one node are to talk through the network's transport.

#include <span>
#include <string>
#include <string_view>

namespace plumbline::bench {

// A library's list of transports without `names`. As Open MPI and UCX have them: names with commas between them, or
// behind a '^' those that are not wanted, which `refused` says of all `names`. "tcp,self,sm" -> "tcp,self";
// "^knem" -> "^knem,shm"; where nothing but "self" would be left, or nothing was said: "^shm".
std::string without(std::string_view list, std::span<const std::string_view> names,
                    std::span<const std::string_view> refused);

// Before MPI_Init, on every rank: sets what Open MPI, MPICH and UCX read. Done here and not by the launcher, for some
// launchers hand on no surroundings, and others change them.
void leave_shared_memory();

}  // namespace plumbline::bench
