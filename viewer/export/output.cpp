#include "viewer/export/output.hpp"

#include <cerrno>
#include <cstring>

#include "base/error.hpp"

namespace plumbline::viewer {

void Output::flush() {
  errno = 0;
  to_.write(buffer_.data(), static_cast<std::streamsize>(buffer_.size()));
  to_.flush();
  buffer_.clear();
  if (to_) return;
  const std::string reason = errno != 0 ? std::string(": ") + std::strerror(errno) : "";
  throw Error(name_, "cannot be written" + reason, "is there room on the disk?");
}

}  // namespace plumbline::viewer
