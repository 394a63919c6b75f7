#include "tracer/archive/read/events.hpp"

#include <fmt/format.h>

#include "tracer/archive/read/event_callbacks.hpp"
#include "tracer/archive/read/event_reading.hpp"

namespace plumbline::archive {
namespace {

bool read_attributes(EventReading& r, Attributes list) {
  r.attributes.clear();
  for (std::uint32_t count = OTF2_AttributeList_GetNumberOfElements(list); count != 0; --count) {
    OTF2_AttributeRef id = 0;
    OTF2_Type type = OTF2_TYPE_NONE;
    OTF2_AttributeValue stored;
    if (OTF2_AttributeList_PopAttribute(list, &id, &type, &stored) != OTF2_SUCCESS) continue;  // the first that is left
    AttributeValue& value = r.attributes.emplace_back();  // filled there: a copy would wait for it
    value.attribute = r.file.ids.attributes.find(id);
    if (value.attribute == kUndefined) {
      r.fault = fmt::format("it has attribute {}, which is not defined", id);
      return false;
    }
    const AttributeDefinition& definition = r.file.definitions.attributes[value.attribute];
    if (!value_from_otf2(type, stored, definition.type, value)) {
      r.fault = fmt::format("its attribute '{}' has another type than its definition",
                            r.file.definitions.strings[definition.name]);
      return false;
    }
    if (definition.type == AttributeType::kString) {
      value.string = r.file.ids.strings.find(stored.stringRef);
      if (value.string == kUndefined) {
        r.fault = fmt::format("it refers to string {}, which is not defined", stored.stringRef);
        return false;
      }
    }
  }
  return true;
}

}  // namespace

OTF2_CallbackCode damaged(EventReading& r, std::string fault) {
  r.fault = std::move(fault);
  return OTF2_CALLBACK_INTERRUPT;
}

OTF2_CallbackCode deliver(EventReading& r, Event& event, OTF2_TimeStamp time, Attributes list) {
  Time at;
  if (!to_time(r.file.clock, time, at) || at.ps < 0)
    return damaged(r, fmt::format("time stamp {} lies outside of the trace", time));
  if (at < r.last) return damaged(r, fmt::format("time stamp {} is before that of the event before", time));
  if (!read_attributes(r, list)) return OTF2_CALLBACK_INTERRUPT;
  event.time = r.last = at;
  event.attributes = r.attributes;
  try {
    r.visit(event);
  } catch (...) {  // must not cross OTF2's frames
    r.thrown = std::current_exception();
    return OTF2_CALLBACK_INTERRUPT;
  }
  ++r.number;
  return OTF2_CALLBACK_SUCCESS;
}

OTF2_CallbackCode skip(EventReading& r, const char* name) {
  ++r.skipped[name];
  ++r.number;
  return OTF2_CALLBACK_SUCCESS;
}

bool refer(EventReading& r, const IdMap& ids, std::uint32_t id, const char* what, std::uint32_t& index) {
  index = ids.find(id);
  if (index == kUndefined) r.fault = fmt::format("it refers to {} {}, which is not defined", what, id);
  return index != kUndefined;
}

namespace {

bool refer_comm(EventReading& r, OTF2_CommRef comm, Event& event) {
  return refer(r, r.file.ids.comms, comm, "communicator", event.comm);
}

bool refer_handle(EventReading& r, OTF2_IoHandleRef handle, Event& event) {
  return refer(r, r.file.ids.io_handles, handle, "I/O handle", event.io_handle);
}

template <EventKind kind>
OTF2_CallbackCode on_region(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                            OTF2_RegionRef region) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer(r, r.file.ids.regions, region, "region", event.region)) return OTF2_CALLBACK_INTERRUPT;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_message(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                             std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_comm(r, comm, event)) return OTF2_CALLBACK_INTERRUPT;
  event.peer = peer;
  event.tag = tag;
  event.bytes = bytes;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_request_message(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                     std::uint32_t peer, OTF2_CommRef comm, std::uint32_t tag, std::uint64_t bytes,
                                     std::uint64_t request) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_comm(r, comm, event)) return OTF2_CALLBACK_INTERRUPT;
  event.peer = peer;
  event.tag = tag;
  event.bytes = bytes;
  event.request = request;
  return deliver(r, event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_request(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                             std::uint64_t request) {
  Event event = of_kind(kind);
  event.request = request;
  return deliver(reading(user), event, time, list);
}

OTF2_CallbackCode on_collective_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                      Attributes list) {
  Event event = of_kind(EventKind::kMpiCollectiveBegin);
  return deliver(reading(user), event, time, list);
}

