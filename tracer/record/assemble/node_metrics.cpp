#include "tracer/record/assemble/node_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include "base/error.hpp"
#include "tracer/archive/metric_names.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/record/definitions/words.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;
using archive::kUndefined;

// How a value of the kernel is told. `factor`: to the unit; 0: that of processor time, which the header states.
struct Value {
  const char* name;
  const char* description;
  const char* unit;
  std::uint64_t factor;
  bool is_counter = true;
};

constexpr std::uint64_t kSectorBytes = 512, kMillisecond_ns = 1'000'000, kKibi = 1024;

// In the order of each enum pl_sampled.
constexpr std::array<Value, 13> kNetworkValues = {{{names::kTcpSent, "Tcp OutSegs", "#", 1},
                                                   {names::kTcpRetransmitted, "Tcp RetransSegs", "#", 1},
                                                   {names::kTcpTimeouts, "TcpExt TCPTimeouts", "#", 1},
                                                   {names::kTcpLostRetransmits, "TcpExt TCPLostRetransmit", "#", 1},
                                                   {names::kTcpSynRetransmits, "TcpExt TCPSynRetrans", "#", 1},
                                                   {names::kTcpListenDrops, "TcpExt ListenDrops", "#", 1},
                                                   {names::kTcpBacklogDrops, "TcpExt TCPBacklogDrop", "#", 1},
                                                   {names::kTcpReceiveDrops, "TcpExt TCPRcvQDrop", "#", 1},
                                                   {names::kUdpErrors, "Udp InErrors", "#", 1},
                                                   {names::kUdpReceiveDrops, "Udp RcvbufErrors", "#", 1},
                                                   {names::kUdpSendDrops, "Udp SndbufErrors", "#", 1},
                                                   {names::kIpReceiveDiscards, "Ip InDiscards", "#", 1},
                                                   {names::kIpSendDiscards, "Ip OutDiscards", "#", 1}}};
constexpr std::array<Value, 8> kInterface = {{{names::kBytesReceived, "/proc/net/dev", "B", 1},
                                              {names::kPacketsReceived, "/proc/net/dev", "#", 1},
                                              {names::kReceiveErrors, "/proc/net/dev", "#", 1},
                                              {names::kReceiveDrops, "/proc/net/dev", "#", 1},
                                              {names::kBytesSent, "/proc/net/dev", "B", 1},
                                              {names::kPacketsSent, "/proc/net/dev", "#", 1},
                                              {names::kSendErrors, "/proc/net/dev", "#", 1},
                                              {names::kSendDrops, "/proc/net/dev", "#", 1}}};
constexpr std::array<Value, 5> kDisk = {
    {{names::kDiskReads, "/proc/diskstats", "#", 1},
     {names::kDiskBytesRead, "/proc/diskstats", "B", kSectorBytes},
     {names::kDiskWrites, "/proc/diskstats", "#", 1},
     {names::kDiskBytesWritten, "/proc/diskstats", "B", kSectorBytes},
     {names::kDiskBusy, "/proc/diskstats: time with I/O in flight", "ns", kMillisecond_ns}}};
constexpr std::array<Value, 1> kProcessors = {{{names::kSteal, "/proc/stat, sum over the processors", "ns", 0}}};
constexpr std::array<Value, 1> kRunDelay = {
    {{names::kNodeRunDelay, "/proc/schedstat, sum over the processors", "ns", 1}}};
constexpr std::array<Value, 2> kMemory = {{{names::kDirty, "/proc/meminfo Dirty", "B", kKibi, false},
                                           {names::kWriteback, "/proc/meminfo Writeback", "B", kKibi, false}}};

std::span<const Value> values_of(std::uint64_t what) {
  switch (what) {
    case PL_SAMPLED_NETWORK:
      return kNetworkValues;
    case PL_SAMPLED_INTERFACE:
      return kInterface;
    case PL_SAMPLED_DISK:
      return kDisk;
    case PL_SAMPLED_PROCESSORS:
      return kProcessors;
    case PL_SAMPLED_RUN_DELAY:
      return kRunDelay;
    case PL_SAMPLED_MEMORY:
      return kMemory;
    default:
      return {};  // of a later version
  }
}

// Above the numbers of threads, which hold a thread's number above 32 bits of rank; still exact as a double.
constexpr std::uint64_t kFirstNodeLocation = std::uint64_t{1} << 52;

