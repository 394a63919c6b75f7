#pragma once
// From an HTTP request to what is sent back, without sockets: who may ask, the page or an endpoint, compression, what a
// browser may keep, and the headers that keep others out.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "viewer/server/endpoint.hpp"
#include "viewer/server/http/guard.hpp"
#include "viewer/server/http/page.hpp"

namespace plumbline::viewer {

struct Site {
  Guard guard;
  Page page;
  Opened* opened = nullptr;
};

struct Incoming {
  RequestHead head;
  std::string accept_encoding = {}, if_none_match = {};
  std::string body = {};
};

struct Answer {
  unsigned status = 200;
  std::vector<std::pair<std::string, std::string>> headers;  // without Content-Length
  std::string body;                                          // of HEAD too, whose body the caller does not send
};

Answer answer(const Site& site, const Incoming& incoming);

}  // namespace plumbline::viewer
