#pragma once
// The table of endpoints, and the way of a request to one of them.

#include <span>
#include <string>
#include <string_view>

#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

// Below /api/v1; '*' stands for a part that the endpoint finds in its query as "0", "1", .. in order.
struct Route {
  std::string_view method;  // GET, POST, DELETE; HEAD is GET without its body, which the server leaves out
  std::string_view path;
  Endpoint endpoint;
};

std::span<const Route> routes();

struct Request {
  std::string method = "GET";
  std::string target = {};  // "/api/v1/meta?x=1"
  std::string body = {};
};

// Never throws: what is wrong with the request is a status of 4xx, what is wrong with us one of 500, and both say why.
Response handle(Opened& opened, const Request& request);

// {"error": text}
Response error_response(unsigned status, std::string_view text);

}  // namespace plumbline::viewer