OTF2_CallbackCode collective(EventKind kind, OTF2_TimeStamp time, void* user, Attributes list, OTF2_CollectiveOp op,
                             OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent, std::uint64_t received,
                             std::uint64_t request) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_comm(r, comm, event)) return OTF2_CALLBACK_INTERRUPT;
  event.collective = collective_from_otf2(op);
  event.peer = root;
  event.bytes = sent;
  event.received = received;
  event.request = request;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_collective_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                    OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root, std::uint64_t sent,
                                    std::uint64_t received) {
  return collective(EventKind::kMpiCollectiveEnd, time, user, list, op, comm, root, sent, received, kNoRequest);
}

OTF2_CallbackCode on_collective_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user,
                                         Attributes list, OTF2_CollectiveOp op, OTF2_CommRef comm, std::uint32_t root,
                                         std::uint64_t sent, std::uint64_t received, std::uint64_t request) {
  return collective(EventKind::kNonBlockingCollectiveComplete, time, user, list, op, comm, root, sent, received,
                    request);
}

template <EventKind kind>
OTF2_CallbackCode on_comm(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                          OTF2_CommRef comm) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (!refer_comm(r, comm, event)) return OTF2_CALLBACK_INTERRUPT;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_create_handle(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                   OTF2_IoHandleRef handle, OTF2_IoAccessMode mode, OTF2_IoCreationFlag creation,
                                   OTF2_IoStatusFlag status) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoCreateHandle);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  event.offset = std::int64_t{mode} | (std::int64_t{creation} & kIoCreationMask) << kIoCreationShift |
                 std::int64_t{status} << kIoStatusShift;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_destroy_handle(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                    OTF2_IoHandleRef handle) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoDestroyHandle);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_seek(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                          OTF2_IoHandleRef handle, std::int64_t, OTF2_IoSeekOption, std::uint64_t result) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoSeek);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  event.offset = static_cast<std::int64_t>(result);
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_io_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                              OTF2_IoHandleRef handle, OTF2_IoOperationMode mode, OTF2_IoOperationFlag flags,
                              std::uint64_t bytes, std::uint64_t id) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoOperationBegin);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  if (mode > OTF2_IO_OPERATION_MODE_FLUSH) return damaged(r, fmt::format("it has the unknown I/O mode {}", mode));
  event.io_mode = static_cast<IoMode>(mode);
  event.io_flags = static_cast<std::uint8_t>(flags);
  event.bytes = bytes;
  event.request = id;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_io_issued(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                               OTF2_IoHandleRef handle, std::uint64_t id) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoOperationIssued);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  event.request = id;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_io_complete(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                 OTF2_IoHandleRef handle, std::uint64_t bytes, std::uint64_t id) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kIoOperationComplete);
  if (!refer_handle(r, handle, event)) return OTF2_CALLBACK_INTERRUPT;
  event.bytes = bytes;
  event.request = id;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_program_begin(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                   OTF2_StringRef name, std::uint32_t arguments, const OTF2_StringRef*) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kProgramBegin);
  if (!refer(r, r.file.ids.strings, name, "string", event.tag)) return OTF2_CALLBACK_INTERRUPT;
  if (arguments != 0) ++r.skipped["arguments of ProgramBegin"];
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_program_end(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                 std::int64_t status) {
  Event event = of_kind(EventKind::kProgramEnd);
  event.offset = status;
  return deliver(reading(user), event, time, list);
}

