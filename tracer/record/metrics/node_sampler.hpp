#pragma once
// Samples the counters of this node into a file beside the spools (samples_format.h) while a program runs.
//
// One sampler per node and run is enough. A node is a host name and a network namespace, because TCP and interfaces are
// counted per namespace: samplers agree by a name in the namespace's abstract sockets, which the kernel gives to one
// process and takes back when that process ends in whatever way; another sampler of the run then goes on.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.hpp"
#include "tracer/record/clocks/recording_clock.hpp"
#include "tracer/spool/format/samples_format.h"

namespace plumbline::record {

// Ten samples a second: a TCP retransmission time-out lasts at least 200 ms, so one is seen as what it is.
inline constexpr Duration kSampleInterval = milliseconds(100);

// Where the kernel's texts are.
struct KernelRoots {
  std::filesystem::path proc = "/proc", sys = "/sys";
};

// The file and what goes into it. Not a process; who owns it decides when a round is taken.
class Sampler {
 public:
  // Makes the directory and the file `<host>.<pid>.samples`. Throws Error when that fails.
  Sampler(const std::filesystem::path& directory, Duration interval, KernelRoots roots = {});
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  // Reads what is due and appends it. A source whose reading is expensive on this machine (many processors, interrupts
  // or disks) is read less often, so that each takes at most a thousandth of one processor. False when the file cannot
  // be written any more; nothing is written after that.
  bool round();
  // The last one: reads everything, and the clocks.
  bool finish();

  const std::filesystem::path& path() const { return path_; }

 private:
  struct Source {
    void (Sampler::*take)(Source&);
    std::vector<int> files;          // kept open; -1: this kernel does not have it
    std::vector<std::string> texts;  // as read in this round
    std::uint64_t due_ns = 0;
  };

  void write_header();
  void add_source(void (Sampler::*take)(Source&), const std::vector<const char*>& names);
  bool read(Source& source);
  void take_due(std::uint64_t now, bool all);
  bool write();

  void take_network(Source& source);
  void take_interfaces(Source& source);
  void take_disks(Source& source);
  void take_processors(Source& source);
  void take_run_delay(Source& source);
  void take_memory(Source& source);

  std::uint16_t series(pl_sampled what, std::string_view name);
  void append(pl_sample_kind kind, std::uint16_t series, const std::uint64_t* words, std::size_t count);
  template <typename Values>
  void append_values(pl_sampled what, std::string_view name, const Values& values);
  void append_clock();
  bool is_whole_disk(std::string_view name);

  RecordingClock clock_;
  KernelRoots roots_;
  Duration interval_;
  std::filesystem::path path_;
  int file_ = -1;
  std::vector<Source> sources_;
  std::map<std::pair<int, std::string>, std::uint16_t, std::less<>> series_;
  std::map<std::string, bool, std::less<>> whole_disks_;
  std::vector<std::uint64_t> buffer_;
  std::uint64_t rounds_ = 0, cost_ns_ = 0, clock_due_ns_ = 0;
};

// A process that samples this node until it is stopped, or the process that started it ends.
class NodeSampler {
 public:
  NodeSampler() = default;
  // `run`: what the samplers of one run have in common, a directory. Nothing is started when the interval is 0.
  NodeSampler(const std::filesystem::path& directory, const std::filesystem::path& run, Duration interval);
  ~NodeSampler() { stop(); }
  NodeSampler(NodeSampler&& other) noexcept;
  NodeSampler& operator=(NodeSampler&&) = delete;

  // Returns when the file is whole.
  void stop();
  pid_t process() const { return process_; }  // -1: none

 private:
  pid_t process_ = -1;
  int life_ = -1;  // the sampler sees its other end close
};

}  // namespace plumbline::record
