#include "base/files/standard_streams.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <ctime>
#include <initializer_list>

namespace plumbline {
namespace {

// SIGPIPE must not be ignored instead: programs that are started would inherit that.
class WithoutSigpipe {
 public:
  WithoutSigpipe() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    was_pending_ = sigpending(&pending) == 0 && sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~WithoutSigpipe() {
    const timespec at_once{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &at_once) < 0 && errno == EINTR) {
    }
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  WithoutSigpipe(const WithoutSigpipe&) = delete;
  WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

 private:
  sigset_t pipe_{}, before_{};
  bool was_pending_ = false;
};

ssize_t write_what_goes(void*, const char* text, size_t bytes) {
  const WithoutSigpipe guard;
  for (size_t done = 0; done < bytes;) {
    const ssize_t n = ::write(STDERR_FILENO, text + done, bytes - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    done += static_cast<size_t>(n);
  }
  return static_cast<ssize_t>(bytes);
}

void open_if_closed(int fd) {
  if (fcntl(fd, F_GETFD) >= 0 || errno != EBADF) return;
  const int opened = open("/dev/null", (fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) | O_CLOEXEC);
  if (opened >= 0 && opened != fd) {  // not the lowest that is closed: they are opened in order
    dup3(opened, fd, O_CLOEXEC);
    close(opened);
  }
}

}  // namespace

void survive_lost_streams() {
  for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) open_if_closed(fd);
  FILE* stream = fopencookie(nullptr, "w", {nullptr, write_what_goes, nullptr, nullptr});
  if (stream == nullptr) return;
  setvbuf(stream, nullptr, _IONBF, 0);
  stderr = stream;
}

}  // namespace plumbline
