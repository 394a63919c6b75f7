#include "cli/verbs/info/inner_summary.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "base/quantity.hpp"
#include "tracer/archive/inside.hpp"

namespace plumbline::cli {
namespace {

// Grouped by thousands: these are many.
std::string grouped(std::uint64_t count) {
  std::string digits = fmt::format("{}", count);
  for (std::size_t at = digits.size(); at > 3;) digits.insert(at -= 3, 1, ',');
  return digits;
}

std::string counted(std::uint64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

// The values of a fact of the ranks, each once.
std::set<std::string> values_of(const archive::Definitions& d, const char* property) {
  std::set<std::string> values;
  for (const archive::LocationGroup& group : d.location_groups)
    if (const auto value = group.properties.find(property); value != group.properties.end())
      values.insert(value->second);
  return values;
}

struct InsideSums {
  std::uint64_t messages = 0, bytes = 0, file_calls = 0;
};

InsideSums sums_of(archive::Reader& reader) {
  const archive::Definitions& d = reader.definitions();
  InsideSums sums;
  for (std::uint32_t i = 0; i < d.locations.size(); ++i) {
    if (!archive::inside_of(d.locations[i])) continue;
    std::size_t depth = 0;
    reader.read(i, [&](const archive::Event& event) {
      if (event.kind == archive::EventKind::kMpiIsend) {
        ++sums.messages;
        sums.bytes += event.bytes;
      } else if (event.kind == archive::EventKind::kEnter) {
        if (depth++ > 0 && d.regions[event.region].paradigm != archive::Paradigm::kMpi) ++sums.file_calls;
      } else if (event.kind == archive::EventKind::kLeave && depth > 0) {
        --depth;
      }
    });
  }
  return sums;
}

}  // namespace

std::string describe_inside(archive::Reader& reader) {
  const archive::Definitions& d = reader.definitions();
  const InsideSums sums = sums_of(reader);
  std::vector<std::string> parts;
  if (sums.messages > 0)
    parts.push_back(fmt::format("{}, {}", counted(sums.messages, "message"), format(Bytes{sums.bytes})));
  if (sums.file_calls > 0) parts.push_back(counted(sums.file_calls, "POSIX call"));
  const std::set<std::string> by = values_of(d, "PLUMBLINE::META::internals.by");
  if (sums.messages > 0 && !by.empty()) parts.push_back(fmt::format("by {}", fmt::join(by, ", ")));
  std::set<std::string> states = values_of(d, "PLUMBLINE::META::internals");
  states.erase("on");
  if (!states.empty()) parts.push_back(fmt::format("messages not recorded: {}", fmt::join(states, ", ")));
  return parts.empty() ? "" : fmt::format("  inside: {}\n", fmt::join(parts, "; "));
}

}  // namespace plumbline::cli
