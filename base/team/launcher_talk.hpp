#pragma once
// What the processes of a launcher tell each other, over MPI.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/team/processes.hpp"
#include "base/team/shim/shim.h"

namespace plumbline {

// Between them, messages go in steps that all of them take, each of which begins with one all-gather. It says which
// step this is: where processes are not at the same step, or one has no memory for what it gets, nobody can be told,
// and the job is aborted with a message.
class LauncherTalk {
 public:
  // Long texts go in pieces of `piece` bytes.
  LauncherTalk(const pl_team_mpi& mpi, std::uint32_t rank, std::uint32_t size, std::uint64_t piece)
      : mpi_(mpi), rank_(rank), size_(size), piece_(piece) {}

  std::uint32_t rank() const { return rank_; }
  std::uint32_t size() const { return size_; }

  // As those of Processes.
  std::vector<std::string> exchange(std::string_view own) const;
  std::vector<std::string> gather(std::string_view own) const;

  // What process 0 wants to be done next, for all of them; "": nothing more.
  std::string order(std::string_view of_first) const;

  [[noreturn]] void abort_all(std::string_view reason, int status) const;

 private:
  enum class Step : std::uint32_t { kExchange = 1, kGather, kOrder };
  struct Head {
    Step step;
    std::uint64_t size;  // of the text
    char first[16];      // of its bytes: most texts are no longer
  };

  std::vector<Head> meet(Step step, std::string_view own) const;
  template <class Talk>
  auto or_abort(Talk talk) const;

  const pl_team_mpi& mpi_;
  std::uint32_t rank_, size_;
  std::uint64_t piece_;
};

// As one piece of work sees them.
class LaunchedProcesses final : public Processes {
 public:
  explicit LaunchedProcesses(const LauncherTalk& talk) : talk_(talk) {}

  std::uint32_t rank() const override { return talk_.rank(); }
  std::uint32_t size() const override { return talk_.size(); }

 private:
  std::vector<std::string> exchange_bytes(std::string_view own) override { return talk_.exchange(own); }
  std::vector<std::string> gather_bytes(std::string_view own) override { return talk_.gather(own); }

  const LauncherTalk& talk_;
};

}  // namespace plumbline
