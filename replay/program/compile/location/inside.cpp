#include "replay/program/compile/location/inside.hpp"

#include <algorithm>
#include <optional>

namespace plumbline::replay::compiling {

namespace {

std::uint32_t operation_of_call(const LocationState& location, std::uint32_t call) {
  return std::min(call < location.first_operations.size() ? location.first_operations[call] : kNone,
                  location.call.first_operation);
}

// Nothing for the end of a message whose post was in a call that is not there.
std::optional<std::uint32_t> message_of_program(LocationState& location, const InnerItem& recorded) {
  std::uint32_t& index = location.inner_messages[recorded.index];
  if (recorded.kind == InnerKind::kDone) {
    if (index == kNone) return std::nullopt;
    location.inner_slots.give_back(location.builder.inner_message(index).slot);
    return index;
  }
  InnerMessage message = location.inside->messages[recorded.index];
  message.operation = operation_of_call(location, message.operation);
  message.slot = location.inner_slots.take();
  return index = location.builder.add(message);
}

// What was complete before this call began, at its begin.
bool write_between(LocationState& location) {
  bool any = false;
  const Column<InsideOfCalls::Between>& between = location.inside->between;
  for (; location.next_between < between.size() && between[location.next_between].time <= location.call.begin;
       ++location.next_between) {
    InnerItem item;
    item.operation = location.call.first_operation;
    item.kind = InnerKind::kDone;
    item.index = between[location.next_between].message;
    item.times = {location.call.begin, location.call.begin};
    const std::optional<std::uint32_t> index = message_of_program(location, item);
    if (!index) continue;
    item.index = *index;
    location.builder.add(item);
    any = true;
  }
  return any;
}

// The call has been made shorter by what its records cost; so are the times inside it, each by the records before it.
void write_inside(LocationState& location, Time end) {
  const Duration per_record = location.cost.inside + location.cost.outside;
  Time last = location.call.begin;
  const auto within = [&](Time time, Duration cost) {
    return last = std::clamp(time - cost, last, std::max(end, last));
  };
  for (std::uint32_t i = 0; i < location.call.inside->items; ++i) {
    const auto& [recorded, records_before] = location.inside->items[location.call.inside->first_item + i];
    InnerItem item = recorded;
    item.operation = location.call.first_operation;
    const Duration cost = per_record * records_before;
    item.times.begin = within(recorded.times.begin, cost);
    item.times.end = is_posix(item.kind) ? within(recorded.times.end, cost + location.cost.inside) : item.times.begin;
    const std::optional<std::uint32_t> index = is_posix(item.kind)
                                                   ? location.builder.add(location.inside->accesses[recorded.index])
                                                   : message_of_program(location, recorded);
    if (!index) continue;
    item.index = *index;
    location.builder.add(item);
  }
}

}  // namespace

void find_inside(LocationState& location) {
  if (location.inside == nullptr) return;
  const std::uint32_t call = location.outermost - 1;
  const Column<InsideOfCalls::Call>& calls = location.inside->calls;
  while (location.next_inside < calls.size() && calls[location.next_inside].call < call) ++location.next_inside;
  if (location.next_inside < calls.size() && calls[location.next_inside].call == call)
    location.call.inside = &calls[location.next_inside];
}

std::uint32_t records_inside(const LocationState& location, const archive::Event* leave) {
  const archive::AttributeValue* told =
      leave == nullptr ? nullptr : find(*leave, location.context.attributes.inner_records);
  if (told != nullptr) return static_cast<std::uint32_t>(std::min<std::uint64_t>(told->u64, kNone / 2));
  return location.call.inside == nullptr ? 0 : location.call.inside->records;
}

bool write_inner(LocationState& location, Time end) {
  bool any = location.inner.count() > 0 || location.call.inside != nullptr;
  for (std::size_t i = 0; i < location.inner.count(); ++i) {
    const InnerPosix::Item posix = location.inner.item(i);
    InnerItem item;
    item.operation = location.call.first_operation;
    item.kind = posix.kind;
    item.times = posix.times;
    item.index = location.builder.add(posix.access);
    location.builder.add(item);
  }
  location.inner.clear();
  if (location.inside != nullptr && write_between(location)) any = true;
  if (location.call.inside != nullptr) write_inside(location, end);
  return any;
}

}  // namespace plumbline::replay::compiling
