#include "tracer/record/launch/ends.hpp"

#include <fmt/format.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::record {
namespace {

// The spool of a process of this node: create_file() of tracer/preload/core/recorder.c, the latest one of that number.
std::filesystem::path spool_of(const std::filesystem::path& directory, pid_t pid) {
  std::array<char, HOST_NAME_MAX + 1> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string stem = fmt::format("{}.{}", host.data(), pid);
  std::filesystem::path found;
  std::error_code ignored;
  for (int again = 0;; ++again) {
    const std::filesystem::path path =
        directory / (again == 0 ? stem + ".spool" : fmt::format("{}.{}.spool", stem, again));
    if (!std::filesystem::exists(path, ignored)) return found;
    found = path;
  }
}

std::string text_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string exit_text(const pl_file_header& header, std::int32_t status) {
  const bool has_mpi = header.flavour != PL_FLAVOUR_NONE;
  return fmt::format("exited{} with status {}", has_mpi ? " without MPI_Finalize" : "", status);
}

std::string left_by(const pl_file_header& header, std::uint32_t how, std::int32_t status) {
  switch (how) {
    case PL_ENDING_EXIT:
      return exit_text(header, status);
    case PL_ENDING_FAST_EXIT:
      return fmt::format("exited by _exit with status {}", status);
    case PL_ENDING_QUICK_EXIT:
      return fmt::format("exited by quick_exit with status {}", status);
    case PL_ENDING_ABORT:
      return "aborted by abort()";
    default:
      return fmt::format("aborted by MPI_Abort({})", status);
  }
}

bool is_death_by_abort(std::uint32_t how, int signal) { return how == PL_ENDING_ABORT && signal == SIGABRT; }

}  // namespace

std::string signal_text(int signal) {
  const char* name = sigabbrev_np(signal);
  return name == nullptr ? fmt::format("signal {}", signal) : fmt::format("signal {} (SIG{})", signal, name);
}

std::filesystem::path end_note_of(const std::filesystem::path& spool) { return spool.string() + ".end"; }

void write_end_note(const std::filesystem::path& directory, const ProgramEnd& end) {
  const std::filesystem::path spool = spool_of(directory, end.pid);
  if (spool.empty()) return;
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  std::ofstream(end_note_of(spool)) << (end.signal != 0 ? "signal " : "status ")
                                    << (end.signal != 0 ? end.signal : end.status) << "\nrealtime "
                                    << std::chrono::duration_cast<std::chrono::nanoseconds>(now).count() << '\n';
}

std::optional<EndNote> read_end_note(const std::filesystem::path& spool) {
  std::ifstream file(end_note_of(spool));
  if (!file) return {};
  std::string kind, clock;
  int number = 0;
  EndNote note;
  file >> kind >> number >> clock >> note.realtime_ns;
  const bool is_whole = file.get() == '\n';  // the last thing that is written
  if (!is_whole || clock != "realtime" || (kind != "signal" && kind != "status"))
    throw Error(end_note_of(spool).string(), "is damaged or was cut off",
                "how this process ended is not known from it");
  (kind == "signal" ? note.signal : note.status) = number;
  return note;
}

bool still_runs(const pl_file_header& header) {
  std::string boot = text_of_file("/proc/sys/kernel/random/boot_id");
  boot.erase(std::min(boot.find('\n'), boot.size()));
  if (boot != header.boot_id) return false;
  std::string command = text_of_file(fmt::format("/proc/{}/cmdline", header.pid));
  if (command.empty()) return false;  // there is no such process, or it has ended and is waited for
  command.resize(std::min(command.size(), sizeof header.program - 1));
  std::replace(command.begin(), command.end() - 1, '\0', ' ');
  return command.substr(0, command.find('\0')) == header.program;
}

std::string end_text(const pl_file_header& header, const std::optional<EndNote>& note, bool runs) {
  if (header.end == PL_END_FINALIZED) return "finalized";
  if (header.end == PL_END_LEFT_OUT) return archive::names::kEndLeftOut;
  if (header.end == PL_END_STOPPED) return fmt::format("recording stopped: {}", header.stop_reason);
  const auto how = static_cast<std::uint32_t>(header.ending);
  const auto status = static_cast<std::int32_t>(header.ending >> 32);
  const bool said = how >= PL_ENDING_EXIT && how <= PL_ENDING_MPI_ABORT;
  if (how == PL_ENDING_MPI_ABORT) return left_by(header, how, status);
  if (note && note->signal != 0 && !is_death_by_abort(how, note->signal))
    return fmt::format("killed by {}{}", signal_text(note->signal),
                       said && how != PL_ENDING_ABORT ? fmt::format(" after it {}", left_by(header, how, status)) : "");
  if (said) return left_by(header, how, status);
  if (note) return exit_text(header, note->status);
  if (header.end == PL_END_EXITED) return header.flavour == PL_FLAVOUR_NONE ? "exited" : "exited without MPI_Finalize";
  return runs ? "still running" : "killed or lost: no end was written";
}

}  // namespace plumbline::record
