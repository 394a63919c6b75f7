#pragma once
// A model for one number of processes and given values of its constants.

#include <cstdint>
#include <string>
#include <vector>

#include "replay/model/language/directives.hpp"

namespace plumbline::replay::model {

// A value from outside, in place of the one that the model declares: "xsize" and "256", or any expression.
struct Setting {
  std::string name, value;

  bool operator==(const Setting&) const = default;
};

struct Instance {
  const Model* model = nullptr;  // outlives this
  std::uint32_t numprocs = 1;
  std::string machine;                // whose Serial directives hold; those that name none always do
  std::vector<Expression> constants;  // by number
  Duration time_unit{};               // of a time that has none; 0: such a time is a fault
};

// The settings are of the names that the model was parsed with, in their order. Without `machine` it is the only one
// that the model names. Throws Error (kWrongUse).
Instance instance_of(const Model& model, std::uint32_t numprocs, const std::vector<Setting>& settings,
                     const std::string& machine = {}, Duration time_unit = {});

// The values of all slots for one rank; those of loop variables are 0. Throws Fault.
std::vector<Value> values_of(const Instance& instance, std::uint32_t rank);

}  // namespace plumbline::replay::model
