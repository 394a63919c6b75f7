// The process around a Sampler (node_sampler.hpp).

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstring>
#include <exception>
#include <utility>

#include "tracer/record/metrics/node_sampler.hpp"

namespace plumbline::record {
namespace {

// A name in the network namespace for the node of this run. The directory of the run may have different numbers on
// different nodes; on one node it has one.
std::string name_of(const std::filesystem::path& run) {
  std::error_code ignored;
  std::filesystem::create_directories(run, ignored);  // has numbers from now on
  struct stat status {};
  std::array<char, HOST_NAME_MAX + 1> host{};
  gethostname(host.data(), host.size() - 1);
  if (stat(run.c_str(), &status) != 0) status = {};
  return fmt::format("plumbline-sampler:{}:{:x}:{:x}", host.data(), status.st_dev, status.st_ino);
}

enum class Claim { kOurs, kTaken, kImpossible };

// An abstract address: gone with the process that bound it.
Claim claim(int socket, const std::string& name) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::size_t length = std::min(name.size(), sizeof address.sun_path - 1);
  std::memcpy(address.sun_path + 1, name.data(), length);
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + length);
  if (bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0) return Claim::kOurs;
  return errno == EADDRINUSE ? Claim::kTaken : Claim::kImpossible;
}

// True when `life` has ended; false when the time is over.
bool ended_before(int life, std::int64_t until_ns) {
  pollfd watched{life, POLLIN, 0};
  for (;;) {
    const std::int64_t left = std::max<std::int64_t>(0, until_ns - monotonic_ns());
    const timespec timeout{left / 1'000'000'000, left % 1'000'000'000};
    const int ready = ppoll(&watched, 1, &timeout, nullptr);
    if (ready > 0) return true;
    if (ready == 0) return false;
    if (errno != EINTR) return true;
  }
}

void close_from(int first) {
  if (syscall(SYS_close_range, first, ~0U, 0) == 0) return;
  const long most = std::min(sysconf(_SC_OPEN_MAX), 65536L);  // before Linux 5.9
  for (int file = first; file < most; ++file) close(file);
}

// Nothing of what this process was forked from: launchers wait for their pipes to close, and a rank's processor is the
// rank's. Signals to the group are for the program; the sampler ends with `life`.
int detach(int life) {
  constexpr int kLife = 3;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ})
    std::signal(signal, SIG_IGN);
  if (life != kLife) dup2(life, kLife);
  close_from(kLife + 1);
  const int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  for (const int standard : {0, 1, 2}) dup2(null, standard);
  cpu_set_t all;
  std::memset(&all, 0xff, sizeof all);
  sched_setaffinity(0, sizeof all, &all);
  prctl(PR_SET_NAME, "plumbline-sampl");
  return kLife;
}

void sample(const std::filesystem::path& directory, Duration interval, int life) {
  Sampler sampler(directory, interval);
  const std::int64_t step = interval.ps / 1000;
  std::int64_t next = monotonic_ns();
  bool ended = false;
  while (!ended && sampler.round()) {
    next = std::max(next + step, monotonic_ns());  // rounds that were missed are not made up for
    ended = ended_before(life, next);
  }
  sampler.finish();
}

// Until `life` ends. While another sampler has this node, waits for its end: once in a while is enough.
void sample_node(const std::filesystem::path& directory, const std::string& name, Duration interval, int inherited) {
  constexpr std::int64_t kAskAgain_ns = 2'000'000'000;
  const int life = detach(inherited);
  const int socket = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  Claim claimed = claim(socket, name);
  while (claimed == Claim::kTaken && !ended_before(life, monotonic_ns() + kAskAgain_ns)) claimed = claim(socket, name);
  if (claimed == Claim::kOurs) sample(directory, interval, life);
}

// Leaves without what an exit would do a second time.
[[noreturn]] void run_sampler(const std::filesystem::path& directory, const std::string& name, Duration interval,
                              int life) {
  try {
    sample_node(directory, name, interval, life);
  } catch (const std::exception&) {  // there will be no samples; the program is not to be disturbed for that
  }
  _exit(0);
}

}  // namespace

NodeSampler::NodeSampler(const std::filesystem::path& directory, const std::filesystem::path& run, Duration interval) {
  int ends[2];
  if (interval <= Duration{} || pipe2(ends, O_CLOEXEC) != 0) return;
  const std::string name = name_of(run);
  process_ = fork();
  if (process_ == 0) {
    close(ends[1]);
    run_sampler(directory, name, interval, ends[0]);
  }
  close(ends[0]);
  life_ = ends[1];
}

NodeSampler::NodeSampler(NodeSampler&& other) noexcept
    : process_(std::exchange(other.process_, -1)), life_(std::exchange(other.life_, -1)) {}

void NodeSampler::stop() {
  if (life_ >= 0) close(std::exchange(life_, -1));
  if (process_ <= 0) return;
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = -1;
}

}  // namespace plumbline::record
