#include "base/node/first_use.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include "base/node/control_group.hpp"
#include "base/node/source.hpp"
#include "base/node/text.hpp"
#include "base/units.hpp"

namespace plumbline::node {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t kPieceBytes = 4 * kMebi;
constexpr std::size_t kWindow = 8;  // pieces of which the middle one counts: one may have met an interrupt
constexpr std::size_t kMostTouched = 2048 * kMebi, kLeastTouched = kWindow * kPieceBytes;
constexpr std::size_t kTouchedAgain = 2 * kLeastTouched;
constexpr double kMostSeconds = 0.75;

class Mapping {
 public:
  explicit Mapping(std::size_t bytes)
      : bytes_(bytes), address_(::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)) {}
  ~Mapping() {
    if (is_there()) ::munmap(address_, bytes_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;

  bool is_there() const { return address_ != MAP_FAILED; }
  volatile char* data() const { return static_cast<volatile char*>(address_); }

 private:
  std::size_t bytes_;
  void* address_;
};

std::size_t page_size() {
  const long size = ::sysconf(_SC_PAGESIZE);
  return size > 0 ? static_cast<std::size_t>(size) : 4096;
}

std::optional<std::size_t> bytes_in(Source& source, const std::string& path) {
  const auto line = source.line(path);
  const auto number = line ? number_of(*line) : std::nullopt;  // "max" is none
  return number ? std::optional(static_cast<std::size_t>(*number)) : std::nullopt;
}

// That the system has, and that the control groups of this process leave it.
std::size_t free_memory() {
  const long pages = ::sysconf(_SC_AVPHYS_PAGES);
  std::size_t least = pages > 0 ? static_cast<std::size_t>(pages) * page_size() : 0;
  Facts unused;
  Source source("/", unused);
  const auto group = control_group(source, "memory");
  if (!group) return least;
  const bool is_new = group->version == 2;
  for (const std::string& directory : group->directories) {
    const auto limit = bytes_in(source, directory + (is_new ? "/memory.max" : "/memory.limit_in_bytes"));
    const auto used = bytes_in(source, directory + (is_new ? "/memory.current" : "/memory.usage_in_bytes"));
    if (limit && used) least = std::min(least, *limit - std::min(*limit, *used));
  }
  return least;
}

// Seconds of each piece, in order.
std::vector<double> write_pieces(std::size_t bytes) {
  const Mapping memory(bytes);
  std::vector<double> seconds;
  if (!memory.is_there()) return seconds;
  const std::size_t page = page_size();
  const Clock::time_point begin = Clock::now();
  Clock::time_point before = begin;
  for (std::size_t at = 0; at + kPieceBytes <= bytes; at += kPieceBytes) {
    for (std::size_t i = 0; i < kPieceBytes; i += page) memory.data()[at + i] = 1;
    const Clock::time_point now = Clock::now();
    seconds.push_back(std::chrono::duration<double>(now - before).count());
    before = now;
    if (seconds.size() >= kWindow && std::chrono::duration<double>(now - begin).count() > kMostSeconds) break;
  }
  return seconds;
}

// The medians of all pieces that follow each other, kWindow of them at a time, in order of size.
std::vector<double> medians_of(const std::vector<double>& seconds) {
  std::vector<double> medians;
  for (std::size_t i = 0; i + kWindow <= seconds.size(); ++i) {
    const auto first = seconds.begin() + static_cast<std::ptrdiff_t>(i);
    std::vector<double> window(first, first + kWindow);
    std::ranges::sort(window);
    medians.push_back(window[kWindow / 2]);
  }
  std::ranges::sort(medians);
  return medians;
}

double rate_of(double seconds) { return static_cast<double>(kPieceBytes) / std::max(seconds, 1e-9); }

}  // namespace

std::optional<FirstUse> first_use_of(const std::vector<double>& idle_s, const std::vector<double>& recent_s) {
  const std::vector<double> idle = medians_of(idle_s), recent = medians_of(recent_s);
  if (idle.empty() || recent.empty()) return std::nullopt;
  return FirstUse{rate_of(idle.back()), rate_of(recent[recent.size() / 2])};
}

std::optional<FirstUse> time_first_use() {
  const std::size_t bytes = std::min(kMostTouched, free_memory() / 8) / kPieceBytes * kPieceBytes;
  if (bytes < kLeastTouched) return std::nullopt;
  const std::vector<double> idle = write_pieces(bytes);
  return first_use_of(idle, write_pieces(std::min(bytes, kTouchedAgain)));
}

}  // namespace plumbline::node
