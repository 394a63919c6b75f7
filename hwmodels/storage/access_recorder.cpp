#include "hwmodels/storage/access_recorder.hpp"

namespace plumbline::hw::storage {

void AccessRecorder::given(std::uint32_t slot, const DeviceAccess& access, Time now) {
  if (entries_.size() <= slot) entries_.resize(slot + 1, kNone);
  if (log_.accesses.size() == most_) {
    entries_[slot] = kNone;
    ++log_.left_out;
    return;
  }
  entries_[slot] = static_cast<std::uint32_t>(log_.accesses.size());
  LoggedAccess& entry = log_.accesses.emplace_back();
  entry.given = now;
  entry.offset = access.extent.offset;
  entry.bytes = access.extent.length;
  entry.file = access.file;
  entry.action = access.operation;
}

void AccessRecorder::begun(std::uint32_t slot, Time now) {
  if (const std::uint32_t entry = entries_[slot]; entry != kNone) log_.accesses[entry].begun = now;
}

void AccessRecorder::done(std::uint32_t slot, Time now) {
  if (const std::uint32_t entry = entries_[slot]; entry != kNone) log_.accesses[entry].done = now;
}

}  // namespace plumbline::hw::storage
