#pragma once
// One child process, never left behind.

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace plumbline {

class Child {
 public:
  // Looks `command[0]` up in PATH. Standard input is empty; both outputs go to `log`. `environment` ("NAME=value") is
  // added to our own. Throws Error (kCannotRunHere) when it cannot be started.
  Child(const std::vector<std::string>& command, const std::vector<std::string>& environment,
        const std::filesystem::path& log);
  ~Child();  // ends it when it still runs: asks first, so that a launcher can end its ranks
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  bool running();  // also fetches the status when it has ended

  // "" after exit(0), otherwise "ended with status 3" or "was killed by signal 9". Only after it has ended.
  std::string failure() const;

 private:
  void stop();

  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
};

}  // namespace plumbline
