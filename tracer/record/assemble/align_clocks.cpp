#include "tracer/record/assemble/align_clocks.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <string>

#include "base/error.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/record/assemble/message_bounds.hpp"

namespace plumbline::record {
namespace {

namespace names = archive::names;

using Hosts = std::map<NodeClockName, std::string>;

void add_exchanges(const std::vector<std::filesystem::path>& files, Clocks& clocks, AssembleSummary& summary) {
  for (const std::filesystem::path& file : files) {
    try {
      if (std::filesystem::file_size(file) != 0) clocks.add(read_exchanges(file));  // empty: it came to none
    } catch (const std::exception& error) {
      summary.remark(error.what());
    }
  }
}

void remark_by_real_time(const Hosts& hosts, const CommonTime& common, AssembleSummary& summary) {
  std::vector<std::string> apart;
  for (const auto& [name, host] : hosts)
    if (common.alignment(name).method == Alignment::Method::kRealTime) apart.push_back(host);
  if (apart.empty()) return;
  constexpr std::size_t kShown = 8;
  const std::size_t all = apart.size();
  if (all > kShown) apart.resize(kShown);
  summary.remark(
      fmt::format("clocks were not compared: {}{} lined up with the other nodes by real time only, so what lies "
                  "between nodes is as "
                  "good as their NTP or PTP",
                  fmt::join(apart, ", "),
                  all > kShown ? fmt::format(" and {} more are", all - kShown)
                  : all == 1   ? " is"
                               : " are"));
}

void remark_crooked(const Hosts& hosts, const CommonTime& common, AssembleSummary& summary) {
  for (const auto& [name, host] : hosts) {
    const Alignment alignment = common.alignment(name);
    if (alignment.slack_ns <= 0) continue;
    summary.remark(
        fmt::format("clock of node {}: was stepped or changed its rate; a straight line misses what exchanges "
                    "say by {:.1f} us",
                    host, alignment.slack_ns / 1e3));
  }
}

void remark_disagreements(const std::vector<Disagreement>& disagreements, const Hosts& hosts,
                          AssembleSummary& summary) {
  for (const Disagreement& d : disagreements)
    summary.remark(
        fmt::format("clock of node {}: messages from {} arrive up to {:.1f} us before they are sent: exchanges "
                    "and messages disagree",
                    hosts.at(d.to), hosts.at(d.from), static_cast<double>(d.ns) / 1e3));
}

}  // namespace

void align_clocks(const std::vector<Recording>& recordings, const std::vector<ProcessFacts>& facts,
                  const std::vector<std::filesystem::path>& exchanges, Clocks& clocks, AssembleSummary& summary,
                  Processes& processes) {
  add_exchanges(exchanges, clocks, summary);
  clocks.fit();
  if (clocks.common().nodes() < 2) return;
  Hosts hosts;
  for (const Recording& recording : recordings)
    hosts[clock_of(recording.spool->header()).node()] = recording.spool->header().host;
  remark_by_real_time(hosts, clocks.common(), summary);
  remark_crooked(hosts, clocks.common(), summary);
  remark_disagreements(clocks.respect(message_bounds(recordings, facts, clocks, processes)), hosts, summary);
}

void describe_clock(archive::LocationGroup& group, const Clocks& clocks, const ClockId& clock) {
  if (clocks.common().nodes() < 2) return;
  const Alignment alignment = clocks.alignment(clock);
  std::map<std::string, std::string>& p = group.properties;
  p[names::kPropertyClockMethod] = alignment.method == Alignment::Method::kReference   ? "reference"
                                   : alignment.method == Alignment::Method::kExchanges ? "exchanges"
                                                                                       : "real time";
  if (alignment.uncertainty_ns) p[names::kPropertyClockUncertainty] = fmt::format("{:.0f}", *alignment.uncertainty_ns);
  if (alignment.exchanges == 0) return;
  p[names::kPropertyClockReference] = alignment.reference;
  p[names::kPropertyClockOffset] = fmt::format("{}", alignment.offset_ns);
  p[names::kPropertyClockDrift] = fmt::format("{:.4f}", alignment.drift * 1e6);
  p[names::kPropertyClockExchanges] = fmt::format("{}", alignment.exchanges);
}

}  // namespace plumbline::record
