#pragma once
// What waits in a server's cache: in the order of arrival, and where a policy asks for it, by place and by size.

#include <compare>
#include <cstdint>
#include <map>
#include <memory_resource>
#include <set>
#include <vector>

#include "hwmodels/storage/access.hpp"

namespace plumbline::hw::storage {

struct Job {
  Extent extent;
  std::uint64_t number = 0;  // order of arrival
  std::uint32_t file = 0;
  std::uint32_t portion = 0;  // who is told when it is done; of reads and flushes
  Operation operation = Operation::kRead;
};

enum class Order : std::uint8_t { kArrival, kPlace, kPlaceAndSize };

// Flushes have no place: they are found by arrival alone.
class JobQueue {
 public:
  // All jobs can be found by arrival; by place and by size where `order` says so.
  JobQueue(Order order, std::pmr::memory_resource& memory);

  bool empty() const { return count_ == 0; }
  std::uint32_t count() const { return count_; }
  const Job& operator[](std::uint32_t job) const { return jobs_[job].job; }

  std::uint32_t add(const Job& job);
  void remove(std::uint32_t job);

  // The first bytes of a job are no longer part of it; it keeps its place in the order of arrival.
  void cut_front(std::uint32_t job, std::uint64_t length);

  // kNone where there is none.
  std::uint32_t oldest() const { return head_; }
  std::uint32_t next_oldest(std::uint32_t job) const { return jobs_[job].after; }
  std::uint32_t lowest() const;                                                // of the lowest file
  std::uint32_t at_or_behind(std::uint32_t file, std::uint64_t offset) const;  // the lowest such
  std::uint32_t before(std::uint32_t file, std::uint64_t offset) const;        // the highest such

  // With Order::kPlaceAndSize only. Of equals the lowest.
  struct Weight {
    std::uint32_t file = kNone;
    std::uint64_t bytes = 0;
  };
  std::uint32_t largest(std::uint32_t file) const;
  Weight heaviest(std::uint32_t favoured, std::uint64_t factor) const;  // the file whose jobs have the most bytes

 private:
  struct Place {
    std::uint32_t file;
    std::uint64_t rank;  // of the index: an offset, or a length that counts downward
    std::uint64_t offset;
    std::uint64_t number;
    std::uint32_t job;

    std::strong_ordering operator<=>(const Place&) const = default;
  };
  using Index = std::pmr::set<Place>;

  struct Node {
    Job job;
    std::uint32_t before = kNone, after = kNone;  // by arrival; `after` also in the list of free nodes
  };

  std::uint32_t job_at(Index::const_iterator at, std::uint32_t file) const;
  Place by_place(std::uint32_t job) const;
  Place by_size(std::uint32_t job) const;
  void enter(std::uint32_t job);
  void leave(std::uint32_t job);

  Order order_;
  std::vector<Node> jobs_;
  std::uint32_t head_ = kNone, tail_ = kNone, free_ = kNone;
  std::uint32_t count_ = 0;
  Index places_, sizes_;
  std::pmr::map<std::uint32_t, std::uint64_t> bytes_;  // of the jobs in sizes_, by file
};

}  // namespace plumbline::hw::storage
