#pragma once
// Reading a spool (format.h). Tolerant: a spool of a process that died is read up to its last record; what is damaged
// is reported, never guessed.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "tracer/spool/format/format.h"
#include "tracer/spool/packed.hpp"

namespace plumbline::spool {

// A record, definitions included, its payload in the shape of its layout. Empty where that cannot be told.
struct Record {
  std::uint16_t function = 0;  // or enum pl_definition
  std::uint32_t site = 0;
  bool done = false;                 // false: the process died, or still was, inside this call
  bool unpacked = false;             // the payload lives until the next record, else as long as the Spool
  std::uint8_t error = 0;            // enum pl_error: of a call that has failed
  std::uint64_t begin = 0, end = 0;  // ticks
  std::span<const std::uint64_t> payload;
  std::uint32_t file_bytes = 0;    // that it takes in the spool
  const PollRun* polls = nullptr;  // of a run of polls: lives as long as the payload. The call is the one that ended it
};

// One traced process. Its memory is the mapped file; what has been read of it is left to the system again.
class Spool {
 public:
  enum class Load : std::uint8_t { kNow, kLater };
  // Throws Error when the file is not a spool or of another version. kLater: only header() and path() may be asked for
  // before load().
  explicit Spool(const std::filesystem::path& path, Load load = Load::kNow);
  // Finds the records, and checks them. Once.
  void load();

  const pl_file_header& header() const { return header_; }
  const std::filesystem::path& path() const { return path_; }
  std::uint32_t threads() const { return static_cast<std::uint32_t>(segments_.size()); }

  // Records of one thread in the order in which they were written: by their beginnings, definitions near their first
  // use. Those that have segments of their own come with the first thread.
  template <class Visit>
  void for_each(std::uint32_t thread, const Visit& visit) const {
    walk(thread, Packed::kUnpack, visit);
  }
  // Likewise, for those who need no payload of a packed record: it is empty.
  template <class Visit>
  void for_each_without_packed(std::uint32_t thread, const Visit& visit) const {
    walk(thread, Packed::kLeaveOut, visit);
  }

  // A place among the records of a thread.
  struct Place {
    std::size_t segment = 0, word = 0;
  };
  // As for_each, but without what has segments of its own, from `place` on and up to the first record that does not
  // begin before `ticks`; there is `place` afterwards. False: there are no more.
  bool for_each_before(std::uint64_t ticks, std::uint32_t thread, Place& place,
                       const std::function<void(const Record&)>& visit) const;

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

  enum class Packed : std::uint8_t { kUnpack, kLeaveOut };

  // Walks through the records of segments.
  class Cursor {
   public:
    Cursor(const Spool& spool, std::span<const Segment> segments, Packed packed)
        : spool_(spool), segments_(segments), packed_(packed) {
      begin_segment();
    }

    bool is_at_end() const { return segments_.empty(); }
    std::uint64_t begin() const { return spool_.words_[at_ + 1]; }
    // Of the current one; valid until the next call of record() or advance().
    Record record() {
      next_ = at_;
      return spool_.record_at(next_, packed_, unpacked_, polls_);
    }
    // To the next one; after record().
    void advance() {
      at_ = next_;
      if (at_ < segments_.front().end) return;
      spool_.leave(segments_.front());
      segments_ = segments_.subspan(1);
      begin_segment();
    }

   private:
    void begin_segment() {
      while (!segments_.empty() && segments_.front().first >= segments_.front().end) segments_ = segments_.subspan(1);
      if (!segments_.empty()) at_ = segments_.front().first;
    }

    const Spool& spool_;
    std::span<const Segment> segments_;  // from the current one on
    Packed packed_;
    std::size_t at_ = 0, next_ = 0;
    std::vector<std::uint64_t> unpacked_;
    PollRun polls_;
  };

  template <class Visit>
  void walk(std::uint32_t thread, Packed packed, const Visit& visit) const {
    if (thread >= segments_.size()) return;
    Cursor records(*this, segments_[thread], packed);
    if (thread == 0) {  // both are in the order of time
      for (Cursor apart(*this, definitions_, packed); !apart.is_at_end(); apart.advance()) {
        for (; !records.is_at_end() && records.begin() < apart.begin(); records.advance()) visit(records.record());
        visit(apart.record());
      }
    }
    for (; !records.is_at_end(); records.advance()) visit(records.record());
  }

  void read_header();
  void find_segments();
  void add_segment(std::size_t number, std::size_t first, std::size_t end, std::uint32_t most_threads);
  void check_records(Segment& segment, std::uint32_t thread);
  void put_in_order();
  void require_all(std::uint32_t thread);
  void keep_suffix(std::vector<Segment>& own);
  Record record_at(std::size_t& at, Packed packed, std::vector<std::uint64_t>& unpacked,
                   PollRun& polls) const;  // moves on to the next
  Record take_apart(Record record, Packed packed, std::vector<std::uint64_t>& unpacked, PollRun& polls) const;
  void leave(const Segment& segment) const;

  std::filesystem::path path_;
  MappedFile file_;
  std::span<const std::uint64_t> words_;
  pl_file_header header_{};
  std::vector<std::vector<Segment>> segments_;  // per thread, in order
  Unpacker unpacker_;
  std::vector<Segment> definitions_;  // where they have segments of their own
  std::uint64_t dropped_calls_ = 0, dropped_segments_ = 0;
  std::vector<std::string> remarks_;
};

// All spools below a directory, by world rank; spools of processes that never initialised MPI come last.
std::vector<std::filesystem::path> find_spools(const std::filesystem::path& directory);

// A definition's or header's text: up to the first zero.
std::string text_of(std::span<const std::uint64_t> words);

}  // namespace plumbline::spool
