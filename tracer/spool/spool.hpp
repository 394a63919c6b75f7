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
#include "tracer/spool/packed.hpp"

namespace plumbline::spool {

// A record, definitions included, its payload in the shape of its layout. Empty where that cannot be told.
struct Record {
  std::uint16_t function = 0;  // or enum pl_definition
  std::uint32_t site = 0;
  bool done = false;                 // false: the process died, or still was, inside this call
  bool unpacked = false;             // the payload lives until the next record, else as long as the Spool
  std::uint64_t begin = 0, end = 0;  // ticks
  std::span<const std::uint64_t> payload;
  std::uint32_t file_bytes = 0;  // that it takes in the spool
};

// One traced process. Its memory is the mapped file; what has been read of it is left to the system again.
class Spool {
 public:
  // Throws Error when the file is not a spool or of another version.
  explicit Spool(const std::filesystem::path& path);

  const pl_file_header& header() const { return header_; }
  const std::filesystem::path& path() const { return path_; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(segments_.size()); }

  // Records of one thread in the order in which they were written: by their beginnings, definitions near their first
  // use.
  template <class Visit>
  void for_each(std::uint32_t thread, const Visit& visit) const {
    if (thread >= segments_.size()) return;
    std::vector<std::uint64_t> unpacked;
    for (const Segment& segment : segments_[thread]) {
      for (std::size_t at = segment.first; at < segment.end;) visit(record_at(at, unpacked));
      leave(segment);
    }
  }

  // A place among the records of a thread.
  struct Place {
    std::size_t segment = 0, word = 0;
  };
  // As for_each, but from `place` on and up to the first record that does not begin before `ticks`; there is `place`
  // afterwards. False: there are no more.
  bool for_each_before(std::uint64_t ticks, std::uint32_t thread, Place& place,
                       const std::function<void(const Record&)>& visit) const;

  // What was found damaged or incomplete, for people; empty when nothing was.
  const std::vector<std::string>& remarks() const { return remarks_; }

 private:
  struct Segment {
    std::uint32_t index = 0;         // running number within the thread
    std::size_t first = 0, end = 0;  // words of the file that hold sound records
  };

  void read_header();
  void find_segments();
  void check_records(Segment& segment, std::uint32_t thread);
  void put_in_order();
  Record record_at(std::size_t& at, std::vector<std::uint64_t>& unpacked) const;  // moves on to the next
  void leave(const Segment& segment) const;

  std::filesystem::path path_;
  MappedFile file_;
  std::span<const std::uint64_t> words_;
  pl_file_header header_{};
  std::vector<std::vector<Segment>> segments_;  // per thread, in order
  Unpacker unpacker_;
  std::vector<std::string> remarks_;
};

// All spools below a directory, by world rank; spools of processes that never initialised MPI come last.
std::vector<std::filesystem::path> find_spools(const std::filesystem::path& directory);

// A definition's or header's text: up to the first zero.
std::string text_of(std::span<const std::uint64_t> words);

}  // namespace plumbline::spool
