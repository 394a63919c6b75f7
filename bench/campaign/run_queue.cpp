#include "bench/campaign/run_queue.hpp"

#include <charconv>
#include <fstream>
#include <string>

namespace plumbline::bench {
namespace {

constexpr int kLoads = 3;  // of 1, 5 and 15 minutes; then come "running/all"

}  // namespace

void RunQueue::look() {
  std::string line;
  if (std::ifstream file("/proc/loadavg"); std::getline(file, line)) add(line);
}

void RunQueue::add(std::string_view loadavg) {
  for (int i = 0; i < kLoads; ++i) {
    const std::size_t blank = loadavg.find(' ');
    if (blank == std::string_view::npos) return;
    loadavg.remove_prefix(blank + 1);
  }
  std::uint32_t running = 0;
  const char* const end = loadavg.data() + loadavg.size();
  const auto [behind, error] = std::from_chars(loadavg.data(), end, running);
  if (error != std::errc() || behind == end || *behind != '/') return;
  sum_ += running > 0 ? running - 1 : 0;
  ++looks_;
}

}  // namespace plumbline::bench
