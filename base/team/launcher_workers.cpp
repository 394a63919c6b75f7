#include "base/team/launcher_workers.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <stop_token>
#include <thread>
#include <vector>

#include "base/build_id.hpp"
#include "base/check.hpp"
#include "base/checks_throw.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"

namespace plumbline {
namespace {

constexpr char kAlone[] = "PLUMBLINE_TEAM=off runs this one alone";

Error cannot_start(std::string where, std::string what, std::string hint) {
  return Error(std::move(where), std::move(what), std::move(hint), ExitCode::kCannotRunHere);
}

// Open MPI's and Slurm's launchers end a job of which one process has failed (Slurm's with --kill-on-bad-exit). Hydra
// does not while that has not called MPI_Init, and the others would wait for it for ever: it ends them where a process
// asks for it, in PMI's words. At the end of this process, which has to tell its error first.
void end_others_at_exit() {
  std::atexit([] {
    const char* const pmi = std::getenv("PMI_FD");
    if (pmi == nullptr || std::getenv("HYDI_CONTROL_FD") == nullptr) return;
    ::sleep(1);  // Hydra drops what it has not yet passed on by then
    const std::string words = fmt::format("cmd=abort exitcode={}\n", static_cast<int>(ExitCode::kCannotRunHere));
    if (::write(std::atoi(pmi), words.data(), words.size()) < 0) return;  // nobody is there
  });
}

// RTLD_GLOBAL, because the plugins of Open MPI look for the symbols of its library.
const pl_team_mpi* load(Mpi mpi, const std::filesystem::path& directory) try {
  const std::filesystem::path library = directory / fmt::format("libplumbline-team-{}.so", flavour_of(mpi));
  std::error_code unreadable;
  if (!std::filesystem::exists(library, unreadable))
    throw cannot_start(library.string(), "this library, which joins the processes of a launcher, is missing",
                       fmt::format("build Plumbline where mpicc of {} is installed; without others: PLUMBLINE_TEAM=off",
                                   name_of(mpi)));
  void* const loaded = ::dlopen(library.c_str(), RTLD_NOW | RTLD_GLOBAL);
  void* const symbol = loaded != nullptr ? ::dlsym(loaded, PL_TEAM_SYMBOL) : nullptr;
  if (symbol == nullptr)
    throw cannot_start(
        library.string(), fmt::format("cannot be loaded: {}", ::dlerror()),
        fmt::format("the library of {} must be found; without others: PLUMBLINE_TEAM=off", name_of(mpi)));
  return reinterpret_cast<decltype(&pl_team_functions)>(symbol)();
} catch (...) {
  end_others_at_exit();
  throw;
}

// MPI_Init comes back when all have called it, so another thread says that some have not. Process 0 says it for all,
// unless it is what is missing.
std::jthread say_when_late(const LauncherProcesses& launched, std::chrono::milliseconds patience) {
  if (launched.rank != 0) patience *= 6;
  return std::jthread([launched, patience](const std::stop_token& all_are_here) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any().wait_for(lock, all_are_here, patience, [] { return false; });
    if (all_are_here.stop_requested()) return;
    const std::uint32_t others = launched.size - 1;
    fmt::print(stderr, "plumbline: waiting for the other {} of the launcher; {}\n",
               others == 1 ? "process" : fmt::format("{} processes", others), kAlone);
  });
}

std::string in_hexadecimal(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
  return text;
}

std::string order_of(const SharedWork& work, std::string_view argument) {
  ByteWriter out;
  out.put_text(work.name);
  out.put_text(argument);
  return out.take();
}

constexpr SharedWork kUnknown{"", [](Processes&, std::string_view name) -> std::string {
                                throw InternalFault(fmt::format("no process knows the work '{}'", name));
                              }};

}  // namespace

