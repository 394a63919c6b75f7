// The first size whose send waits for its receiver.

#include <fmt/format.h>

#include "bench/ranks/network/absence.hpp"
#include "bench/ranks/network/families.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench::network {
namespace {

constexpr FamilyParameter kProtocolParameters[] = {
    kFirstOfPair,
    kSecondOfPair,
    {"late_ns", "how late the receiver is, at least", "200000"},
    {"resolution", "bytes between the last size that does not wait and the first that does", "1"},
};

// Two searches for each absence, each of some 11 sizes up to 1 MiB and 20 between two of them, each asked for 8 times,
// each time of 4 trips or fewer.
constexpr double kTripsOfSearches = 2 * 2 * 31 * 8 * 4;

class Search {
 public:
  Search(const Request& request, RankPair& pair_of_ranks, const Pair& pair, Absence absence, Found& found)
      : request_(request), ranks_(pair_of_ranks), pair_(pair), absence_(absence), found_(found) {}

  // Both ends of what was found are asked once more; a second search where they answer otherwise.
  void run() {
    for (int attempt = 0; attempt < 2; ++attempt) {
      bracket();
      if ((early_ == 0 || !asks(early_)) && (waiting_ == 0 || asks(waiting_))) return;
    }
    if (ranks_.leads())
      found_.notes.push_back(
          fmt::format("protocol of ranks {} and {}, {}: between {} and {} B the same size waits, and does not", pair_.a,
                      pair_.b, name(), early_, waiting_));
  }

 private:
  const char* name() const { return absence_ == Absence::kInCalls ? "late" : "away"; }

  bool asks(std::uint64_t size) {
    const double late = lateness(ranks_, size, number(request_, "late_ns") * 1e-9);
    const Effort effort = counted(request_.effort, kAskedOften);
    const Samples sends = sends_to_absent(ranks_, size, absence_, late, effort);
    if (ranks_.leads()) {
      Cell cell = cell_of_pair(request_, pair_, size, name());
      cell.numbers["late_ns"] = late * 1e9;
      fill(cell, effort, sends.seconds, false);
      found_.cells.push_back(std::move(cell));
    }
    return waits(ranks_, sends, late);
  }

  // 0 for no such size.
  void bracket() {
    const std::uint64_t largest = largest_of(request_), resolution = count(request_, "resolution", 1);
    early_ = waiting_ = 0;
    for (std::uint64_t size = 1; waiting_ == 0 && early_ < largest; size = std::min(4 * size, largest))
      (asks(size) ? waiting_ : early_) = size;
    while (waiting_ > early_ + resolution && early_ > 0) {
      const std::uint64_t middle = early_ + (waiting_ - early_) / 2;
      (asks(middle) ? waiting_ : early_) = middle;
    }
  }

  const Request& request_;
  RankPair& ranks_;
  const Pair& pair_;
  Absence absence_;
  Found& found_;
  std::uint64_t early_ = 0, waiting_ = 0;
};

void measure_protocol(const Context& context, const Request& request) {
  count(request, "resolution", 1);
  measure_pairs(
      context, pairs_asked_for(request, context.places), largest_of(request),
      [&](RankPair& pair_of_ranks, const Pair& pair, Found& found) {
        for (const Absence absence : {Absence::kInCalls, Absence::kAway})
          Search(request, pair_of_ranks, pair, absence, found).run();
      },
      kTripsOfSearches);
}

}  // namespace

const Family kProtocol = {"protocol",
                          "the first size whose send waits for its receiver",
                          "a message; the greatest size is the last that is tried",
                          kOnlyLibrary,
                          kProtocolParameters,
                          2,
                          measure_protocol};

}  // namespace plumbline::bench::network