ClockId clock_of(const pl_samples_header& header) { return {header.boot_id, header.clock, header.time_namespace_ns}; }

// The first sample after the end is not later than that, or its time is damaged.
constexpr Duration kLatest = seconds(60);

bool is_loopback(const std::pair<std::uint64_t, std::string>& series) {
  return series.first == PL_SAMPLED_INTERFACE && series.second == "lo";
}

// Series of a file by their numbers, as its records introduce them.
class SeriesNames {
 public:
  using Key = std::pair<std::uint64_t, std::string>;

  void introduce(const spool::SampleRecord& record) {
    const Words words(record.payload);
    keys_[record.series] = {words[0], words.text(1)};
  }
  const Key* find(std::uint16_t series) const {
    const auto entry = keys_.find(series);
    return entry == keys_.end() ? nullptr : &entry->second;
  }

 private:
  std::map<std::uint16_t, Key> keys_;
};

// Calls visit(key, ticks, values) for every sample of a series that is known here.
template <typename Visit>
void for_each_sample(const spool::Samples& samples, Visit&& visit) {
  SeriesNames series;
  samples.for_each([&](const spool::SampleRecord& record) {
    if (record.kind == PL_SAMPLE_SERIES) series.introduce(record);
    if (record.kind != PL_SAMPLE_VALUES || record.payload.empty()) return;
    const SeriesNames::Key* key = series.find(record.series);
    if (key != nullptr && !values_of(key->first).empty()) visit(*key, record.payload[0], record.payload.subspan(1));
  });
}

std::uint64_t value_at(std::span<const std::uint64_t> values, std::size_t i) {
  return i < values.size() ? values[i] : PL_NO_VALUE;
}

// The running values of one series.
class Accumulation {
 public:
  Accumulation(std::span<const Value> values, std::uint64_t present, std::uint32_t user_hz)
      : values_(values),
        present_(present),
        user_hz_(std::max(1U, user_hz)),
        last_(values.size(), PL_NO_VALUE),
        sums_(values.size(), 0) {}

  // Later than all before. Samplers of one node that overlap count the same.
  bool is_news(std::uint64_t ticks) {
    if (ticks <= ticks_) return false;
    ticks_ = ticks;
    return true;
  }
  bool is_new() const { return is_new_; }            // has no base line yet
  bool has_rows() const { return has_rows_; }        // in the archive
  bool is_complete() const { return is_complete_; }  // the trace has ended
  void note_row(bool is_last) {
    has_rows_ = true;
    is_complete_ = is_last;
  }

  // Counting begins with this sample.
  void begin_with(std::span<const std::uint64_t> sample) {
    take(sample);
    std::ranges::fill(sums_, 0);
    is_new_ = false;
  }

  void take(std::span<const std::uint64_t> sample) {
    for (std::size_t i = 0; i < values_.size(); ++i) {
      const std::uint64_t now = value_at(sample, i);
      if (now == PL_NO_VALUE) continue;
      if (last_[i] != PL_NO_VALUE) sums_[i] += increase(last_[i], now);
      last_[i] = now;
    }
  }

  // As the members of the metric.
  std::vector<std::uint64_t> values() const {
    std::vector<std::uint64_t> told;
    for (std::size_t i = 0; i < values_.size(); ++i) {
      if ((present_ >> i & 1) == 0) continue;
      const std::uint64_t value = values_[i].is_counter ? sums_[i] : last_[i] == PL_NO_VALUE ? 0 : last_[i];
      told.push_back(values_[i].factor != 0 ? value * values_[i].factor : value * 1'000'000'000 / user_hz_);
    }
    return told;
  }

 private:
  std::span<const Value> values_;
  std::uint64_t present_;
  std::uint32_t user_hz_;
  std::vector<std::uint64_t> last_, sums_;
  std::uint64_t ticks_ = 0;
  bool is_new_ = true, has_rows_ = false, is_complete_ = false;
};

struct SamplingEffort {
  std::uint64_t rounds = 0, ns = 0;
};

SamplingEffort effort_of(const std::vector<std::unique_ptr<spool::Samples>>& files) {
  SamplingEffort sum;
  for (const auto& file : files) {
    SamplingEffort last;
    file->for_each([&](const spool::SampleRecord& record) {
      const Words words(record.payload);
      if (record.kind == PL_SAMPLE_CLOCK && words.has(5)) last = {words[3], words[4]};
    });
    sum.rounds += last.rounds;
    sum.ns += last.ns;
  }
  return sum;
}

std::string break_off_text(const spool::Samples& samples) {
  return fmt::format(
      "{}: the samples of node {} break off before the end (the sampler was killed, its disk was full, or it still "
      "runs): counts of this node may be too small",
      samples.path().string(), samples.header().host);
}

}  // namespace

