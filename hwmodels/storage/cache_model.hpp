#pragma once
// What a server does between its network and its device: the cache layers of PIOsimHD, and a page cache
// (docs/models/server-caches.md). It accepts writes as its policy and its memory allow, and says what the
// device shall do next. Only the page cache has anything that can be read without the device.

#include <cstdint>
#include <memory>
#include <memory_resource>
#include <optional>
#include <vector>

#include "hwmodels/platform/storage_parts.hpp"
#include "hwmodels/storage/access.hpp"
#include "hwmodels/storage/job_queue.hpp"
#include "hwmodels/storage/resident_set.hpp"

namespace plumbline::hw::storage {

// A part of a read that the device has delivered, or a flush that is done (no bytes).
struct Served {
  std::uint32_t portion = 0;
  Bytes bytes;
};

class CacheModel {
 public:
  // `holds_all`: whatever is read is here; of a page cache.
  explicit CacheModel(const ServerCache& cache, bool holds_all = false);

  // Whether a packet of this payload would be taken now.
  bool accepts(Bytes size) const;

  // A piece of an accepted packet. Its memory is free again when it is on the device.
  void write(std::uint32_t file, Extent extent);

  // Returns how much of it is here: that is served at once, and not told again.
  Bytes read(std::uint32_t portion, std::uint32_t file, Extent extent);

  // Done when all that was written to the file before is on the device.
  void flush(std::uint32_t portion, std::uint32_t file);

  // What the device shall be given next, at most `concurrent` at a time; nothing when there is nothing, or nothing that
  // may go now. `overdraw`: nothing else can free the memory that somebody waits for. Then a read goes although there
  // is none for what it brings (what holds it is less than a packet and waits for more), and a page cache writes back
  // below its background limit.
  std::optional<DeviceAccess> next(bool overdraw);

  // The device has done an access; appends who is served by it.
  void done(std::uint32_t access, std::vector<Served>& served);

  // Data that was read has left the server.
  void release(Bytes size) {
    if (!resident_) free_ += static_cast<std::int64_t>(size.count);
  }

  // For data under way; of the page cache, for dirty data.
  std::int64_t capacity() const { return capacity_; }
  std::int64_t free_memory() const { return free_; }
  std::uint32_t waiting() const { return reads_.count() + writes_.count() + flushes_.count(); }
  Bytes written() const { return {written_}; }  // taken, since the beginning
  Bytes asked() const { return {asked_}; }      // to be read
  bool has_reads() const { return !reads_.empty(); }
  std::uint32_t under_way() const { return under_way_count_; }

 private:
  struct UnderWay {
    DeviceAccess access;
    bool active = false;
    std::uint64_t memory = 0;  // of writes, free when they are done
    std::vector<Served> served;
  };

  bool begin_next(UnderWay& slot, bool overdraw);
  bool next_in_turn(UnderWay& slot, bool overdraw);
  bool next_aggregated(UnderWay& slot, bool overdraw);
  bool next_reordered(UnderWay& slot, bool overdraw);
  bool next_directed(UnderWay& slot, bool overdraw);
  bool next_of_pages(UnderWay& slot, bool overdraw);
  bool next_flush(UnderWay& slot, JobQueue& queue, bool all_of_file);

  void insert_run(std::uint32_t file, Extent extent);
  std::uint32_t in_last_file_or_lowest(const JobQueue& queue) const;
  std::uint32_t near_or_largest(const JobQueue& queue, std::uint32_t file) const;

  void begin(UnderWay& slot, JobQueue& queue, std::uint32_t job);
  void serve(UnderWay& slot, const Job& job, std::uint64_t length);
  bool may_merge(const UnderWay& slot, const Job& job) const;
  void merge(UnderWay& slot, JobQueue& queue, std::uint32_t job);
  void merge_upward(UnderWay& slot, JobQueue& queue);
  bool writing(std::uint32_t file) const;
  bool has_memory(std::uint64_t size) const { return free_ >= static_cast<std::int64_t>(size); }
  std::uint64_t piece(const Job& job) const;
  std::uint32_t free_slot();

  ServerCache cache_;
  std::unique_ptr<std::pmr::unsynchronized_pool_resource> memory_;  // of the indices of the queues
  JobQueue reads_, writes_, flushes_;    // flushes stand among the writes where the order of arrival counts
  std::optional<ResidentSet> resident_;  // of the page cache
  std::int64_t capacity_, free_;
  std::uint64_t number_ = 0;
  std::vector<UnderWay> slots_;
  std::uint32_t under_way_count_ = 0;
  std::uint32_t writes_under_way_ = 0;
  std::uint32_t last_file_ = kNone;  // of the access given to the device last, and where that ends
  std::uint64_t last_position_ = 0;
  bool reading_ = true;
  bool holds_all_ = false;
  std::uint64_t written_ = 0, asked_ = 0;
};

// The older one of the two neighbours in the order of places that touch or overlap `extent`; kNone when neither does.
std::uint32_t touching_neighbour(const JobQueue& queue, std::uint32_t file, Extent extent);

}  // namespace plumbline::hw::storage
