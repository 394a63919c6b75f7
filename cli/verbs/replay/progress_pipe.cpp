#include "cli/verbs/replay/progress_pipe.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <string>

#include "base/error.hpp"

namespace plumbline::cli {

ProgressPipe::ProgressPipe(int descriptor) : descriptor_(descriptor) {
  if (descriptor_ < 0) return;
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  pollfd state{descriptor_, POLLOUT, 0};
  const bool is_open = ::poll(&state, 1, 0) >= 0 && (state.revents & (POLLNVAL | POLLERR)) == 0;
  if (!is_open)  // closed, or the parent has ended before we asked for its signal
    throw Error("--progress", fmt::format("nobody reads from descriptor {}", descriptor_),
                "it is for programs that start plumbline and read there", ExitCode::kWrongUse);
}

void ProgressPipe::tell(double share) {
  constexpr int kSteps = 1000;
  const int step = static_cast<int>(share * kSteps);
  if (descriptor_ < 0 || step == told_) return;
  told_ = step;
  const std::string line = fmt::format("progress {} {}\n", step, kSteps);
  if (::write(descriptor_, line.data(), line.size()) < 0 && errno != EINTR)
    throw Error("--progress", fmt::format("cannot be written: {}", std::strerror(errno)), "", ExitCode::kCannotRunHere);
}

}  // namespace plumbline::cli
