#pragma once
// File servers that are slower than another one of the same file system. A calibration in one run cannot tell that from
// chance (hwmodels/calibrate/peers.hpp), and of two servers none can be called usual; so who took long is measured
// twice more, beside the others.

#include <vector>

#include "bench/results/campaign.hpp"
#include "cli/workflows/validate/session.hpp"

namespace plumbline::cli::validate {

std::vector<ServerRate> server_rates(const bench::Campaign& campaign);

// Servers that deliver less than kPartOfBest of what the fastest one does.
inline constexpr double kPartOfBest = 0.67;
std::vector<ServerRate> suspected_servers(const std::vector<ServerRate>& servers);

// Those that do so in all measurements, with what the suite would take less if they were as fast as the fastest one.
std::vector<plumbline::validate::Diagnosis> slow_servers(Session& session);

}  // namespace plumbline::cli::validate
