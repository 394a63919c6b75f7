#pragma once
// Receives that the program posted and never saw complete: it freed the request (MPI_Request_free), or never asked.
// The library completes them all the same, so their senders go on. No record tells which message each of them took;
// what is left of a channel when all completed receives have had theirs tells it.

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "replay/mpi/transfers/channels.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

class OpenReceives {
 public:
  struct Match {
    mpi::Channel channel;
    std::uint64_t bytes = 0;  // of the message
  };

  explicit OpenReceives(const Program& program);

  // Nothing where no message is left for it: it was cancelled, or nobody ever sent.
  std::optional<Match> of(std::uint32_t rank, std::uint32_t operation) const;

 private:
  std::map<std::pair<std::uint32_t, std::uint32_t>, Match> matches_;  // by rank and operation
};

}  // namespace plumbline::replay
