#pragma once
// The parts of the catalogue, one a file.

#include <span>

#include "replay/validate/checks/check.hpp"

namespace plumbline::replay::validate {

std::span<const Check> pre_flight_checks();
std::span<const Check> node_checks();
std::span<const Check> network_checks();
std::span<const Check> storage_checks();
std::span<const Check> library_checks();
std::span<const Check> rule_checks();
std::span<const Check> suite_checks();

}  // namespace plumbline::replay::validate
