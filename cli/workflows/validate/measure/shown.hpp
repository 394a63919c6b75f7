#pragma once
// What runs of the suite show, before anything is measured again.

#include <vector>

#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// What a run of the suite shows: findings of its report, each component once, and components that it blames. Where both
// accuse the same, which the run lost once, the costlier of them.
std::vector<replay::validate::Diagnosis> shown_by(const Judged& judged, const SuiteResult& run);

// Whether both accuse the same, as far as that can be told from others.
bool accuse_the_same(const replay::validate::Diagnosis& a, const replay::validate::Diagnosis& b);

}  // namespace plumbline::cli::validate
