#pragma once
// A JSON value as the body of a response.

#include <nlohmann/json.hpp>

#include "viewer/server/endpoint.hpp"

namespace plumbline::viewer {

// On one line; bytes that are no UTF-8, which names of files may have, are replaced.
inline Response json_response(const nlohmann::ordered_json& json, unsigned status = 200) {
  return {status, "application/json", json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)};
}

}  // namespace plumbline::viewer
