// The lines of nodes (run_summary.hpp).

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <vector>

#include "base/quantity.hpp"
#include "base/time_sum.hpp"
#include "cli/verbs/info/run_summary.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::cli {
namespace {

namespace names = archive::names;

// The last values of a node's metrics: by device, "" for the node itself, and by what was counted.
using Counts = std::map<std::string, std::map<std::string, std::uint64_t>>;

Counts counts_of(archive::Reader& reader, std::uint32_t location) {
  const archive::Definitions& d = reader.definitions();
  Counts counts;
  reader.read(location, [&](const archive::Event& event) {
    if (event.kind != archive::EventKind::kMetric) return;
    const std::vector<std::uint32_t>& members = d.members_of(event.tag);
    for (std::size_t i = 0; i < members.size(); ++i) {
      const std::string& name = d.strings[d.metric_members[members[i]].name];
      const std::size_t colon = name.rfind(": ");
      if (colon == std::string::npos)
        counts[""][name] = event.values[i];
      else
        counts[name.substr(0, colon)][name.substr(colon + 2)] = event.values[i];
    }
  });
  return counts;
}

std::uint64_t sum(const std::map<std::string, std::uint64_t>& counts, std::initializer_list<const char*> which) {
  std::uint64_t all = 0;
  for (const char* name : which)
    if (const auto entry = counts.find(name); entry != counts.end()) all += entry->second;
  return all;
}

// The device with the largest sum of `which`; end() when no device has any of them.
Counts::const_iterator busiest(const Counts& counts, std::initializer_list<const char*> which) {
  auto best = counts.end();
  for (auto at = counts.begin(); at != counts.end(); ++at)
    if (!at->first.empty() && at->second.contains(*which.begin()) &&
        (best == counts.end() || sum(at->second, which) > sum(best->second, which)))
      best = at;
  return best;
}

std::string bytes(std::uint64_t count) { return format(Bytes{count}); }
// Of a sum over the threads of a node.
TimeSum time_of(std::uint64_t ns) { return TimeSum::of(TimeSum::Picoseconds{ns} * 1000); }

std::string tcp_text(const Counts& counts) {
  const auto node = counts.find("");
  if (node == counts.end() || !node->second.contains(names::kTcpRetransmitted)) return {};
  std::uint64_t drops = sum(
      node->second, {names::kTcpListenDrops, names::kTcpBacklogDrops, names::kTcpReceiveDrops, names::kUdpReceiveDrops,
                     names::kUdpSendDrops, names::kIpReceiveDiscards, names::kIpSendDiscards});
  for (const auto& [device, own] : counts)
    if (!device.empty()) drops += sum(own, {names::kReceiveDrops, names::kSendDrops});
  return fmt::format("{} of {} TCP segments retransmitted, {} dropped", sum(node->second, {names::kTcpRetransmitted}),
                     sum(node->second, {names::kTcpSent}), drops);
}

std::string interface_text(const Counts& counts) {
  const auto device = busiest(counts, {names::kBytesReceived, names::kBytesSent});
  if (device == counts.end()) return {};
  return fmt::format("{} {} in, {} out", device->first, bytes(sum(device->second, {names::kBytesReceived})),
                     bytes(sum(device->second, {names::kBytesSent})));
}

std::string disk_text(const Counts& counts, Duration length) {
  const auto device = busiest(counts, {names::kDiskBusy});
  if (device == counts.end()) return {};
  const double busy = time_of(sum(device->second, {names::kDiskBusy})).seconds();
  return fmt::format("{} {} read, {} written, busy {}", device->first,
                     bytes(sum(device->second, {names::kDiskBytesRead})),
                     bytes(sum(device->second, {names::kDiskBytesWritten})),
                     format_percent(length > Duration{} ? std::min(1.0, busy / length.seconds()) : 0));
}

std::string processor_text(const Counts& counts) {
  const auto node = counts.find("");
  if (node == counts.end()) return {};
  std::vector<std::string> texts;
  if (node->second.contains(names::kNodeRunDelay))
    texts.push_back(format(time_of(sum(node->second, {names::kNodeRunDelay}))) + " waited for processors");
  if (node->second.contains(names::kSteal))
    texts.push_back(format(time_of(sum(node->second, {names::kSteal}))) + " stolen");
  return fmt::format("{}", fmt::join(texts, ", "));
}

}  // namespace

std::string describe_nodes(archive::Reader& reader) {
  const archive::Definitions& d = reader.definitions();
  std::string text;
  for (std::uint32_t i = 0; i < d.locations.size(); ++i) {
    const archive::Location& location = d.locations[i];
    if (location.type != archive::LocationType::kMetric || location.group >= d.location_groups.size()) continue;
    const auto& properties = d.location_groups[location.group].properties;
    const auto host = properties.find(names::kPropertyHost);
    if (host == properties.end() || !properties.contains(names::kPropertySamples)) continue;  // another tool's
    const Counts counts = counts_of(reader, i);
    std::vector<std::string> texts = {tcp_text(counts), interface_text(counts), disk_text(counts, d.length),
                                      processor_text(counts)};
    std::erase(texts, std::string());
    text += fmt::format(
        "node {}: {}{}\n", host->second, texts.empty() ? "no samples" : fmt::format("{}", fmt::join(texts, "; ")),
        properties.contains(names::kPropertySamplesMissing) ? "; samples break off before the end" : "");
  }
  return text;
}

}  // namespace plumbline::cli
