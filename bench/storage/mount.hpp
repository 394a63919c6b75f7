#pragma once
// Which file system a path is on.

#include <string>

namespace plumbline::bench {

struct Mount {
  std::string point, type;
};
// The mount that holds the absolute `path`, from the text of /proc/self/mountinfo.
Mount mount_of(const std::string& path, const std::string& mountinfo);

}  // namespace plumbline::bench
