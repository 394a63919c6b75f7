#pragma once
// A request and its response without sockets: what is tested and fuzzed.

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace plumbline::viewer {

struct Opened;  // opened.hpp

// A request after its address was split and its values were decoded; of a path with parts ("operation/3/17") these
// are the values "0", "1", ..
struct Query {
  std::map<std::string, std::string, std::less<>> values;
  std::string body = {};

  std::string_view text(std::string_view name, std::string_view otherwise = {}) const;
  // BadRequest when the value is there and no whole number of this range, or is not there and has no default.
  std::uint64_t number(std::string_view name, std::uint64_t least, std::uint64_t most,
                       std::optional<std::uint64_t> otherwise = {}) const;
};

// Thrown by endpoints; becomes a response of this status whose body is {"error": text}.
struct BadRequest {
  unsigned status;  // 400, 404, 409, 413
  std::string text;
};

struct Response {
  unsigned status = 200;
  std::string type = "application/json";
  std::string body = {};
  bool immutable = false;  // the address names the content: may be kept for ever
};

using Endpoint = Response (*)(Opened&, const Query&);

}  // namespace plumbline::viewer
