#pragma once
// A campaign -> a platform, and what of the machine is slower than it should be. docs/internals/calibration.md.

#include <optional>
#include <string>

#include "bench/results/campaign.hpp"
#include "hwmodels/calibrate/calibrate.hpp"
#include "hwmodels/calibrate/calibration.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw::calibration {

struct CampaignOptions {
  NetworkKind network = NetworkKind::kStoreAndForward;
  // Given hardware data: its nodes, switches, cables and memory are taken; measured are transports, and what falls
  // short of it.
  std::optional<Platform> nominal = {};
  std::string nominal_name = {};  // of its file, for sources
  // Only the storage of the campaign is taken, and put into this platform (storage/alone.hpp).
  std::optional<Platform> add_to = {};
  std::string add_to_name = {};  // of its file
};

// A campaign of storage alone gives a platform in which the rest is assumed (storage/alone.hpp). Throws Error when the
// campaign has too little of the network, or the nominal platform other nodes.
Calibration calibrate(const bench::Campaign& campaign, const CampaignOptions& options = {});

}  // namespace plumbline::hw::calibration
