#pragma once
// Reading another node's clock: a server that answers with what its clock shows, and a client that asks. TCP, one
// connection per client for as long as it wants; strangers, who do not have the server's token, get no answer.

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock_fit.hpp"

namespace plumbline::record {

// A clock in ns; monotonic_ns() but in tests.
using Now = std::function<std::int64_t()>;

// Where a server is, and what it wants to hear first.
struct ClockAddress {
  std::vector<std::string> addresses;  // of all interfaces of its node
  std::uint16_t port = 0;
  std::string token;
};

class ClockServer {
 public:
  // Listens from now on; clients are answered after start(). Throws boost::system::system_error.
  explicit ClockServer(Now now);
  ~ClockServer();

  const ClockAddress& address() const;
  // Answers from a thread of its own.
  void start();
  // Ends when the last client has left, or after `patience`.
  void finish(std::chrono::milliseconds patience);

 private:
  struct Service;
  std::unique_ptr<Service> service_;
};

class ClockClient {
 public:
  explicit ClockClient(Now now);
  ~ClockClient();

  // False: nobody who knows the token answers at any of the addresses within `patience`.
  bool connect(const ClockAddress& server, std::chrono::milliseconds patience);
  bool connected() const;
  // Nothing: no answer in time; then the connection is closed.
  std::optional<clocks::Exchange> exchange(std::chrono::milliseconds patience);

 private:
  struct Connection;
  std::unique_ptr<Connection> connection_;
};

// How long to go on. The target is half of the distance between lower and upper bound.
struct Effort {
  std::int64_t target_ns = 0;
  std::size_t least = 0, most = 0;  // exchanges
  std::size_t in_vain = 0;          // ends after so many that did not bring the bounds closer
  std::chrono::milliseconds patience{0};
};

// Exchanges until the target is reached, nothing improves any more, time is up, or one fails.
clocks::Burst exchange_repeatedly(const std::function<std::optional<clocks::Exchange>()>& exchange,
                                  const Effort& effort);

}  // namespace plumbline::record
