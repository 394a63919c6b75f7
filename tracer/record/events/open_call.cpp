#include "tracer/record/events/open_call.hpp"

namespace plumbline::record {

OpenCall::OpenCall(const spool::Record& of) : record(of) {
  if (!record.unpacked) return;
  const std::size_t n = record.payload.size();
  if (n > few.size()) {
    many.assign(record.payload.begin(), record.payload.end());
    return;
  }
  for (std::size_t i = 0; i < few.size(); ++i)  // word by word, as they have just been written: see EventOutput::emit()
    few[i] = i < n ? record.payload[i] : 0;
}

std::span<const std::uint64_t> OpenCall::payload() const {
  if (!record.unpacked) return record.payload;
  return many.empty() ? std::span(few).first(record.payload.size()) : std::span(many);
}

}  // namespace plumbline::record
