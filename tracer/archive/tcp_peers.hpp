#pragma once
// The TCP connections that processes of a run had open at MPI_Finalize, by the address of the other end: properties of
// location groups (docs/reference/trace-format-properties.md).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

inline constexpr char kTcpPeer[] = "PLUMBLINE::META::tcp.peer.";  // and a number

struct TcpPeer {
  std::string host;      // of the process
  std::string from, to;  // addresses of IP, of this end and of the other
  std::uint64_t connections = 0;
  std::optional<std::uint64_t> segments;  // sent, those sent again too; absent: the kernel does not count them
  std::uint64_t again = 0;                // segments sent again
  std::optional<double> min_rtt_us;       // the shortest round trip that was seen
};

// By location group. What is damaged is left out.
std::vector<TcpPeer> tcp_peers(const Definitions& definitions);

}  // namespace plumbline::archive
