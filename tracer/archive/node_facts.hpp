#pragma once
// What an archive says of each node by what was read there in /proc and /sys: properties of the system tree
// (docs/reference/trace-format-nodes.md).

#include <map>
#include <string>

#include "tracer/archive/model.hpp"

namespace plumbline::archive {

// Names as docs/reference/node-facts.md lists them.
struct NodeFacts {
  std::map<std::string, std::string> settings;
  std::map<std::string, double> growth;           // of counters, from the beginning to the end; those that have grown
  std::map<std::string, std::string> unreadable;  // path -> why
  std::map<std::string, std::string> properties;  // of the reading itself, by their full names
};

// Of the nodes that were read, by name.
std::map<std::string, NodeFacts> node_facts(const Definitions& definitions);

}  // namespace plumbline::archive
