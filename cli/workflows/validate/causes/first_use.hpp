#pragma once
// Writes that are slow because the page cache of new files is memory that its host gives at its first use.

#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// Slow storage becomes memory that is slow at its first use, with the same cost, where that was observed and the rate
// of writes is no less than two thirds of what such memory is written with: what is slower than that has another cause.
// The observation is explained then.
void name_first_use(std::vector<replay::validate::Observation>& observations,
                    std::vector<replay::validate::Diagnosis>& shown);

}  // namespace plumbline::cli::validate
