#pragma once
// The address of a request, taken apart.

#include <string>
#include <string_view>
#include <vector>

#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

struct Address {
  std::vector<std::string> parts;  // of the path between slashes, decoded: "api", "v1", "operation", "3", "17"
  Query query;                     // without a body
};

inline constexpr std::size_t kMostParts = 16, kMostValues = 32;

// "/api/v1/at?lane=3&t0=0". Values are percent-encoded (RFC 3986, 2.1), with + for a blank as forms have it. BadRequest
// when it does not begin with a slash, has an encoding that is cut short or of a control character, a value twice, or
// more than kMostParts and kMostValues.
Address parse_address(std::string_view target);

}  // namespace plumbline::viewer
