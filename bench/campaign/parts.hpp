#pragma once
// What a campaign keeps on disk while it runs, in RESULT.parts beside its result: the campaign as it began, and of
// every start of the ranks what was asked, what they wrote, and what the launcher printed. Whoever is killed, and when,
// what was measured is here, and the rest can be asked for again.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "bench/results/campaign.hpp"

namespace plumbline::bench {

// One start of the ranks: the first of a Start, or one more for what is missing of it.
struct Attempt {
  std::uint32_t number = 0;                  // in the order of time
  std::uint32_t start = 0;                   // index in starts_of()
  std::vector<std::uint32_t> requests = {};  // indices in plan_of(start), as they were asked for
  double load_before = 0, own_load = 0, load_after = 0, stolen = 0;
  bool ended = false;                        // this program saw its end; else it was cut off
  std::vector<std::uint32_t> given_up = {};  // of `requests`: could not be measured
  std::vector<std::string> notes = {};
  double run_queue = 0;   // of this machine, mean
  std::string boot = {};  // of this machine

  bool operator==(const Attempt&) const = default;
};

class Parts {
 public:
  static std::filesystem::path beside(const std::filesystem::path& result);

  // Makes the directory, or opens the one that is there. Nobody else can as long as this lives: throws Error when
  // another is at work in it, or it cannot be written.
  explicit Parts(std::filesystem::path directory);
  ~Parts();
  Parts(const Parts&) = delete;
  Parts& operator=(const Parts&) = delete;

  void begin(const Campaign& campaign) const;  // before its first run
  bool has_begun() const;                      // false where that was cut off
  Campaign begun() const;

  std::filesystem::path plan(const Attempt& attempt) const { return file(attempt, "plan"); }
  std::filesystem::path stream(const Attempt& attempt) const { return file(attempt, "stream"); }
  std::filesystem::path log(const Attempt& attempt) const { return file(attempt, "log"); }

  void save(const Attempt& attempt) const;  // whole or not at all
  std::vector<Attempt> attempts() const;    // by number

  // What has been written so far of a stream that nobody watches any more. A rank that still lives goes on writing into
  // a file without a name.
  void part_from_writer(const Attempt& attempt) const;

  void remove();  // the directory, when all is in the result

 private:
  std::filesystem::path file(const Attempt& attempt, const char* kind) const;

  std::filesystem::path directory_;
  int lock_ = -1;
};

}  // namespace plumbline::bench
