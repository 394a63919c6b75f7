#pragma once
// Spools made by hand: the tracer's side of a run, word by word as tracer/spool/format/format.h says. Ticks are
// nanoseconds.

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "tracer/spool/format/format.h"

namespace plumbline::record::test {

constexpr std::uint64_t pair(std::int64_t low, std::int64_t high) {
  return static_cast<std::uint32_t>(low) | static_cast<std::uint64_t>(static_cast<std::uint32_t>(high)) << 32;
}

using Payload = std::vector<std::uint64_t>;

class SpoolBuilder {
 public:
  // Rank -1: a process that never initialised MPI.
  SpoolBuilder(std::int32_t rank, std::int32_t size) {
    std::memcpy(header.magic, PL_SPOOL_MAGIC, sizeof header.magic);
    header.version = PL_SPOOL_VERSION;
    header.header_bytes = PL_HEADER_BYTES;
    header.segment_bytes = PL_SEGMENT_BYTES;
    header.flavour = PL_FLAVOUR_OPENMPI;
    header.clock = PL_CLOCK_MONOTONIC_NS;
    header.end = PL_END_FINALIZED;
    header.world_rank = rank;
    header.world_size = size;
    header.cores = 4;
    header.first = {1'000, 1'000, kRealtime + 1'000};
    header.last = {1'000'000, 1'000'000, kRealtime + 1'000'000};
    std::strcpy(header.boot_id, "boot-1");
    std::strcpy(header.host, "kn1");
    std::strcpy(header.library, "Open MPI v4.1.4");
    std::strcpy(header.program, "./app x");
    if (rank < 0) return;
    Payload world{pair(PL_COMM_WORLD, 0), pair(size, rank), pair(0, 0)};
    for (std::int32_t r = 0; r < size; r += 2) world.push_back(pair(r, r + 1 < size ? r + 1 : 0));
    define(PL_DEF_COMM, world);
    define(PL_DEF_COMM, {pair(PL_COMM_SELF, 0), pair(1, 0), pair(0, size == 1 ? 1 : 0), pair(rank, 0)});
  }

  // The number of a function, which is introduced at its first use.
  std::uint16_t function(const std::string& name, pl_layout layout) {
    for (std::size_t i = 0; i < functions_.size(); ++i)
      if (functions_[i] == name) return static_cast<std::uint16_t>(i + 1);
    functions_.push_back(name);
    define_text(PL_DEF_FUNCTION, pair(static_cast<std::int64_t>(functions_.size()), layout), name);
    return static_cast<std::uint16_t>(functions_.size());
  }

  void define(std::uint32_t kind, const Payload& payload, std::uint64_t begin = 0, std::uint64_t end = 0) {
    append(static_cast<std::uint16_t>(kind), 0, true, begin, end, payload);
  }

  void define_text(std::uint32_t kind, std::uint64_t first, std::string_view text) {
    Payload payload(1 + (text.size() + 8) / 8, 0);
    payload[0] = first;
    if (!text.empty()) std::memcpy(&payload[1], text.data(), text.size());
    define(kind, payload);
  }

  // A call from `begin` to `end` ns; end 0: it never returned.
  void call(const std::string& name, pl_layout layout, std::uint64_t begin, std::uint64_t end, const Payload& payload,
            std::uint32_t site = 0) {
    append(function(name, layout), site, end != 0, begin, end, payload);
  }

  // A call that returned an error.
  void failed(const std::string& name, pl_layout layout, std::uint64_t begin, std::uint64_t end, const Payload& payload,
              pl_error error) {
    append(function(name, layout), static_cast<std::uint32_t>(error) << (PL_ERROR_SHIFT - 2), true, begin, end,
           payload);
  }

  // The same with a payload in the packed shape of the layout.
  void packed(const std::string& name, pl_layout layout, std::uint64_t begin, std::uint64_t end,
              const Payload& payload) {
    append(function(name, layout), PL_PACKED >> 2, end != 0, begin, end, payload);
  }

  // A run of polls: the payload of the first one, struct pl_polls, items.
  void polled(const std::string& name, pl_layout layout, std::uint64_t begin, std::uint64_t end,
              const Payload& payload) {
    append(function(name, layout), (PL_PACKED | PL_POLLED) >> 2, end != 0, begin, end, payload);
  }
  // Such an item; what ended the run, or was asked besides.
  Payload item(const std::string& name, pl_layout layout, bool ended, const Payload& payload) {
    const std::uint64_t state = PL_PACKED | (ended ? PL_DONE : PL_BEGUN);
    Payload words{function(name, layout) | payload.size() << 16 | state << 32};
    words.insert(words.end(), payload.begin(), payload.end());
    return words;
  }

  // The last records were kept: what is defined from now on goes apart, and each thread's records begin with its
  // segment `index`.
  void keep_last(std::uint32_t index) {
    header.max_bytes = 4U << 20;
    header.keep = PL_KEEP_LAST;
    header.writers = 16;
    header.dropped_segments = index;
    first_index_ = index;
    apart_ = threads_[0];
    threads_[0].clear();
  }

  // Later calls are of this thread.
  void thread(std::uint32_t number) {
    current_ = number;
    if (threads_.size() <= number) threads_.resize(number + 1);
  }

  std::string bytes() const {
    std::string all(PL_HEADER_BYTES, '\0');
    std::memcpy(all.data(), &header, sizeof header);
    for (std::uint32_t t = 0; t < threads_.size(); ++t) {
      all += segment({PL_SEGMENT_MAGIC, t, first_index_, PL_SEGMENT_RECORDS}, threads_[t]);
    }
    if (header.keep == PL_KEEP_LAST) all += segment({PL_SEGMENT_MAGIC, 0, 0, PL_SEGMENT_DEFINITIONS}, apart_);
    return all;
  }

  std::filesystem::path write(const std::filesystem::path& directory) const {
    const std::filesystem::path path = directory / ("kn1." + std::to_string(100 + header.world_rank) + ".spool");
    std::ofstream(path, std::ios::binary) << bytes();
    return path;
  }

  static constexpr std::uint64_t kRealtime = 1'700'000'000'000'000'000;
  pl_file_header header{};

 private:
  static std::string segment(const pl_segment_header& head, const Payload& words) {
    std::string text(PL_SEGMENT_BYTES, '\0');
    std::memcpy(text.data(), &head, sizeof head);
    if (!words.empty()) std::memcpy(text.data() + sizeof head, words.data(), words.size() * 8);
    return text;
  }

  static bool has_a_place(std::uint16_t function) {
    return function < PL_DEFINITIONS || function == PL_DEF_CLOCK || function == PL_DEF_RUN_DELAY ||
           function == PL_DEF_OPEN_FILE;
  }

  void append(std::uint16_t function, std::uint32_t site, bool done, std::uint64_t begin, std::uint64_t end,
              const Payload& payload) {
    Payload& words = header.keep == PL_KEEP_LAST && !has_a_place(function) ? apart_ : threads_[current_];
    const std::uint32_t state = site << 2 | (done ? PL_DONE : PL_BEGUN);
    words.push_back(function | static_cast<std::uint64_t>(payload.size()) << 16 |
                    static_cast<std::uint64_t>(state) << 32);
    words.push_back(begin);
    words.push_back(end);
    words.insert(words.end(), payload.begin(), payload.end());
  }

  std::vector<std::string> functions_;
  std::vector<Payload> threads_ = std::vector<Payload>(1);
  Payload apart_;
  std::uint32_t current_ = 0, first_index_ = 0;
};

}  // namespace plumbline::record::test
