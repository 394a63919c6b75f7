#pragma once
// Every check that `plumbline validate` knows, with what `plumbline explain ID` tells of it. Ids are stable: they are
// what users suppress and what CI systems count.

#include <span>
#include <string>
#include <string_view>

namespace plumbline::validate {

enum class Stage { kPreFlight, kWitness, kRule, kSuite };

struct Check {
  std::string_view id;       // "net.link.rate": area.thing.property
  Stage stage;
  std::string_view title;    // "Every cable carries what its peers carry"
  std::string_view looks_at; // what is read or measured, in plain sentences
  std::string_view judged;   // when it is an observation, when a diagnosis
  std::string_view repair;   // what to do
};

// In the order in which they are reported.
std::span<const Check> catalogue();

const Check* find_check(std::string_view id);  // nullptr: there is none

// For a terminal. Throws Error (kWrongUse) naming the nearest ids where there is no such check.
std::string explain(std::string_view id);

}  // namespace plumbline::validate
