#pragma once
// A server in a thread of its own, and a client that sends bytes as they are.

#include <memory>
#include <string>
#include <thread>

#include "viewer/server/http/limits.hpp"
#include "viewer/server/http/server.hpp"

namespace plumbline::viewer {

class Served {
 public:
  // `opened` may be null where only the page is asked for.
  Served(Opened* opened, const ServerLimits& limits);
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  std::uint16_t port() const { return server_.port(); }
  std::string authorization() const { return "Authorization: Bearer " + site_.guard.token + "\r\n"; }
  std::string host() const { return "Host: localhost:" + std::to_string(port()) + "\r\n"; }
  // A request with host and token.
  std::string request(const std::string& method, const std::string& target, const std::string& headers = "",
                      const std::string& body = "") const;

 private:
  Server server_;
  Site site_;
  std::thread thread_;
};

// A connection. Everything that it gives is "" or false once the other side has closed it, or is silent for too long.
class Client {
 public:
  explicit Client(std::uint16_t port);
  ~Client();
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;

  bool send(const std::string& bytes);
  void end_sending();
  std::string read_all();       // until the other side closes
  std::string read_response();  // head and body, by its Content-Length
  bool is_closed();             // the other side closes without a word

 private:
  std::string read_some();

  int socket_ = -1;
  std::string left_;
};

// One request on a connection of its own.
std::string exchange(std::uint16_t port, const std::string& bytes);

// 200 of "HTTP/1.1 200 OK"; 0 where it is no response.
unsigned status_in(const std::string& response);

}  // namespace plumbline::viewer
