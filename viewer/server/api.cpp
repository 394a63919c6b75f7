#include "viewer/server/api.hpp"

#include <array>
#include <exception>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "viewer/server/address.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/whatif_endpoints.hpp"

namespace plumbline::viewer {
namespace {

constexpr std::array kRoutes{
    Route{"GET", "meta", meta},
    Route{"GET", "report", report},
    Route{"GET", "validation", validation},
    Route{"GET", "operation/*/*", operation},
    Route{"GET", "lanes", lanes},
    Route{"GET", "strips", strips},
    Route{"GET", "at", at},
    Route{"GET", "operations", operations},
    Route{"GET", "causes/*/*", causes},
    Route{"GET", "path", critical_path},
    Route{"GET", "messages", messages},
    Route{"GET", "phases", phases},
    Route{"GET", "phases/*", phases},
    Route{"GET", "aggregate/waterfall", waterfall},
    Route{"GET", "aggregate/profile", profile},
    Route{"GET", "aggregate/matrix", matrix},
    Route{"GET", "aggregate/histogram", histogram},
    Route{"GET", "aggregate/instances", instances},
    Route{"GET", "aggregate/efficiency", efficiency},
    Route{"GET", "search", search},
    Route{"GET", "whatif/choices", whatif_choices},
    Route{"POST", "whatif", whatif_start},
    Route{"GET", "whatif/*", whatif_state},
    Route{"DELETE", "whatif/*", whatif_cancel},
};

// What each '*' stands for; nothing: the path is another one.
std::optional<std::vector<std::string>> matched(std::string_view path, std::span<const std::string> parts) {
  std::vector<std::string> stars;
  for (const std::string& part : parts) {
    if (path.empty()) return std::nullopt;
    const std::size_t end = std::min(path.find('/'), path.size());
    const std::string_view expected = path.substr(0, end);
    path.remove_prefix(std::min(end + 1, path.size()));
    if (expected == "*")
      stars.push_back(part);
    else if (expected != part)
      return std::nullopt;
  }
  return path.empty() ? std::optional(std::move(stars)) : std::nullopt;
}

void add_parts(std::vector<std::string> stars, Query& query) {
  for (std::size_t i = 0; i < stars.size(); ++i) query.values[std::to_string(i)] = std::move(stars[i]);
}

Response dispatch(Opened& opened, const Request& request) {
  Address address = parse_address(request.target);
  const std::vector<std::string>& parts = address.parts;
  if (parts.size() < 3 || parts[0] != "api" || parts[1] != "v1")
    throw BadRequest{404, "there is no such address: endpoints are below /api/v1"};
  const std::string_view method = request.method == "HEAD" ? "GET" : std::string_view(request.method);
  std::string_view other;
  for (const Route& route : kRoutes) {
    auto stars = matched(route.path, std::span(parts).subspan(2));
    if (!stars) continue;
    if (route.method != method) {
      other = route.method;
      continue;
    }
    add_parts(std::move(*stars), address.query);
    address.query.body = request.body;
    return route.endpoint(opened, address.query);
  }
  if (other.empty()) throw BadRequest{404, "there is no endpoint of this name"};
  throw BadRequest{405, "this endpoint takes " + std::string(other)};
}

std::string text_of(const Error& error) {
  std::string text;
  for (const Problem& problem : error.problems()) text += (text.empty() ? "" : "\n") + to_string(problem);
  return text;
}

}  // namespace

std::span<const Route> routes() { return kRoutes; }

Response error_response(unsigned status, std::string_view text) {
  return json_response(nlohmann::ordered_json{{"error", text}}, status);
}

Response handle(Opened& opened, const Request& request) {
  try {
    return dispatch(opened, request);
  } catch (const BadRequest& bad) {
    return error_response(bad.status, bad.text);
  } catch (const Error& error) {  // an expression that cannot be understood, a value that nothing has
    return error_response(400, text_of(error));
  } catch (const std::bad_alloc&) {
    return error_response(500, "the answer needs more memory than there is: ask for a shorter time or fewer lanes");
  } catch (const std::exception& fault) {
    return error_response(500, std::string("a fault of Plumbline: ") + fault.what());
  }
}

}  // namespace plumbline::viewer
