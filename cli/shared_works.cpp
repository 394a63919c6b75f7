#include "cli/shared_works.hpp"

#include <vector>

namespace plumbline::cli {

std::span<const SharedWork> shared_works() {
  static const std::vector<SharedWork> works = {
      // One line each, by name.
  };
  return works;
}

}  // namespace plumbline::cli
