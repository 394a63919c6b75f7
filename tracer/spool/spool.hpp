#pragma once
// Reading a spool (format.h). Tolerant: a spool of a process that died is read up to its last record; what is damaged
// is reported, never guessed.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/mapped_file.hpp"
#include "tracer/spool/format.h"

namespace plumbline::spool {

// A record as it lies in the file, definitions included.
struct Record {
  std::uint16_t function = 0;  // or enum pl_definition
  std::uint32_t site = 0;
  bool done = false;                 // false: the process died, or still was, inside this call
  std::uint64_t begin = 0, end = 0;  // ticks
  std::span<const std::uint64_t> payload;
};

// One traced process. Its memory is the mapped file: the spans of its records live as long as it does.
class Spool {
 public:
  // Throws Error when the file is not a spool or of another version.
  explicit Spool(const std::filesystem::path& path);

  const pl_file_header& header() const { return header_; }
  const std::filesystem::path& path() const { return path_; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(segments_.size()); }

  // Records of one thread in the order in which they were written: by their beginnings, definitions near their first
  // use. Those that have segments of their own come with the first thread.
  void for_each(std::uint32_t thread, const std::function<void(const Record&)>& visit) const;

  // Whether the last records of the process were kept and older ones have given way to them; then each thread has a
  // suffix of what it recorded.
  bool keeps_last() const { return header_.max_bytes != 0 && header_.keep == PL_KEEP_LAST; }
  // What has given way: calls and segments of all threads; whether this thread's beginning is among it.
  std::uint64_t dropped_calls() const { return dropped_calls_; }
  std::uint64_t dropped_segments() const { return dropped_segments_; }
  bool lacks_beginning(std::uint32_t thread) const;

  // What was found damaged or incomplete, for people; empty when nothing was.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Segment {
    std::uint32_t index = 0;         // running number within the thread
    std::size_t first = 0, end = 0;  // words of the file that hold sound records
  };

  class Cursor;

  void read_header();
  void find_segments();
  void add_segment(std::size_t number, std::size_t first, std::size_t end, std::uint32_t most_threads);
  void check_records(Segment& segment, std::uint32_t thread);
  void put_in_order();
  void require_all(std::uint32_t thread);
  void keep_suffix(std::vector<Segment>& own);

  std::filesystem::path path_;
  MappedFile file_;
  std::span<const std::uint64_t> words_;
  pl_file_header header_{};
  std::vector<std::vector<Segment>> segments_;  // per thread, in order
  std::vector<Segment> definitions_;            // where they have segments of their own
  std::uint64_t dropped_calls_ = 0, dropped_segments_ = 0;
  std::vector<std::string> remarks_;
};

// All spools below a directory, by world rank; spools of processes that never initialised MPI come last.
std::vector<std::filesystem::path> find_spools(const std::filesystem::path& directory);

// A definition's or header's text: up to the first zero.
std::string text_of(std::span<const std::uint64_t> words);

}  // namespace plumbline::spool
