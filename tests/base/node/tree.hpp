#pragma once
// A directory that looks like /proc and /sys of a node.

#include <string>

#include "base/node/facts.hpp"
#include "base/node/reading.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::node::test {

class Tree {
 public:
  // Paths are as on the node: "/proc/stat". Directories are made as needed.
  Tree& file(const std::string& path, const std::string& text);
  Tree& link(const std::string& path, const std::string& target);

  ReadOptions options() const { return {directory_.path()}; }
  Facts settings() const { return read_settings(options()); }
  Facts counters() const { return read_counters(options()); }

 private:
  plumbline::test::TemporaryDirectory directory_;
};

// As a string, which a failed comparison shows.
std::string value(const Facts& facts, const std::string& name);

}  // namespace plumbline::node::test
