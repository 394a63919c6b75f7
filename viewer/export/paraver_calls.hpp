#pragma once
// How Paraver's configuration files know calls: by event types, values and states that Extrae gave them
// (https://github.com/bsc-performance-tools/extrae, src/merger/paraver/MPI_EventEncoding.h, labels.h,
// include/events.h).

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "replay/program/program.hpp"
#include "viewer/index/runs/columns.hpp"

namespace plumbline::viewer::paraver {

// Event types.
inline constexpr std::uint32_t kPointToPoint = 50000001, kCollective = 50000002, kOther = 50000003;
inline constexpr std::uint32_t kOneSided = 50000004, kMpiIo = 50000005, kPosix = 40000004;
// Our own, which Extrae does not use. Bytes; times of judged operations in ns, which are never negative: Paraver's
// windows start at 0.
inline constexpr std::uint32_t kBytes = 95000001, kOwn = 95000002, kGained = 95000003;
inline constexpr std::uint32_t kInherited = 95000004, kInheritedLess = 95000005;

struct EventType {
  std::uint32_t type;
  std::string_view label;
};
inline constexpr std::array<EventType, 6> kCallTypes = {{{kPointToPoint, "MPI Point-to-point"},
                                                         {kCollective, "MPI Collective Comm"},
                                                         {kOther, "MPI Other"},
                                                         {kOneSided, "MPI One-sided"},
                                                         {kMpiIo, "MPI I/O"},
                                                         {kPosix, "I/O calls"}}};
inline constexpr std::array<EventType, 5> kOwnTypes = {
    {{kBytes, "Bytes of the call"},
     {kOwn, "Own excess: observed above what was expected (ns)"},
     {kGained, "Gained: observed below what was expected (ns)"},
     {kInherited, "Inherited: expected here above the free run (ns)"},
     {kInheritedLess, "Inherited, less: expected here below the free run (ns)"}}};

// A call as an event: what is set at its begin; 0 is set at its end.
struct CallEvent {
  std::uint32_t type = kOther, value = 0;
};

// By call of the program. The value is Extrae's; of calls that it does not number, 1000 and the index of the call.
std::vector<CallEvent> events_of_calls(const replay::Program& program);

struct State {
  std::uint32_t number;
  std::string_view label;
  std::array<std::uint8_t, 3> colour;
};
inline constexpr std::uint32_t kIdle = 0, kRunning = 1, kNotCreated = 2;
inline constexpr std::array<State, 18> kStates = {{{kIdle, "Idle", {117, 195, 255}},
                                                   {kRunning, "Running", {0, 0, 255}},
                                                   {kNotCreated, "Not created", {255, 255, 255}},
                                                   {3, "Waiting a message", {255, 0, 0}},
                                                   {4, "Blocking Send", {255, 0, 174}},
                                                   {5, "Synchronization", {179, 0, 0}},
                                                   {6, "Test/Probe", {0, 255, 0}},
                                                   {7, "Scheduling and Fork/Join", {255, 255, 0}},
                                                   {8, "Wait/WaitAll", {235, 0, 0}},
                                                   {9, "Blocked", {0, 162, 0}},
                                                   {10, "Immediate Send", {255, 0, 255}},
                                                   {11, "Immediate Receive", {100, 100, 177}},
                                                   {12, "I/O", {172, 174, 41}},
                                                   {13, "Group Communication", {255, 144, 26}},
                                                   {14, "Tracing Disabled", {2, 255, 177}},
                                                   {15, "Others", {192, 224, 0}},
                                                   {16, "Send Receive", {66, 66, 66}},
                                                   {20, "Remote memory access", {0, 109, 255}}}};

// Of a rank inside the operation.
std::uint32_t state_of(const replay::Program& program, const replay::Operation& operation);

}  // namespace plumbline::viewer::paraver
