#include "bench/ranks/environment/places.hpp"

#include <fmt/format.h>
#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>

#include "bench/ranks/environment/socket.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/results/shared_cores.hpp"

namespace plumbline::bench {
namespace {

std::string name_of_node() {
  utsname names{};
  ::uname(&names);
  return fmt::format("{} {}", boot_id(), names.nodename);
}

std::string processor_name_by_mpi() {
  char name[MPI_MAX_PROCESSOR_NAME] = "";
  int length = 0;
  must(MPI_Get_processor_name(name, &length));
  return std::string(name, static_cast<std::size_t>(length));
}

std::string library_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  must(MPI_Get_library_version(text, &length));
  const std::string whole(text, static_cast<std::size_t>(length));
  return whole.substr(0, whole.find_first_of(std::string_view("\n\0", 2)));
}

long involuntary_switches() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_nivcsw;
}

double largest(MPI_Comm comm, double own) {
  must(MPI_Allreduce(MPI_IN_PLACE, &own, 1, MPI_DOUBLE, MPI_MAX, comm));
  return own;
}

// [ranks]; complete on rank 0.
std::vector<std::uint32_t> gather_sockets(MPI_Comm world) {
  const std::uint32_t own = socket_of_cpus(allowed_cpus());
  std::vector<std::uint32_t> all(static_cast<std::size_t>(size_of(world)));
  must(MPI_Gather(&own, 1, MPI_UINT32_T, all.data(), 1, MPI_UINT32_T, 0, world));
  return all;
}

std::uint32_t most_on_a_node(const Places& places) {
  std::uint32_t most = 0;
  for (std::uint32_t node = 0; node < places.hosts.size(); ++node)
    most = std::max(most, static_cast<std::uint32_t>(std::ranges::count(places.node_of, node)));
  return most;
}

}  // namespace

std::string binding() {
  cpu_set_t allowed;
  if (::sched_getaffinity(0, sizeof allowed, &allowed) != 0) return "";
  std::string text;
  for (int first = 0; first < CPU_SETSIZE; ++first) {
    if (!CPU_ISSET(first, &allowed)) continue;
    int last = first;
    while (last + 1 < CPU_SETSIZE && CPU_ISSET(last + 1, &allowed)) ++last;
    text += fmt::format("{}{}", text.empty() ? "" : ",", first);
    if (last > first) text += fmt::format("-{}", last);
    first = last;
  }
  return text;
}

Places find_places(MPI_Comm world) {
  const std::vector<std::string> names = gather_texts(world, name_of_node());
  const std::vector<std::string> hosts = gather_texts(world, processor_name_by_mpi());
  Places places;
  places.node_of.resize(static_cast<std::size_t>(size_of(world)));
  std::vector<std::string> seen;
  std::string all_hosts;
  for (std::size_t rank = 0; rank < names.size(); ++rank) {
    const auto found = std::ranges::find(seen, names[rank]);
    places.node_of[rank] = static_cast<std::uint32_t>(found - seen.begin());
    if (found != seen.end()) continue;
    seen.push_back(names[rank]);
    all_hosts += hosts[rank] + '\n';
  }
  must(MPI_Bcast(places.node_of.data(), size_of(world), MPI_UINT32_T, 0, world));
  all_hosts = broadcast_text(world, all_hosts);
  for (std::size_t at = 0, end = 0; (end = all_hosts.find('\n', at)) != std::string::npos; at = end + 1)
    places.hosts.push_back(all_hosts.substr(at, end - at));
  return places;
}

bool share_cores(MPI_Comm world, const Run& before) {
  int shared = sharing_of(before).empty() ? 0 : 1;
  must(MPI_Bcast(&shared, 1, MPI_INT, 0, world));
  return shared != 0;
}

RunFacts::RunFacts(MPI_Comm world, const Places& places) : world_(world) {
  run_.mpi = PLUMBLINE_FLAVOUR;
  run_.library = library_version();
  run_.nodes = static_cast<std::uint32_t>(places.hosts.size());
  run_.per_node = most_on_a_node(places);
  run_.node_of = places.node_of;
  run_.hosts = gather_texts(world, processor_name_by_mpi());
  run_.bindings = gather_texts(world, binding());
  run_.boots = gather_texts(world, boot_id());
  run_.socket_of = gather_sockets(world);
  run_.created = describe_environment(".").created;
  run_.load_before = largest(world, load_average());
  time_ = processor_time();
  switches_ = involuntary_switches();
}

Run RunFacts::after() {
  const ProcessorTime now = processor_time();
  const double all = now.all - time_.all;
  run_.stolen = largest(world_, all > 0 ? (now.stolen - time_.stolen) / all : 0);
  run_.load_after = largest(world_, load_average());
  const double own = static_cast<double>(involuntary_switches() - switches_);
  run_.involuntary_switches.resize(static_cast<std::size_t>(size_of(world_)));
  must(MPI_Gather(&own, 1, MPI_DOUBLE, run_.involuntary_switches.data(), 1, MPI_DOUBLE, 0, world_));
  run_.finished = true;
  return run_;
}

}  // namespace plumbline::bench
