#pragma once
// What the server bears.

#include <chrono>
#include <cstddef>

namespace plumbline::viewer {

struct ServerLimits {
  std::size_t header_bytes = 8 << 10, body_bytes = 64 << 10;
  std::chrono::milliseconds timeout{30'000};  // to send a request, to take an answer, and between two requests
  std::size_t connections = 64;               // further ones are told to come again, and closed
};

}  // namespace plumbline::viewer
