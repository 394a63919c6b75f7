#pragma once
// How many threads of this machine run or could run, looked at again and again.

#include <cstdint>
#include <string_view>

namespace plumbline::bench {

class RunQueue {
 public:
  // One look at this machine.
  void look();
  // The same from the contents of a /proc/loadavg, "0.20 0.18 0.12 3/80 11206": 3 run or could, and the one that reads
  // is among them. What says no such thing does not count.
  void add(std::string_view loadavg);

  double mean() const { return looks_ == 0 ? 0 : sum_ / static_cast<double>(looks_); }  // without who reads

 private:
  double sum_ = 0;
  std::uint64_t looks_ = 0;
};

}  // namespace plumbline::bench
