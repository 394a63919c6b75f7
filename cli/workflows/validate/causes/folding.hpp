#pragma once
// A diagnosis that another one explains is no finding of its own: it becomes evidence of the one that explains it.

#include <functional>
#include <string>
#include <vector>

#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// Whether `cause` is why `shown` is there.
using Explains =
    std::function<bool(const replay::validate::Diagnosis& cause, const replay::validate::Diagnosis& shown)>;

// Takes what a cause explains out of `shown` and returns it. Each cause that explains it has its id, its title and its
// evidence from then on.
std::vector<replay::validate::Diagnosis> fold_into(std::vector<replay::validate::Diagnosis>& causes,
                                                   std::vector<replay::validate::Diagnosis>& shown,
                                                   const Explains& explains);

// The same where causes are among what is shown. What is a cause by `explains` must not be explained by it.
void fold_within(std::vector<replay::validate::Diagnosis>& shown, const Explains& explains);

// Slow storage in an entry of the suite whose calls were split becomes evidence of that: pieces wait for each other's
// locks, which no platform has.
void fold_into_splits(std::vector<replay::validate::Diagnosis>& diagnoses);

// Slow storage in `directory`, whose servers were measured, becomes evidence of the servers that are slower than
// others, whose cost is that of all runs.
void fold_into_servers(const std::string& directory, std::vector<replay::validate::Diagnosis>& diagnoses);

}  // namespace plumbline::cli::validate
