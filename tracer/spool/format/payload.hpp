#pragma once
// Payloads of records as the structs of payloads.h. Reading a damaged record is harmless: a word that it lacks is 0.

#include <cstddef>
#include <cstdint>
#include <span>

#include "tracer/spool/format/format.h"

namespace plumbline::spool {

using Words = std::span<const std::uint64_t>;

inline std::uint64_t word(Words words, std::size_t i) { return i < words.size() ? words[i] : 0; }
inline std::uint32_t low(std::uint64_t word) { return static_cast<std::uint32_t>(word); }
inline std::uint32_t high(std::uint64_t word) { return static_cast<std::uint32_t>(word >> 32); }

// The i-th of numbers that lie two to a word.
inline std::uint32_t half(Words words, std::size_t i) {
  return i % 2 == 0 ? low(word(words, i / 2)) : high(word(words, i / 2));
}

// decode<pl_send_payload>(record.payload): its first words. Field by field, each from its own word: what has just been
// written by words is not in the cache yet, and a copy of all of it would wait.
template <class Payload>
Payload decode(Words words) = delete;  // of what is no shape

#define PL_READ_PAIR(low_type, low_name, high_type, high_name)    \
  payload.low_name = static_cast<low_type>(low(word(words, at))); \
  payload.high_name = static_cast<high_type>(high(word(words, at++)));
#define PL_READ_WORD(type, name) payload.name = static_cast<type>(word(words, at++));
#define PL_DECODER(shape, FIELDS)                                         \
  template <>                                                             \
  inline pl_##shape##_payload decode<pl_##shape##_payload>(Words words) { \
    pl_##shape##_payload payload;                                         \
    std::size_t at = 0;                                                   \
    FIELDS(PL_READ_PAIR, PL_READ_WORD)                                    \
    return payload;                                                       \
  }
PL_PAYLOADS(PL_DECODER)
#undef PL_DECODER
#undef PL_READ_WORD
#undef PL_READ_PAIR

// What follows the struct in the record: lists, a text.
template <class Payload>
Words behind(Words words) {
  constexpr std::size_t kWords = PL_WORDS_OF(Payload);
  return words.size() > kWords ? words.subspan(kWords) : Words{};
}

// Visits what a call of PL_LAYOUT_START has started, as far as the record tells.
template <class Visit>
void for_each_started(Words words, const Visit& visit) {
  std::uint32_t left = decode<pl_start_payload>(words).n;
  for (Words rest = behind<pl_start_payload>(words); left != 0 && !rest.empty(); --left, rest = rest.subspan(1))
    visit(decode<pl_started_payload>(rest));
}

// Words that every record of the layout has; 0 of one that is not known.
constexpr std::size_t least_words(std::uint32_t layout) {
#define PL_LEAST(kind, shape, words) \
  case PL_LAYOUT_##kind:             \
    return words;
  switch (layout) {
    PL_LAYOUTS(PL_LEAST)  // NOLINT(bugprone-branch-clone): a table
    default:
      return 0;
  }
#undef PL_LEAST
}

}  // namespace plumbline::spool
