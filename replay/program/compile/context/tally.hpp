#pragma once
// Oddities and gaps, counted over all locations.

#include <cstdint>
#include <string>
#include <vector>

namespace plumbline::replay {

struct Counts {
  std::uint64_t messages = 0, mpi_accesses = 0, accesses_without_offset = 0, receives = 0;
  std::uint64_t disorder = 0;  // events earlier than their predecessor
  std::uint64_t receives_never_completed = 0, sends_never_completed = 0, others_never_completed = 0;
  std::uint64_t receives_without_post = 0, cancelled = 0, replaced_requests = 0, unknown_io = 0, late_completions = 0;
  std::uint64_t collectives_without_record = 0;  // non-blocking ones
  std::uint64_t calls_without_end = 0;
  std::uint64_t atomicity_set = 0;        // calls; whether on or off is not recorded
  std::uint64_t inside_out_of_order = 0;  // records of the inside of calls that fit to none
  std::uint64_t refused = 0;              // calls whose records have arguments that MPI refuses
};

// Of a list that is as long as there are ranks that hang in one place, so many speak for all.
inline constexpr std::size_t kMostInWords = 8;

struct Tally : Counts {
  std::vector<std::string> unfinished;  // who ended in which call, in words; kMostInWords
  std::string first_refused;            // which, and why, in words
};

// Adds what was counted on later ranks.
void add(Tally& tally, const Tally& later);

template <class Io>
void fields(Io& io, Tally& tally) {
  io(static_cast<Counts&>(tally), tally.unfinished, tally.first_refused);
}

}  // namespace plumbline::replay
