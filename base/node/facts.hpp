#pragma once
// What a node says of itself in /proc and /sys, as names and texts. Each source is optional: what cannot be read is
// told, and is never an error. The root is a parameter, so that a directory which looks like a node can be read in a
// test.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::node {

struct Fact {
  std::string value;   // as the kernel has it, without the newline, or worked out from it
  std::string source;  // path below the root that it was read from: "/sys/class/net/eth0/speed"

  bool operator==(const Fact&) const = default;
};

// Names are dotted, with the unit at the end where there is one: "net.eth0.speed_mbit", "cpu.governor",
// "shm.bytes", "mount./scratch.options". docs/reference/node-facts.md lists them.
struct Facts {
  std::map<std::string, Fact, std::less<>> facts;
  std::map<std::string, std::string> unreadable;  // path -> why ("Permission denied"); what is not there is left out

  std::string_view value(std::string_view name) const;  // "" where it is not known
  bool operator==(const Facts&) const = default;
};

// Of a file system. Files: 0 where it makes inodes as they are needed.
struct Space {
  std::uint64_t bytes = 0, free_bytes = 0;  // free: for everybody, not for root alone
  std::uint64_t files = 0, free_files = 0;
};

// How long an interface holds interrupts back, µs, so that several packets share one.
struct Coalescing {
  std::uint32_t rx_us = 0, tx_us = 0;
  bool rx_adaptive = false;  // the driver shortens it where few packets come
};

// How fast pages of memory are given out and written for the first time, B/s: what has not been in use lately, and at
// once after it was given back. Where the host of a virtual machine backs memory only when it is used, the first is
// slower by a factor.
struct FirstUse {
  double idle = 0, recent = 0;
};

struct Copy;  // copy.hpp

struct ReadOptions {
  std::filesystem::path root = "/";                     // that holds proc and sys
  std::vector<std::filesystem::path> directories = {};  // whose file systems are asked for, on the node itself
  // Asked for /dev/shm and the directories. Empty: the system is asked, below the root "/" alone.
  std::function<std::optional<Space>(const std::filesystem::path&)> space_of = {};
  // Asked for each interface. Empty: its driver is asked, below the root "/" alone.
  std::function<std::optional<Coalescing>(const std::string& interface)> coalescing_of = {};
  std::function<std::optional<FirstUse>()> first_use_of_memory = {};  // empty: nobody is asked
  const Copy* copy = nullptr;                                         // is read instead of what lies below the root
};

// By how much each counter that both have has grown; one that has become less was reset, and is left out.
std::map<std::string, double> growth(const Facts& before, const Facts& after);

// Names whose values are not the same on all nodes, each with the nodes of each value. `nodes` and `facts` in the same
// order. What differs from node to node by nature (addresses, names, sizes of memory within 1 %) is left out.
struct Difference {
  std::string name;
  std::map<std::string, std::vector<std::string>> nodes_of;  // by value; "" where a node does not have it
};
std::vector<Difference> differences(const std::vector<std::string>& nodes, const std::vector<Facts>& facts);

// As JSON text, and back. Throws Error where the text is none of ours.
std::string to_json(const Facts& facts);
Facts facts_from_json(std::string_view text, const std::string& name);

}  // namespace plumbline::node
