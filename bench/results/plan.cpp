#include "bench/results/plan.hpp"

#include <fmt/format.h>

#include <cstddef>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "bench/results/json_fields.hpp"

namespace plumbline::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Effort& effort) {
  return {{"timing", effort.timing},     {"isolation", effort.isolation},   {"stop", effort.stop},
          {"root", effort.root},         {"warm_up", effort.warm_up},       {"least", effort.least},
          {"most", effort.most},         {"confidence", effort.confidence}, {"precision", effort.precision},
          {"budget_s", effort.budget_s}, {"window_s", effort.window_s},     {"clock_limit_s", effort.clock_limit_s}};
}

Json to_json(const Request& request) {
  return {{"operation", request.operation},
          {"implementation", request.implementation},
          {"sizes", request.sizes},
          {"adaptive", request.adaptive},
          {"numbers", request.numbers},
          {"words", request.words},
          {"effort", to_json(request.effort)},
          {"keep_ranks", request.keep_ranks}};
}

Effort effort_from(const nlohmann::json& json, const std::string& where) {
  Effort effort;
  JsonFields fields(json, where);
  fields.take("timing", effort.timing);
  fields.take("isolation", effort.isolation);
  fields.take("stop", effort.stop);
  fields.take("root", effort.root);
  fields.take("warm_up", effort.warm_up);
  fields.take("least", effort.least);
  fields.take("most", effort.most);
  fields.take("confidence", effort.confidence);
  fields.take("precision", effort.precision);
  fields.take("budget_s", effort.budget_s);
  fields.take("window_s", effort.window_s);
  fields.take("clock_limit_s", effort.clock_limit_s);
  fields.finish();
  return effort;
}

Request request_from(const nlohmann::json& json, const std::string& where) {
  Request request;
  JsonFields fields(json, where);
  fields.take("operation", request.operation);
  fields.take("implementation", request.implementation);
  fields.take("sizes", request.sizes);
  fields.take("adaptive", request.adaptive);
  fields.take("numbers", request.numbers);
  fields.take("words", request.words);
  if (const nlohmann::json* effort = fields.part("effort")) request.effort = effort_from(*effort, where + ".effort");
  fields.take("keep_ranks", request.keep_ranks);
  fields.finish();
  return request;
}

}  // namespace

void write_plan(const Plan& plan, const std::filesystem::path& path) {
  Json json = {{"seed", plan.seed}, {"requests", Json::array()}};
  for (const Request& request : plan.requests) json["requests"].push_back(to_json(request));
  write_file(path, to_line(json) + "\n", Overwrite::kYes);
}

Plan parse_plan(const std::string& text, const std::string& name) {
  const nlohmann::json json = parse_object(text, name);
  JsonFields fields(json, name);
  Plan plan;
  fields.take("seed", plan.seed);
  if (const nlohmann::json* requests = fields.part("requests")) {
    if (!requests->is_array()) throw Error(name, "'requests' is not a list");
    for (std::size_t i = 0; i < requests->size(); ++i)
      plan.requests.push_back(request_from((*requests)[i], fmt::format("{}: requests[{}]", name, i)));
  }
  fields.finish();
  return plan;
}

}  // namespace plumbline::bench
