#include <fmt/format.h>

#include <string>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kDevices = "/sys/class/infiniband";

// By the InfiniBand specification: port counters that grow where a cable or a port is bad, or where messages wait.
constexpr const char* kPortCounters[] = {"symbol_error",
                                         "link_error_recovery",
                                         "link_downed",
                                         "local_link_integrity_errors",
                                         "excessive_buffer_overrun_errors",
                                         "port_rcv_errors",
                                         "port_xmit_discards",
                                         "port_xmit_wait",
                                         "port_rcv_data",
                                         "port_xmit_data"};

// "4: ACTIVE"
std::string behind_colon(std::string_view text) {
  const std::size_t colon = text.find(':');
  return std::string(trimmed(colon == std::string_view::npos ? text : text.substr(colon + 1)));
}

// "100 Gb/sec (4X EDR)", "2.5 Gb/sec (1X SDR)"
std::string gigabits(std::string_view text) {
  const std::string_view number = take_word(text);
  const bool known =
      trimmed(text).starts_with("Gb/sec") && number.find_first_not_of("0123456789.") == std::string::npos;
  return known ? std::string(number) : "";
}

// "(4X EDR)" of the rate.
std::string lanes(std::string_view text) {
  const std::size_t open = text.find('('), close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return "";
  return std::string(text.substr(open + 1, close - open - 1));
}

template <class Visit>
void for_each_port(Source& source, Visit visit) {
  for (const std::string& device : source.names(kDevices))
    for (const std::string& port : source.names(fmt::format("{}/{}/ports", kDevices, device)))
      visit(fmt::format("rdma.{}:{}", device, port), fmt::format("{}/{}/ports/{}", kDevices, device, port));
}

}  // namespace

void read_rdma_settings(Source& source) {
  for (const std::string& device : source.names(kDevices)) {
    const std::string directory = fmt::format("{}/{}", kDevices, device), fact = "rdma." + device;
    source.put_line(fact + ".firmware", directory + "/fw_ver");
    source.put_line(fact + ".board", directory + "/board_id");
    source.put(fact + ".driver", source.link_name(directory + "/device/driver"), directory + "/device/driver");
    read_pcie(source, fact, directory + "/device");
  }
  for_each_port(source, [&](const std::string& fact, const std::string& directory) {
    source.put_line(fact + ".state", directory + "/state", behind_colon);
    source.put_line(fact + ".phys_state", directory + "/phys_state", behind_colon);
    source.put_line(fact + ".rate_gbit", directory + "/rate", gigabits);
    source.put_line(fact + ".lanes", directory + "/rate", lanes);
    source.put_line(fact + ".link_layer", directory + "/link_layer");
  });
}

void read_rdma_counters(Source& source) {
  for_each_port(source, [&](const std::string& fact, const std::string& directory) {
    for (const char* counter : kPortCounters)
      source.put_number(fmt::format("{}.{}", fact, counter), fmt::format("{}/counters/{}", directory, counter));
  });
}

}  // namespace plumbline::node
