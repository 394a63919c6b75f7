#pragma once
// One start of the program of the ranks, as campaigns make it.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/results/plan.hpp"
#include "bench/results/stream.hpp"
#include "tests/bench/mpi_job.hpp"

namespace plumbline::test {

struct RanksRun {
  CommandResult result;
  bench::Campaign campaign;
  std::vector<std::uint32_t> done;  // requests
};

// Plan and stream are files of `directory`; `way`: "", or "loopback".
inline RanksRun run_ranks(const MpiJob& job, const std::string& program, const bench::Plan& plan,
                          const std::filesystem::path& directory, const std::string& way = "") {
  const std::filesystem::path asked = directory / "plan.json", stream = directory / "stream";
  RanksRun run;
  bench::write_plan(plan, asked);
  run.result = run_job(job, fmt::format("{} {} {} {}", program, asked.string(), stream.string(), way));
  run.done = bench::read_stream(stream, run.campaign);
  return run;
}

}  // namespace plumbline::test
