#include "viewer/report/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/check.hpp"
#include "viewer/server/api.hpp"
#include "viewer/server/encoding/gzip.hpp"
#include "viewer/server/encoding/sha256.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

Response asked(Opened& opened, const std::string& path) {
  return handle(opened, {.method = "GET", .target = "/api/v1/" + path});
}

}  // namespace

Json answer_of(Opened& opened, const std::string& path) {
  const Response response = asked(opened, path);
  return response.status == 200 ? Json::parse(response.body) : Json(nullptr);
}

std::string script_text(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<')
      text += "\\u003c";  // it stands in strings only
    else
      text += c;
  }
  return text;
}

std::string strips_text(Opened& opened, const StripRange& range, const std::vector<std::uint32_t>& lanes) {
  constexpr int kSmall = 9;
  const Response response =
      asked(opened, fmt::format("strips?k={}&s={}&l={}&x={}..{}&r={}", opened.key, range.source == 0 ? "obs" : "free",
                                range.level, range.first, range.last, fmt::join(lanes, ",")));
  PLUMBLINE_CHECK(response.status == 200, response.body);
  return base64(gzip(response.body, kSmall));
}

}  // namespace plumbline::viewer
