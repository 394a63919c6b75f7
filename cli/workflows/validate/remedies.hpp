#pragma once
// What a diagnosis advises to set, in the words of either MPI: in its remedy, and in files that can be used as they
// are.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/platform/settings/settings.hpp"
#include "replay/collectives/schedules/algorithm.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

struct HintValues {
  std::string name;
  std::vector<std::string> values;
};

// Hints of ROMIO that may mend it, in the order to try them in; of aggregators as many as the ideal form has, too.
std::vector<HintValues> hints_to_try(const replay::validate::Diagnosis& diagnosis);

// Make the best that was found the remedy, with what it gains by the replay, in seconds. `hints` are settings of a
// platform, "hint.NAME"; OMPIO reads none, and has a parameter for aggregators alone.
void advise_hints(replay::validate::Diagnosis& diagnosis, const std::vector<hw::Setting>& hints, double gain_s);
void advise_algorithm(replay::validate::Diagnosis& diagnosis,
                      const replay::collectives::schedules::Algorithm& algorithm, double gain_s);

// The lines that are "NAME=value"; the others are text for people.
std::vector<std::string> settings_in(const std::vector<std::string>& lines);

// By name what can be used as it is: openmpi-mca-params.conf (MCA parameters), mpich.sh (environment), romio-hints
// (ROMIO_HINTS), of the diagnoses with a predicted gain; without those that would be empty.
std::map<std::string, std::string> tuned_files(const std::vector<replay::validate::Diagnosis>& diagnoses);

}  // namespace plumbline::cli::validate
