#pragma once
// Disks, flash and simple devices as state machines on (queue, now). Formulas: docs/models/storage-devices.md.

#include <array>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

#include "hwmodels/platform/storage_parts.hpp"
#include "hwmodels/storage/access.hpp"
#include "hwmodels/storage/access_recorder.hpp"
#include "hwmodels/storage/fifo.hpp"
#include "hwmodels/storage/hard_disk.hpp"
#include "hwmodels/storage/load_meter.hpp"
#include "sim/event_queue.hpp"

namespace plumbline::hw::storage {

struct DeviceUse {
  Duration busy;        // while it had at least one access
  Bytes read, written;  // by accesses that are done, as are the counts
  std::uint64_t reads = 0, writes = 0, flushes = 0;
  std::array<std::uint64_t, 3> seeks{};  // by SeekClass; hard disks only
  LoadMeter accesses;                    // given and not done
};

// How many accesses a device takes; more should wait where they can be merged and put into order. kNone: any number.
std::uint32_t depth_of(const Device& device);

struct DiskState {
  HardDisk disk;
  HeadPosition head;
  Elevator elevator;
  bool busy = false;
};
// An access holds a channel from its start to its end: its latency, then its turn in the transfer of the device.
struct FlashState {
  Flash flash;
  std::uint32_t free_channels = 0;
  Fifo<std::uint32_t> waiting, found;
  bool transferring = false;
};
struct SimpleState {
  SimpleDevice simple;
  Fifo<std::uint32_t> waiting;
  bool busy = false;
};

class DeviceModel {
 public:
  // Its events carry `component`; nobody else's may.
  DeviceModel(const Device& device, std::uint32_t component);

  void submit(const DeviceAccess& access, Time now, sim::EventQueue& queue);

  // Handles an event that this device pushed. Returns the id of the access that is done, if one is.
  std::optional<std::uint32_t> handle(const sim::Event& event, sim::EventQueue& queue);

  const DeviceUse& use() const { return use_; }

  // By `now`, which is not before what was handled last.
  Duration busy(Time now) const { return use_.accesses.count() > 0 ? use_.busy + (now - busy_since_) : use_.busy; }

  // From now on the first accesses are noted, at most so many.
  void log_accesses(std::size_t most) { recorder_.emplace(most); }
  const AccessLog* log() const { return recorder_ ? &recorder_->log() : nullptr; }

 private:
  enum EventKind : std::uint32_t { kFound, kDone };

  struct Clock {  // what is constant while one call is handled
    Time now;
    sim::EventQueue& queue;
  };

  void begin_with(std::uint32_t slot, const Clock& clock);
  void begin(DiskState& state, const Clock& clock);
  void begin(FlashState& state, const Clock& clock);
  void transfer(FlashState& state, const Clock& clock);
  void begin(SimpleState& state, const Clock& clock);
  void push(EventKind kind, std::uint32_t slot, Duration after, const Clock& clock);
  std::uint32_t keep(const DeviceAccess& access);
  void count(const DeviceAccess& access);

  std::uint32_t component_;
  std::uint32_t sequence_ = 0;  // of events: several may be due at the same time
  std::variant<DiskState, FlashState, SimpleState> state_;
  std::vector<DeviceAccess> slots_;
  std::vector<std::uint32_t> free_slots_;
  Time busy_since_;
  DeviceUse use_;
  std::optional<AccessRecorder> recorder_;
};

}  // namespace plumbline::hw::storage
