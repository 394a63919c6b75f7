#pragma once
// What a comparison found becomes diagnoses with the stable ids of the catalogue.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hwmodels/calibrate/finding.hpp"
#include "replay/report/report.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// Of one run of the suite under one MPI. `entry`: its name, for the evidence.
std::vector<replay::validate::Diagnosis> diagnoses_of(const replay::Report& report, const std::string& entry,
                                                      const std::string& mpi);

// Why nothing can be said of what waits, by id: findings that were withheld and would have counted.
struct Withheld {
  std::string id, reason;
};
std::vector<Withheld> withheld_of(const replay::Report& report);

// Those of one id, component and MPI become one: costs and samples are added, the smallest p counts, evidence is kept
// of each.
std::vector<replay::validate::Diagnosis> joined(std::vector<replay::validate::Diagnosis> diagnoses);

// Of the suite's time: a diagnosis that costs less is an observation. Of the way in which a library carries a call out,
// where nobody has set it, 3 %; else 1 %.
double least_share(const replay::validate::Diagnosis& diagnosis);

// Of a suite of so many seconds. What was read and not timed has no cost to go by, and what is shown by cells that are
// weighed alike is not to be judged by its seconds.
bool costs_next_to_nothing(const replay::validate::Diagnosis& diagnosis, double suite_s);

// Of components that a run could not tell apart, the one that is slow by itself: the diagnosis accuses it alone, its
// title too.
void settle_on(const std::string& component, replay::validate::Diagnosis& diagnosis);

// What is told instead of a diagnosis, and why it is none.
replay::validate::Observation observation_of(const replay::validate::Diagnosis& diagnosis, std::string_view why);

inline constexpr std::string_view kCostsNothing = "the suite loses next to nothing by it";

// What the calibration of a campaign found: links, nodes and servers that are slower than their like or than nominal.
// Without a cost, which the replay of the suite tells.
replay::validate::Diagnosis diagnosis_of(const hw::calibration::Finding& finding, const std::string& mpi);

}  // namespace plumbline::cli::validate
