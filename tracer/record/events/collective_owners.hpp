#pragma once
// Which call started the collective that an inner message belongs to: libraries give each non-blocking collective a tag
// of its own on its context (Open MPI's libnbc from -27 down, MPICH by communicator), and post some of its messages in
// later calls. libnbc may post none in the call that starts it, where its schedule begins with a copy.

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "tracer/record/definitions/facts.hpp"
#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {

// Requests of the collectives that a call starts: of a non-blocking one, and of MPI_Start of persistent ones.
std::vector<std::uint64_t> started_collectives(const FunctionFact& function, spool::Words payload,
                                               const ProcessFacts& facts);

class CollectiveOwners {
 public:
  // `is_open`: whether a request has not been completed yet.
  explicit CollectiveOwners(std::function<bool(std::uint64_t)> is_open) : is_open_(std::move(is_open)) {}

  // A message is posted inside of call number `call`, which has started collectives with these requests, or none. The
  // number of the call that its collective was started by, where that is an earlier one.
  std::optional<std::uint64_t> owner(std::uint32_t context, std::int32_t tag, std::uint64_t call,
                                     const std::vector<std::uint64_t>& started);

  // A call that started collectives has ended. If it posted no message for them, the first one that a later call posts
  // for an unknown collective of libnbc is theirs: it looks for progress in the order in which they were started.
  void end_of_call(std::uint64_t call, const std::vector<std::uint64_t>& started);

 private:
  struct Owner {
    std::uint64_t call = 0;
    std::vector<std::uint64_t> requests;
  };
  bool is_over(const Owner& owner) const;
  void forget_those_over();
  std::optional<std::uint64_t> first_silent(std::uint64_t key);

  std::function<bool(std::uint64_t)> is_open_;
  std::unordered_map<std::uint64_t, Owner> owners_;  // by context and tag, which are used again
  std::optional<std::uint64_t> last_with_message_;   // the last call that posted the first message of its collective
  std::deque<Owner> silent_;                         // that have posted nothing yet, in the order of their calls
  std::size_t many_ = 1024;
};

}  // namespace plumbline::record
