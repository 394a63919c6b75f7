#pragma once
// The global definitions of an archive, their numbers in the file turned into our indices.

#include <otf2/otf2.h>

#include <limits>
#include <memory>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::archive {

// Number in the file → our index. Files number densely from 0, almost always.
class IdMap {
 public:
  // False when the number has been given away before.
  bool add(std::uint64_t id, std::uint32_t index);
  // kUndefined when nothing has that number.
  std::uint32_t find(std::uint64_t id) const {
    if (id < dense_.size()) return dense_[id];
    if (sparse_.empty()) return kUndefined;
    const auto entry = sparse_.find(id);
    return entry == sparse_.end() ? kUndefined : entry->second;
  }

 private:
  static constexpr std::uint64_t kDense = 1U << 20;
  std::vector<std::uint32_t> dense_;
  std::unordered_map<std::uint64_t, std::uint32_t> sparse_;
};

struct FileIds {
  IdMap strings, regions, comms, windows, groups, io_handles, attributes, metrics;
};

struct FileClock {
  std::uint64_t resolution = 1'000'000'000'000;  // ticks per second
  std::uint64_t offset = 0;                      // ticks of time 0
  bool known = false;
};

std::optional<Time> scaled_time(const FileClock& clock, std::uint64_t ticks);

// Ticks since the start as picoseconds, to the nearest. False when they are beyond ±53 days. No optional: it would be
// copied as a whole while its parts are still being written, which takes as long as the rest of an event.
inline bool to_time(const FileClock& clock, std::uint64_t ticks, Time& time) {
  constexpr std::uint64_t kPicoseconds = 1'000'000'000'000, kMost = std::numeric_limits<std::int64_t>::max() / 2;
  if (clock.resolution == kPicoseconds && ticks >= clock.offset && ticks <= kMost)  // as in our own archives
    return time = Time{static_cast<std::int64_t>(ticks - clock.offset)}, true;
  const std::optional<Time> scaled = scaled_time(clock, ticks);
  time = scaled.value_or(Time{});
  return scaled.has_value();
}

struct ReadDefinitions {
  Definitions definitions;
  FileIds ids;
  FileClock clock;
};

// Throws one Error with everything that is wrong. `where`: the archive, for messages.
ReadDefinitions read_definitions(OTF2_Reader* reader, const std::string& where);

}  // namespace plumbline::archive
