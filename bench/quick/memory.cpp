#include "bench/quick/memory.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <barrier>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

#include "base/units.hpp"

namespace plumbline::bench {
namespace {

using Clock = std::chrono::steady_clock;

// Together beyond the last cache; at most a quarter of the memory that is free.
std::size_t buffer_size(unsigned cores) {
  const long cache = ::sysconf(_SC_LEVEL3_CACHE_SIZE);
  const long pages = ::sysconf(_SC_AVPHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  const std::size_t last_cache = cache > 0 ? static_cast<std::size_t>(cache) : 32 * kMebi;
  const std::size_t free = static_cast<std::size_t>(std::max(pages, 0L)) * static_cast<std::size_t>(page);
  const std::size_t wanted = std::clamp(2 * last_cache, 16 * kMebi, 64 * kMebi);
  return std::max(kMebi, std::min(wanted, free / 8 / cores));
}

struct Buffers {
  explicit Buffers(std::size_t size) : from(size, 'p'), to(size, 'l') {}
  std::vector<char> from, to;
};

// Bytes per second that `cores` threads copy together until `seconds` are over.
double copy_rate(std::vector<Buffers>& buffers, unsigned cores, double seconds) {
  std::barrier start(cores);
  std::vector<double> rates(cores);
  const auto copy = [&](unsigned i) {
    Buffers& mine = buffers[i];
    start.arrive_and_wait();
    const Clock::time_point begin = Clock::now();
    double elapsed = 0;
    std::size_t copied = 0;
    while (elapsed < seconds) {
      std::memcpy(mine.to.data(), mine.from.data(), mine.to.size());
      asm volatile("" ::"r"(mine.to.data()) : "memory");  // the copy is the purpose
      copied += mine.to.size();
      elapsed = std::chrono::duration<double>(Clock::now() - begin).count();
    }
    rates[i] = static_cast<double>(copied) / elapsed;
  };
  std::vector<std::thread> others;
  for (unsigned i = 1; i < cores; ++i) others.emplace_back(copy, i);
  copy(0);
  for (std::thread& other : others) other.join();
  double sum = 0;
  for (const double rate : rates) sum += rate;
  return sum;
}

}  // namespace

void measure_memory(double seconds, Measurements& into) {
  constexpr std::uint32_t kRounds = 6;
  const unsigned cores = std::max(1U, into.environment.cores);
  const std::size_t size = buffer_size(cores);
  std::vector<Buffers> buffers(cores, Buffers(size));
  const double each = seconds / (2 * kRounds);
  for (std::uint32_t round = 0; round < kRounds; ++round) {
    series(into, kCopyOneCore, "B/s").samples.push_back({size, round, 0, copy_rate(buffers, 1, each)});
    series(into, kCopyAllCores, "B/s").samples.push_back({size, round, 0, copy_rate(buffers, cores, each)});
  }
}

}  // namespace plumbline::bench
