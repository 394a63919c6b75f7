#pragma once
// Runs a campaign: starts the ranks as often as was asked for, and keeps what they measure.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "bench/campaign/description.hpp"
#include "bench/campaign/launch.hpp"

namespace plumbline::bench {

struct CampaignOptions {
  std::filesystem::path result;
  bool resume = false;  // go on with what is beside the result
  bool force = false;   // replace what is there
  // What load there is at the beginning comes from what this program did before, and is not by others.
  bool load_is_ours = false;
  // Requests; the operation that was measured last.
  std::function<void(std::uint64_t done, std::uint64_t all, std::string_view operation)> progress = {};
  std::function<bool()> is_to_stop = {};  // asked often
};

struct CampaignOutcome {
  std::uint64_t asked = 0, measured = 0;  // requests of all runs
  std::uint64_t failed = 0;               // ranks say in a note why; the rest of `asked` can be resumed
  std::uint64_t runs = 0, contaminated = 0;
  bool interrupted = false;
  std::vector<std::string> notes;
};

// What a user is to know before it begins: "layout at FILE:3:1: 4 ranks on 2 cores; ...".
std::vector<std::string> warnings_of(const Description& description, std::uint32_t cores);

// Throws Error before anything runs when the result cannot be written, an MPI is missing, or there is nothing to
// resume; and when no run could be started.
CampaignOutcome run_campaign(const Description& description, const std::vector<Installed>& installed,
                             const CampaignOptions& options);

}  // namespace plumbline::bench
