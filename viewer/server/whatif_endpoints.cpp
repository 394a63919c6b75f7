#include "viewer/server/whatif_endpoints.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;

WhatIfs& what_ifs_of(Opened& opened) {
  if (opened.what_ifs == nullptr)
    throw BadRequest{409, "there is no platform to replay on: start plumbline view with --platform FILE"};
  opened.what_ifs->poll();
  return *opened.what_ifs;
}

const WhatIfRun& run_of(const WhatIfs& what_ifs, const Query& query) {
  const auto number = static_cast<std::uint32_t>(query.number("0", 1, std::numeric_limits<std::uint32_t>::max()));
  const WhatIfRun* const run = what_ifs.find(number);
  if (run == nullptr) throw BadRequest{404, fmt::format("there is no run {}", number)};
  return *run;
}

template <class Value>
Json or_null(const std::optional<Value>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json json_of(const std::optional<Duration>& duration) { return duration ? Json(duration->ps) : Json(nullptr); }

Json json_of(const WhatIfRun& run) {
  return {{"run", run.number},
          {"title", run.title},
          {"options", run.options},
          {"state", word(run.state)},
          {"progress", run.progress},
          {"span_ps", json_of(run.length)},
          {"saved_ps", json_of(run.saved)},
          {"error", run.error}};
}

std::vector<std::string> options_in(const std::string& body) {
  const Json json = Json::parse(body, nullptr, false);
  const bool has_options = json.is_object() && json.contains("options") && json["options"].is_array();
  if (!has_options) throw BadRequest{400, R"(the body is not {"options": ["--set", "NAME=VALUE"]})"};
  std::vector<std::string> options;
  for (const Json& option : json["options"]) {
    if (!option.is_string()) throw BadRequest{400, "an option is no text"};
    options.push_back(option.get<std::string>());
  }
  return options;
}

}  // namespace

Response whatif_choices(Opened& opened, const Query&) {
  Json choices = Json::array();
  for (const WhatIfChoice& choice : what_ifs_of(opened).choices())
    choices.push_back({{"id", choice.id},
                       {"title", choice.title},
                       {"from_finding", or_null(choice.from_finding)},
                       {"options", choice.options()},
                       {"takes_number", choice.values == WhatIfChoice::Values::kNumber}});
  return json_response({{"choices", std::move(choices)}});
}

Response whatif_start(Opened& opened, const Query& query) {
  WhatIfs& what_ifs = what_ifs_of(opened);
  std::vector<std::string> options = options_in(query.body);
  if (const std::optional<std::string> fault = fault_of(what_ifs.choices(), options)) throw BadRequest{400, *fault};
  const std::optional<std::uint32_t> run = what_ifs.start(std::move(options));
  if (!run)
    throw BadRequest{409, "too many what-ifs wait already, or were asked for: end some, or start the viewer anew"};
  return json_response({{"run", *run}}, 202);
}

Response whatif_state(Opened& opened, const Query& query) {
  return json_response(json_of(run_of(what_ifs_of(opened), query)));
}

Response whatif_cancel(Opened& opened, const Query& query) {
  WhatIfs& what_ifs = what_ifs_of(opened);
  what_ifs.cancel(run_of(what_ifs, query).number);
  return json_response(json_of(run_of(what_ifs, query)));
}

}  // namespace plumbline::viewer
