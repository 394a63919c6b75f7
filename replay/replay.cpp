#include "replay/replay.hpp"

#include "replay/run.hpp"

namespace plumbline::replay {

ReplayResult replay(const Program& program, const hw::Platform& platform, const ReplayOptions& options) {
  return Run(program, platform, options).finish();
}

}  // namespace plumbline::replay
