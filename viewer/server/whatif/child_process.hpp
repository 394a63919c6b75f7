#pragma once
// A child process whose output is read without waiting for it.

#include <sys/types.h>

#include <string>
#include <vector>

namespace plumbline::viewer {

class ChildProcess {
 public:
  // Its standard input is empty; descriptor 3 takes its progress. It has a process group of its own, so that Ctrl-C
  // reaches it through us only, and no other descriptor of ours. Error when it cannot be started.
  ChildProcess(const std::string& program, const std::vector<std::string>& arguments);
  ~ChildProcess();  // kills it where it still runs
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Takes what it has written. True once it has ended, and all of it was taken.
  bool has_ended();

  pid_t pid() const { return pid_; }
  int status() const { return status_; }  // once it has ended, as of waitpid
  const std::string& out() const { return out_.text; }
  const std::string& err() const { return err_.text; }
  const std::string& progress() const { return progress_.text; }  // what it wrote to descriptor 3

 private:
  struct Pipe {
    int read_end = -1;
    std::string text = {};
    std::size_t most = 0;  // of a longer text the end is kept
  };

  static void take(Pipe& pipe);

  pid_t pid_ = -1;
  bool ended_ = false;
  int status_ = 0;
  Pipe out_{-1, {}, 1 << 20}, err_{-1, {}, 1 << 16}, progress_{-1, {}, 1 << 12};
};

}  // namespace plumbline::viewer
