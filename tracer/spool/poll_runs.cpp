// Runs of polls (end of format.h).

#include <algorithm>
#include <cstring>
#include <limits>

#include "tracer/spool/packed.hpp"

namespace plumbline::spool {
namespace {

using Payload = std::span<const std::uint64_t>;
using Words = std::vector<std::uint64_t>;

std::uint32_t low_half(std::uint64_t word) { return static_cast<std::uint32_t>(word); }

// Of the first poll of a run; nothing when it has no such layout.
std::size_t words_of_first(unsigned layout, Payload payload) {
  switch (layout) {
    case PL_LAYOUT_PROBE:
      return 3;
    case PL_LAYOUT_WIN_TEST:
      return 2;
    case PL_LAYOUT_WAIT:
      return payload.empty() ? 1 : PL_FAILED_WAIT_WORDS(std::uint64_t{low_half(payload[0])});
    default:
      return 0;
  }
}

// Where those who know a run by a count in its payload look for it: the upper half of a word.
void put_count(unsigned layout, std::uint64_t folded, Words& words) {
  const std::size_t at = layout == PL_LAYOUT_PROBE ? 4 : 1;
  const bool has_count = layout == PL_LAYOUT_PROBE || layout == PL_LAYOUT_WAIT || layout == PL_LAYOUT_WIN_TEST;
  if (!has_count || at >= words.size()) return;
  const std::uint64_t count = std::min<std::uint64_t>(folded, std::numeric_limits<std::uint32_t>::max());
  words[at] = low_half(words[at]) | count << 32;
}

}  // namespace

bool Unpacker::unpack_poll(std::uint16_t function, Payload payload, Words& words) const {
  const unsigned layout = layout_of(function);
  if (layout == PL_LAYOUT_WAIT || layout == PL_LAYOUT_PROBE) return unpack(function, true, payload, words);
  words.assign(payload.begin(), payload.end());
  return true;
}

bool Unpacker::unpack_run(Call& call, Payload payload, Words& words, PollRun& run) const {
  const std::size_t first = words_of_first(layout_of(call.function), payload);
  pl_polls told;
  if (payload.size() < first + PL_POLLS_WORDS) return false;
  std::memcpy(&told, &payload[first], sizeof told);
  run = {told.polls, told.longest_gap, told.computed, told.off_cpu, told.long_gaps, told.run_delay, {}};
  if (!unpack_poll(call.function, payload.first(first), words)) return false;
  Payload items = payload.subspan(first + PL_POLLS_WORDS);
  while (!items.empty() && items[0] != 0) {
    const auto function = static_cast<std::uint16_t>(items[0]);
    const std::size_t n = items[0] >> 16 & 0xffff;
    const auto site_state = static_cast<std::uint32_t>(items[0] >> 32);
    if (n >= items.size()) return false;
    Poll poll{function, (site_state & ~(PL_PACKED | PL_POLLED)) >> 2, {}};
    if (!unpack_poll(function, items.subspan(1, n), poll.payload)) return false;
    items = items.subspan(1 + n);
    if ((site_state & 3) == PL_DONE) {  // it ended the run: the first one is told besides
      Poll begun{call.function, call.site, std::move(words)};
      call = {poll.function, poll.site};
      words = std::move(poll.payload);
      poll = std::move(begun);
    }
    run.others.push_back(std::move(poll));
  }
  put_count(layout_of(call.function), run.polls > 0 ? run.polls - 1 : 0, words);
  return true;
}

}  // namespace plumbline::spool
