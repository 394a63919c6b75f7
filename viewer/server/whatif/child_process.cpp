#include "viewer/server/whatif/child_process.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::viewer {
namespace {

constexpr int kProgress = 3;  // descriptor of the child

// What a spawn needs, released with it.
struct Actions {
  Actions() {
    posix_spawn_file_actions_init(&files);
    posix_spawnattr_init(&attributes);
    sigset_t all;
    sigfillset(&all);
    posix_spawnattr_setsigdefault(&attributes, &all);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
  }
  ~Actions() {
    posix_spawn_file_actions_destroy(&files);
    posix_spawnattr_destroy(&attributes);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;

  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
};

[[noreturn]] void cannot_start(const std::string& program, int error) {
  throw Error(program, fmt::format("cannot be started: {}", std::strerror(error)), "", ExitCode::kCannotRunHere);
}

}  // namespace

ChildProcess::ChildProcess(const std::string& program, const std::vector<std::string>& arguments) {
  std::vector<char*> words{const_cast<char*>(program.c_str())};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);

  Actions actions;
  posix_spawn_file_actions_addopen(&actions.files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  std::array<int, 3> write_ends{-1, -1, -1};
  const std::array<Pipe*, 3> pipes{&out_, &err_, &progress_};
  const std::array<int, 3> targets{STDOUT_FILENO, STDERR_FILENO, kProgress};
  int fault = 0;
  for (std::size_t i = 0; i < pipes.size() && fault == 0; ++i) {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
      fault = errno;
      break;
    }
    pipes[i]->read_end = ends[0];
    write_ends[i] = ends[1];
    ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
    posix_spawn_file_actions_adddup2(&actions.files, ends[1], targets[i]);
  }
  posix_spawn_file_actions_addclosefrom_np(&actions.files, kProgress + 1);
  if (fault == 0)
    fault = ::posix_spawn(&pid_, program.c_str(), &actions.files, &actions.attributes, words.data(), environ);
  for (const int end : write_ends)
    if (end >= 0) ::close(end);
  if (fault == 0) return;
  for (const Pipe* pipe : pipes)
    if (pipe->read_end >= 0) ::close(pipe->read_end);
  cannot_start(program, fault);
}

ChildProcess::~ChildProcess() {
  if (!ended_) {
    ::kill(pid_, SIGKILL);
    while (::waitpid(pid_, &status_, 0) < 0 && errno == EINTR) {
    }
  }
  for (const Pipe* pipe : {&out_, &err_, &progress_}) ::close(pipe->read_end);
}

void ChildProcess::take(Pipe& pipe) {
  std::array<char, 4096> piece{};
  for (;;) {
    const ssize_t bytes = ::read(pipe.read_end, piece.data(), piece.size());
    if (bytes < 0 && errno == EINTR) continue;
    if (bytes <= 0) return;
    pipe.text.append(piece.data(), static_cast<std::size_t>(bytes));
    if (pipe.text.size() > pipe.most) pipe.text.erase(0, pipe.text.size() - pipe.most);
  }
}

bool ChildProcess::has_ended() {
  // Asked before the pipes are read: what it wrote before it ended is in them then.
  if (!ended_) ended_ = ::waitpid(pid_, &status_, WNOHANG) == pid_;
  for (Pipe* const pipe : {&out_, &err_, &progress_}) take(*pipe);
  return ended_;
}

}  // namespace plumbline::viewer
