#pragma once
// What the ranks can measure, as their program tells with --describe (bench/ranks/describe.hpp).

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::bench {

struct Parameter {
  std::string name, summary;
  std::string by_default;  // a number or a word; empty: must be given
  bool is_word = false;

  // A name that ends in ".NAME" stands for all that begin like it, none of which must be given: "hint.NAME".
  bool covers(std::string_view key) const;
  bool is_pattern() const;
};

struct Operation {
  std::string name, summary;
  std::string bytes;  // what the size is the size of; empty: there are no sizes
  std::vector<std::string> implementations;
  std::vector<Parameter> parameters;
  std::uint32_t least_ranks = 1;
  std::vector<std::string> phases;  // words kPhase of its cells, where one request gives several

  const Parameter* parameter(std::string_view key) const;
};

struct Catalogue {
  std::string text;  // as it was told
  std::vector<Operation> operations;

  const Operation* find(std::string_view name) const;
  std::vector<std::string> names() const;
};

Catalogue parse_catalogue(const std::string& text, const std::string& name);  // throws Error

// Asks the program. Throws Error (kCannotRunHere) when it does not answer.
Catalogue ask_for_catalogue(const std::filesystem::path& ranks_program);

}  // namespace plumbline::bench
