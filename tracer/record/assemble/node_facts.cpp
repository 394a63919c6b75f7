#include "tracer/record/assemble/node_facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>

#include "base/node/copy.hpp"
#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/spool/node_readings.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;

constexpr std::size_t kMostFacts = 1024, kMostUnreadable = 64;  // of a node

using Properties = std::map<std::string, std::string>;

bool begins_with_one_of(std::string_view name, std::initializer_list<std::string_view> prefixes) {
  return std::ranges::any_of(prefixes, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

// Of the process that has read it and not of the node, or said elsewhere in the archive.
bool is_of_node(std::string_view name) {
  return !begins_with_one_of(name, {"process.cpus_allowed", "process.mems_allowed", "kernel.host", "kernel.cmdline"});
}

bool is_named_by_users(std::string_view name) {
  return begins_with_one_of(name, {"kernel.boot_id", "cgroup.path", "mount.", "nfs.", "shm.options"});
}

// The interrupts of each processor of a large node may be more than all else together.
template <class Facts>
void leave_out_what_is_too_much(Facts& facts) {
  if (facts.size() > kMostFacts)
    std::erase_if(facts, [](const auto& fact) { return fact.first.starts_with("interrupts."); });
  while (facts.size() > kMostFacts) facts.erase(std::prev(facts.end()));
}

void put_settings(const node::Copy& copy, bool is_anonymous, Properties& properties) {
  node::Facts facts = node::read_settings({.copy = &copy});
  std::erase_if(facts.facts, [&](const auto& fact) {
    return !is_of_node(fact.first) || (is_anonymous && is_named_by_users(fact.first));
  });
  leave_out_what_is_too_much(facts.facts);
  for (const auto& [name, fact] : facts.facts) properties[names::kNodeFact + name] = fact.value;
  if (is_anonymous) return;
  std::size_t count = 0;
  for (const auto& [path, why] : copy.unreadable)
    if (++count <= kMostUnreadable) properties[names::kNodeUnreadable + path] = why;
}

void put_growth(const node::Copy& begin, const node::Copy& end, bool is_anonymous, Properties& properties) {
  auto grown = node::growth(node::read_counters({.copy = &begin}), node::read_counters({.copy = &end}));
  properties[names::kPropertyNodeCounters] = fmt::format("{}", grown.size());
  std::erase_if(grown, [&](const auto& counter) {
    return counter.second <= 0 || (is_anonymous && is_named_by_users(counter.first));
  });
  leave_out_what_is_too_much(grown);
  for (const auto& [name, by] : grown) properties[names::kNodeGrowth + name] = fmt::format("{:.15g}", by);
}

const char* word_of(pl_node_stop stopped) { return stopped == PL_NODE_OUT_OF_TIME ? "time" : "room"; }

void put_reading(const spool::NodeReading& reading, std::uint64_t zero_realtime_ns, const char* moment,
                 Properties& properties) {
  if (zero_realtime_ns != 0)
    properties[moment] = fmt::format("{}", time_stamp(reading.realtime_ns, zero_realtime_ns).ps);
  if (reading.stopped != PL_NODE_ALL) properties[names::kPropertyNodeLacks] = word_of(reading.stopped);
}

void put_readings(const spool::NodeReadings& readings, std::uint64_t zero_realtime_ns, bool is_anonymous,
                  Properties& properties) {
  const bool has_end = readings.end && readings.end->is_whole;
  put_settings(readings.begin->copy, is_anonymous, properties);
  put_reading(*readings.begin, zero_realtime_ns, names::kPropertyNodeBegin, properties);
  properties[names::kPropertyNodeRead] = has_end ? names::kNodeReadTwice : names::kNodeReadOnce;
  std::uint64_t took_ns = readings.begin->took_ns;
  if (has_end) {
    put_reading(*readings.end, zero_realtime_ns, names::kPropertyNodeEnd, properties);
    put_growth(readings.begin->copy, readings.end->copy, is_anonymous, properties);
    took_ns += readings.end->took_ns;
  }
  properties[names::kPropertyNodeCost] = fmt::format("{}", took_ns * 1000);
}

// Where several processes of a node have read it the first one counts, but for one that was killed meanwhile.
bool is_better(const spool::NodeReadings& one, const spool::NodeReadings& other) {
  if (one.end.has_value() != other.end.has_value()) return one.end.has_value();
  return one.begin->realtime_ns < other.begin->realtime_ns;
}

}  // namespace

void describe_nodes(const std::vector<Recording>& recordings, const Clocks& clocks,
                    const std::function<std::string(const std::string&)>& show, bool is_anonymous,
                    DefinitionRegistry& world, AssembleSummary& summary) {
  std::map<std::string, spool::NodeReadings> nodes;
  for (const Recording& recording : recordings) {
    spool::NodeReadings readings = spool::node_readings_beside(recording.spool->path());
    if (!readings.begin) continue;
    const auto [node, is_new] = nodes.try_emplace(recording.spool->header().host);
    if (is_new || is_better(readings, node->second)) node->second = std::move(readings);
  }
  for (const auto& [host, readings] : nodes) {
    Properties& properties = world.definitions.system_tree[world.node(show(host))].properties;
    put_readings(readings, clocks.zero_realtime_ns(), is_anonymous, properties);
    if (properties[names::kPropertyNodeRead] == names::kNodeReadOnce)
      summary.remark(fmt::format(
          "node {}: its counters were not read at the end (the process that reads them was killed, or the disk of its "
          "spool was full): the archive has its settings, and not what was counted",
          host));
  }
}

}  // namespace plumbline::record
