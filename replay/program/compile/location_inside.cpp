#include <algorithm>

#include "replay/program/compile/location_compiler.hpp"

// The inner stream of a location: what was recorded inside of its calls, there or on a location of its own.

namespace plumbline::replay {

void LocationCompiler::find_inside() {
  if (inside_ == nullptr) return;
  const std::uint32_t call = outermost_ - 1;
  const Column<InsideOfCalls::Call>& calls = inside_->calls;
  while (next_inside_ < calls.size() && calls[next_inside_].call < call) ++next_inside_;
  if (next_inside_ < calls.size() && calls[next_inside_].call == call) call_.inside = &calls[next_inside_];
}

// Records of the tracer on the location inside, as the call says, else as many as lie there.
std::uint32_t LocationCompiler::records_inside(const archive::Event* leave) const {
  const archive::AttributeValue* told = leave == nullptr ? nullptr : find(*leave, context_.attributes.inner_records);
  if (told != nullptr) return static_cast<std::uint32_t>(std::min<std::uint64_t>(told->u64, kNone / 2));
  return call_.inside == nullptr ? 0 : call_.inside->records;
}

bool LocationCompiler::write_inner(Time end) {
  bool any = inner_.count() > 0 || call_.inside != nullptr;
  for (std::size_t i = 0; i < inner_.count(); ++i) {
    const InnerPosix::Item posix = inner_.item(i);
    InnerItem item;
    item.operation = call_.first_operation;
    item.kind = posix.kind;
    item.times = posix.times;
    item.index = builder_.add(posix.access);
    builder_.add(item);
  }
  inner_.clear();
  if (inside_ != nullptr && write_between()) any = true;
  if (call_.inside != nullptr) write_inside(end);
  return any;
}

// What was complete before this call began, at its begin.
bool LocationCompiler::write_between() {
  bool any = false;
  const Column<InsideOfCalls::Between>& between = inside_->between;
  for (; next_between_ < between.size() && between[next_between_].time <= call_.begin; ++next_between_) {
    InnerItem item;
    item.operation = call_.first_operation;
    item.kind = InnerKind::kDone;
    item.index = between[next_between_].message;
    item.times = {call_.begin, call_.begin};
    const std::optional<std::uint32_t> index = message_of_program(item);
    if (!index) continue;
    item.index = *index;
    builder_.add(item);
    any = true;
  }
  return any;
}

// The call has been made shorter by what its records cost; so are the times inside it, each by the records before it.
void LocationCompiler::write_inside(Time end) {
  const Duration per_record = cost_.inside + cost_.outside;
  Time last = call_.begin;
  const auto within = [&](Time time, Duration cost) {
    return last = std::clamp(time - cost, last, std::max(end, last));
  };
  for (std::uint32_t i = 0; i < call_.inside->items; ++i) {
    const auto& [recorded, records_before] = inside_->items[call_.inside->first_item + i];
    InnerItem item = recorded;
    item.operation = call_.first_operation;
    const Duration cost = per_record * records_before;
    item.times.begin = within(recorded.times.begin, cost);
    item.times.end = is_posix(item.kind) ? within(recorded.times.end, cost + cost_.inside) : item.times.begin;
    const std::optional<std::uint32_t> index =
        is_posix(item.kind) ? builder_.add(inside_->accesses[recorded.index]) : message_of_program(recorded);
    if (!index) continue;
    item.index = *index;
    builder_.add(item);
  }
}

// Nothing for the end of a message whose post was in a call that is not there.
std::optional<std::uint32_t> LocationCompiler::message_of_program(const InnerItem& recorded) {
  std::uint32_t& index = inner_messages_[recorded.index];
  if (recorded.kind == InnerKind::kDone) {
    if (index == kNone) return std::nullopt;
    inner_slots_.give_back(builder_.inner_message(index).slot);
    return index;
  }
  InnerMessage message = inside_->messages[recorded.index];
  message.operation = operation_of_call(message.operation);
  message.slot = inner_slots_.take();
  return index = builder_.add(message);
}

std::uint32_t LocationCompiler::operation_of_call(std::uint32_t call) const {
  return std::min(call < first_operations_.size() ? first_operations_[call] : kNone, call_.first_operation);
}

}  // namespace plumbline::replay
