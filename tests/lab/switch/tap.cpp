#include "tests/lab/switch/tap.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>
#include <future>
#include <string_view>

#include "base/error.hpp"

namespace plumbline::lab {
namespace {

[[noreturn]] void fail(const PortSettings& port, std::string_view what, std::string_view hint, ExitCode code) {
  throw Error(fmt::format("port {}", port.name), fmt::format("{}: {}", what, std::strerror(errno)), std::string(hint),
              code);
}

void enter_network_of(const PortSettings& port) {
  const std::string path = fmt::format("/proc/{}/ns/net", port.pid);
  const Descriptor space(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!space && (errno == ENOENT || errno == ESRCH))
    fail(port, fmt::format("there is no process {}", port.pid), "\"pid\" is a process of the node",
         ExitCode::kBadInput);
  if (!space) fail(port, path, "run the switch as the owner of the node", ExitCode::kCannotRunHere);
  if (::setns(space.get(), CLONE_NEWNET) != 0)
    fail(port, fmt::format("cannot enter the network of process {}", port.pid),
         "CAP_SYS_ADMIN is needed, here and over that network", ExitCode::kCannotRunHere);
}

ifreq request_for(const PortSettings& port) {
  ifreq request{};
  port.device.copy(request.ifr_name, IFNAMSIZ - 1);
  return request;
}

Descriptor create_device(const PortSettings& port) {
  Descriptor tap(::open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC));
  if (!tap)
    fail(port, "/dev/net/tun", errno == ENOENT ? "load the module tun" : "the right to open it is needed",
         ExitCode::kCannotRunHere);
  ifreq request = request_for(port);
  request.ifr_flags = IFF_TAP | IFF_NO_PI | IFF_VNET_HDR;
  if (::ioctl(tap.get(), TUNSETIFF, &request) != 0)
    fail(port, fmt::format("cannot create {}", port.device),
         errno == EPERM ? "CAP_NET_ADMIN is needed" : "the node must not have an interface of that name",
         errno == EBUSY || errno == EINVAL ? ExitCode::kBadInput : ExitCode::kCannotRunHere);
  int header = static_cast<int>(kVnetHeader);
  if (::ioctl(tap.get(), TUNSETVNETHDRSZ, &header) != 0 || ::ioctl(tap.get(), TUNSETOFFLOAD, TUN_F_CSUM) != 0)
    fail(port, "TUNSETOFFLOAD", "a kernel whose tun driver has it is needed", ExitCode::kCannotRunHere);
  return tap;
}

void set_up(const PortSettings& port) {
  const Descriptor socket(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
  const auto set = [&](unsigned long what, ifreq& request, const char* name) {
    if (::ioctl(socket.get(), what, &request) != 0)
      fail(port, fmt::format("{} of {}", name, port.device), "CAP_NET_ADMIN is needed", ExitCode::kCannotRunHere);
  };
  ifreq address = request_for(port);
  address.ifr_hwaddr.sa_family = ARPHRD_ETHER;
  for (int i = 0; i < 6; ++i) address.ifr_hwaddr.sa_data[i] = static_cast<char>(port.mac.bits >> (40 - 8 * i) & 0xff);
  set(SIOCSIFHWADDR, address, "address");
  ifreq mtu = request_for(port);
  mtu.ifr_mtu = static_cast<int>(port.mtu);
  set(SIOCSIFMTU, mtu, "MTU");
  ifreq flags = request_for(port);
  set(SIOCGIFFLAGS, flags, "flags");
  flags.ifr_flags = static_cast<short>(flags.ifr_flags | IFF_UP);
  set(SIOCSIFFLAGS, flags, "flags");
}

}  // namespace

// A namespace belongs to a thread: one that ends here enters the node's.
Descriptor open_tap(const PortSettings& port) {
  return std::async(std::launch::async,
                    [&port] {
                      enter_network_of(port);
                      Descriptor tap = create_device(port);
                      set_up(port);
                      return tap;
                    })
      .get();
}

}  // namespace plumbline::lab
