#include "cli/shared_works.hpp"

#include <vector>

#include "cli/workflows/predict/shared_runs.hpp"
#include "replay/expect/archive/read_together.hpp"
#include "replay/expect/archive/write_together.hpp"
#include "replay/expect/shared_lengths.hpp"
#include "replay/program/compile/compile_together.hpp"
#include "tracer/record/assemble/assemble.hpp"

namespace plumbline::cli {

std::span<const SharedWork> shared_works() {
  static const std::vector<SharedWork> works = {
      predict::kRuns,   record::kAssemble,     replay::expect::kLengths,
      replay::kCompile, replay::kReadExpected, replay::kWriteExpected,
  };
  return works;
}

}  // namespace plumbline::cli
