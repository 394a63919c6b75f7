#pragma once
// What the stages of one validation share: what was asked for, where ranks run, where files go, how far it is.

#include <chrono>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "base/node/facts.hpp"
#include "base/node/rank_identity.hpp"
#include "base/progress.hpp"
#include "bench/rules/rules.hpp"
#include "bench/suite/cell_kinds.hpp"
#include "bench/suite/description.hpp"
#include "cli/workflows/validate/expectation/expectation.hpp"
#include "cli/workflows/validate/session/options.hpp"
#include "cli/workflows/validate/session/room.hpp"
#include "cli/workflows/validate/session/site.hpp"
#include "hwmodels/calibrate/finding.hpp"
#include "hwmodels/calibrate/storage/servers_fit.hpp"
#include "replay/validate/preflight/control_variables.hpp"
#include "replay/validate/validation.hpp"

namespace plumbline::cli::validate {

// Of the suite: what costs less is not worth a word, and stays an observation.
inline constexpr double kLeastShare = 0.01;
// The same of what libraries do by themselves: on healthy machines, too, they break some rules by a little
// (docs/rules.md), and split some accesses to files.
inline constexpr double kLeastShareOfLibraries = 0.03;

// One entry of the suite under one MPI.
struct SuiteResult {
  const bench::SuiteEntry* entry = nullptr;
  const Mpi* mpi = nullptr;
  std::filesystem::path archive;
  Judged judged;
};

// Everything that one MPI was found to be.
struct MpiResult {
  Mpi* mpi = nullptr;
  std::vector<node::RankIdentity> ranks;
  std::filesystem::path platform;                     // empty: it was not measured
  std::vector<hw::calibration::Finding> calibrated;   // what its calibration found
  std::vector<hw::calibration::ServerRates> servers;  // what each file server delivered in it
  bench::RulesVerdict verdict;                        // of the rules
  std::vector<replay::validate::ControlVariable> settings;
  std::vector<replay::validate::Observation> observations;  // on these settings
};

struct Session {
  Session(const Options& options, Site& site);

  const Options& options;
  Site& site;  // layouts are made true by the pre-flight
  const std::filesystem::path& directory;
  bench::Suite suite;
  bench::CellKinds cell_kinds;
  std::vector<MpiResult> mpis;                                 // as site.mpis
  std::map<std::string, node::Facts> settings, before, after;  // by host: settings, and counters around the suite
  std::vector<SuiteResult> runs;
  replay::validate::Validation validation;
  std::map<std::string, std::string> could_not_run, not_judged;  // by id of a check, why
  std::map<std::string, Error> stage_faults;                     // by name of a stage, why it is not complete
  std::vector<Need> needs;                                       // of room on disks
  bool is_over = false;  // ranks do not start any more, or a disk is full: what is there is reported

  // "log/suite-halo-openmpi.txt" below the directory.
  std::filesystem::path log(std::string_view name) const;

  // How long all of it takes, and what has been done. A step tells what it is when it begins.
  void plan(double seconds) { planned_s_ += seconds; }
  void begin_step(std::string_view what);
  void end_step(double planned_seconds);
  void part_of_step(double planned_seconds, double share);

  // Whether anything is to be held against a platform: settings and rules are not.
  bool wants_platform() const;

  void disturbed(const std::string& why);  // once, however often it is told

  // A part of this stage failed: it is noted, and the stage is not complete. The first one is told as its fault.
  void part_failed(std::string_view stage, const Error& error);

  // Whether any of the checks whose id begins with one of these is wanted (--only).
  bool wants(std::initializer_list<std::string_view> prefixes) const;

 private:
  Progress progress_;
  double planned_s_ = 0, done_s_ = 0;
  std::string step_;
};

// What a fault of a stage (Error) means: the next stages do what they can without it, or there is nothing to go on
// with.
enum class OnFault { kGoOn, kStop };

// Runs `work` as the stage of that name, and notes how long it took and what its fault was. Nothing where all is over.
void run_stage(Session& session, std::string_view name, OnFault on_fault, const std::function<void()>& work);

// Whether text matches the pattern, in which '*' stands for any characters.
bool matches(std::string_view pattern, std::string_view text);

}  // namespace plumbline::cli::validate
