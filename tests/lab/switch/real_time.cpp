#include "tests/lab/switch/real_time.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::lab {

namespace {

constexpr int kPriority = 10;

bool may_lock_any_amount() {
  __user_cap_header_struct header{_LINUX_CAPABILITY_VERSION_3, 0};
  std::array<__user_cap_data_struct, 2> sets{};
  if (::syscall(SYS_capget, &header, sets.data()) != 0) return false;
  return (sets[CAP_TO_INDEX(CAP_IPC_LOCK)].effective & CAP_TO_MASK(CAP_IPC_LOCK)) != 0;
}

// Within a limit on locked memory, what is allocated later could be refused: then nothing is locked.
bool lock_memory() {
  if (may_lock_any_amount()) return ::mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0;
  errno = EPERM;
  return false;
}

}  // namespace

bool be_real_time(bool yes) {
  sched_param parameters{};
  parameters.sched_priority = yes ? kPriority : 0;
  return ::sched_setscheduler(0, yes ? SCHED_FIFO : SCHED_OTHER, &parameters) == 0;
}

std::string become_real_time() {
  std::string refused;
  const auto note = [&refused](bool done, const char* what) {
    if (!done) refused += fmt::format("{}{} ({})", refused.empty() ? "" : ", ", what, std::strerror(errno));
  };
  note(::prctl(PR_SET_TIMERSLACK, 1) == 0, "timer slack of 1 ns");
  note(lock_memory(), "locked memory");
  ::setpriority(PRIO_PROCESS, 0, -20);  // for when it is ordinary; a refusal shows in the lateness
  note(be_real_time(true), "SCHED_FIFO 10");
  return refused;
}

Descriptor keep_cores_awake() {
  Descriptor request(::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC));
  constexpr std::int32_t kNoWait = 0;  // us
  if (request && ::write(request.get(), &kNoWait, sizeof kNoWait) == sizeof kNoWait) return request;
  return {};
}

void keep_to_core(std::int32_t core) {
  if (core < 0) return;
  cpu_set_t cores;
  CPU_ZERO(&cores);
  CPU_SET(static_cast<std::size_t>(core), &cores);
  if (::sched_setaffinity(0, sizeof cores, &cores) != 0)
    throw Error(fmt::format("core {}", core), std::strerror(errno), "name one that this process may use, or -1",
                ExitCode::kCannotRunHere);
}

void RealTimeShare::spend(Time now) {
  if (now - second_began_ >= seconds(1)) {
    second_began_ = now;
    if (ordinary_) ordinary_ = !be_(true);
  } else if (!ordinary_ && now - second_began_ >= milliseconds(900)) {
    ordinary_ = be_(false);
  }
}

}  // namespace plumbline::lab
