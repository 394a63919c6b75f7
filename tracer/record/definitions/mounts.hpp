#pragma once
// Which file system a path lies in, by /proc/self/mountinfo of the process that used it.

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace plumbline::record {

struct Mount {
  std::string point, type, source, options;
};

class Mounts {
 public:
  // Adds the lines of one reading of mountinfo; of two at the same point the later one counts.
  void add(std::string_view mountinfo);

  // Under other names.
  void rename(const std::function<void(Mount&)>& rename);

  // The mount with the longest point that is the path or above it; nullptr when there is none or the path is not
  // absolute. Links in the path are not followed: that would need the node.
  const Mount* of(std::string_view path) const;

 private:
  std::vector<Mount> mounts_;
};

}  // namespace plumbline::record
