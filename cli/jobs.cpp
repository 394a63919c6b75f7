#include "cli/jobs.hpp"

#include "cli/numbers.hpp"

namespace plumbline::cli {

void declare_jobs(CLI::App& app, std::uint32_t& jobs) {
  app.add_option("--jobs", jobs,
                 "replays at a time; default: one for each processor that this process may use, and no more than fit "
                 "into memory")
      ->check(whole_number())
      ->check(CLI::Range(1U, 4096U).description(""))
      ->type_name("N");
}

}  // namespace plumbline::cli
