#include "bench/ranks/environment/identity.hpp"

#include <mpi.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/mounts.hpp"
#include "base/node/source.hpp"
#include "base/node/subjects.hpp"
#include "base/node/text.hpp"
#include "bench/environment.hpp"
#include "bench/ranks/environment/library_settings.hpp"
#include "bench/ranks/environment/places.hpp"

namespace plumbline::bench {
namespace {

std::string version_text() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  MPI_Get_library_version(text, &length);
  return text;
}

std::string level_of_threads() {
  int level = MPI_THREAD_SINGLE;
  MPI_Query_thread(&level);
  switch (level) {
    case MPI_THREAD_SINGLE:
      return "single";
    case MPI_THREAD_FUNNELED:
      return "funneled";
    case MPI_THREAD_SERIALIZED:
      return "serialized";
    default:
      return "multiple";
  }
}

// What each launcher tells its processes of their number. MPI_LOCALNRANKS is of one node; it tells hydra from Slurm.
std::map<std::string, std::uint64_t> numbers_of_launchers() {
  std::map<std::string, std::uint64_t> numbers;
  for (const char* name :
       {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS", "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "FLUX_JOB_SIZE"})
    if (const char* text = std::getenv(name))
      if (const auto number = node::number_of(text)) numbers.emplace(name, *number);
  return numbers;
}

double quota_of_group() {
  node::Facts facts;
  node::Source source("/", facts);
  node::read_cgroup_settings(source);
  return std::strtod(std::string(facts.value("cgroup.cpu_quota_cores")).c_str(), nullptr);
}

// Open MPI 4 names its session in OMPI_FILE_LOCATION; MPICH has none.
std::filesystem::path session_directory() {
  if (PLUMBLINE_FLAVOUR != std::string_view("openmpi")) return {};
  for (const char* name : {"OMPI_FILE_LOCATION", "PMIX_SERVER_TMPDIR", "OMPI_MCA_orte_tmpdir_base", "TMPDIR"}) {
    const char* text = std::getenv(name);
    std::error_code fault;
    if (text != nullptr && std::filesystem::is_directory(text, fault)) return text;
  }
  return "/tmp";
}

std::string type_of_file_system(const std::filesystem::path& path) {
  std::ifstream file("/proc/self/mountinfo");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  std::error_code fault;
  const std::vector<node::Mount> mounts = node::mounts_of(text);
  const node::Mount* mount = node::mount_of(std::filesystem::weakly_canonical(path, fault).string(), mounts);
  return mount == nullptr ? "" : mount->type;
}

void add_session(node::RankIdentity& identity) {
  const std::filesystem::path directory = session_directory();
  if (directory.empty()) return;
  identity.session_directory = directory.string();
  identity.session_type = type_of_file_system(directory);
  identity.session_writable = ::access(directory.c_str(), W_OK) == 0;
  struct statvfs space {};
  if (::statvfs(directory.c_str(), &space) != 0) return;
  identity.session_bytes = space.f_blocks * space.f_frsize;
  identity.session_free_bytes = space.f_bavail * space.f_frsize;
}

void add_shared_memory(node::RankIdentity& identity) {
  struct statvfs space {};
  struct stat status {};
  if (::statvfs("/dev/shm", &space) != 0 || ::stat("/dev/shm", &status) != 0) return;
  identity.shm_bytes = space.f_blocks * space.f_frsize;
  identity.shm_free_bytes = space.f_bavail * space.f_frsize;
  identity.shm_device = status.st_dev;
}

}  // namespace

node::RankIdentity identity_before_init() {
  node::RankIdentity identity;
  utsname names{};
  ::uname(&names);
  identity.host = names.nodename;
  identity.boot_id = boot_id();
  identity.process = static_cast<std::uint64_t>(::getpid());
  identity.world_size = 0;
  identity.library = version_text();
  identity.library.resize(std::min(identity.library.find('\n'), identity.library.size()));
  identity.flavour = PLUMBLINE_FLAVOUR;
  identity.affinity = binding();
  identity.cores = static_cast<std::uint32_t>(::sysconf(_SC_NPROCESSORS_ONLN));
  identity.quota_cores = quota_of_group();
  identity.launched = numbers_of_launchers();
  add_session(identity);
  add_shared_memory(identity);
  return identity;
}

node::RankIdentity own_identity() {
  node::RankIdentity identity = identity_before_init();
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const std::string version = version_text();
  identity.world_rank = static_cast<std::uint32_t>(rank);
  identity.world_size = static_cast<std::uint32_t>(size);
  identity.thread_level = level_of_threads();
  identity.debug = debug_build(version);
  identity.yields = yields_when_idle();
  identity.settings = settings_of_transports(version);
  return identity;
}

}  // namespace plumbline::bench
