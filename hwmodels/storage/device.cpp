#include "hwmodels/storage/device.hpp"

#include "base/check.hpp"

namespace plumbline::hw::storage {
namespace {

template <class... Cases>
struct Match : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Match(Cases...) -> Match<Cases...>;

}  // namespace

std::uint32_t depth_of(const Device& device) { return device.flash ? device.flash->queue_depth : kNone; }

DeviceModel::DeviceModel(const Device& device, std::uint32_t component) : component_(component) {
  PLUMBLINE_CHECK(device.disk.has_value() + device.flash.has_value() + device.simple.has_value() == 1,
                  "a server has exactly one device");
  if (device.disk) state_ = DiskState{*device.disk, {}, {}, false};
  if (device.flash) state_ = FlashState{*device.flash, device.flash->channels, {}, {}, false};
  if (device.simple) state_ = SimpleState{*device.simple, {}, false};
}

void DeviceModel::submit(const DeviceAccess& access, Time now, sim::EventQueue& queue) {
  if (use_.accesses.count() == 0) busy_since_ = now;
  use_.accesses.change(now, 1);
  const std::uint32_t slot = keep(access);
  if (recorder_) recorder_->given(slot, access, now);
  const Clock clock{now, queue};
  std::visit(Match{[&](DiskState& state) {
                     DeviceAccess waiting = access;
                     waiting.id = slot;
                     state.elevator.add(waiting);
                     begin(state, clock);
                   },
                   [&](auto& state) {
                     state.waiting.push(slot);
                     begin(state, clock);
                   }},
             state_);
}

std::optional<std::uint32_t> DeviceModel::handle(const sim::Event& event, sim::EventQueue& queue) {
  const Clock clock{event.at, queue};
  if (event.kind == kFound) {
    FlashState& flash = std::get<FlashState>(state_);
    flash.found.push(event.payload);
    transfer(flash, clock);
    return std::nullopt;
  }
  use_.accesses.change(event.at, -1);
  if (use_.accesses.count() == 0) use_.busy += event.at - busy_since_;
  count(slots_[event.payload]);
  if (recorder_) recorder_->done(event.payload, event.at);
  std::visit(Match{[&](FlashState& state) {
                     ++state.free_channels;
                     state.transferring = false;
                     transfer(state, clock);
                     begin(state, clock);
                   },
                   [&](auto& state) {
                     state.busy = false;
                     begin(state, clock);
                   }},
             state_);
  free_slots_.push_back(event.payload);
  return slots_[event.payload].id;
}

void DeviceModel::begin_with(std::uint32_t slot, const Clock& clock) {
  if (recorder_) recorder_->begun(slot, clock.now);
}

void DeviceModel::begin(DiskState& state, const Clock& clock) {
  if (state.busy || state.elevator.empty()) return;
  state.busy = true;
  const DeviceAccess access = state.elevator.take(state.head);
  begin_with(access.id, clock);
  Duration time;  // a flush takes none: what the disk was given before it is on the disk
  if (access.operation != Operation::kFlush) {
    const SeekClass seek = seek_class(state.disk, state.head, access.file, access.extent.offset);
    ++use_.seeks[static_cast<std::size_t>(seek)];
    time = access_time(state.disk, seek, {access.extent.length});
    state.head = {access.file, access.extent.end()};
  }
  push(kDone, access.id, time, clock);
}

void DeviceModel::begin(FlashState& state, const Clock& clock) {
  while (state.free_channels > 0 && !state.waiting.empty()) {
    --state.free_channels;
    const std::uint32_t slot = state.waiting.take();
    begin_with(slot, clock);
    const Operation operation = slots_[slot].operation;
    Duration latency;
    if (operation == Operation::kRead) latency = state.flash.read_latency.value;
    if (operation == Operation::kWrite) latency = state.flash.write_latency.value;
    push(kFound, slot, latency, clock);
  }
}

void DeviceModel::transfer(FlashState& state, const Clock& clock) {
  if (state.transferring || state.found.empty()) return;
  state.transferring = true;
  const std::uint32_t slot = state.found.take();
  const DeviceAccess& access = slots_[slot];
  const bool reads = access.operation == Operation::kRead;
  const BytesPerSecond rate = reads ? state.flash.read_rate.value : state.flash.write_rate.value;
  push(kDone, slot, transfer_time({access.extent.length}, rate), clock);
}

void DeviceModel::begin(SimpleState& state, const Clock& clock) {
  if (state.busy || state.waiting.empty()) return;
  state.busy = true;
  const std::uint32_t slot = state.waiting.take();
  begin_with(slot, clock);
  const DeviceAccess& access = slots_[slot];
  const bool moves = access.operation != Operation::kFlush;
  push(kDone, slot,
       moves ? state.simple.latency.value + transfer_time({access.extent.length}, state.simple.rate.value) : Duration{},
       clock);
}

void DeviceModel::push(EventKind kind, std::uint32_t slot, Duration after, const Clock& clock) {
  clock.queue.push({clock.now + after, component_, kind, 0, sequence_++, 0, slot});
}

std::uint32_t DeviceModel::keep(const DeviceAccess& access) {
  if (free_slots_.empty()) {
    slots_.push_back(access);
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = access;
  return slot;
}

void DeviceModel::count(const DeviceAccess& access) {
  switch (access.operation) {
    case Operation::kRead:
      ++use_.reads;
      use_.read += {access.extent.length};
      break;
    case Operation::kWrite:
      ++use_.writes;
      use_.written += {access.extent.length};
      break;
    case Operation::kFlush:
      ++use_.flushes;
      break;
  }
}

}  // namespace plumbline::hw::storage
