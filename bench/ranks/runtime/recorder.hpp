#pragma once
// The stream of a run, which rank 0 writes while the ranks measure; on others nothing happens.

#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

#include "bench/results/stream.hpp"

namespace plumbline::bench {

class Recorder {
 public:
  // `path`: empty where nothing is to be written. Throws Error when it cannot be. `words`: of every cell, as kWay.
  explicit Recorder(const std::string& path, std::map<std::string, std::string> words = {});
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void begin(const Run& run);
  void begin_request(bool keep_ranks);
  void give(Cell cell);
  void note(std::string_view text);  // empty: none
  void expect(double seconds);       // until the next cell: whoever watches the run is to wait so long
  void done(std::uint32_t request);
  void end(const Run& run);

 private:
  double elapsed() const;

  std::FILE* file_ = nullptr;
  std::int64_t begin_ns_;
  double previous_s_ = 0;  // when the last cell, or the request, was there
  std::uint32_t position_ = 0;
  bool keep_ranks_ = false;
  std::map<std::string, std::string> words_;
};

}  // namespace plumbline::bench
