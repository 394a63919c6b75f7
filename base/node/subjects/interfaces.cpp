#include <algorithm>
#include <string>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kInterfaces = "/sys/class/net/";

// Of statistics/, those that say that frames were lost or damaged, and what has been carried.
constexpr const char* kFrameCounters[] = {"collisions",       "rx_bytes",       "rx_crc_errors",   "rx_dropped",
                                          "rx_errors",        "rx_fifo_errors", "rx_frame_errors", "rx_length_errors",
                                          "rx_missed_errors", "rx_packets",     "tx_bytes",        "tx_carrier_errors",
                                          "tx_dropped",       "tx_errors",      "tx_packets"};

}  // namespace

void read_interface_settings(Source& source) {
  for (const std::string& name : source.names("/sys/class/net")) {
    const std::string directory = kInterfaces + name, fact = "net." + name;
    source.put_number(fact + ".speed_mbit", directory + "/speed");  // -1: the driver does not know
    source.put_line(fact + ".duplex", directory + "/duplex",
                    [](std::string_view text) { return text == "unknown" ? "" : std::string(text); });
    source.put_number(fact + ".mtu_bytes", directory + "/mtu");
    source.put_line(fact + ".operstate", directory + "/operstate");
    source.put_number(fact + ".type", directory + "/type");
    source.put_number(fact + ".tx_queue", directory + "/tx_queue_len");
    const auto queues = source.names(directory + "/queues");
    const auto receiving =
        std::ranges::count_if(queues, [](const std::string& queue) { return queue.starts_with("rx-"); });
    if (receiving > 0) source.put(fact + ".rx_queues", std::to_string(receiving), directory + "/queues");
    source.put(fact + ".driver", source.link_name(directory + "/device/driver"), directory + "/device/driver");
    read_pcie(source, fact, directory + "/device");
  }
}

void read_interface_counters(Source& source) {
  for (const std::string& name : source.names("/sys/class/net"))
    for (const char* counter : kFrameCounters)
      source.put_number("net." + name + "." + counter, kInterfaces + name + "/statistics/" + counter);
}

}  // namespace plumbline::node
