#include "base/team/launcher_talk.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>

#include "base/error.hpp"

namespace plumbline {

void LauncherTalk::abort_all(std::string_view reason, int status) const {
  fmt::print(stderr, "plumbline: process {} of {}: {}\n", rank_ + 1, size_, reason);
  std::fflush(stderr);
  ::sleep(1);  // Hydra drops what it has not yet passed on by then
  mpi_.abort(status);
  for (;;) ::pause();  // until the launcher ends us, should MPI_Abort come back
}

template <class Talk>
auto LauncherTalk::or_abort(Talk talk) const {
  try {
    return talk();
  } catch (const std::exception&) {  // std::bad_alloc, std::length_error
    abort_all("there is not enough memory for what the processes tell each other; share the work among fewer on a node",
              static_cast<int>(ExitCode::kCannotRunHere));
  }
}

std::vector<LauncherTalk::Head> LauncherTalk::meet(Step step, std::string_view own) const {
  Head head{step, own.size(), {}};
  std::memcpy(head.first, own.data(), std::min(own.size(), sizeof head.first));
  std::vector<Head> all(size_);
  mpi_.all_gather(&head, sizeof head, all.data());
  if (std::ranges::any_of(all, [&](const Head& other) { return other.step != step; })) {
    if (rank_ != 0)
      for (;;) ::pause();  // process 0 tells it
    abort_all("the processes that share the work are not at the same step of it: a fault of Plumbline",
              static_cast<int>(ExitCode::kInternal));
  }
  return all;
}

std::vector<std::string> LauncherTalk::exchange(std::string_view own) const {
  return or_abort([&] {
    const std::vector<Head> heads = meet(Step::kExchange, own);
    std::vector<std::string> all(size_);
    for (std::uint32_t rank = 0; rank < size_; ++rank) {
      const Head& head = heads[rank];
      if (head.size <= sizeof head.first) {
        all[rank].assign(head.first, head.size);
        continue;
      }
      if (rank == rank_)
        all[rank] = own;
      else
        all[rank].resize(head.size);
      mpi_.broadcast(all[rank].data(), head.size, static_cast<int>(rank), piece_);
    }
    return all;
  });
}

std::vector<std::string> LauncherTalk::gather(std::string_view own) const {
  return or_abort([&] {
    const std::vector<Head> heads = meet(Step::kGather, own);
    std::vector<std::string> all;
    if (rank_ != 0) {
      mpi_.send(own.data(), own.size(), 0, piece_);
      return all;
    }
    all.resize(size_);
    all[0] = own;
    for (std::uint32_t rank = 1; rank < size_; ++rank) {
      all[rank].resize(heads[rank].size);
      mpi_.receive(all[rank].data(), heads[rank].size, static_cast<int>(rank), piece_);
    }
    return all;
  });
}

std::string LauncherTalk::order(std::string_view of_first) const {
  return or_abort([&] {
    std::string order(of_first);
    order.resize(meet(Step::kOrder, of_first)[0].size);
    mpi_.broadcast(order.data(), order.size(), 0, piece_);
    return order;
  });
}

}  // namespace plumbline
