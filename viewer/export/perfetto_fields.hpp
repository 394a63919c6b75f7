#pragma once
// Numbers of fields in Perfetto's messages, from protos/perfetto/trace in https://github.com/google/perfetto.

#include <cstdint>

namespace plumbline::viewer::perfetto {

namespace trace {
inline constexpr std::uint32_t kPacket = 1;
}

namespace packet {
inline constexpr std::uint32_t kTimestamp = 8;  // ns
inline constexpr std::uint32_t kTrustedPacketSequenceId = 10, kTrackEvent = 11, kInternedData = 12;
inline constexpr std::uint32_t kSequenceFlags = 13;
inline constexpr std::uint32_t kFirstPacketOnSequence = 87;
inline constexpr std::uint32_t kTrackDescriptor = 60;
// Bits of kSequenceFlags.
inline constexpr std::uint32_t kIncrementalStateCleared = 1, kNeedsIncrementalState = 2;
}  // namespace packet

namespace track {
inline constexpr std::uint32_t kUuid = 1, kName = 2, kProcess = 3, kThread = 4, kParentUuid = 5, kCounter = 8;
inline constexpr std::uint32_t kProcessPid = 1, kProcessName = 6;
inline constexpr std::uint32_t kThreadPid = 1, kThreadTid = 2, kThreadName = 5;
inline constexpr std::uint32_t kCounterUnit = 3, kUnitTimeNs = 1;
}  // namespace track

namespace event {
inline constexpr std::uint32_t kCategoryIids = 3, kDebugAnnotations = 4, kType = 9, kNameIid = 10, kTrackUuid = 11;
inline constexpr std::uint32_t kCounterValue = 30, kFlowIds = 47, kTerminatingFlowIds = 48;
// Values of kType.
inline constexpr std::uint32_t kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4;
}  // namespace event

namespace interned {
inline constexpr std::uint32_t kEventCategories = 1, kEventNames = 2, kDebugAnnotationNames = 3;
inline constexpr std::uint32_t kDebugAnnotationStringValues = 29;
// Of an entry of each.
inline constexpr std::uint32_t kIid = 1, kText = 2;
}  // namespace interned

namespace annotation {
inline constexpr std::uint32_t kNameIid = 1, kUintValue = 3, kIntValue = 4, kStringValueIid = 17;
}

}  // namespace plumbline::viewer::perfetto
