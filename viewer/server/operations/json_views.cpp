// What was opened as a whole: meta, the report, the validation.

#include <algorithm>
#include <string>
#include <vector>

#include "base/time_sum.hpp"
#include "viewer/index/runs/columns.hpp"
#include "viewer/server/endpoints.hpp"
#include "viewer/server/json_response.hpp"
#include "viewer/server/opened.hpp"

namespace plumbline::viewer {
namespace {

using Json = nlohmann::ordered_json;
using replay::Program;

Json text_or_null(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

// Of the report, nested as `path` says; null where it is not there.
Json from_report(const Opened& opened, const char* path) {
  const Json::json_pointer pointer(path);
  return opened.report.contains(pointer) ? opened.report.at(pointer) : Json(nullptr);
}

std::uint64_t count_operations(const Program& program) {
  std::uint64_t operations = 0;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank) operations += program.rank(rank).operations.size();
  return operations;
}

Json nodes_of(const Program& program) {
  std::vector<std::vector<std::uint32_t>> ranks(program.nodes());
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (program.rank(rank).node < ranks.size()) ranks[program.rank(rank).node].push_back(rank);
  Json nodes = Json::array();
  for (std::uint32_t node = 0; node < ranks.size(); ++node)
    if (!ranks[node].empty()) nodes.push_back({{"name", program.node(node)}, {"ranks", ranks[node]}});
  return nodes;
}

Json calls_of(const Program& program) {
  Json calls = Json::array();
  for (std::uint32_t call = 0; call < program.calls(); ++call)
    calls.push_back(program.call(static_cast<std::uint16_t>(call)));
  return calls;
}

Json sites_of(const Program& program) {
  Json sites = Json::array();
  for (std::uint32_t site = 0; site < program.sites(); ++site) sites.push_back(program.site(site));
  return sites;
}

// Of all judged time: what the spread of the platform's parameters allows.
double band_share(const Runs& runs) {
  TimeSum band, expected;
  if (!runs.comparison) return 0;
  for (const replay::Row& row : runs.comparison->rows) {
    band += row.band;
    expected += row.upper;
  }
  return expected.ps > 0 ? band.seconds() / expected.seconds() : 0;
}

Json sources_of(const Opened& opened) {
  Json sources = Json::array({"obs"});
  if (opened.runs.is_compared()) sources.push_back("free");
  for (const PyramidSource& source : opened.pyramid.sources)
    if (source.number > 1) sources.push_back("whatif-" + std::to_string(source.number - 1));
  return sources;
}

std::vector<std::string> banners_of(const Opened& opened) {
  std::vector<std::string> banners = opened.runs.banners;
  std::ranges::move(changes(opened.archives), std::back_inserter(banners));
  return banners;
}

void put_names(Json& json, const Opened& opened) {
  const Runs& runs = opened.runs;
  const bool is_expected = runs.reference == replay::ReferenceRun::kExpected;
  json["version"] = 1;
  json["plumbline"] = opened.version;
  json["key"] = opened.key;
  json["observed"] = runs.observed_name;
  json["reference"] = text_or_null(runs.reference_name);
  json["against"] = !runs.is_compared() ? Json(nullptr) : Json(is_expected ? "expected" : "observed");
  json["platform"] = from_report(opened, "/run/platform");
  json["program"] = runs.observed.property("program");
  json["library"] = runs.observed.property("library");
  json["headline"] = from_report(opened, "/verdict/sentence");
  json["word"] = from_report(opened, "/verdict/word");
}

void put_sizes(Json& json, const Opened& opened) {
  const Program& program = opened.runs.observed;
  json["span_ps"] = span_of(program).length.ps;
  json["ranks"] = program.ranks();
  json["operations"] = count_operations(program);
  const Json judged = from_report(opened, "/totals/judged_share");
  json["judged_share"] = judged.is_number() ? judged : Json(0);
  json["band_share"] = band_share(opened.runs);
  json["base_ps"] = opened.pyramid.base_ps;
  json["columns_log2"] = kColumnsLog2;
  json["most_level"] = opened.pyramid.most_level;
}

}  // namespace

Response meta(Opened& opened, const Query&) {
  Json json;
  put_names(json, opened);
  put_sizes(json, opened);
  json["nodes"] = nodes_of(opened.runs.observed);
  json["kinds"] = kKindNames;
  json["calls"] = calls_of(opened.runs.observed);
  json["sites"] = sites_of(opened.runs.observed);
  json["banners"] = banners_of(opened);
  const Json notes = from_report(opened, "/notes");
  json["notes"] = notes.is_array() ? notes : Json::array();
  json["sources"] = sources_of(opened);
  json["unmatched"] = opened.matches.unmatched;
  json["is_validation"] = !opened.validation.is_null();
  json["whatif"] = opened.what_ifs != nullptr;
  return json_response(json);
}

Response report(Opened& opened, const Query&) {
  if (opened.report.is_null()) throw BadRequest{404, "there is no report: a recording alone is shown"};
  return json_response(opened.report);
}

Response validation(Opened& opened, const Query&) {
  if (opened.validation.is_null()) throw BadRequest{404, "no validation is shown"};
  return json_response(opened.validation);
}

}  // namespace plumbline::viewer
