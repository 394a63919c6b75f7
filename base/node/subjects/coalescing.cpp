#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <optional>
#include <string>

#include "base/node/subjects.hpp"

namespace plumbline::node {
namespace {

// ETHTOOL_GCOALESCE of linux/ethtool.h; needs no privilege. Nothing where the driver does not tell.
std::optional<Coalescing> coalescing_of_driver(const std::string& interface) {
  if (interface.size() >= IFNAMSIZ) return std::nullopt;
  ethtool_coalesce coalesce{};
  coalesce.cmd = ETHTOOL_GCOALESCE;
  ifreq request{};
  std::memcpy(request.ifr_name, interface.c_str(), interface.size() + 1);
  request.ifr_data = reinterpret_cast<char*>(&coalesce);
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return std::nullopt;
  const bool is_told = ::ioctl(socket, SIOCETHTOOL, &request) == 0;
  ::close(socket);
  if (!is_told) return std::nullopt;
  return Coalescing{coalesce.rx_coalesce_usecs, coalesce.tx_coalesce_usecs, coalesce.use_adaptive_rx_coalesce != 0};
}

std::optional<Coalescing> coalescing_of(const std::string& interface, const ReadOptions& options) {
  if (options.coalescing_of) return options.coalescing_of(interface);
  if (options.root != "/" || options.copy != nullptr) return std::nullopt;
  return coalescing_of_driver(interface);
}

}  // namespace

void read_coalescing(Source& source, const ReadOptions& options) {
  for (const std::string& name : source.names("/sys/class/net")) {
    const auto coalescing = coalescing_of(name, options);
    if (!coalescing) continue;
    const std::string fact = "net." + name + ".coalesce_", from = "ETHTOOL_GCOALESCE of " + name;
    source.put(fact + "rx_us", std::to_string(coalescing->rx_us), from);
    source.put(fact + "tx_us", std::to_string(coalescing->tx_us), from);
    source.put(fact + "rx_adaptive", coalescing->rx_adaptive ? "1" : "0", from);
  }
}

}  // namespace plumbline::node