LauncherWorkers::LauncherWorkers(const LauncherProcesses& launched, const LauncherSettings& settings)
    : mpi_(load(launched.mpi, settings.libraries)) {
  int rank = 0, size = 1;
  {
    const std::jthread late = say_when_late(launched, settings.patience);
    mpi_->start(&rank, &size);
  }
  if (static_cast<std::uint32_t>(size) != launched.size) {
    mpi_->end();
    if (launched.mpi != Mpi::kMpich) end_others_at_exit();  // MPICH has closed what leads there
    throw cannot_start(
        "",
        fmt::format("the launcher of {0} has started {1} processes, and the {0} of libplumbline-team-{2}.so finds {3}: "
                    "they are not of one MPI",
                    name_of(launched.mpi), launched.size, flavour_of(launched.mpi), size),
        fmt::format("use the launcher of the MPI that Plumbline was built with; {}", kAlone));
  }
  PLUMBLINE_CHECK(static_cast<std::uint32_t>(rank) == launched.rank, "MPI counts processes as its launcher does");
  talk_.emplace(*mpi_, launched.rank, launched.size, settings.piece);
  require_one_build(settings.version);
  if (!is_over_) require_one_command(settings.command);
}

// All learn of a difference, and process 0 tells it.
void LauncherWorkers::require_one_build(const std::string& version) {
  const std::vector<std::string> builds =
      talk_->exchange(fmt::format("{} (build {})", version, in_hexadecimal(build_id())));
  const auto other = std::ranges::find_if(builds, [&](const std::string& build) { return build != builds[0]; });
  if (other == builds.end()) return;
  is_over_ = true;
  if (talk_->rank() != 0) return;
  mpi_->end();
  throw cannot_start("",
                     fmt::format("process 1 of {} is plumbline {}, process {} is plumbline {}", builds.size(),
                                 builds[0], other - builds.begin() + 1, *other),
                     "install the same one on all nodes");
}

// A script may give each process something else to do.
void LauncherWorkers::require_one_command(const std::string& command) {
  const std::vector<std::string> commands = talk_->exchange(command);
  const auto other = std::ranges::find_if(commands, [&](const std::string& each) { return each != commands[0]; });
  if (other == commands.end()) return;
  is_over_ = true;
  if (talk_->rank() != 0) return;
  mpi_->end();
  throw Error("",
              fmt::format("process 1 of {} runs '{}', process {} runs '{}', and the verb runs once", commands.size(),
                          commands[0], other - commands.begin() + 1, *other),
              kAlone, ExitCode::kWrongUse);
}

LauncherWorkers::~LauncherWorkers() {
  if (talk_->rank() == 0) talk_->order("");
  mpi_->end();
}

std::string LauncherWorkers::run(const SharedWork& work, std::string_view argument) {
  talk_->order(order_of(work, argument));
  return do_part(work, argument);
}

void LauncherWorkers::serve(std::span<const SharedWork> table) {
  while (!is_over_) {
    const std::string order = talk_->order("");
    is_over_ = order.empty();
    if (is_over_) return;
    ByteReader in(order);
    const std::string_view name = in.get_text(), argument = in.get_text();
    const auto known = std::ranges::find(table, name, &SharedWork::name);
    try {
      known != table.end() ? do_part(*known, argument) : do_part(kUnknown, name);
    } catch (...) {
    }
  }
}

std::string LauncherWorkers::do_part(const SharedWork& work, std::string_view argument) {
  LaunchedProcesses processes(*talk_);  // of this work: the next one may follow its failure
  if (processes.rank() == 0) processes.on_progress = on_progress_;
  return run_part(processes, work, argument);
}

int with_launcher(const LauncherProcesses& launched, const LauncherSettings& settings,
                  std::span<const SharedWork> table, const std::function<int(Workers&)>& first) {
  if (launched.rank == 0) {
    LauncherWorkers workers(launched, settings);
    return first(workers);
  }
  try {
    LauncherWorkers(launched, settings).serve(table);
  } catch (const Error&) {
    // Process 0 mostly has the same error, tells it, and ends the job with it. Where it has not, it would wait for
    // ever.
    std::this_thread::sleep_for(std::chrono::seconds(3));
    throw;
  }
  return 0;
}

}  // namespace plumbline
