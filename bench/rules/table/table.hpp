#pragma once
// The table of guidelines as TOML: guidelines.toml, which is built in and tells of the form, and users' own files.

#include <map>
#include <string>
#include <vector>

#include "bench/campaign/catalogue.hpp"
#include "bench/rules/rules.hpp"

namespace plumbline::bench {

// Parameters that a comparison is made for, "topology=moore dimensions=2", in order; by the name of the list.
using Forms = std::map<std::string, std::vector<std::string>>;

struct GuidelineTable {
  std::vector<Rule> rules;
  Forms forms;
  bool built_in = true;  // of a user's file: together with those that are
};

// Throws one Error with all faults, each as "FILE:LINE:COLUMN". `forms`: that the file may name beside its own. With a
// catalogue every operation and parameter is held against it.
GuidelineTable parse_guidelines(const std::string& text, const std::string& file, const Forms& forms = {},
                                const Catalogue* catalogue = nullptr);

// The text of the built-in table.
const char* built_in_guidelines_text();

// The built-in table and behind it that of a file (empty: none), whose guidelines take the place of those with the same
// id. Throws Error as above. With a catalogue terms say of each parameter that either table gives anywhere for their
// operation what it is: what one campaign measures in several forms is told apart by that.
std::vector<Rule> guidelines_of(const std::string& text, const std::string& file, const Catalogue* catalogue);

}  // namespace plumbline::bench
