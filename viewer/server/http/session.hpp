#pragma once
// One connection: reads requests and writes answers, one after the other.

#include <boost/asio/ip/tcp.hpp>
#include <cstddef>
#include <functional>
#include <memory>

#include "viewer/server/http/answer.hpp"
#include "viewer/server/http/limits.hpp"

namespace plumbline::viewer {

// What connections share.
struct Sessions {
  const Site* site = nullptr;
  ServerLimits limits;
  std::size_t open = 0;                     // connections
  std::function<void()> after_answer = {};  // called once an answer was made
};

// Lives until the other side goes, or takes too long. `sessions` must outlive the io_context that it runs on.
void begin_session(boost::asio::ip::tcp::socket socket, Sessions& sessions);

}  // namespace plumbline::viewer
