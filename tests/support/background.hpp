#pragma once
// A shell command that runs while the test does something to it.

#include <sys/types.h>

#include <filesystem>
#include <string>

#include "tests/support/command.hpp"

namespace plumbline::test {

class Background {
 public:
  // `command` goes to /bin/sh in `directory`, which it is replaced by (exec): pid() is the command's own.
  Background(const std::string& command, const std::filesystem::path& directory);
  ~Background();  // kills it
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  pid_t pid() const { return pid_; }
  bool has_ended();
  // Waits for its end; kills it after `limit_seconds`, which is then said in `err`.
  CommandResult result(int limit_seconds = 60);

 private:
  std::filesystem::path out_, err_;
  pid_t pid_ = -1;
  int status_ = 0;
  bool ended_ = false;
};

}  // namespace plumbline::test
