// The keeper of one rank (gather.hpp).

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <fstream>

#include "base/error.hpp"
#include "tracer/record/clocks/node_clock.hpp"
#include "tracer/record/host_name.hpp"
#include "tracer/record/launch/ends.hpp"
#include "tracer/record/launch/gather.hpp"
#include "tracer/record/launch/reasons.hpp"
#include "tracer/record/launch/serve.hpp"
#include "tracer/record/metrics/node_sampler.hpp"

namespace plumbline::record {
namespace {

constexpr char kNote[] = ".not-gathered";

// A rank whose spool would have nowhere to go is not started. The directory is not made here: one that only this node
// sees would keep the spool from the archive.
void make_sure_of(const std::filesystem::path& gather) {
  if (access(gather.c_str(), W_OK | X_OK) != 0 || !std::filesystem::is_directory(gather))
    throw Error(gather.string(), fmt::format("is no directory that can be written on node {}", host_name()),
                "--gather needs one that every node of the run sees; without any, record --stay",
                ExitCode::kCannotRunHere);
}

// Says where the spool is until it has been moved.
std::filesystem::path leave_note(const std::filesystem::path& gather, const std::filesystem::path& local) {
  const std::filesystem::path note = gather / fmt::format("{}.{}{}", host_name(), getpid(), kNote);
  std::ofstream(note) << host_name() << ':' << local.string() << '\n';
  return note;
}

// Under its own name only when it is whole.
void move_spool(const std::filesystem::path& spool, const std::filesystem::path& gather) {
  const std::filesystem::path target = gather / spool.filename();
  const std::filesystem::path part = target.string() + ".part";
  std::filesystem::copy_file(spool, part, std::filesystem::copy_options::overwrite_existing);
  std::filesystem::rename(part, target);
  std::filesystem::remove(spool);
}

ProgramEnd run_rank(const Command& command, const Preload& installed, const std::function<void()>& meanwhile = {}) {
  const LoadablePath library(installed.library);
  const Preload preload{library.path(), installed.spool, installed.settings};
  note_if_out_of_reach(preload.spool, find_program(command[0]));
  const ProgramEnd end = run_child(
      command,
      [&] {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        set_environment(preload);
      },
      meanwhile);
  write_end_note(preload.spool, end);
  return end;
}

void gather_spools(const std::filesystem::path& local, const std::filesystem::path& gather,
                   const std::filesystem::path& note) {
  try {
    for (const auto& entry : std::filesystem::directory_iterator(local)) move_spool(entry.path(), gather);
    std::filesystem::remove(local);
    std::filesystem::remove(note);
  } catch (const std::filesystem::filesystem_error& error) {
    fmt::print(stderr, "plumbline: the spool of this rank could not be gathered ({}); it stays in {}:{}\n",
               error.code().message(), host_name(), local.string());
  }
}

}  // namespace

ProgramEnd keep_rank_at(const Command& command, const std::filesystem::path& spool, const Settings& settings,
                        Duration sample_interval) {
  const std::filesystem::path library = preload_library(flavour_of_rank(command));
  const std::filesystem::path directory = std::filesystem::absolute(spool);
  NodeSampler sampler(directory, directory, sample_interval);
  return run_rank(command, {library, directory, settings});
}

ProgramEnd keep_rank(const Command& command, const std::filesystem::path& gather, const Settings& settings,
                     Duration sample_interval) {
  const std::filesystem::path library = preload_library(flavour_of_rank(command));
  const std::filesystem::path target = std::filesystem::absolute(gather);
  make_sure_of(target);
  const std::filesystem::path local = make_spool_directory();
  const std::filesystem::path note = leave_note(target, local);
  NodeClock clock(target);
  NodeSampler sampler(local, target, sample_interval);
  const ProgramEnd end = run_rank(command, {library, local, settings}, [&] { clock.watch(); });
  sampler.stop();
  gather_spools(local, target, note);
  clock.finish();
  return end;
}

ProgramEnd keep_server(const Command& command, const std::filesystem::path& gather, const Settings& settings,
                       Duration sample_interval) {
  const LoadablePath library(preload_library(PL_FLAVOUR_NONE));
  const std::filesystem::path target = std::filesystem::absolute(gather);
  make_sure_of(target);
  const std::filesystem::path local = make_server_spools();
  const std::filesystem::path note = leave_note(target, local);
  forget_earlier_meeting(target);
  NodeClock clock(target);
  NodeSampler sampler(local, target, sample_interval);
  const ProgramEnd end = run_with_descendants(
      command,
      [&] {
        set_environment({library.path(), local, settings});
      },
      {[&] { clock.watch(); }, [&](const ProgramEnd& one) { write_end_note(local, one); }, sampler.process()});
  sampler.stop();
  gather_spools(local, target, note);
  clock.finish();
  return end;
}

ProgramEnd run_server(const Command& command, const std::filesystem::path& spool, const Settings& settings,
                      Duration sample_interval) {
  const LoadablePath library(preload_library(PL_FLAVOUR_NONE));
  NodeSampler sampler(spool, spool, sample_interval);
  return run_with_descendants(command,
                              [&] {
                                set_environment({library.path(), spool, settings});
                              },
                              {{}, [&](const ProgramEnd& one) { write_end_note(spool, one); }, sampler.process()});
}

std::filesystem::path make_server_spools() {
  const std::filesystem::path directory = make_spool_directory();
  // Of root a server that becomes another user must still be able to make its files.
  if (geteuid() == 0) chmod(directory.c_str(), 01777);
  return directory;
}

std::vector<std::string> not_gathered(const std::filesystem::path& gather) {
  std::vector<std::string> places;
  std::error_code failure;
  for (const auto& entry : std::filesystem::directory_iterator(gather, failure)) {
    if (!entry.path().filename().string().ends_with(kNote)) continue;
    std::string place;
    std::ifstream file(entry.path());
    std::getline(file, place);
    places.push_back(place);
  }
  std::sort(places.begin(), places.end());
  return places;
}

}  // namespace plumbline::record
