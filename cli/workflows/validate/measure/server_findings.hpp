#pragma once
// File servers that are slower than another one of the same file system. A calibration in one run cannot tell that from
// chance (hwmodels/calibrate/fit/peers.hpp), and of two servers none can be called usual; so who took long is measured
// twice more, beside the others.

#include <string>
#include <vector>

#include "bench/results/campaign.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

using hw::calibration::ServerRates;

std::vector<ServerRates> server_rates(const bench::Campaign& campaign);

// Servers that deliver less than kPartOfBest of what the fastest one does.
inline constexpr double kPartOfBest = 0.67;
std::vector<ServerRates> suspected_servers(const std::vector<ServerRates>& servers);

// Of a suspected server, for each direction in which it was slow at first: what it and the fastest one delivered each
// time, and whether it was slow each time. Those that persist come before others, the slowest first.
std::vector<replay::validate::Retest> retests_of(const ServerRates& server, const std::vector<ServerRates>& first,
                                                 const std::vector<std::vector<ServerRates>>& again);

// Suspected servers that are slow in all measurements, and what the suite loses by them; what does not persist, or
// costs next to nothing, becomes an observation. Throws Error where servers cannot be measured again.
std::vector<replay::validate::Diagnosis> slow_servers(Session& session);

// Where the file system that serves `directory` begins: all below it lies on the same servers. `directory` itself where
// no file system of the platform serves it, or one that serves all.
std::string directory_of_servers(const hw::Platform& platform, const std::string& directory);

}  // namespace plumbline::cli::validate
