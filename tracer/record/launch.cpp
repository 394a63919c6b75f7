#include "tracer/record/launch.hpp"

#include <elf.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/error.hpp"

extern char** environ;

namespace plumbline::record {
namespace {

constexpr char kOtherWays[] =
    "start it by mpirun or mpiexec of Open MPI or MPICH, or put the recording inside your launcher: "
    "LAUNCHER … plumbline record --rank --spool DIR -- PROGRAM, then plumbline assemble DIR -o ARCHIVE";

std::vector<char*> pointers(const Command& words) {
  std::vector<char*> result;
  for (const std::string& word : words) result.push_back(const_cast<char*>(word.c_str()));
  result.push_back(nullptr);
  return result;
}

// What a command prints on stdout, up to 64 KiB; empty when it cannot be run.
std::string output_of(const Command& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  pid_t child = -1;
  const int failed = posix_spawnp(&child, command[0].c_str(), &actions, nullptr, pointers(command).data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 4096> buffer;
  for (ssize_t n = 0; failed == 0 && (n = read(ends[0], buffer.data(), buffer.size())) != 0;) {
    if (n < 0 && errno != EINTR) break;
    if (n > 0 && text.size() < 65536) text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  close(ends[0]);
  if (failed == 0) waitpid(child, nullptr, 0);
  return text;
}

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_named_like_a_launcher(const std::string& command) {
  const std::string name = std::filesystem::path(command).filename().string();
  for (const char* stem : {"mpirun", "mpiexec", "orterun", "prterun", "prun"})
    if (name.compare(0, std::strlen(stem), stem) == 0) return true;
  return false;
}

// The interpreter that a dynamic ELF program asks for (PT_INTERP, 64 bit); empty for everything else.
std::string interpreter_of(const std::filesystem::path& program) {
  std::ifstream file(program, std::ios::binary);
  Elf64_Ehdr header{};
  file.read(reinterpret_cast<char*>(&header), sizeof header);
  if (!file || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64) return {};
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment{};
    file.seekg(static_cast<std::streamoff>(header.e_phoff + static_cast<std::uint64_t>(i) * header.e_phentsize));
    file.read(reinterpret_cast<char*>(&segment), sizeof segment);
    if (!file || segment.p_type != PT_INTERP || segment.p_filesz == 0 || segment.p_filesz > 4096) continue;
    std::string name(segment.p_filesz, '\0');
    file.seekg(static_cast<std::streamoff>(segment.p_offset));
    file.read(name.data(), static_cast<std::streamsize>(name.size()));
    name.resize(std::strlen(name.c_str()));
    return file ? name : std::string{};
  }
  return {};
}

std::string preload_value(const Preload& preload, const std::string& inherited) {
  return preload.library.string() + (inherited.empty() ? "" : ":" + inherited);
}

void set_environment(const Preload& preload) {
  const char* inherited = std::getenv("LD_PRELOAD");
  setenv("LD_PRELOAD", preload_value(preload, inherited == nullptr ? "" : inherited).c_str(), 1);
  setenv("PLUMBLINE_SPOOL", preload.spool.c_str(), 1);
}

volatile sig_atomic_t child_pid = 0;

// A terminal sends its signals to the launcher as well; only what was sent to us alone has to go on.
void pass_on(int signal, siginfo_t* info, void*) {
  if (child_pid > 0 && info->si_code != SI_KERNEL) kill(child_pid, signal);
}

void pass_signals_to(pid_t child) {
  child_pid = child;
  struct sigaction action {};
  action.sa_sigaction = pass_on;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) sigaction(signal, &action, nullptr);
}

[[noreturn]] void cannot_run(const std::string& program) {
  throw Error(program, std::strerror(errno), "is it installed, and in PATH?", ExitCode::kCannotRunHere);
}

}  // namespace

Command with_preload(Launcher launcher, const Command& command, const Preload& preload, const std::string& inherited) {
  const std::string value = preload_value(preload, inherited);
  if (launcher == Launcher::kHydra) {
    Command result{command[0], "-genv", "LD_PRELOAD", value, "-genv", "PLUMBLINE_SPOOL", preload.spool.string()};
    result.insert(result.end(), command.begin() + 1, command.end());
    return result;
  }
  if (launcher == Launcher::kSingleton) return command;
  const Command options{"-x", "LD_PRELOAD=" + value, "-x", "PLUMBLINE_SPOOL=" + preload.spool.string()};
  Command result;
  for (std::size_t i = 0; i < command.size(); ++i) {
    result.push_back(command[i]);
    if (i == 0 || command[i] == ":") result.insert(result.end(), options.begin(), options.end());
  }
  return result;
}

std::filesystem::path find_program(const std::string& name) {
  if (contains(name, "/")) return std::filesystem::exists(name) ? std::filesystem::path(name) : std::filesystem::path{};
  std::string_view rest = std::getenv("PATH") == nullptr ? "/usr/bin:/bin" : std::getenv("PATH");
  while (!rest.empty()) {
    const std::size_t length = std::min(rest.find(':'), rest.size());
    const std::filesystem::path candidate = std::filesystem::path(rest.substr(0, length)) / name;
    if (access(candidate.c_str(), X_OK) == 0 && !std::filesystem::is_directory(candidate)) return candidate;
    rest.remove_prefix(std::min(length + 1, rest.size()));
  }
  return {};
}

std::optional<pl_flavour> mpi_of_program(const std::filesystem::path& program) {
  const std::string interpreter = interpreter_of(program);
  if (interpreter.empty()) return {};
  const std::string libraries = output_of({interpreter, "--list", program.string()});
  if (contains(libraries, "libmpich.so") || contains(libraries, "libmpi.so.12")) return PL_FLAVOUR_MPICH;
  if (contains(libraries, "libmpi.so") || contains(libraries, "libmpi_")) return PL_FLAVOUR_OPENMPI;
  return {};
}

Launch recognise(const Command& command) {
  const std::filesystem::path program = find_program(command[0]);
  if (program.empty())
    throw Error(command[0], "there is no such program", "check its path, or PATH", ExitCode::kCannotRunHere);
  if (is_named_like_a_launcher(command[0])) {
    const std::string version = output_of({program.string(), "--version"});
    if (contains(version, "Open MPI") || contains(version, "OpenRTE") || contains(version, "open-mpi.org"))
      return {Launcher::kOpenMpi, PL_FLAVOUR_OPENMPI};
    if (contains(version, "HYDRA")) return {Launcher::kHydra, PL_FLAVOUR_MPICH};
    throw Error(command[0], "this launcher is neither Open MPI's nor MPICH's (asked with --version)", kOtherWays,
                ExitCode::kCannotRunHere);
  }
  if (const auto flavour = mpi_of_program(program)) return {Launcher::kSingleton, *flavour};
  throw Error(command[0], "is neither an MPI launcher nor a program that needs an MPI library", kOtherWays,
              ExitCode::kCannotRunHere);
}

std::filesystem::path preload_library(pl_flavour flavour) {
  const std::string name =
      fmt::format("libplumbline-preload-{}.so", flavour == PL_FLAVOUR_OPENMPI ? "openmpi" : "mpich");
  std::filesystem::path directory;
  if (const char* asked = std::getenv("PLUMBLINE_PRELOAD_DIR")) {
    directory = asked;
  } else {
    std::error_code ignored;
    directory = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path() / "../lib/plumbline";
  }
  if (!std::filesystem::exists(directory / name))
    throw Error((directory / name).string(), "this preload library is missing",
                "build Plumbline where mpicc of this MPI is installed, or set PLUMBLINE_PRELOAD_DIR",
                ExitCode::kCannotRunHere);
  return std::filesystem::canonical(directory / name);
}

ProgramEnd run_recorded(const Command& command, const Launch& launch, const Preload& preload) {
  const char* inherited = std::getenv("LD_PRELOAD");
  const Command line = with_preload(launch.launcher, command, preload, inherited == nullptr ? "" : inherited);
  int fault[2];  // tells a failed exec from a program that exits with the same status
  if (pipe2(fault, O_CLOEXEC) != 0) cannot_run(command[0]);
  const pid_t child = fork();
  if (child < 0) cannot_run(command[0]);
  if (child == 0) {
    if (launch.launcher == Launcher::kSingleton) set_environment(preload);
    execvp(line[0].c_str(), pointers(line).data());
    const int reason = errno;
    if (write(fault[1], &reason, sizeof reason) < 0) _exit(126);
    _exit(127);
  }
  pass_signals_to(child);
  close(fault[1]);
  int reason = 0;
  const bool failed = read(fault[0], &reason, sizeof reason) == sizeof reason;
  close(fault[0]);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  child_pid = 0;
  if (failed) {
    errno = reason;
    cannot_run(command[0]);
  }
  if (WIFSIGNALED(status)) return {128 + WTERMSIG(status), WTERMSIG(status)};
  return {WEXITSTATUS(status), 0};
}

void become_rank(const Command& command, const std::filesystem::path& spool) {
  pl_flavour flavour = PL_FLAVOUR_NONE;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) {
    flavour = PL_FLAVOUR_OPENMPI;
  } else if (const auto needed = mpi_of_program(find_program(command[0]))) {
    flavour = *needed;
  } else if (std::getenv("PMI_SIZE") != nullptr) {
    flavour = PL_FLAVOUR_MPICH;
  } else {
    throw Error(
        command[0], "cannot tell which MPI this rank uses",
        "--rank belongs between a launcher and a program: mpirun -n 4 plumbline record --rank --spool DIR -- ./app",
        ExitCode::kCannotRunHere);
  }
  set_environment({preload_library(flavour), std::filesystem::absolute(spool)});
  execvp(command[0].c_str(), pointers(command).data());
  cannot_run(command[0]);
}

std::filesystem::path make_spool_directory() {
  const char* base = std::getenv("TMPDIR");
  const char* user = std::getenv("USER");
  std::string name = fmt::format("{}/plumbline-{}-XXXXXX", base == nullptr ? "/tmp" : base,
                                 user == nullptr ? std::to_string(getuid()) : user);
  if (mkdtemp(name.data()) == nullptr)
    throw Error(name, std::strerror(errno), "set TMPDIR to a directory that can be written", ExitCode::kCannotRunHere);
  return name;
}

}  // namespace plumbline::record
