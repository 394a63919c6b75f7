#include "replay/report/json.hpp"

#include <string_view>

namespace plumbline::replay {
namespace {

using Json = nlohmann::ordered_json;

void put_time(Json& json, const std::string& name, TimeSum sum) { json[name + "_s"] = sum.seconds(); }

void put_exact_time(Json& json, const std::string& name, TimeSum sum) {
  put_time(json, name, sum);
  json[name + "_ps"] = picoseconds_json(sum);
}

std::string_view reference_word(const Report& report) {
  return report.reference == ReferenceRun::kExpected ? "expected" : "observed";
}

Json verdict_json(const Report& report) {
  Json json;
  const ExitCode code = exit_code(report);
  json["word"] = code == ExitCode::kFindings   ? "findings"
                 : is_incomplete(report)       ? "incomplete"
                 : code == ExitCode::kTooNoisy ? "too noisy to tell"
                                               : "as expected";
  json["exit_code"] = static_cast<int>(code);
  json["sentence"] = verdict_sentence(report);
  return json;
}

Json facts_json(const Report& report) {
  const RunFacts& facts = report.facts;
  Json json;
  json["observed"] = facts.observed;
  json["reference"] = facts.reference;
  json["program"] = facts.program;
  json["library"] = facts.library;
  json["creator"] = facts.creator;
  json["reference_program"] = facts.reference_program;
  json["reference_library"] = facts.reference_library;
  json["platform"] = facts.platform;
  json["schedules"] = facts.schedules;
  json["ranks"] = facts.ranks;
  json["nodes"] = Json::array();
  for (const NodeFact& node : facts.nodes)
    json["nodes"].push_back(Json{{"name", node.name}, {"ranks", node.ranks}, {"cores", node.cores}});
  json["lacks"] = facts.lacks;
  json["lost_records"] = facts.lost_records;
  return json;
}

Json totals_json(const Report& report) {
  const Totals& totals = report.totals;
  Json json;
  put_exact_time(json, "run", totals.run);
  put_exact_time(json, "reference_run", totals.reference_run);
  json["operations"] = totals.operations;
  json["judged_operations"] = totals.judged_operations;
  json["failed_polls"] = totals.polls;
  put_time(json, "judged", totals.judged);
  put_time(json, "not_judged", totals.not_judged);
  json["judged_share"] = judged_share(report);
  put_time(json, "set_up", totals.set_up);
  json["set_up_operations"] = totals.set_up_operations;
  put_time(json, "polling", totals.polling);
  put_time(json, "compute", totals.compute);
  put_time(json, "off_cpu", totals.off_cpu);
  put_time(json, "outside", totals.outside);
  put_exact_time(json, "own_excess", totals.own);
  put_time(json, "inherited_excess", totals.inherited);
  put_time(json, "stack_excess", totals.stack);
  put_time(json, "structure_excess", totals.structure);
  put_time(json, "gained", totals.gained);
  json["faster_operations"] = totals.faster_operations;
  if (report.lateness) {
    json["late_operations"] = report.lateness->operations;
    put_time(json, "lateness", report.lateness->sum);
  }
  return json;
}

Json effect_json(const Effect& effect) {
  Json json;
  put_exact_time(json, "excess", effect.total);
  put_time(json, "beyond_above", effect.beyond_above);
  put_time(json, "beyond_below", effect.beyond_below);
  json["samples"] = effect.samples;
  json["above"] = effect.above;
  json["below"] = effect.below;
  json["p_slower"] = effect.p_slower;
  json["p_faster"] = effect.p_faster;
  json["shown_slower"] = effect.shown;
  json["few_samples"] = effect.few;
  json["verdict"] = word(effect.verdict);
  return json;
}

Json parts_json(const Row& row) {
  Json parts = Json::array();
  for (const RankPart& part : row.parts) {
    Json json;
    json["rank"] = part.rank;
    json["operations"] = part.operations;
    put_time(json, "observed", part.observed);
    put_exact_time(json, "own_excess", part.own);
    put_time(json, "stack_excess", part.stack);
    put_time(json, "structure_excess", part.structure);
    put_time(json, "inherited_excess", part.inherited);
    parts.push_back(std::move(json));
  }
  return parts;
}

void put_expectation(Json& json, const Row& row) {
  put_exact_time(json, "observed", row.observed);
  put_time(json, "not_judged", row.not_judged);
  put_time(json, "expected_lower", row.lower);
  put_time(json, "expected_upper", row.upper);
  put_time(json, "as_run_lower", row.as_run);
  put_time(json, "as_run_upper", row.as_run_upper);
  put_time(json, "as_configured_lower", row.as_configured);
  put_time(json, "as_configured_upper", row.as_configured_upper);
  put_time(json, "band", row.band);
  json["relative_band"] = row.upper.ps > 0 ? row.band.seconds() / row.upper.seconds() : 0.0;
  put_time(json, "inherited_excess", row.inherited);
  put_time(json, "structure_excess", row.structure);
  put_time(json, "median_own_excess", row.median_own);
  put_time(json, "max_own_excess", row.max_own);
}

Json instances_json(const std::vector<Instance>& instances) {
  Json array = Json::array();
  for (const Instance& instance : instances)
    array.push_back(Json{{"rank", instance.rank},
                         {"operation", instance.operation},
                         {"begin_ps", instance.begin.ps},
                         {"own_ps", instance.own.ps},
                         {"inherited_ps", instance.inherited.ps}});
  return array;
}

Json row_json(const Row& row) {
  Json json;
  json["call"] = row.call;
  json["size_class"] = size_class_text(row.key.size_class);
  json["least_bytes"] = row.key.size_class == 0 ? std::uint64_t{0} : std::uint64_t{1} << (row.key.size_class - 1);
  json["communicator_size"] = row.key.comm_size;
  json["site"] = row.site;
  json["file"] = row.file;
  json["collective"] = row.collective;
  json["operations"] = row.operations;
  json["judged"] = row.judged;
  json["bytes"] = row.bytes;
  put_expectation(json, row);
  json["share"] = row.share;
  json["verdict"] = word(row.verdict());
  json["reason"] = row.reason;
  json["withheld"] = row.withheld;
  json["own"] = effect_json(row.own);
  json["stack"] = effect_json(row.stack);
  json["operations_carrying_90_percent"] = row.carriers;
  json["inner_io"] = Json{{"operations", row.inner.operations},
                          {"needed", row.inner.needed},
                          {"read_bytes", row.inner.read_bytes},
                          {"written_bytes", row.inner.written_bytes}};
  json["ranks"] = parts_json(row);
  json["instances"] = instances_json(row.instances);
  return json;
}

Json finding_json(const Finding& finding) {
  Json json;
  json["reference"] = word(finding.reference);
  json["component"] = finding.component;
  json["title"] = finding.title;
  put_exact_time(json, "cost", finding.cost);
  json["cost_is_of"] = finding.cost_is_of;
  json["cost_is_bound"] = finding.cost_is_bound;
  put_time(json, "cost_on_device", finding.cost_on_device);
  json["share"] = finding.share;
  json["share_of_excess"] = finding.share_of_excess;
  json["confidence"] = word(finding.confidence);
  json["basis"] = finding.basis;
  json["evidence"] = Json::array();
  for (const Evidence& evidence : finding.evidence)
    json["evidence"].push_back(Json{{"name", evidence.name}, {"value", evidence.value}, {"unit", evidence.unit}});
  json["call"] = finding.call;
  json["site"] = finding.site;
  json["operations"] = finding.operations;
  json["ranks"] = finding.ranks;
  json["advice"] = finding.advice;
  json["withheld"] = finding.withheld;
  json["rows"] = finding.rows;
  json["instances"] = instances_json(finding.instances);
  return json;
}

Json component_json(const Report& report, const ComponentTotals& component) {
  Json json;
  json["name"] = component.name;
  json["kind"] = component.kind;
  put_exact_time(json, "busy", component.busy);
  json["share"] = busy_share(report, component);
  json["totals"] = Json::array();
  for (const UseTotal& total : component.totals)
    json["totals"].push_back(Json{{"name", total.name}, {"unit", total.unit}, {"value", total.value}});
  json["levels"] = Json::array();
  for (const UseLevel& level : component.levels)
    json["levels"].push_back(
        Json{{"name", level.name}, {"unit", level.unit}, {"mean", level.mean}, {"most", level.most}});
  return json;
}

template <typename Values, typename ToJson>
Json array_of(const Values& values, ToJson to) {
  Json array = Json::array();
  for (const auto& value : values) array.push_back(to(value));
  return array;
}

Json not_judged_json(const NotJudgedTime& time) {
  Json json;
  json["reason"] = time.reason;
  json["set_up"] = time.set_up;
  json["operations"] = time.operations;
  put_time(json, "observed", time.observed);
  return json;
}

Json failed_calls_json(const FailedCalls& calls) {
  return Json{{"call", calls.call},   {"error_class", calls.error_class}, {"site", calls.site}, {"times", calls.times},
              {"ranks", calls.ranks}, {"ended_the_process", calls.ended}};
}

}  // namespace

nlohmann::ordered_json picoseconds_json(TimeSum sum) {
  if (const std::optional<Duration> exact = sum.duration()) return exact->ps;
  return static_cast<double>(sum.ps);
}

nlohmann::ordered_json to_json(const Report& report) {
  Json json;
  json["format"] = "plumbline-report";
  json["version"] = 3;
  json["verdict"] = verdict_json(report);
  json["against"] = reference_word(report);
  json["run"] = facts_json(report);
  json["options"] =
      Json{{"threshold", report.options.threshold}, {"false_discovery_rate", report.options.false_discovery_rate}};
  json["totals"] = totals_json(report);
  json["findings"] = array_of(report.findings, finding_json);
  json["withheld"] = array_of(report.withheld, finding_json);
  json["rows"] = array_of(report.rows, row_json);
  json["components"] =
      array_of(report.components, [&](const ComponentTotals& component) { return component_json(report, component); });
  json["not_judged"] = array_of(report.not_judged, not_judged_json);
  json["failed_calls"] = array_of(report.failed_calls, failed_calls_json);
  json["shared_cores"] = array_of(report.shared_cores, [](const SharedCores& node) {
    return Json{{"node", node.node}, {"cores", node.cores}, {"ranks", node.ranks}};
  });
  json["notes"] = report.notes;
  return json;
}

std::string json_text(const Report& report) {
  return to_json(report).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace plumbline::replay
