#include "tracer/record/assemble/limits.hpp"

#include <fmt/format.h>

#include <charconv>

#include "base/quantity.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/record/assemble/servers.hpp"

namespace plumbline::record {

namespace names = archive::names;

std::string rank_list(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::size_t i = 0, last = 0; i < ranks.size(); i = last + 1) {
    for (last = i; last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1;) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[i]);
    if (last > i) text += fmt::format("-{}", ranks[last]);
  }
  return text;
}

void describe_limits(archive::LocationGroup& group, const pl_file_header& header, const ProcessFacts& facts,
                     const LinearClock& clock) {
  if (facts.switches.empty()) group.properties.erase(names::kPropertyWindow);  // the run lay in it
  if (facts.dropped_segments == 0) return;
  const std::uint64_t begin = header.initialized.ticks, first = facts.first_tick.value_or(header.last.ticks);
  const Duration dropped = first > begin ? clock.duration(first - begin) : Duration{};
  group.properties[names::kPropertyDroppedCalls] = fmt::format("{}", facts.dropped_calls);
  group.properties[names::kPropertyDroppedBytes] = fmt::format("{}", facts.dropped_segments * PL_SEGMENT_BYTES);
  group.properties[names::kPropertyDroppedTime] = fmt::format("{}", dropped.ps);
}

namespace {

std::string text_of(const archive::LocationGroup& group, const char* name) {
  const auto found = group.properties.find(name);
  return found == group.properties.end() ? std::string() : found->second;
}

std::int64_t number_of(const archive::LocationGroup& group, const char* name) {
  const std::string text = text_of(group, name);
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void remark_dropped(const Recording& recording, const archive::LocationGroup& group, AssembleSummary& summary) {
  const std::string calls = text_of(group, names::kPropertyDroppedCalls);
  if (calls.empty()) return;
  const auto bytes = static_cast<std::uint64_t>(number_of(group, names::kPropertyDroppedBytes));
  const std::string who =
      recording.is_server ? server_name(recording.spool->header()) : fmt::format("rank {}", recording.rank);
  summary.remark(fmt::format("{}: {} older calls gave way to newer ones, {} in the first {} after {} (--keep last)",
                             who, calls, format(Bytes{bytes}),
                             format(Duration{number_of(group, names::kPropertyDroppedTime)}),
                             recording.is_server ? "its start" : "MPI_Init"));
}

}  // namespace

void remark_limits(const std::vector<Recording>& recordings, const std::vector<archive::LocationGroup>& groups,
                   AssembleSummary& summary) {
  std::vector<std::uint32_t> left_out;
  std::string window;
  for (const Recording& recording : recordings) {
    const archive::LocationGroup& group = groups[recording.rank];
    if (is_left_out(*recording.spool)) left_out.push_back(recording.rank);
    if (window.empty()) window = text_of(group, names::kPropertyWindow);
    remark_dropped(recording, group, summary);
  }
  if (!left_out.empty())
    summary.remark(fmt::format("{} of {} ranks were left out by --ranks: {}", left_out.size(), summary.world_size,
                               rank_list(left_out)));
  if (!window.empty()) summary.remark(fmt::format("only {} after MPI_Init was recorded (--window)", window));
}

}  // namespace plumbline::record