std::uint64_t increase(std::uint64_t before, std::uint64_t now) {
  constexpr std::uint64_t kWrap32 = std::uint64_t{1} << 32, kHalf32 = kWrap32 / 2, kHalf64 = std::uint64_t{1} << 63;
  if (now >= before) return now - before;
  if (before >= kHalf32 && before < kWrap32 && now < kHalf32) return now + kWrap32 - before;
  if (before >= kHalf64 && now < kHalf64) return now - before;  // modulo 2^64
  return now < before / 2 ? now : 0;
}

NodeMetrics::NodeMetrics(const std::vector<std::filesystem::path>& files, AssembleSummary& summary) {
  for (const std::filesystem::path& path : files) {
    try {
      auto samples = std::make_unique<spool::Samples>(path);
      const pl_samples_header& header = samples->header();
      if (!samples->is_whole()) summary.remark(break_off_text(*samples));
      nodes_[{header.host, header.boot_id, header.network_namespace}].files.push_back(std::move(samples));
    } catch (const Error& error) {
      summary.remark(error.what());
    }
  }
  for (auto& [key, node] : nodes_) {
    std::ranges::stable_sort(node.files, {}, [](const auto& file) { return file->header().first.ticks; });
    look_at(node);
  }
}

void NodeMetrics::look_at(Node& node) const {
  for (const auto& file : node.files)
    for_each_sample(*file, [&](const SeriesKey& key, std::uint64_t, std::span<const std::uint64_t> values) {
      Series& series = node.series[key];
      series.last.resize(values_of(key.first).size(), PL_NO_VALUE);
      for (std::size_t i = 0; i < series.last.size(); ++i) {
        const std::uint64_t now = value_at(values, i), before = std::exchange(series.last[i], now);
        if (now == PL_NO_VALUE) continue;
        series.present |= std::uint64_t{1} << i;
        if (before != PL_NO_VALUE && before != now) series.changed |= std::uint64_t{1} << i;
      }
    });
}

// Idle interfaces and disks are left out; so is the loopback interface, unless it is the only one with any traffic.
bool NodeMetrics::is_worth_it(const Node& node, const SeriesKey& key, const Series& series) {
  if (series.present == 0) return false;
  if (key.first != PL_SAMPLED_INTERFACE && key.first != PL_SAMPLED_DISK) return true;
  if (series.changed == 0) return false;
  return !is_loopback(key) || std::ranges::none_of(node.series, [](const auto& other) {
    return other.first.first == PL_SAMPLED_INTERFACE && !is_loopback(other.first) && other.second.changed != 0;
  });
}

void NodeMetrics::add_clocks(Clocks& clocks) const {
  std::map<ClockId, std::vector<pl_clock_reading>> readings;
  for (const auto& [key, node] : nodes_)
    for (const auto& file : node.files) {
      const ClockId clock = clock_of(file->header());
      if (clocks.knows(clock)) continue;
      readings[clock].push_back(file->header().first);
      file->for_each([&](const spool::SampleRecord& record) {
        const Words words(record.payload);
        if (record.kind == PL_SAMPLE_CLOCK && words.has(3)) readings[clock].push_back({words[0], words[1], words[2]});
      });
    }
  for (const auto& [clock, own] : readings) clocks.add(clock, own);
}

std::uint32_t NodeMetrics::metric_class(DefinitionRegistry& world, const SeriesKey& key, std::uint64_t present) {
  archive::Definitions& d = world.definitions;
  const auto [entry, is_new] = classes_.try_emplace({key, present}, static_cast<std::uint32_t>(d.metrics.size()));
  if (!is_new) return entry->second;
  archive::Metric metric{{}, archive::kMetricAsynchronous, archive::kRecorderAbstract};
  const std::span<const Value> values = values_of(key.first);
  for (std::size_t i = 0; i < values.size(); ++i) {
    if ((present >> i & 1) == 0) continue;
    const std::string name = key.second.empty() ? values[i].name : fmt::format("{}: {}", key.second, values[i].name);
    const std::uint8_t mode = values[i].is_counter ? archive::kMetricAccumulatedStart : archive::kMetricAbsolutePoint;
    metric.members.push_back(static_cast<std::uint32_t>(d.metric_members.size()));
    d.metric_members.push_back({d.strings.intern(name), d.strings.intern(values[i].description),
                                d.strings.intern(values[i].unit), archive::AttributeType::kUint64, 0, mode,
                                archive::kBaseDecimal, 0});
  }
  d.metrics.push_back(std::move(metric));
  return entry->second;
}

