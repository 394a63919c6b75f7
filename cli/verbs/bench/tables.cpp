#include "cli/verbs/bench/tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/quantity.hpp"
#include "base/text/csv_field.hpp"
#include "base/text/text_table.hpp"
#include "bench/report/axis.hpp"

namespace plumbline::cli {
namespace {

using bench::SummaryRow;
using bench::text_of_bytes;
using bench::text_of_seconds;
using Json = nlohmann::ordered_json;
using Table = std::vector<std::vector<std::string>>;

std::string interval_text(const SummaryRow& row) {
  const std::string text =
      fmt::format("{} .. {}", text_of_seconds(row.interval().low), text_of_seconds(row.interval().high));
  return row.has_interval() ? text : "(" + text + ")";
}

std::vector<std::string> line_of(const SummaryRow& row) {
  std::vector<std::string> line{text_of_bytes(row.bytes), fmt::format("{}", row.runs),
                                fmt::format("{}", row.repetitions)};
  if (row.has_times())
    line.insert(line.end(), {text_of_seconds(row.median()), interval_text(row), text_of_seconds(row.sorted.front()),
                             text_of_seconds(row.quantile(0.99)), text_of_seconds(row.quantile(0.999)),
                             text_of_seconds(row.sorted.back())});
  else
    line.insert(line.end(), 6, "-");
  line.insert(line.end(), {format_percent(row.flagged_share()), row.contaminated > 0 ? "*" : ""});
  return line;
}

// "messages=4 send=Ssend ranks=0,1"
std::string parameters_text(const bench::Subject& subject) {
  std::string text;
  const auto add = [&](const std::string& name, const std::string& value) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
  };
  for (const auto& [name, value] : subject.numbers) add(name, fmt::format("{}", value));
  for (const auto& [name, value] : subject.words) add(name, value);
  std::string ranks;
  for (const std::uint32_t rank : subject.ranks) ranks += fmt::format("{}{}", ranks.empty() ? "" : "-", rank);
  if (!ranks.empty()) add("ranks", ranks);
  if (subject.in_flight != 1) add("in_flight", fmt::format("{}", subject.in_flight));
  return text;
}

constexpr char kSubjectColumns[] = "operation,implementation,mpi,nodes,per_node,parameters,timing,isolation,bytes";

std::string subject_csv(const bench::Subject& subject, std::uint64_t bytes) {
  return fmt::format("{},{},{},{},{},{},{},{},{}", csv_field(subject.operation), csv_field(subject.implementation),
                     subject.mpi, subject.nodes, subject.per_node, csv_field(parameters_text(subject)), subject.timing,
                     subject.isolation, bytes);
}

Json to_json(const bench::Subject& subject) {
  return {{"operation", subject.operation},
          {"implementation", subject.implementation},
          {"mpi", subject.mpi},
          {"nodes", subject.nodes},
          {"per_node", subject.per_node},
          {"ranks", subject.ranks},
          {"in_flight", subject.in_flight},
          {"numbers", subject.numbers},
          {"words", subject.words},
          {"timing", subject.timing},
          {"isolation", subject.isolation}};
}

Json times_json(const SummaryRow& row) {
  Json json = {{"median_s", row.median()}};
  if (row.has_interval()) json["interval_s"] = {row.interval().low, row.interval().high};
  json["run_medians_s"] = row.run_medians;
  json["min_s"] = row.sorted.front();
  json["p99_s"] = row.quantile(0.99);
  json["p999_s"] = row.quantile(0.999);
  json["max_s"] = row.sorted.back();
  return json;
}

std::string dumped(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string verdict_of(const bench::Difference& each, double rate) {
  if (each.q > rate) return "";
  return each.median > each.reference_median ? "slower" : "faster";
}

std::string settings_text(const bench::Cell& cell) {
  return cell.clock_bound_s > 0 ? fmt::format("clock to {}", text_of_seconds(cell.clock_bound_s)) : "";
}

}  // namespace

std::string rows_text(std::span<const SummaryRow> rows) {
  std::string text;
  Table table;
  const std::vector<std::string> head{"size",  "runs", "repetitions", "median", "95 % of median", "min", "p99",
                                      "p99.9", "max",  "flagged",     ""};
  bool bracketed = false, marked = false;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (table.empty()) table.push_back(head);
    table.push_back(line_of(rows[i]));
    bracketed = bracketed || (rows[i].has_times() && !rows[i].has_interval());
    marked = marked || rows[i].contaminated > 0;
    if (i + 1 < rows.size() && rows[i + 1].subject == rows[i].subject) continue;
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", full_name(rows[i].subject), aligned(table));
    table.clear();
  }
  if (bracketed) text += "\n( .. ): lowest and highest run; an interval takes six runs\n";
  if (marked)
    text += fmt::format("{}*: contaminated, from runs on a machine that was not quiet\n", bracketed ? "" : "\n");
  return text;
}

std::string rows_csv(std::span<const SummaryRow> rows) {
  std::string text = std::string(kSubjectColumns) +
                     ",runs,contaminated,repetitions,flagged,median_s,low_s,high_s,min_s,p99_s,p999_s,max_s\n";
  for (const SummaryRow& row : rows) {
    text += fmt::format("{},{},{},{},{}", subject_csv(row.subject, row.bytes), row.runs, row.contaminated,
                        row.repetitions, row.flagged);
    if (!row.has_times()) {
      text += ",,,,,,,\n";
      continue;
    }
    const bool interval = row.has_interval();
    text += fmt::format(",{},{},{},{},{},{},{}\n", row.median(), interval ? fmt::format("{}", row.interval().low) : "",
                        interval ? fmt::format("{}", row.interval().high) : "", row.sorted.front(), row.quantile(0.99),
                        row.quantile(0.999), row.sorted.back());
  }
  return text;
}

