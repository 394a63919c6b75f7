#pragma once
// The lists of a PL_LAYOUT_WAIT: requests, and what is known of their ends.

#include <algorithm>
#include <cstdint>

#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {

class Completions {
 public:
  explicit Completions(spool::Words payload)
      : n_(spool::decode<pl_wait_payload>(payload).n),
        lists_(spool::behind<pl_wait_payload>(payload)),
        ends_(lists_.subspan(std::min((n_ + 1) / 2, lists_.size()))) {}

  std::size_t size() const { return n_; }
  // False: the record is damaged, and does not have all of them.
  bool are_whole() const { return ends_.size() >= kWordsEach * n_; }
  // Requests of which the record has the number.
  std::size_t listed() const { return std::min(n_, 2 * lists_.size()); }

  std::uint32_t request(std::size_t i) const { return spool::half(lists_, i); }
  bool is_completed(std::size_t i) const { return (spool::word(ends_, kWordsEach * i) & PL_COMPLETED) != 0; }
  pl_completion operator[](std::size_t i) const {
    const std::uint64_t source_tag = spool::word(ends_, kWordsEach * i + 1);
    return {spool::word(ends_, kWordsEach * i), static_cast<std::int32_t>(spool::low(source_tag)),
            static_cast<std::int32_t>(spool::high(source_tag))};
  }

 private:
  static constexpr std::size_t kWordsEach = PL_WORDS_OF(pl_completion);

  std::size_t n_;
  spool::Words lists_, ends_;
};

}  // namespace plumbline::record
