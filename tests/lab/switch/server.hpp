#pragma once
// The control socket: requests on lines, replies on lines, in a thread of its own; and the signals that end the switch.

#include <signal.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <filesystem>
#include <functional>
#include <string_view>

#include "tests/lab/switch/control.hpp"

namespace plumbline::lab {

class Server {
 public:
  using Protocol = boost::asio::local::stream_protocol;

  // Listens at `path` at once. A socket that a dead switch left there is replaced; throws Error when a living one
  // answers or the socket cannot be made. `at_end` is called once, by quit or by SIGTERM or SIGINT.
  Server(std::filesystem::path path, Control& control, std::function<void()> at_end);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  void run();   // until quit, a signal or stop()
  void stop();  // from any thread

 private:
  void accept();
  Reply answer(std::string_view line);
  void write_capture();
  void end();

  std::filesystem::path path_;
  Control& control_;
  std::function<void()> at_end_;
  boost::asio::io_context io_{1};
  Protocol::acceptor acceptor_{io_};
  boost::asio::signal_set signals_{io_, SIGTERM, SIGINT};
  boost::asio::steady_timer timer_{io_};
  bool writing_capture_ = false;
};

}  // namespace plumbline::lab
