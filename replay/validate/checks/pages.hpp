#pragma once
// The catalogue of checks as pages of the reference (Markdown): one with all ids, and one for each family of ids.

#include <string>
#include <vector>

namespace plumbline::replay::validate {

struct ChecksPage {
  std::string file;  // "checks-network.md"; of the index "checks.md"
  std::string text;
};

// The index first. Every check of the catalogue is on exactly one of the others.
std::vector<ChecksPage> checks_pages();

}  // namespace plumbline::replay::validate
