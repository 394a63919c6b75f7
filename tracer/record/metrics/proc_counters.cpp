#include "tracer/record/metrics/proc_counters.hpp"

#include <algorithm>
#include <charconv>
#include <span>

namespace plumbline::record {
namespace {

// Takes the next line off the front; without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

// Takes the next word off the front; empty at the end.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
  const std::string_view word = line.substr(0, end);
  line.remove_prefix(end);
  return word;
}

std::uint64_t number(std::string_view word) {
  std::uint64_t value = 0;
  const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
  return code == std::errc{} && end == word.data() + word.size() ? value : PL_NO_VALUE;
}

void skip_words(std::string_view& line, int count) {
  for (; count > 0; --count) take_word(line);
}

struct Wanted {
  std::string_view protocol, name;
};
// In the order of PL_SAMPLED_NETWORK.
constexpr std::array<Wanted, std::tuple_size_v<NetworkCounters>> kNetworkCounters = {{{"Tcp:", "OutSegs"},
                                                                                      {"Tcp:", "RetransSegs"},
                                                                                      {"TcpExt:", "TCPTimeouts"},
                                                                                      {"TcpExt:", "TCPLostRetransmit"},
                                                                                      {"TcpExt:", "TCPSynRetrans"},
                                                                                      {"TcpExt:", "ListenDrops"},
                                                                                      {"TcpExt:", "TCPBacklogDrop"},
                                                                                      {"TcpExt:", "TCPRcvQDrop"},
                                                                                      {"Udp:", "InErrors"},
                                                                                      {"Udp:", "RcvbufErrors"},
                                                                                      {"Udp:", "SndbufErrors"},
                                                                                      {"Ip:", "InDiscards"},
                                                                                      {"Ip:", "OutDiscards"}}};

bool is_wanted(std::string_view protocol) {
  return std::ranges::any_of(kNetworkCounters, [&](const Wanted& wanted) { return wanted.protocol == protocol; });
}

void take_pair(std::string_view protocol, std::string_view names, std::string_view numbers, NetworkCounters& counters) {
  for (std::string_view name = take_word(names); !name.empty(); name = take_word(names)) {
    const std::string_view value = take_word(numbers);
    for (std::size_t i = 0; i < kNetworkCounters.size(); ++i)
      if (kNetworkCounters[i].protocol == protocol && kNetworkCounters[i].name == name) counters[i] = number(value);
  }
}

void take_pairs(std::string_view text, NetworkCounters& counters) {
  while (!text.empty()) {
    std::string_view names = take_line(text);
    const std::string_view protocol = take_word(names);
    std::string_view numbers = take_line(text);
    if (take_word(numbers) == protocol && is_wanted(protocol)) take_pair(protocol, names, numbers, counters);
  }
}

// The number behind "Dirty:" at the beginning of a line.
std::uint64_t labelled(std::string_view text, std::string_view label) {
  while (!text.empty()) {
    std::string_view line = take_line(text);
    if (take_word(line) == label) return number(take_word(line));
  }
  return PL_NO_VALUE;
}

}  // namespace

NetworkCounters network_counters(std::string_view snmp, std::string_view netstat) {
  NetworkCounters counters;
  counters.fill(PL_NO_VALUE);
  take_pairs(snmp, counters);
  take_pairs(netstat, counters);
  return counters;
}

// "eth0: 470640426 11185 0 0 ..": 8 numbers received, 8 transmitted, of which the first four of each count here. Old
// kernels put no space behind the colon.
void for_each_interface(std::string_view dev,
                        const std::function<void(std::string_view name, const InterfaceCounters&)>& visit) {
  while (!dev.empty()) {
    std::string_view line = take_line(dev);
    const std::size_t colon = line.rfind(':');
    if (colon == std::string_view::npos) continue;  // the two lines of headings have none
    std::string_view name = line.substr(0, colon);
    name = take_word(name);
    line.remove_prefix(colon + 1);
    InterfaceCounters counters;
    for (std::size_t i = 0; i < counters.size(); ++i) {
      if (i == 4) skip_words(line, 4);
      counters[i] = number(take_word(line));
    }
    if (!name.empty()) visit(name, counters);
  }
}

// "8 0 sda reads merged sectors ms writes merged sectors ms in-flight busy-ms ..".
void for_each_disk(std::string_view diskstats,
                   const std::function<void(std::string_view name, const DiskCounters&)>& visit) {
  while (!diskstats.empty()) {
    std::string_view line = take_line(diskstats);
    skip_words(line, 2);
    const std::string_view name = take_word(line);
    std::array<std::uint64_t, 10> fields;
    for (std::uint64_t& field : fields) field = number(take_word(line));
    if (!name.empty()) visit(name, {fields[0], fields[2], fields[4], fields[6], fields[9]});
  }
}

// "cpu user nice system idle iowait irq softirq steal ..".
std::optional<std::uint64_t> steal(std::string_view stat) {
  std::string_view line = take_line(stat);
  if (take_word(line) != "cpu") return {};
  skip_words(line, 7);
  const std::uint64_t value = number(take_word(line));
  return value == PL_NO_VALUE ? std::nullopt : std::optional(value);
}

// "cpu0 yld 0 sched idle ttwu local running delay slices": version 15 of the text and later.
std::optional<std::uint64_t> run_delay_ns(std::string_view schedstat) {
  std::optional<std::uint64_t> sum;
  while (!schedstat.empty()) {
    std::string_view line = take_line(schedstat);
    if (!take_word(line).starts_with("cpu")) continue;
    skip_words(line, 7);
    const std::uint64_t value = number(take_word(line));
    if (value != PL_NO_VALUE) sum = sum.value_or(0) + value;
  }
  return sum;
}

MemoryCounters memory_counters(std::string_view meminfo) {
  return {labelled(meminfo, "Dirty:"), labelled(meminfo, "Writeback:")};
}

}  // namespace plumbline::record
