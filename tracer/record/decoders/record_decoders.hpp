#pragma once
// Which functions turn the records of a layout into events: those of its family (message_events.hpp, ..). What every
// call has, its Enter and its Leave, is ThreadEvents'.

#include <cstdint>

#include "tracer/record/events/decoding_state.hpp"

namespace plumbline::record {

// Of calls that have an effect, whose records have all words of the layout. A function that is not there: nothing.
struct RecordDecoder {
  // Attributes of the Enter; `unfinished`: more of them where the call has not returned, whom or what it waits for.
  void (*attributes)(DecodingState&, const OpenCall&) = nullptr;
  void (*unfinished)(DecodingState&, const OpenCall&) = nullptr;
  // The half of its events that belongs to its beginning, behind the Enter; and to its end, in front of the Leave.
  void (*begin)(DecodingState&, OpenCall&) = nullptr;
  void (*end)(DecodingState&, const OpenCall&, Time) = nullptr;
};

const RecordDecoder& decoder_of(std::uint32_t layout);

}  // namespace plumbline::record
