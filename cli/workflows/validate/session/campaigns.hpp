#pragma once
// Campaigns of `plumbline bench` as parts of a validation.

#include <filesystem>
#include <string>
#include <string_view>

#include "bench/campaign/run.hpp"
#include "bench/results/campaign.hpp"
#include "bench/rules/rules.hpp"
#include "cli/workflows/validate/session/session.hpp"

namespace plumbline::cli::validate {

// Runs the campaign of the text into `result`, telling how far it is as a part of a step of so many seconds, and notes
// what disturbed it. Throws Error where it cannot run, and Interrupted when the user stops it: then the file is not
// there.
bench::Campaign run_campaign(Session& session, const std::string& text, const std::string& name,
                             const std::filesystem::path& result, double planned_seconds);

// The same of a campaign whose times nobody looks at: what disturbed it is not noted.
bench::CampaignOutcome run_campaign_for_places(Session& session, const std::string& text, const std::string& name,
                                               const std::filesystem::path& result, double planned_seconds);

// "others used the machine in 3 of 24 runs of the rules: a load of 1.4 by others before the run, in the first of them";
// or that ranks lost their cores, which they do for moments on a machine that nobody else uses, too. Empty where no run
// was disturbed so.
std::string disturbed_runs(const bench::Campaign& campaign, std::string_view name, bool by_others);

// The former is a disturbance of the validation, the latter a note.
void note_disturbances(Session& session, const bench::Campaign& campaign, std::string_view name);

// Ranks, hosts, launcher and directory of the rules' campaigns with this MPI. Between nodes repetitions are fewer, and
// sizes those that the slowest link of its platform, where there is one, carries in the time of the level; of files
// kQuick takes the smallest access alone.
bench::RulesCampaign rules_campaign_on(const Session& session, const MpiResult& result);

// Absolute and without a slash at the end: each --io, or the working directory. Facts of nodes name them so.
std::vector<std::filesystem::path> measured_directories(const Options& options);

// Where the suite and the calibration have their files: the first of these.
std::filesystem::path storage_directory(const Session& session);

std::string words_joined(const std::vector<std::string>& words);

}  // namespace plumbline::cli::validate
