#pragma once
// The HTTP server: one thread, which answers one request at a time.

#include <cstdint>
#include <memory>
#include <string>

#include "viewer/server/http/answer.hpp"
#include "viewer/server/http/limits.hpp"

namespace plumbline::viewer {

class Server {
 public:
  // Listens on this address, from now on; port 0: any that is free. Error: no address of this host, or in use.
  Server(const std::string& address, std::uint16_t port, const ServerLimits& limits = {});
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  std::uint16_t port() const;
  std::string address() const;  // as the socket tells it: "127.0.0.1", "::1"

  // Answers until SIGINT, SIGTERM or SIGHUP, or stop(). `site` must outlive it.
  void serve(const Site& site);
  void stop();  // from another thread

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline::viewer
