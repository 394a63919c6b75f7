#include "cli/verbs/calibration_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"

namespace plumbline::cli {
namespace {

using Json = nlohmann::ordered_json;
using hw::calibration::Calibration;
using hw::calibration::Finding;
using hw::calibration::PairClass;
using hw::calibration::RangeReport;

std::string upper_end(const hw::MessageRange& range) { return range.upto ? "up to " + format(*range.upto) : "above"; }

std::string_view name_of(hw::Protocol protocol) { return protocol == hw::Protocol::kEager ? "eager" : "rendezvous"; }

std::string classes_text(const Calibration& calibration) {
  std::string text;
  for (const PairClass& each : calibration.classes)
    text += fmt::format("  {:<18} {:>5} pairs  smallest message {:>9}{}\n", each.name, each.pairs,
                        format(each.smallest), each.rate.count > 0 ? "  streams " + format(each.rate) : "");
  return text;
}

std::string ranges_text(const char* where, const hw::Transport& transport, const std::vector<RangeReport>& reports) {
  std::string text;
  for (std::size_t i = 0; i < transport.ranges.size(); ++i) {
    const hw::MessageRange& range = transport.ranges[i];
    text += fmt::format("  {:<8} {:<16} {:<11} send {:>9}  receive {:>9}  latency {:>9}", where, upper_end(range),
                        name_of(range.protocol), format(range.send.value), format(range.receive.value),
                        format(range.latency.value));
    if (i < reports.size())
      text += fmt::format("  fits {} sizes within {} (median)", reports[i].sizes,
                          format_percent(reports[i].median_deviation));
    text += '\n';
  }
  return text;
}

// Cables that are alike in one line.
std::string cables_text(const hw::Platform& platform) {
  std::string text;
  for (std::size_t i = 0; i < platform.edges.size();) {
    const hw::Edge& first = platform.edges[i];
    std::size_t last = i + 1;
    while (last < platform.edges.size() && platform.edges[last].rate == first.rate &&
           platform.edges[last].latency == first.latency)
      ++last;
    const std::string others = last - i > 1 ? fmt::format(" .. {}", platform.edges[last - 1].name) : "";
    text += fmt::format("  cable    {}{}: {} ± {}, {} ± {}{}\n", first.name, others, format(first.rate.value),
                        format_percent(first.rate.spread), format(first.latency.value),
                        format_percent(first.latency.spread), first.half_duplex ? ", half-duplex" : "");
    i = last;
  }
  return text;
}

Json json_of(const Finding& finding) {
  return {{"reference", word(finding.reference)},
          {"component", finding.component},
          {"quantity", finding.quantity},
          {"measured", finding.measured},
          {"expected", finding.expected},
          {"unit", finding.unit},
          {"severity", finding.severity},
          {"confidence", confidence(finding)},
          {"p", finding.p},
          {"samples", finding.samples},
          {"basis", finding.basis},
          {"title", title(finding)}};
}

Json json_of(const std::vector<RangeReport>& reports) {
  Json json = Json::array();
  for (const RangeReport& each : reports)
    json.push_back({{"first_bytes", each.first_size},
                    {"last_bytes", each.last_size},
                    {"sizes", each.sizes},
                    {"median_deviation", each.median_deviation},
                    {"largest_deviation", each.largest_deviation}});
  return json;
}

std::string file_system_text(const hw::FileSystem& fs) {
  std::vector<std::string> parts;
  const auto add = [&](const char* what, const hw::AccessCost& cost) {
    if (cost.rate.value.count > 0)
      parts.push_back(fmt::format("{} {} + {}", what, format(cost.call.value), format(cost.rate.value)));
  };
  add("cached write", fs.cached_write);
  add("synced write", fs.device_write);
  add("cached read", fs.cached_read);
  add("read from the device", fs.device_read);
  if (const std::size_t servers = fs.distribution.servers.size(); servers > 0)
    parts.push_back(fmt::format("{} server{}", servers, servers == 1 ? "" : "s"));
  return fmt::format("  {}: {}\n", fs.name, fmt::join(parts, ", "));
}

}  // namespace

std::string storage_text(const hw::Platform& platform) {
  std::string text;
  for (const hw::FileSystem& fs : platform.file_systems) text += file_system_text(fs);
  return text;
}

std::string calibration_text(const Calibration& calibration) {
  const hw::Platform& platform = calibration.platform;
  std::string text = fmt::format("{} ({}): {} nodes, {} switches\n", platform.name, platform.mpi, platform.nodes.size(),
                                 platform.switches.size());
  text += classes_text(calibration);
  text += cables_text(platform);
  text += ranges_text("between", platform.between, calibration.between_ranges);
  text += ranges_text("inside", platform.inside, calibration.ranges);
  text += storage_text(platform);
  for (const std::string& note : calibration.notes) text += fmt::format("  note: {}\n", note);
  for (const std::string& disturbance : calibration.disturbances) text += fmt::format("  disturbed: {}\n", disturbance);
  for (const Finding& finding : calibration.findings)
    text += fmt::format("slower than it should be: {}\n  how sure: {} ({}, p = {:.2g})\n", title(finding),
                        confidence(finding), finding.basis, finding.p);
  return text;
}

std::string calibration_json(const Calibration& calibration, const std::filesystem::path& platform) {
  Json json;
  json["format"] = "plumbline calibration";
  json["version"] = 1;
  json["platform"] = platform.string();
  json["classes"] = Json::array();
  for (const PairClass& each : calibration.classes)
    json["classes"].push_back({{"name", each.name},
                               {"pairs", each.pairs},
                               {"smallest_message_s", each.smallest.seconds()},
                               {"stream_bytes_per_s", each.rate.count}});
  json["fit"] = {{"inside", json_of(calibration.ranges)}, {"between", json_of(calibration.between_ranges)}};
  json["notes"] = calibration.notes;
  json["disturbances"] = calibration.disturbances;
  json["findings"] = Json::array();
  for (const Finding& each : calibration.findings) json["findings"].push_back(json_of(each));
  return json.dump(2) + "\n";
}

}  // namespace plumbline::cli
