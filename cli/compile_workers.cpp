#include "cli/compile_workers.hpp"

#include "base/team/forked.hpp"
#include "base/team/resources.hpp"

namespace plumbline::cli {

std::unique_ptr<Workers> workers_for_compiling(std::uint32_t jobs) {
  return std::make_unique<ForkedWorkers>(jobs > 0 ? jobs : usable_processors());
}

}  // namespace plumbline::cli
