#include "tracer/record/launch/launch.hpp"

#include <elf.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string_view>

#include "base/error.hpp"
#include "tracer/record/launch/orphaned_spools.hpp"

namespace plumbline::record {
namespace {

constexpr char kOtherWays[] =
    "start it by mpirun or mpiexec of Open MPI or MPICH, or put the recording inside your launcher: "
    "LAUNCHER … plumbline record --rank --gather DIR -- PROGRAM, then plumbline assemble DIR -o ARCHIVE";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

bool is_named_like_a_launcher(const std::string& command) {
  const std::string name = std::filesystem::path(command).filename().string();
  for (const char* stem : {"mpirun", "mpiexec", "orterun", "prterun", "prun"})
    if (name.compare(0, std::strlen(stem), stem) == 0) return true;
  return false;
}

// What takes a script away and returns at once.
bool is_batch_submission(const std::filesystem::path& command) {
  const std::string name = command.filename().string();
  for (const char* one : {"sbatch", "salloc", "qsub", "bsub"})
    if (name == one) return true;
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

// libasan of GCC and of Clang ends a program in which it is not the first library, unless it is told otherwise.
std::string options_of_address_sanitizer() {
  const char* inherited = std::getenv("ASAN_OPTIONS");
  const std::string options = inherited == nullptr ? "" : inherited;
  if (contains(options, "verify_asan_link_order")) return options;
  return options + (options.empty() ? "" : ":") + "verify_asan_link_order=0";
}

bool is_loadable(const std::string& path) { return path.find_first_of(" :$") == std::string::npos; }

// What the ranks get in their environment.
std::vector<std::pair<std::string, std::string>> variables(const Preload& preload, const std::string& inherited) {
  auto all = environment_of(preload.settings);
  const std::string libraries = preload.library.string() + (inherited.empty() ? "" : ":" + inherited);
  all.insert(all.begin(), {{"LD_PRELOAD", libraries}, {"PLUMBLINE_SPOOL", preload.spool.string()}});
  all.emplace_back("ASAN_OPTIONS", options_of_address_sanitizer());
  return all;
}

}  // namespace

void set_environment(const Preload& preload) {
  const char* inherited = std::getenv("LD_PRELOAD");
  for (const auto& [name, value] : variables(preload, inherited == nullptr ? "" : inherited))
    setenv(name.c_str(), value.c_str(), 1);
}

Command with_preload(Launcher launcher, const Command& command, const Preload& preload, const std::string& inherited) {
  if (launcher == Launcher::kHydra) {
    Command result{command[0]};
    for (const auto& [name, value] : variables(preload, inherited)) result.insert(result.end(), {"-genv", name, value});
    result.insert(result.end(), command.begin() + 1, command.end());
    return result;
  }
  if (launcher == Launcher::kSingleton || launcher == Launcher::kSrun) return command;
  Command options;
  for (const auto& [name, value] : variables(preload, inherited))
    options.insert(options.end(), {"-x", fmt::format("{}={}", name, value)});
  Command result;
  for (std::size_t i = 0; i < command.size(); ++i) {
    result.push_back(command[i]);
    if (i == 0 || command[i] == ":") result.insert(result.end(), options.begin(), options.end());
  }
  return result;
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
  if (program.filename() == "srun" && contains(output_of({program.string(), "--version"}), "slurm"))
    return {Launcher::kSrun, PL_FLAVOUR_NONE};
  if (is_batch_submission(program))
    throw Error(command[0], "starts the program somewhere else, later",
                "put `plumbline record` in front of mpirun or srun inside the batch script", ExitCode::kCannotRunHere);
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
  const std::string name = fmt::format("libplumbline-preload-{}.so", flavour == PL_FLAVOUR_OPENMPI ? "openmpi"
                                                                     : flavour == PL_FLAVOUR_MPICH ? "mpich"
                                                                                                   : "posix");
  std::filesystem::path directory;
  if (const char* asked = std::getenv("PLUMBLINE_PRELOAD_DIR")) {
    directory = asked;
  } else {
    directory = std::filesystem::path(this_program()).parent_path() / "../lib/plumbline";
  }
  std::error_code unreadable;
  if (!std::filesystem::exists(directory / name, unreadable))
    throw Error((directory / name).string(), "this preload library is missing",
                "build Plumbline where mpicc of this MPI is installed, or set PLUMBLINE_PRELOAD_DIR",
                ExitCode::kCannotRunHere);
  return std::filesystem::canonical(directory / name);
}

LoadablePath::LoadablePath(const std::filesystem::path& library) : path_(library) {
  if (is_loadable(path_.string())) return;
  const char* asked = std::getenv("TMPDIR");
  const std::string base = asked != nullptr && is_loadable(asked) ? asked : "/tmp";
  std::string name = base + "/plumbline-preload-XXXXXX";
  if (mkdtemp(name.data()) == nullptr)
    throw Error(library.string(), "a path with a blank, a colon or a $ cannot be preloaded",
                "set TMPDIR to a directory without them that can be written: a link is made there",
                ExitCode::kCannotRunHere);
  directory_ = name;
  path_ = directory_ / library.filename();
  std::filesystem::create_symlink(library, path_);
}

LoadablePath::~LoadablePath() {
  std::error_code ignored;
  if (!directory_.empty()) std::filesystem::remove_all(directory_, ignored);
}

Outcome run_recorded(const Command& command, const Launch& launch, const Preload& installed,
                     const StopOptions& options) {
  const LoadablePath library(installed.library);
  const Preload preload{library.path(), installed.spool, installed.settings};
  const char* inherited = std::getenv("LD_PRELOAD");
  const Command line = with_preload(launch.launcher, command, preload, inherited == nullptr ? "" : inherited);
  return run_until_stopped(
      line,
      [&] {
        if (launch.launcher == Launcher::kSingleton) set_environment(preload);
      },
      options);
}

pl_flavour flavour_of_rank(const Command& command) {
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) return PL_FLAVOUR_OPENMPI;
  if (const auto needed = mpi_of_program(find_program(command[0]))) return *needed;
  if (std::getenv("PMI_SIZE") != nullptr) return PL_FLAVOUR_MPICH;
  if (std::getenv("PMIX_NAMESPACE") != nullptr) return PL_FLAVOUR_OPENMPI;  // Slurm's pmix
  throw Error(
      command[0], "cannot tell which MPI this rank uses",
      "--rank belongs between a launcher and a program: mpirun -n 4 plumbline record --rank --gather DIR -- ./app",
      ExitCode::kCannotRunHere);
}

std::string this_program() {
  std::error_code ignored;
  return std::filesystem::read_symlink("/proc/self/exe", ignored).string();
}

namespace {

std::filesystem::path make_directory(std::string pattern, const char* advice) {
  if (mkdtemp(pattern.data()) == nullptr) throw Error(pattern, std::strerror(errno), advice, ExitCode::kCannotRunHere);
  return pattern;
}

}  // namespace

std::filesystem::path make_spool_directory() {
  const std::filesystem::path directory =
      make_directory(spool_directory_stem() + "XXXXXX", "set TMPDIR to a directory that can be written");
  hold_directory(directory);
  return directory;
}

std::filesystem::path make_gather_directory(const std::filesystem::path& archive) {
  std::filesystem::path base = std::filesystem::absolute(archive).lexically_normal();
  if (!base.has_filename()) base = base.parent_path();
  return make_directory(base.string() + ".spools-XXXXXX",
                        "write the archive where a directory can be made, or name one with --gather");
}

}  // namespace plumbline::record
