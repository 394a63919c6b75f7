#pragma once
// Notes the accesses that a device is given, as many as there is room for.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "hwmodels/storage/access.hpp"
#include "hwmodels/usage/storage_record.hpp"

namespace plumbline::hw::storage {

class AccessRecorder {
 public:
  explicit AccessRecorder(std::size_t most) : most_(most) {}

  // `slot`: under which the device knows it until it is done.
  void given(std::uint32_t slot, const DeviceAccess& access, Time now);
  void begun(std::uint32_t slot, Time now);
  void done(std::uint32_t slot, Time now);

  const AccessLog& log() const { return log_; }

 private:
  std::size_t most_;
  AccessLog log_;
  std::vector<std::uint32_t> entries_;  // by slot; kNone: left out
};

}  // namespace plumbline::hw::storage
