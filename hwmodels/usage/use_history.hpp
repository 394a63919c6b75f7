#pragma once
// What the components of a platform did in the course of a run.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/units.hpp"
#include "hwmodels/usage/component_use.hpp"
#include "hwmodels/usage/step_history.hpp"
#include "hwmodels/usage/storage_record.hpp"

namespace plumbline::hw {

using UsePoint = StepPoint<ComponentUse>;
using UseHistory = StepHistory<ComponentUse>;  // of the network: time busy, bytes and packets waiting

// Of a replay that was asked to keep it.
struct UseRecord {
  std::vector<std::string> names;       // by component of the network
  std::optional<UseHistory> history;    // nothing: it was not asked for, or the network has no components
  std::vector<std::string> kinds = {};  // by component: "switch", "link"
  StorageRecord storage = {};
};

enum class ComponentKind : std::uint8_t { kNetwork, kServer, kDevice };

// What a component has done in all, and how many packets, requests or accesses were seen to wait for it at most. The
// bytes of a server are those that its clients wrote and asked for.
struct BusyComponent {
  std::string name;
  ComponentUse use;
  ComponentKind kind = ComponentKind::kNetwork;
};

// The components that were busy longest, those first; of equal ones in their order: network, servers, devices.
std::vector<BusyComponent> busiest(const UseRecord& record, std::size_t most);

}  // namespace plumbline::hw
