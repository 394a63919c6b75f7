#include "tests/support/command.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace plumbline::test {
namespace {

std::string read_and_remove(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  std::filesystem::remove(path);
  return text.str();
}

}  // namespace

CommandResult run_command(const std::string& command, const std::string& directory, int limit_seconds) {
  char out_name[] = "/tmp/plumbline-test-out-XXXXXX";
  char err_name[] = "/tmp/plumbline-test-err-XXXXXX";
  const int out = mkstemp(out_name), err = mkstemp(err_name);
  const std::string limited = "exec timeout --kill-after=5 " + std::to_string(limit_seconds) + " sh -c \"$0\"";
  const pid_t child = fork();
  if (child == 0) {
    if (chdir(directory.c_str()) != 0) _exit(127);
    const int null = open("/dev/null", O_RDONLY);
    dup2(null, 0);
    dup2(out, 1);
    dup2(err, 2);
    execl("/bin/sh", "sh", "-c", limited.c_str(), command.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  close(out);
  close(err);
  CommandResult result;
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  result.out = read_and_remove(out_name);
  result.err = read_and_remove(err_name);
  if (result.status == 124) result.err += "\n(killed after " + std::to_string(limit_seconds) + " s)";
  return result;
}

}  // namespace plumbline::test