std::string rows_json(std::span<const SummaryRow> rows) {
  Json list = Json::array();
  for (const SummaryRow& row : rows) {
    Json json = to_json(row.subject);
    json["bytes"] = row.bytes;
    json["runs"] = row.runs;
    json["contaminated"] = row.contaminated;
    json["repetitions"] = row.repetitions;
    json["flagged"] = row.flagged;
    if (row.has_times()) json.update(times_json(row));
    list.push_back(json);
  }
  return dumped({{"rows", list}});
}

std::string cells_text(const bench::Campaign& campaign, const bench::Selection& selection) {
  Table table{{"run", "place", "size", "repetitions", "flagged", "median", "min", "max", "precise", "what"}};
  for (const bench::Cell& cell : campaign.cells) {
    if (!selection.takes(campaign, cell)) continue;
    std::vector<double> valid;
    for (std::size_t i = 0; i < cell.seconds.size(); ++i)
      if (cell.flags[i] == 0) valid.push_back(cell.seconds[i]);
    const auto time = [&](double seconds) { return valid.empty() ? "-" : text_of_seconds(seconds); };
    const std::string settings = settings_text(cell);
    table.push_back({fmt::format("{}", cell.run + 1), fmt::format("{}", cell.position + 1), text_of_bytes(cell.bytes),
                     fmt::format("{}", cell.seconds.size()), fmt::format("{}", cell.seconds.size() - valid.size()),
                     time(valid.empty() ? 0 : statistics::median(valid)),
                     time(valid.empty() ? 0 : std::ranges::min(valid)),
                     time(valid.empty() ? 0 : std::ranges::max(valid)), cell.reached ? "yes" : "no",
                     full_name(subject_of(campaign, cell)) + (settings.empty() ? "" : "; " + settings)});
  }
  return aligned(table);
}

std::string raw_csv(const bench::Campaign& campaign, const bench::Selection& selection) {
  std::string text = std::string(kSubjectColumns) + ",run,contaminated,repetition,seconds,flags\n";
  for (const bench::Cell& cell : campaign.cells) {
    if (!selection.takes(campaign, cell)) continue;
    const std::string begin = fmt::format("{},{},{}", subject_csv(subject_of(campaign, cell), cell.bytes), cell.run + 1,
                                          campaign.runs[cell.run].disturbances.empty() ? 0 : 1);
    for (std::size_t i = 0; i < cell.seconds.size(); ++i)
      text += fmt::format("{},{},{},{}\n", begin, i + 1, cell.seconds[i], cell.flags[i]);
  }
  return text;
}

std::string against_text(const bench::AgainstReference& differences, double rate) {
  std::string text;
  Table table;
  for (std::size_t i = 0; i < differences.both.size(); ++i) {
    const bench::Difference& each = differences.both[i];
    if (table.empty()) table.push_back({"size", "runs", "median", "reference", "ratio", "p", "q", ""});
    table.push_back({text_of_bytes(each.bytes), fmt::format("{} / {}", each.runs, each.reference_runs),
                     text_of_seconds(each.median), text_of_seconds(each.reference_median),
                     fmt::format("{:.3f}", each.ratio()), fmt::format("{:.2g}", each.p), fmt::format("{:.2g}", each.q),
                     verdict_of(each, rate)});
    if (i + 1 < differences.both.size() && differences.both[i + 1].subject == each.subject) continue;
    text += fmt::format("{}{}\n{}", text.empty() ? "" : "\n", full_name(each.subject), aligned(table));
    table.clear();
  }
  if (differences.only_here + differences.only_in_reference > 0)
    text += fmt::format("\nwithout a counterpart: {} here, {} in the reference\n", differences.only_here,
                        differences.only_in_reference);
  if (differences.least_p > rate)
    text +=
        fmt::format("\ntoo few runs to tell: none of the tests can give less than p = {:.2g}\n", differences.least_p);
  return text;
}

std::string against_json(const bench::AgainstReference& differences, double rate) {
  Json list = Json::array();
  for (const bench::Difference& each : differences.both) {
    Json json = to_json(each.subject);
    json["bytes"] = each.bytes;
    json["runs"] = each.runs;
    json["reference_runs"] = each.reference_runs;
    json["median_s"] = each.median;
    json["reference_median_s"] = each.reference_median;
    json["ratio"] = each.ratio();
    json["p"] = each.p;
    json["q"] = each.q;
    json["verdict"] = verdict_of(each, rate);
    list.push_back(json);
  }
  return dumped({{"rate", rate},
                 {"least_p", differences.least_p},
                 {"only_here", differences.only_here},
                 {"only_in_reference", differences.only_in_reference},
                 {"rows", list}});
}

std::string circumstances_text(const bench::Campaign& campaign) {
  const bench::Environment& environment = campaign.environment;
  std::string text =
      fmt::format("campaign on {} ({}), {} cores, seed {}: {} runs, {} cells\n", environment.host, environment.created,
                  environment.cores, campaign.seed, campaign.runs.size(), campaign.cells.size());
  for (std::size_t i = 0; i < campaign.runs.size(); ++i) {
    const bench::Run& run = campaign.runs[i];
    text += fmt::format("  run {}: {}, {} x {}, {}{}", i + 1, run.mpi, run.nodes, run.per_node, run.created,
                        run.finished ? "" : ", cut off");
    for (std::size_t j = 0; j < run.disturbances.size(); ++j)
      text += fmt::format("{}{}", j == 0 ? ", contaminated: " : "; ", run.disturbances[j]);
    text += "\n";
  }
  for (const std::string& note : campaign.notes) text += fmt::format("  note: {}\n", note);
  return text;
}

}  // namespace plumbline::cli
