#include "bench/ranks/describe.hpp"

#include <nlohmann/json.hpp>

#include "bench/ranks/runtime/family.hpp"

namespace plumbline::bench {
namespace {

using Json = nlohmann::ordered_json;

Json to_json(const Family& family) {
  Json json = {{"name", family.name},
               {"summary", family.summary},
               {"bytes", family.bytes},
               {"implementations", Json::array()},
               {"least_ranks", family.least_ranks},
               {"parameters", Json::array()}};
  for (const std::string_view name : family.implementations) json["implementations"].push_back(name);
  for (const std::string_view phase : family.phases) json["phases"].push_back(phase);
  for (const FamilyParameter& parameter : family.parameters)
    json["parameters"].push_back({{"name", parameter.name},
                                  {"summary", parameter.summary},
                                  {"default", parameter.by_default},
                                  {"is_word", parameter.is_word}});
  return json;
}

}  // namespace

std::string describe_families() {
  Json json = {{"mpi", PLUMBLINE_FLAVOUR}, {"families", Json::array()}};
  for (const Family* family : families()) json["families"].push_back(to_json(*family));
  return json.dump(2) + "\n";
}

}  // namespace plumbline::bench
