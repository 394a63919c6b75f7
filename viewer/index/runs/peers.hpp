#pragma once
// Who and what an operation had to do with, as everybody outside names it: world ranks, communicators.

#include <cstdint>

#include "replay/program/program.hpp"

namespace plumbline::viewer {

// World rank of the other end: of a message, one-sided transfer or lock; of a collective call its root. kNone without.
std::uint32_t peer_of(const replay::Program& program, std::uint32_t rank, const replay::Operation& operation);

// The communicator of a message, collective call, window or collective file operation; kNone without.
std::uint32_t comm_of(const replay::Program& program, const replay::RankProgram& rank,
                      const replay::Operation& operation);

std::uint32_t size_of(const replay::CommView& comm);  // ranks of both groups

}  // namespace plumbline::viewer
