#include "tracer/record/metrics/node_sampler.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <fstream>
#include <utility>

#include "base/error.hpp"
#include "tracer/record/clocks/clock_file.hpp"
#include "tracer/record/host_name.hpp"
#include "tracer/record/metrics/proc_counters.hpp"

namespace plumbline::record {
namespace {

constexpr std::uint64_t kDearest = 1000;  // a source may take one part in so many of a processor
constexpr std::uint64_t kClockEvery_ns = 1'000'000'000;

std::uint64_t ns_of(Duration duration) { return static_cast<std::uint64_t>(duration.ps / 1000); }

// Bounded, and terminated by the zeros that the header begins with.
template <std::size_t kSize>
void put(char (&field)[kSize], std::string_view text) {
  std::memcpy(field, text.data(), std::min(text.size(), kSize - 1));
}

std::string first_line(const std::filesystem::path& path) {
  std::string line;
  std::ifstream file(path);
  std::getline(file, line);
  return line;
}

std::uint64_t inode(const std::filesystem::path& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0 ? status.st_ino : 0;
}

// All of a text that the kernel makes when it is read; `text` keeps its room.
bool read_all(int file, std::string& text) {
  constexpr std::size_t kAtFirst = 16384;
  text.resize(std::max(text.capacity(), kAtFirst));
  std::size_t have = 0;
  for (;;) {
    const ssize_t n = pread(file, text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) break;
    have += static_cast<std::size_t>(n);
    if (have == text.size()) text.resize(2 * have);
  }
  text.resize(have);
  return have != 0;
}

int create(const std::filesystem::path& directory, std::filesystem::path& path) {
  std::filesystem::create_directories(directory);
  for (int again = 0; again < 1000; ++again) {
    path = directory / (again == 0 ? fmt::format("{}.{}.samples", host_name(), getpid())
                                   : fmt::format("{}.{}.{}.samples", host_name(), getpid(), again));
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0 || errno != EEXIST) return file;
  }
  return -1;
}

}  // namespace

Sampler::Sampler(const std::filesystem::path& directory, Duration interval, KernelRoots roots)
    : roots_(std::move(roots)), interval_(interval), file_(create(directory, path_)) {
  if (file_ < 0) throw_system_error(path_.string(), "cannot be made for samples of this node", errno);
  add_source(&Sampler::take_network, {"self/net/snmp", "self/net/netstat"});
  add_source(&Sampler::take_interfaces, {"self/net/dev"});
  add_source(&Sampler::take_disks, {"diskstats"});
  add_source(&Sampler::take_processors, {"stat"});
  add_source(&Sampler::take_run_delay, {"schedstat"});
  add_source(&Sampler::take_memory, {"meminfo"});
  write_header();
}

Sampler::~Sampler() {
  for (const Source& source : sources_)
    for (const int file : source.files)
      if (file >= 0) close(file);
  if (file_ >= 0) close(file_);
}

void Sampler::write_header() {
  pl_samples_header header{};
  std::memcpy(header.magic, PL_SAMPLES_MAGIC, sizeof header.magic);
  header.version = PL_SAMPLES_VERSION;
  header.header_bytes = sizeof header;
  header.clock = clock_.kind();
  header.user_hz = static_cast<std::uint32_t>(sysconf(_SC_CLK_TCK));
  header.pid = static_cast<std::uint32_t>(getpid());
  header.interval_ns = ns_of(interval_);
  header.network_namespace = inode(roots_.proc / "self/ns/net");
  header.time_namespace_ns = this_clock().namespace_ns;
  header.first = clock_.reading();
  put(header.boot_id, first_line(roots_.proc / "sys/kernel/random/boot_id"));
  put(header.host, host_name());
  if (::write(file_, &header, sizeof header) != sizeof header)
    throw_system_error(path_.string(), "samples of this node cannot be written", errno);
}

void Sampler::add_source(void (Sampler::*take)(Source&), const std::vector<const char*>& names) {
  Source source{take, {}, std::vector<std::string>(names.size()), 0};
  for (const char* name : names) source.files.push_back(open((roots_.proc / name).c_str(), O_RDONLY | O_CLOEXEC));
  sources_.push_back(std::move(source));
}

// True when there is anything. What cannot be read is an empty text.
bool Sampler::read(Source& source) {
  bool any = false;
  for (std::size_t i = 0; i < source.files.size(); ++i) {
    source.texts[i].clear();
    if (source.files[i] >= 0 && read_all(source.files[i], source.texts[i])) any = true;
  }
  return any;
}

bool Sampler::round() {
  const auto now = static_cast<std::uint64_t>(monotonic_ns());
  const bool clock_is_due = now >= clock_due_ns_;
  take_due(now, false);
  if (clock_is_due) {
    clock_due_ns_ = now + kClockEvery_ns;
    append_clock();
  }
  return write();
}