OTF2_CallbackCode on_flush(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                           OTF2_TimeStamp stop) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kBufferFlush);
  Time end;
  if (!to_time(r.file.clock, stop, end) || end.ps < 0)
    return damaged(r, fmt::format("time stamp {} lies outside of the trace", stop));
  event.offset = end.ps;
  return deliver(r, event, time, list);
}

OTF2_CallbackCode on_measurement(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                                 OTF2_MeasurementMode mode) {
  Event event = of_kind(EventKind::kMeasurementOnOff);
  event.offset = mode == OTF2_MEASUREMENT_ON ? 1 : 0;
  return deliver(reading(user), event, time, list);
}

template <EventKind kind>
OTF2_CallbackCode on_thread(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                            OTF2_CommRef contingent, std::uint64_t sequence) {
  EventReading& r = reading(user);
  Event event = of_kind(kind);
  if (contingent != kUndefined && !refer_comm(r, contingent, event)) return OTF2_CALLBACK_INTERRUPT;
  event.request = sequence;
  return deliver(r, event, time, list);
}

// The bits of every value of OTF2_MetricValue are those of its unsigned one.
OTF2_CallbackCode on_metric(OTF2_LocationRef, OTF2_TimeStamp time, std::uint64_t, void* user, Attributes list,
                            OTF2_MetricRef metric, std::uint8_t count, const OTF2_Type* types,
                            const OTF2_MetricValue* values) {
  EventReading& r = reading(user);
  Event event = of_kind(EventKind::kMetric);
  if (!refer(r, r.file.ids.metrics, metric, "metric", event.tag)) return OTF2_CALLBACK_INTERRUPT;
  const Definitions& d = r.file.definitions;
  const std::vector<std::uint32_t>& members = d.members_of(event.tag);
  if (count != members.size())
    return damaged(r, fmt::format("it has {} values of a metric with {}", count, members.size()));
  r.values.clear();
  for (std::size_t i = 0; i < members.size(); ++i) {
    if (attribute_type_from_otf2(types[i]) != d.metric_members[members[i]].type)
      return damaged(r, "a value of it has another type than its metric");
    r.values.push_back(values[i].unsigned_int);
  }
  event.values = r.values;
  return deliver(r, event, time, list);
}

template <std::size_t kLength>
struct Name {
  constexpr Name(const char (&text)[kLength]) {
    for (std::size_t i = 0; i < kLength; ++i) value[i] = text[i];
  }
  char value[kLength] = {};
};

template <Name name, typename... Fields>
OTF2_CallbackCode on_skipped(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void* user, Attributes, Fields...) {
  return skip(reading(user), name.value);
}

void register_expressible(OTF2_EvtReaderCallbacks* c) {
  OTF2_EvtReaderCallbacks_SetEnterCallback(c, on_region<EventKind::kEnter>);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(c, on_region<EventKind::kLeave>);
  OTF2_EvtReaderCallbacks_SetMpiSendCallback(c, on_message<EventKind::kMpiSend>);
  OTF2_EvtReaderCallbacks_SetMpiRecvCallback(c, on_message<EventKind::kMpiRecv>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, on_request_message<EventKind::kMpiIsend>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, on_request_message<EventKind::kMpiIrecv>);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, on_request<EventKind::kMpiIsendComplete>);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, on_request<EventKind::kMpiIrecvRequest>);
  OTF2_EvtReaderCallbacks_SetMpiRequestTestCallback(c, on_request<EventKind::kMpiRequestTest>);
  OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(c, on_request<EventKind::kMpiRequestCancelled>);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, on_collective_begin);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, on_collective_end);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(c,
                                                                  on_request<EventKind::kNonBlockingCollectiveRequest>);
  OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(c, on_collective_complete);
  OTF2_EvtReaderCallbacks_SetCommCreateCallback(c, on_comm<EventKind::kCommCreate>);
  OTF2_EvtReaderCallbacks_SetCommDestroyCallback(c, on_comm<EventKind::kCommDestroy>);
  OTF2_EvtReaderCallbacks_SetIoCreateHandleCallback(c, on_create_handle);
  OTF2_EvtReaderCallbacks_SetIoDestroyHandleCallback(c, on_destroy_handle);
  OTF2_EvtReaderCallbacks_SetIoSeekCallback(c, on_seek);
  OTF2_EvtReaderCallbacks_SetIoOperationBeginCallback(c, on_io_begin);
  OTF2_EvtReaderCallbacks_SetIoOperationIssuedCallback(c, on_io_issued);
  OTF2_EvtReaderCallbacks_SetIoOperationCompleteCallback(c, on_io_complete);
  OTF2_EvtReaderCallbacks_SetProgramBeginCallback(c, on_program_begin);
  OTF2_EvtReaderCallbacks_SetProgramEndCallback(c, on_program_end);
  OTF2_EvtReaderCallbacks_SetBufferFlushCallback(c, on_flush);
  OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(c, on_measurement);
  OTF2_EvtReaderCallbacks_SetThreadBeginCallback(c, on_thread<EventKind::kThreadBegin>);
  OTF2_EvtReaderCallbacks_SetThreadEndCallback(c, on_thread<EventKind::kThreadEnd>);
  OTF2_EvtReaderCallbacks_SetMetricCallback(c, on_metric);
}

