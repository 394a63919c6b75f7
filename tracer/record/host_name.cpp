#include "tracer/record/host_name.hpp"

#include <unistd.h>

#include <array>
#include <climits>

namespace plumbline::record {

std::string host_name() {
  std::array<char, HOST_NAME_MAX + 1> name{};
  gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace plumbline::record
