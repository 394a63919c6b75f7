#include "bench/ranks/environment/loopback.hpp"

#include <fmt/format.h>

#include <vector>

#include "bench/ranks/environment/interfaces.hpp"
#include "bench/ranks/environment/transports.hpp"

namespace plumbline::bench {
namespace {

constexpr int kMessage = 1 << 20, kMessages = 16;
constexpr int kLoopbackTag = 41;

// From rank 0 to rank 1, which says when it has all.
void send_much(MPI_Comm world, int rank) {
  std::vector<char> buffer(kMessage, 1);
  for (int i = 0; i < kMessages; ++i) {
    if (rank == 0) must(MPI_Send(buffer.data(), kMessage, MPI_BYTE, 1, kLoopbackTag, world));
    if (rank == 1) must(MPI_Recv(buffer.data(), kMessage, MPI_BYTE, 0, kLoopbackTag, world, MPI_STATUS_IGNORE));
  }
  if (rank == 0) must(MPI_Recv(nullptr, 0, MPI_BYTE, 1, kLoopbackTag, world, MPI_STATUS_IGNORE));
  if (rank == 1) must(MPI_Send(nullptr, 0, MPI_BYTE, 0, kLoopbackTag, world));
}

}  // namespace

std::string doubts_of_loopback(MPI_Comm world) {
  const int rank = rank_in(world);
  if (size_of(world) < 2) return "loopback: there is one rank only";
  const std::uint64_t before = bytes_sent(sent_by_now());
  send_much(world, rank);
  const double counted =
      static_cast<double>(bytes_sent(sent_by_now()) - before) / (static_cast<double>(kMessage) * kMessages);
  if (rank != 0 || counted > 0.5) return "";
  return fmt::format(
      "loopback: interfaces of the kernel counted {:.0f} % of what two ranks sent each other: it went by a network "
      "that passes the kernel by, or through shared memory after all",
      100 * counted);
}

}  // namespace plumbline::bench
