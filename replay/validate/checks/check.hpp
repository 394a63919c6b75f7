#pragma once
// A check of `plumbline validate`, as the catalogue has it.

#include <string_view>

namespace plumbline::replay::validate {

enum class Stage { kPreFlight, kWitness, kRule, kSuite };

struct Check {
  std::string_view id;  // "net.link.rate": area.thing.property
  Stage stage = Stage::kSuite;
  std::string_view title;     // "Every cable carries what its peers carry"
  std::string_view looks_at;  // what is read or measured, in plain sentences
  std::string_view judged;    // when it is an observation, when a diagnosis
  std::string_view repair;    // what to do
  // Lines to set, one a text line: for either MPI or without one, for Open MPI, for MPICH. Words in capital letters
  // behind "=" (ALGORITHM, N) stand for what depends on the machine; who makes a diagnosis puts in what it knows.
  std::string_view lines = {}, openmpi = {}, mpich = {};
  bool prevents = false;  // where it is fatal, nothing can be measured at all: exit code 6
};

}  // namespace plumbline::replay::validate
