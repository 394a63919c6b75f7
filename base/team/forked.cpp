#include "base/team/forked.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <iterator>
#include <utility>

#include "base/error.hpp"
#include "base/process/program.hpp"

namespace plumbline {
namespace {

struct Lost {};  // nobody is at the other end

class Socket {
 public:
  explicit Socket(int fd) : fd_(fd) {}
  ~Socket() {
    if (fd_ >= 0) ::close(fd_);
  }
  Socket(Socket&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Socket& operator=(Socket&&) = delete;

  void send(std::string_view bytes) const {
    const std::uint64_t size = bytes.size();
    send_all({reinterpret_cast<const char*>(&size), sizeof size});
    send_all(bytes);
  }

  std::string receive() const {
    std::uint64_t size = 0;
    receive_all(reinterpret_cast<char*>(&size), sizeof size);
    std::string bytes(size, '\0');
    receive_all(bytes.data(), size);
    return bytes;
  }

 private:
  void send_all(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t sent = ::send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent < 0 && errno == EINTR) continue;
      if (sent <= 0) throw Lost();
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
  }

  void receive_all(char* to, std::size_t size) const {
    while (size > 0) {
      const ssize_t got = ::recv(fd_, to, size, 0);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) throw Lost();
      to += got;
      size -= static_cast<std::size_t>(got);
    }
  }

  int fd_;
};

struct Child {
  pid_t pid;
  Socket socket;
};

class Parent final : public Processes {
 public:
  explicit Parent(std::vector<Child>& children) : children_(children) {}

  std::uint32_t rank() const override { return 0; }
  std::uint32_t size() const override { return static_cast<std::uint32_t>(children_.size() + 1); }

 private:
  std::vector<std::string> gather_bytes(std::string_view own) override {
    std::vector<std::string> all = {std::string(own)};
    for (Child& child : children_) with(child, [&] { all.push_back(child.socket.receive()); });
    return all;
  }

  std::vector<std::string> exchange_bytes(std::string_view own) override {
    std::vector<std::string> all = gather_bytes(own);
    for (Child& child : children_)
      with(child, [&] {
        for (const std::string& bytes : all) child.socket.send(bytes);
      });
    return all;
  }

  template <class Talk>
  void with(const Child& child, Talk talk) const {
    try {
      talk();
    } catch (const Lost&) {
      throw_lost(child);
    }
  }

  // It may be a zombie by now, whose status the end of the work waits for.
  [[noreturn]] void throw_lost(const Child& child) const {
    siginfo_t end = {};
    for (const Child& other : children_)  // or they would write where what was written is removed
      if (&other != &child) {
        ::kill(other.pid, SIGKILL);
        ::waitid(P_PID, static_cast<id_t>(other.pid), &end, WEXITED | WNOWAIT);
      }
    end = {};
    ::waitid(P_PID, static_cast<id_t>(child.pid), &end, WEXITED | WNOWAIT);
    const auto number = &child - children_.data() + 2;
    const std::string how = end.si_code == CLD_EXITED ? fmt::format("ended with status {}", end.si_status)
                                                      : fmt::format("was killed by signal {}", end.si_status);
    throw Error(
        "", fmt::format("process {} of the {} that share the work {}", number, size(), how),
        end.si_status == SIGKILL ? "the kernel kills a process where memory is short: try fewer with --jobs" : "",
        ExitCode::kCannotRunHere);
  }

  std::vector<Child>& children_;
};

class Helper final : public Processes {
 public:
  Helper(std::uint32_t rank, std::uint32_t size, Socket socket)
      : rank_(rank), size_(size), socket_(std::move(socket)) {}

  std::uint32_t rank() const override { return rank_; }
  std::uint32_t size() const override { return size_; }

 private:
  std::vector<std::string> gather_bytes(std::string_view own) override {
    socket_.send(own);
    return {};
  }

  std::vector<std::string> exchange_bytes(std::string_view own) override {
    socket_.send(own);
    std::vector<std::string> all;
    while (all.size() < size_) all.push_back(socket_.receive());
    return all;
  }

  std::uint32_t rank_, size_;
  Socket socket_;
};

// Everything that fails is told to the caller, or nobody is left to be told.
[[noreturn]] void help(std::uint32_t rank, std::uint32_t size, Socket socket, const SharedWork& work,
                       std::string_view argument) {
  try {
    Helper helper(rank, size, std::move(socket));
    run_part(helper, work, argument);
  } catch (...) {
  }
  ::_exit(0);
}

// Waits for all. After a failure nobody wants the rest of their work.
struct EndOfChildren {
  std::vector<Child>& children;

  ~EndOfChildren() {
    for (const Child& child : children) {
      if (std::uncaught_exceptions() > 0) ::kill(child.pid, SIGKILL);
      wait_for_end(child.pid);
    }
  }
};

Child start(std::uint32_t rank, std::uint32_t size, std::vector<Child>& earlier, const SharedWork& work,
            std::string_view argument) {
  int ends[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    throw Error("", fmt::format("{} processes cannot be joined: {}", size, std::strerror(errno)), "try fewer (--jobs)",
                ExitCode::kCannotRunHere);
  Socket own(ends[0]), others(ends[1]);
  const pid_t parent = ::getpid(), pid = ::fork();
  if (pid < 0)
    throw Error("", fmt::format("{} processes cannot be started: {}", size, std::strerror(errno)), "try fewer (--jobs)",
                ExitCode::kCannotRunHere);
  if (pid > 0) return {pid, std::move(own)};
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  earlier.clear();  // an end that a helper holds would keep another one from learning that the caller has gone
  { const Socket closed = std::move(own); }
  help(rank, size, std::move(others), work, argument);
}

// Of other threads a fork would leave behind the locks and not those that release them.
bool has_threads() {
  std::error_code ignored;
  const std::filesystem::directory_iterator tasks("/proc/self/task", ignored);
  return !ignored && std::distance(begin(tasks), end(tasks)) > 1;
}

}  // namespace

std::string ForkedWorkers::run(const SharedWork& work, std::string_view argument) {
  if (size_ == 1 || has_threads()) {
    Alone alone;
    alone.on_progress = on_progress_;
    return work.run(alone, argument);
  }
  std::fflush(nullptr);  // or each of them would write what is still held
  std::vector<Child> children;
  const EndOfChildren end{children};
  for (std::uint32_t rank = 1; rank < size_; ++rank) children.push_back(start(rank, size_, children, work, argument));
  Parent parent(children);
  parent.on_progress = on_progress_;
  return run_part(parent, work, argument);
}

std::string ForkedWorkers::run_among(std::uint32_t most, const SharedWork& work, std::string_view argument) {
  ForkedWorkers fewer(std::min(size_, most));
  fewer.on_progress_ = on_progress_;
  return fewer.run(work, argument);
}

}  // namespace plumbline
