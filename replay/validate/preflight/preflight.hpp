#pragma once
// What is wrong with a job before anything is measured, judged by what its ranks and nodes say of themselves.

#include "replay/validate/preflight/judgement.hpp"

namespace plumbline::replay::validate {

Judgement pre_flight(const PreFlightInput& input);

}  // namespace plumbline::replay::validate
