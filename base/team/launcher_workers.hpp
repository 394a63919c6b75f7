#pragma once
// Work shared among the processes that a launcher of MPI has started.

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/team/launcher.hpp"
#include "base/team/launcher_talk.hpp"
#include "base/team/shared_work.hpp"

namespace plumbline {

struct LauncherSettings {
  std::filesystem::path libraries;                                // holds libplumbline-team-<flavour>.so
  std::string version;                                            // of this program, beside its build id
  std::string command;                                            // the words that this process was started with
  std::chrono::milliseconds patience = std::chrono::seconds(10);  // with others that do not come
  std::uint64_t piece = std::uint64_t{1} << 30;                   // of long texts, bytes
};

// All processes of the launcher, of which each has one of these. It starts MPI, and its end ends MPI, which all of them
// do together.
class LauncherWorkers final : public Workers {
 public:
  // Throws Error (kCannotRunHere) where the library for this MPI is missing, where MPI finds other processes than the
  // launcher has started, and, on process 0, where not all are the same build or have the same command line. Says on
  // stderr that it waits for others.
  LauncherWorkers(const LauncherProcesses& launched, const LauncherSettings& settings);
  ~LauncherWorkers() override;  // of process 0: lets the others go
  LauncherWorkers(const LauncherWorkers&) = delete;
  LauncherWorkers& operator=(const LauncherWorkers&) = delete;

  std::uint32_t size() const override { return talk_->size(); }
  std::string run(const SharedWork& work, std::string_view argument) override;  // on process 0

  // On the others: takes part in what process 0 runs, found in `table` by its name, until that lets them go. Errors are
  // process 0's to tell.
  void serve(std::span<const SharedWork> table);

 private:
  void require_one_build(const std::string& version);
  void require_one_command(const std::string& command);
  std::string do_part(const SharedWork& work, std::string_view argument);

  const pl_team_mpi* mpi_;
  std::optional<LauncherTalk> talk_;
  bool is_over_ = false;
};

// The whole life of one process of the launcher. Process 0 does `first`, whose result is returned, with all as its
// workers; the others serve it, and return 0.
int with_launcher(const LauncherProcesses& launched, const LauncherSettings& settings,
                  std::span<const SharedWork> table, const std::function<int(Workers&)>& first);

}  // namespace plumbline
