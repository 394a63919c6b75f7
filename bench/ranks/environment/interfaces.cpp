#include "bench/ranks/environment/interfaces.hpp"

#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>

namespace plumbline::bench {

// Behind two lines of headings "name: " and 16 numbers: eight of what was received, then bytes and frames sent.
std::map<std::string, Sent> sent_by_interface(std::string_view text) {
  constexpr int kReceivedFields = 8;
  std::map<std::string, Sent> interfaces;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':'), begin = line.find_first_not_of(' ');
    if (colon == std::string::npos) continue;
    std::istringstream fields(line.substr(colon + 1));
    std::uint64_t received = 0;
    for (int i = 0; i < kReceivedFields; ++i) fields >> received;
    Sent sent;
    if (fields >> sent.bytes >> sent.frames) interfaces.emplace(line.substr(begin, colon - begin), sent);
  }
  return interfaces;
}

std::map<std::string, Sent> sent_by_now() {
  std::ifstream file("/proc/self/net/dev");
  return sent_by_interface(std::string(std::istreambuf_iterator<char>(file), {}));
}

std::uint64_t bytes_sent(const std::map<std::string, Sent>& interfaces) {
  std::uint64_t sum = 0;
  for (const auto& [name, sent] : interfaces) sum += sent.bytes;
  return sum;
}

bool is_ethernet(const std::string& interface) {
  ifreq request{};
  if (interface.size() >= sizeof request.ifr_name) return false;
  std::memcpy(request.ifr_name, interface.c_str(), interface.size());
  const int socket = ::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket < 0) return false;
  const bool told = ::ioctl(socket, SIOCGIFHWADDR, &request) == 0;
  ::close(socket);
  return told && request.ifr_hwaddr.sa_family == ARPHRD_ETHER;
}

}  // namespace plumbline::bench
