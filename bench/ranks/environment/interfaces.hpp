#pragma once
// What the kernel counts of a node's network interfaces.

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace plumbline::bench {

struct Sent {
  std::uint64_t bytes = 0, frames = 0;
};

// By name, since the machine began: the text of /proc/net/dev. Lines that are none of an interface are left out.
std::map<std::string, Sent> sent_by_interface(std::string_view text);

// Of the network namespace that this process is in; empty where the kernel does not tell.
std::map<std::string, Sent> sent_by_now();

std::uint64_t bytes_sent(const std::map<std::string, Sent>& interfaces);  // of all

// Whether its frames are those of Ethernet; false where the kernel does not tell.
bool is_ethernet(const std::string& interface);

}  // namespace plumbline::bench
