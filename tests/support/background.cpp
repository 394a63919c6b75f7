#include "tests/support/background.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

namespace plumbline::test {
namespace {

std::string text_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

}  // namespace

Background::Background(const std::string& command, const std::filesystem::path& directory)
    : out_(directory / "background.out"), err_(directory / "background.err") {
  pid_ = fork();
  if (pid_ != 0) return;
  setpgid(0, 0);
  if (chdir(directory.c_str()) != 0) _exit(127);
  dup2(open("/dev/null", O_RDONLY), 0);
  dup2(open(out_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  dup2(open(err_.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  execl("/bin/sh", "sh", "-c", ("exec " + command).c_str(), static_cast<char*>(nullptr));
  _exit(127);
}

Background::~Background() {
  if (!has_ended()) {
    kill(-pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
}

bool Background::has_ended() {
  ended_ = ended_ || waitpid(pid_, &status_, WNOHANG) == pid_;
  return ended_;
}

CommandResult Background::result(int limit_seconds) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(limit_seconds);
  std::string note;
  while (!has_ended()) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (std::chrono::steady_clock::now() < limit || !note.empty()) continue;
    note = "\n(killed after " + std::to_string(limit_seconds) + " s)";
    kill(-pid_, SIGKILL);
  }
  const int status = WIFEXITED(status_) ? WEXITSTATUS(status_) : 128 + WTERMSIG(status_);
  return {status, text_of(out_), text_of(err_) + note};
}

}  // namespace plumbline::test
