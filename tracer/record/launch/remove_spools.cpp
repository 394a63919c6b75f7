#include "tracer/record/launch/remove_spools.hpp"

#include <chrono>
#include <system_error>
#include <thread>

namespace plumbline::record {

std::string remove_spools(const std::filesystem::path& directory) {
  using Clock = std::chrono::steady_clock;
  constexpr std::chrono::milliseconds kPatience{1000}, kPause{10};
  const Clock::time_point end = Clock::now() + kPatience;
  for (;;) {
    std::error_code failed;
    std::filesystem::remove_all(directory, failed);
    if (!failed) return {};
    if (failed != std::errc::directory_not_empty || Clock::now() > end) return failed.message();
    std::this_thread::sleep_for(kPause);
  }
}

}  // namespace plumbline::record
