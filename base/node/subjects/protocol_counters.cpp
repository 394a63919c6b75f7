#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

struct ProtocolCounter {
  std::string_view protocol, name, prefix;
};

constexpr ProtocolCounter kProtocolCounters[] = {{"Tcp:", "InSegs", "tcp"},
                                                 {"Tcp:", "OutSegs", "tcp"},
                                                 {"Tcp:", "RetransSegs", "tcp"},
                                                 {"Tcp:", "InErrs", "tcp"},
                                                 {"TcpExt:", "TCPTimeouts", "tcp"},
                                                 {"TcpExt:", "TCPLostRetransmit", "tcp"},
                                                 {"TcpExt:", "TCPFastRetrans", "tcp"},
                                                 {"TcpExt:", "TCPSynRetrans", "tcp"},
                                                 {"TcpExt:", "TCPMTUPFail", "tcp"},
                                                 {"TcpExt:", "TCPMTUPSuccess", "tcp"},
                                                 {"TcpExt:", "DelayedACKs", "tcp"},
                                                 {"TcpExt:", "PruneCalled", "tcp"},
                                                 {"TcpExt:", "TCPRcvCollapsed", "tcp"},
                                                 {"TcpExt:", "TCPRcvQDrop", "tcp"},
                                                 {"TcpExt:", "TCPOFOQueue", "tcp"},
                                                 {"TcpExt:", "TCPBacklogDrop", "tcp"},
                                                 {"TcpExt:", "TCPZeroWindowDrop", "tcp"},
                                                 {"TcpExt:", "TCPToZeroWindowAdv", "tcp"},
                                                 {"TcpExt:", "TCPMemoryPressures", "tcp"},
                                                 {"TcpExt:", "TCPAbortOnTimeout", "tcp"},
                                                 {"TcpExt:", "ListenOverflows", "tcp"},
                                                 {"TcpExt:", "ListenDrops", "tcp"},
                                                 {"TcpExt:", "BusyPollRxPackets", "tcp"},
                                                 {"Udp:", "InErrors", "udp"},
                                                 {"Udp:", "RcvbufErrors", "udp"},
                                                 {"Udp:", "SndbufErrors", "udp"},
                                                 {"Ip:", "InDiscards", "ip"},
                                                 {"Ip:", "OutDiscards", "ip"},
                                                 {"Ip:", "ReasmFails", "ip"},
                                                 {"Ip:", "FragFails", "ip"}};

// A line of names, and one of numbers that begins with the same word.
void put_pair(Source& source, std::string_view names, std::string_view numbers, const std::string& path) {
  const auto name = words_of(names), number = words_of(numbers);
  if (name.empty() || number.empty() || name[0] != number[0]) return;
  for (std::size_t i = 1; i < std::min(name.size(), number.size()); ++i)
    for (const ProtocolCounter& wanted : kProtocolCounters)
      if (wanted.protocol == name[0] && wanted.name == name[i] && number_of(number[i]))
        source.put(fmt::format("{}.{}", wanted.prefix, wanted.name), std::string(number[i]), path);
}

}  // namespace

void read_protocol_counters(Source& source) {
  for (const char* path : {"/proc/net/snmp", "/proc/net/netstat"}) {
    const auto text = source.text(path);
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    while (!rest.empty()) {
      const std::string_view names = take_line(rest);
      put_pair(source, names, take_line(rest), path);
    }
  }
}

// One line for each processor, hexadecimal: packets taken, packets dropped because the queue was full, times that the
// turn ended with packets left ("time_squeeze").
void read_softnet_counters(Source& source) {
  constexpr const char* kPath = "/proc/net/softnet_stat";
  constexpr const char* kNames[] = {"softnet.processed", "softnet.dropped", "softnet.squeezed"};
  std::uint64_t sums[3] = {};
  bool any = false;
  const auto text = source.text(kPath);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  while (!rest.empty()) {
    const auto words = words_of(take_line(rest));
    for (std::size_t i = 0; i < std::size(kNames) && i < words.size(); ++i) {
      std::uint32_t value = 0;
      const auto [end, fault] = std::from_chars(words[i].data(), words[i].data() + words[i].size(), value, 16);
      if (fault != std::errc{} || end != words[i].data() + words[i].size()) break;
      sums[i] += value;
      any = true;
    }
  }
  for (std::size_t i = 0; any && i < std::size(kNames); ++i) source.put(kNames[i], std::to_string(sums[i]), kPath);
}

}  // namespace plumbline::node