bool Sampler::finish() {
  take_due(static_cast<std::uint64_t>(monotonic_ns()), true);
  append_clock();
  append(PL_SAMPLE_END, 0, nullptr, 0);
  return write();
}

void Sampler::take_due(std::uint64_t now, bool all) {
  const std::uint64_t begin = processor_time_ns();
  std::uint64_t before = begin;
  for (Source& source : sources_) {
    if (!all && now < source.due_ns) continue;
    if (read(source)) (this->*source.take)(source);
    const std::uint64_t after = processor_time_ns();
    const std::uint64_t pause = kDearest * (after - before);
    source.due_ns = pause > ns_of(interval_) ? now + pause : 0;
    before = after;
  }
  ++rounds_;
  cost_ns_ += before - begin;
}

bool Sampler::write() {
  if (file_ < 0) return false;
  const std::size_t bytes = buffer_.size() * sizeof(std::uint64_t);
  const ssize_t written = bytes == 0 ? 0 : ::write(file_, buffer_.data(), bytes);
  buffer_.clear();
  if (written == static_cast<ssize_t>(bytes)) return true;
  close(std::exchange(file_, -1));  // a record may be there in part: nothing may follow it
  return false;
}

void Sampler::take_network(Source& source) {
  append_values(PL_SAMPLED_NETWORK, "", network_counters(source.texts[0], source.texts[1]));
}

void Sampler::take_interfaces(Source& source) {
  for_each_interface(source.texts[0], [&](std::string_view name, const InterfaceCounters& counters) {
    append_values(PL_SAMPLED_INTERFACE, name, counters);
  });
}

void Sampler::take_disks(Source& source) {
  for_each_disk(source.texts[0], [&](std::string_view name, const DiskCounters& counters) {
    if (is_whole_disk(name)) append_values(PL_SAMPLED_DISK, name, counters);
  });
}

void Sampler::take_processors(Source& source) {
  if (const auto ticks = steal(source.texts[0])) append_values(PL_SAMPLED_PROCESSORS, "", std::array{*ticks});
}

void Sampler::take_run_delay(Source& source) {
  if (const auto ns = run_delay_ns(source.texts[0])) append_values(PL_SAMPLED_RUN_DELAY, "", std::array{*ns});
}

void Sampler::take_memory(Source& source) { append_values(PL_SAMPLED_MEMORY, "", memory_counters(source.texts[0])); }

// Whole disks have a directory of their own in /sys/block, partitions lie in that of their disk.
bool Sampler::is_whole_disk(std::string_view name) {
  if (const auto known = whole_disks_.find(name); known != whole_disks_.end()) return known->second;
  std::string directory(name);
  std::replace(directory.begin(), directory.end(), '/', '!');  // as sysfs writes it
  const bool whole = access((roots_.sys / "block" / directory).c_str(), F_OK) == 0;
  whole_disks_.emplace(name, whole);
  return whole;
}

// The number of a series; introduced at its first use.
std::uint16_t Sampler::series(pl_sampled what, std::string_view name) {
  const std::pair<int, std::string> key(what, name);
  const auto [entry, is_new] = series_.try_emplace(key, static_cast<std::uint16_t>(series_.size()));
  if (is_new) {
    std::vector<std::uint64_t> payload(1 + (name.size() + 7) / 8, 0);
    payload[0] = what;
    if (!name.empty()) std::memcpy(&payload[1], name.data(), name.size());
    append(PL_SAMPLE_SERIES, entry->second, payload.data(), payload.size());
  }
  return entry->second;
}

void Sampler::append(pl_sample_kind kind, std::uint16_t series, const std::uint64_t* words, std::size_t count) {
  buffer_.push_back(kind | static_cast<std::uint64_t>(series) << 16 | static_cast<std::uint64_t>(count) << 32);
  buffer_.insert(buffer_.end(), words, words + count);
}

template <typename Values>
void Sampler::append_values(pl_sampled what, std::string_view name, const Values& values) {
  constexpr std::size_t kMostSeries = 4096;  // names may come and go without end
  if (series_.size() >= kMostSeries && !series_.contains({what, std::string(name)})) return;
  std::array<std::uint64_t, 1 + std::tuple_size_v<Values>> payload;
  payload[0] = clock_.ticks();
  std::copy(values.begin(), values.end(), payload.begin() + 1);
  append(PL_SAMPLE_VALUES, series(what, name), payload.data(), payload.size());
}

void Sampler::append_clock() {
  const pl_clock_reading reading = clock_.reading();
  const std::array<std::uint64_t, 5> payload{reading.ticks, reading.monotonic_ns, reading.realtime_ns, rounds_,
                                             cost_ns_};
  append(PL_SAMPLE_CLOCK, 0, payload.data(), payload.size());
}

}  // namespace plumbline::record
