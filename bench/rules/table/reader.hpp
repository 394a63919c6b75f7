#pragma once
// Parts of a table of guidelines, read from TOML.

#include <toml++/toml.h>

#include <set>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "bench/campaign/section.hpp"
#include "bench/rules/table/table.hpp"
#include "bench/rules/table/terms.hpp"

namespace plumbline::bench {

// What a table's parts are read with. A fault of what stands for many comparisons is told once.
struct TableReader {
  const std::string& file;
  const Forms& forms;
  Diagnostics& faults;
  std::vector<PlacedTerm> terms = {};  // of all comparisons
  std::set<std::string> told = {};

  void fault(Section& section, const std::string& where, const std::string& what, const std::string& hint = {});
};

// [forms]
Forms read_all_forms(Section& root, const std::string& file, Diagnostics& faults);

// `over` of a comparison: named forms, or its own; {""} where it has none.
std::vector<std::string> forms_over(Section& section, TableReader& reader);

// One comparison of the file: a comparison for each of its operations and forms.
void read_comparison(Section& section, const std::string& text_of_rule, TableReader& reader,
                     std::vector<Comparison>& to);

}  // namespace plumbline::bench