#define PLUMBLINE_SKIP(kind) OTF2_EvtReaderCallbacks_Set##kind##Callback(c, on_skipped<#kind>)

void register_skipped(OTF2_EvtReaderCallbacks* c) {
  PLUMBLINE_SKIP(Unknown);
  PLUMBLINE_SKIP(ParameterString);
  PLUMBLINE_SKIP(ParameterInt);
  PLUMBLINE_SKIP(ParameterUnsignedInt);
  PLUMBLINE_SKIP(OmpFork);
  PLUMBLINE_SKIP(OmpJoin);
  PLUMBLINE_SKIP(OmpAcquireLock);
  PLUMBLINE_SKIP(OmpReleaseLock);
  PLUMBLINE_SKIP(OmpTaskCreate);
  PLUMBLINE_SKIP(OmpTaskSwitch);
  PLUMBLINE_SKIP(OmpTaskComplete);
  PLUMBLINE_SKIP(ThreadFork);
  PLUMBLINE_SKIP(ThreadJoin);
  PLUMBLINE_SKIP(ThreadTeamBegin);
  PLUMBLINE_SKIP(ThreadTeamEnd);
  PLUMBLINE_SKIP(ThreadAcquireLock);
  PLUMBLINE_SKIP(ThreadReleaseLock);
  PLUMBLINE_SKIP(ThreadTaskCreate);
  PLUMBLINE_SKIP(ThreadTaskSwitch);
  PLUMBLINE_SKIP(ThreadTaskComplete);
  PLUMBLINE_SKIP(ThreadCreate);
  PLUMBLINE_SKIP(ThreadWait);
  PLUMBLINE_SKIP(CallingContextEnter);
  PLUMBLINE_SKIP(CallingContextLeave);
  PLUMBLINE_SKIP(CallingContextSample);
  PLUMBLINE_SKIP(IoDuplicateHandle);
  PLUMBLINE_SKIP(IoChangeStatusFlags);
  PLUMBLINE_SKIP(IoDeleteFile);
  PLUMBLINE_SKIP(IoOperationTest);
  PLUMBLINE_SKIP(IoOperationCancelled);
  PLUMBLINE_SKIP(IoAcquireLock);
  PLUMBLINE_SKIP(IoReleaseLock);
  PLUMBLINE_SKIP(IoTryLock);
}

#undef PLUMBLINE_SKIP

}  // namespace

EventCallbacks make_event_callbacks() {
  EventCallbacks callbacks(OTF2_EvtReaderCallbacks_New(), OTF2_EvtReaderCallbacks_Delete);
  register_expressible(callbacks.get());
  register_one_sided(callbacks.get());
  register_skipped(callbacks.get());
  return callbacks;
}

}  // namespace plumbline::archive
