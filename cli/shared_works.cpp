#include "cli/shared_works.hpp"

#include <vector>

#include "tracer/record/assemble/assemble.hpp"

namespace plumbline::cli {

std::span<const SharedWork> shared_works() {
  static const std::vector<SharedWork> works = {
      record::kAssemble,
  };
  return works;
}

}  // namespace plumbline::cli