void NodeMetrics::define(DefinitionRegistry& world, const Clocks& clocks) {
  archive::Definitions& d = world.definitions;
  std::uint64_t location = kFirstNodeLocation;
  for (auto& [key, node] : nodes_) {
    if (!clocks.knows(clock_of(node.files.front()->header()))) continue;
    node.location = location++;
    const std::string host = show_ ? show_(std::get<0>(key)) : std::get<0>(key);
    const std::uint32_t tree_node = world.node(host);
    archive::LocationGroup group{d.strings.intern("Node " + host), tree_node, {}};
    const SamplingEffort effort = effort_of(node.files);
    group.properties[names::kPropertyHost] = host;
    group.properties[names::kPropertySampleInterval] =
        fmt::format("{}", node.files.front()->header().interval_ns * 1000);
    group.properties[names::kPropertySamples] = fmt::format("{}", effort.rounds);
    group.properties[names::kPropertySampleCost] =
        fmt::format("{}", effort.rounds == 0 ? 0 : effort.ns * 1000 / effort.rounds);
    if (!std::ranges::all_of(node.files, [](const auto& file) { return file->is_whole(); }))
      group.properties[names::kPropertySamplesMissing] = "to the end";
    d.locations.push_back({node.location, d.strings.intern("Counters of " + host),
                           static_cast<std::uint32_t>(d.location_groups.size()), 0, std::nullopt,
                           archive::LocationType::kMetric});
    d.location_groups.push_back(std::move(group));
    for (auto& [series_key, series] : node.series) {
      if (!is_worth_it(node, series_key, series)) continue;
      const std::uint32_t own_class = metric_class(world, series_key, series.present);
      series.metric = static_cast<std::uint32_t>(d.metrics.size());
      d.metrics.push_back({{},
                           archive::kMetricAsynchronous,
                           archive::kRecorderAbstract,
                           own_class,
                           node.location,
                           archive::kScopeSystemTreeNode,
                           tree_node});
    }
  }
}

void NodeMetrics::write(archive::Writer& writer, const Clocks& clocks, Time& end) const {
  Time latest = end;
  for (const auto& [key, node] : nodes_) {
    if (node.location == 0) continue;
    writer.begin_location(node.location);
    for (const Row& row : rows_of(node, clocks, end)) {
      archive::Event event;
      event.kind = archive::EventKind::kMetric;
      event.time = row.time;
      event.tag = row.metric;
      event.values = row.values;
      writer.write(event);
      latest = std::max(latest, row.time);
    }
    writer.end_location();
  }
  end = latest;
}

// The latest sample at or before the start of the trace is its base line.
std::vector<NodeMetrics::Row> NodeMetrics::rows_of(const Node& node, const Clocks& clocks, Time end) {
  std::map<SeriesKey, Accumulation> sums;
  std::vector<Row> rows;
  for (const auto& file : node.files) {
    const ClockId clock = clock_of(file->header());
    for_each_sample(*file, [&](const SeriesKey& key, std::uint64_t ticks, std::span<const std::uint64_t> values) {
      const Series& series = node.series.at(key);
      if (series.metric == kUndefined) return;
      Accumulation& sum =
          sums.try_emplace(key, values_of(key.first), series.present, file->header().user_hz).first->second;
      const Time time = clocks.time(clock, ticks);
      if (sum.is_complete() || !sum.is_news(ticks) || time > end + kLatest) return;
      if (time == Time{}) return sum.begin_with(values);
      if (sum.is_new()) {
        sum.begin_with(values);
      } else {
        if (!sum.has_rows()) rows.push_back({Time{}, series.metric, sum.values()});
        sum.take(values);
      }
      rows.push_back({time, series.metric, sum.values()});
      sum.note_row(time >= end);
    });
  }
  std::ranges::stable_sort(rows, {}, &Row::time);
  return rows;
}

}  // namespace plumbline::record
