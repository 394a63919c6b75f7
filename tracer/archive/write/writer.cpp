#include "tracer/archive/write/writer.hpp"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <array>
#include <string>
#include <system_error>
#include <utility>

#include "base/check.hpp"
#include "base/error.hpp"
#include "tracer/archive/otf2_errors.hpp"
#include "tracer/archive/otf2_values.hpp"
#include "tracer/archive/write/buffers.hpp"
#include "tracer/archive/write/definitions.hpp"
#include "tracer/archive/write/trace_id.hpp"

namespace plumbline::archive {
namespace {

OTF2_FlushType flush_when_full(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// The files of an archive, and the program that is cached beside it.
bool belongs_to_an_archive(const std::filesystem::directory_entry& entry) {
  const std::filesystem::path name = entry.path().filename();
  if (entry.is_directory()) return name == "traces";
  return name.extension() == ".otf2" || name.extension() == ".def" || name == "plumbline.program";
}

std::filesystem::path checked(const std::filesystem::path& directory, Overwrite overwrite) {
  require_archive_output(directory, overwrite);
  return directory;
}

std::filesystem::path part_in(const std::filesystem::path& staging, std::uint32_t part) {
  return staging / fmt::format("part-{}", part);
}

}  // namespace

void require_archive_output(const std::filesystem::path& directory, Overwrite overwrite) {
  require_writable(directory, overwrite);
  if (!std::filesystem::exists(directory)) return;
  if (!std::filesystem::is_directory(directory))
    throw Error(directory.string(), "is a file, and an archive is a directory", "choose another name");
  for (const auto& entry : std::filesystem::directory_iterator(directory))
    if (!belongs_to_an_archive(entry))
      throw Error(
          directory.string(),
          "holds '" + entry.path().filename().string() + "', which is not part of an archive, and is not replaced",
          "choose another name");
}

struct Writer::State {
  // A location under way.
  struct Open {
    OTF2_EvtWriter* writer = nullptr;
    std::uint64_t location = 0, written = 0;
    Time last;
  };

  State(const std::filesystem::path& directory, Overwrite overwrite)
      : State(directory,
              std::make_unique<StagedOutput>(checked(directory, overwrite), StagedOutput::Kind::kDirectory, overwrite),
              {}) {}

  // `staged`: nothing of a part, which lies in the staging directory of the whole archive.
  State(std::filesystem::path shown, std::unique_ptr<StagedOutput> staged, const std::filesystem::path& part)
      : name(std::move(shown)),
        output(std::move(staged)),
        where(output ? output->staging() : part),
        archive(OTF2_Archive_Open(where.c_str(), "traces", OTF2_FILEMODE_WRITE, kEventChunk,
                                  OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)),
        attributes(OTF2_AttributeList_New()) {
    if (archive == nullptr) fail(OTF2_ERROR_FILE_CAN_NOT_OPEN);
    static const OTF2_FlushCallbacks kFlush = {flush_when_full, nullptr} /* no record of it */;
    require(OTF2_Archive_SetFlushCallbacks(archive, &kFlush, nullptr));
    require(buffers.use_for(archive));
    require(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    require(OTF2_Archive_OpenEvtFiles(archive));
  }

  // A part that is not finished is removed with the whole, perhaps now: nothing more is written.
  ~State() {
    if (archive != nullptr && output) {
      for (const Open& one : open)
        if (one.writer != nullptr) OTF2_Archive_CloseEvtWriter(archive, one.writer);
      OTF2_Archive_CloseEvtFiles(archive);
      OTF2_Archive_Close(archive);
    }
    OTF2_AttributeList_Delete(attributes);
  }

  [[noreturn]] void fail(OTF2_ErrorCode code) const {
    throw Error(name.string(), "the archive cannot be written: " + explain(errors, code),
                "check the space and the permissions there");
  }

  void require(OTF2_ErrorCode code) const {
    if (code != OTF2_SUCCESS) fail(code);
  }

  void add(std::span<const AttributeValue> values) {
    for (const AttributeValue& value : values) {
      PLUMBLINE_CHECK(value.attribute < types.size(), "declare() the attributes before the events that carry them");
      const OTF2_Type type = types[value.attribute];
      OTF2_AttributeValue stored;
      if (type == OTF2_TYPE_STRING)
        stored.stringRef = value.string;  // not the whole value: reading more than was just written waits
      else
        stored.uint64 = value.u64;
      require(OTF2_AttributeList_AddAttribute(attributes, value.attribute, type, stored));
    }
  }

  Open& at(Place place) { return open[static_cast<std::size_t>(place)]; }
  OTF2_ErrorCode write(const Event& e, OTF2_TimeStamp time);
  OTF2_ErrorCode write_rare(const Event& e, OTF2_TimeStamp time);
  OTF2_ErrorCode write_one_sided(const Event& e, OTF2_TimeStamp time);
  OTF2_ErrorCode write_metric(const Event& e, OTF2_TimeStamp time);
  void write_local_definitions(const Definitions& definitions);

  ErrorCapture errors;
  const std::filesystem::path name;      // of the archive, for messages
  std::unique_ptr<StagedOutput> output;  // none of a part
  const std::filesystem::path where;     // the files are written
  WriteBuffers buffers;                  // of the archive, so before it
  OTF2_Archive* archive;
  OTF2_AttributeList* attributes;
  std::array<Open, 2> open;                          // by place
  OTF2_EvtWriter* writer = nullptr;                  // of the event that is being written
  std::vector<OTF2_Type> types;                      // by attribute
  std::vector<std::vector<OTF2_Type>> metric_types;  // by metric and member
  std::vector<OTF2_MetricValue> metric_values;
  Counts events;
};

Writer::Writer(const std::filesystem::path& directory, Overwrite overwrite)
    : state_(std::make_unique<State>(directory, overwrite)) {}

Writer::Writer(const std::filesystem::path& staging, std::uint32_t part) {
  const std::filesystem::path directory = part_in(staging, part);
  std::filesystem::create_directory(directory);
  state_ = std::make_unique<State>(staging, nullptr, directory);
}

Writer::~Writer() = default;
Writer::Writer(Writer&&) noexcept = default;

const std::filesystem::path& Writer::staging() const { return state_->where; }

Writer::Counts Writer::finish_part() {
  State& state = *state_;
  PLUMBLINE_CHECK(!state.output, "a whole archive ends with finish()");
  for (const State::Open& one : state.open) PLUMBLINE_CHECK(one.writer == nullptr, "end_location() before the end");
  state.require(OTF2_Archive_CloseEvtFiles(state.archive));
  state.require(OTF2_Archive_Close(std::exchange(state.archive, nullptr)));
  const std::filesystem::path whole = state.where.parent_path() / "traces";
  std::filesystem::create_directories(whole);
  for (const auto& [location, events] : state.events) {
    const std::string file = fmt::format("{}.evt", location);
    std::filesystem::rename(state.where / "traces" / file, whole / file);
  }
  std::filesystem::remove_all(state.where);
  return std::move(state.events);
}

void Writer::add(const Counts& part) {
  for (const auto& [location, events] : part)
    PLUMBLINE_CHECK(state_->events.emplace(location, events).second, "a location is written once");
}

void Writer::declare(const Definitions& definitions) {
  state_->types.clear();
  for (const AttributeDefinition& attribute : definitions.attributes) state_->types.push_back(to_otf2(attribute.type));
  state_->metric_types.assign(definitions.metrics.size(), {});
  for (std::uint32_t metric = 0; metric < definitions.metrics.size(); ++metric)
    for (const std::uint32_t member : definitions.members_of(metric))
      state_->metric_types[metric].push_back(to_otf2(definitions.metric_members[member].type));
}

void Writer::begin_location(std::uint64_t otf2_id, Place place) {
  State::Open& one = state_->at(place);
  PLUMBLINE_CHECK(one.writer == nullptr, "one location at a time");
  PLUMBLINE_CHECK(!state_->events.contains(otf2_id), "a location is written once");
  state_->events[otf2_id] = 0;
  one = {OTF2_Archive_GetEvtWriter(state_->archive, otf2_id), otf2_id, 0, {}};
  if (one.writer == nullptr) state_->fail(OTF2_ERROR_FILE_CAN_NOT_OPEN);
}

void Writer::write(const Event& event, Place place) { write(event, event.time, event.attributes, place); }

void Writer::write(const Event& event, Time time, std::span<const AttributeValue> attributes, Place place) {
  State::Open& one = state_->at(place);
  PLUMBLINE_CHECK(one.writer != nullptr, "events belong to a location");
  PLUMBLINE_CHECK(time >= one.last, "times of a location do not decrease");
  one.last = time;
  state_->add(attributes);
  state_->writer = one.writer;
  state_->require(state_->write(event, static_cast<OTF2_TimeStamp>(time.ps)));
  ++one.written;
}

void Writer::end_location(Place place) {
  State::Open& one = state_->at(place);
  PLUMBLINE_CHECK(one.writer != nullptr, "there is a location to end");
  state_->require(OTF2_Archive_CloseEvtWriter(state_->archive, std::exchange(one.writer, nullptr)));
  state_->events[one.location] = one.written;
}

OTF2_ErrorCode Writer::State::write(const Event& e, OTF2_TimeStamp time) {
  switch (e.kind) {
    case EventKind::kEnter:
      return OTF2_EvtWriter_Enter(writer, attributes, time, e.region);
    case EventKind::kLeave:
      return OTF2_EvtWriter_Leave(writer, attributes, time, e.region);
    case EventKind::kMpiSend:
      return OTF2_EvtWriter_MpiSend(writer, attributes, time, e.peer, e.comm, e.tag, e.bytes);
    case EventKind::kMpiIsend:
      return OTF2_EvtWriter_MpiIsend(writer, attributes, time, e.peer, e.comm, e.tag, e.bytes, e.request);
    case EventKind::kMpiIsendComplete:
      return OTF2_EvtWriter_MpiIsendComplete(writer, attributes, time, e.request);
    case EventKind::kMpiIrecvRequest:
      return OTF2_EvtWriter_MpiIrecvRequest(writer, attributes, time, e.request);
    case EventKind::kMpiRecv:
      return OTF2_EvtWriter_MpiRecv(writer, attributes, time, e.peer, e.comm, e.tag, e.bytes);
    case EventKind::kMpiIrecv:
      return OTF2_EvtWriter_MpiIrecv(writer, attributes, time, e.peer, e.comm, e.tag, e.bytes, e.request);
    case EventKind::kMpiRequestTest:
      return OTF2_EvtWriter_MpiRequestTest(writer, attributes, time, e.request);
    case EventKind::kMpiRequestCancelled:
      return OTF2_EvtWriter_MpiRequestCancelled(writer, attributes, time, e.request);
    case EventKind::kMpiCollectiveBegin:
      return OTF2_EvtWriter_MpiCollectiveBegin(writer, attributes, time);
    case EventKind::kMpiCollectiveEnd:
      return OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes, time, to_otf2(e.collective), e.comm, e.peer, e.bytes,
                                             e.received);
    case EventKind::kIoOperationBegin:
      return OTF2_EvtWriter_IoOperationBegin(writer, attributes, time, e.io_handle,
                                             static_cast<OTF2_IoOperationMode>(e.io_mode), e.io_flags, e.bytes,
                                             e.request);
    case EventKind::kIoOperationComplete:
      return OTF2_EvtWriter_IoOperationComplete(writer, attributes, time, e.io_handle, e.bytes, e.request);
    default:
      return write_rare(e, time);
  }
}

OTF2_ErrorCode Writer::State::write_rare(const Event& e, OTF2_TimeStamp time) {
  switch (e.kind) {
    case EventKind::kNonBlockingCollectiveRequest:
      return OTF2_EvtWriter_NonBlockingCollectiveRequest(writer, attributes, time, e.request);
    case EventKind::kNonBlockingCollectiveComplete:
      return OTF2_EvtWriter_NonBlockingCollectiveComplete(writer, attributes, time, to_otf2(e.collective), e.comm,
                                                          e.peer, e.bytes, e.received, e.request);
    case EventKind::kCommCreate:
      return OTF2_EvtWriter_CommCreate(writer, attributes, time, e.comm);
    case EventKind::kCommDestroy:
      return OTF2_EvtWriter_CommDestroy(writer, attributes, time, e.comm);
    case EventKind::kIoCreateHandle:
      return OTF2_EvtWriter_IoCreateHandle(
          writer, attributes, time, e.io_handle, static_cast<OTF2_IoAccessMode>(e.offset & 0xff),
          static_cast<OTF2_IoCreationFlag>((e.offset >> kIoCreationShift) & kIoCreationMask),
          static_cast<OTF2_IoStatusFlag>(e.offset >> kIoStatusShift));
    case EventKind::kIoDestroyHandle:
      return OTF2_EvtWriter_IoDestroyHandle(writer, attributes, time, e.io_handle);
    case EventKind::kIoSeek:
      return OTF2_EvtWriter_IoSeek(writer, attributes, time, e.io_handle, e.offset, OTF2_IO_SEEK_FROM_START,
                                   static_cast<std::uint64_t>(e.offset));
    case EventKind::kIoOperationIssued:
      return OTF2_EvtWriter_IoOperationIssued(writer, attributes, time, e.io_handle, e.request);
    case EventKind::kProgramBegin:
      return OTF2_EvtWriter_ProgramBegin(writer, attributes, time, e.tag, 0, nullptr);
    case EventKind::kProgramEnd:
      return OTF2_EvtWriter_ProgramEnd(writer, attributes, time, e.offset);
    case EventKind::kBufferFlush:
      return OTF2_EvtWriter_BufferFlush(writer, attributes, time, static_cast<OTF2_TimeStamp>(e.offset));
    case EventKind::kMeasurementOnOff:
      return OTF2_EvtWriter_MeasurementOnOff(writer, attributes, time,
                                             e.offset != 0 ? OTF2_MEASUREMENT_ON : OTF2_MEASUREMENT_OFF);
    case EventKind::kThreadBegin:
      return OTF2_EvtWriter_ThreadBegin(writer, attributes, time, e.comm, e.request);
    case EventKind::kThreadEnd:
      return OTF2_EvtWriter_ThreadEnd(writer, attributes, time, e.comm, e.request);
    case EventKind::kMetric:
      return write_metric(e, time);
    default:
      return write_one_sided(e, time);
  }
}

OTF2_ErrorCode Writer::State::write_one_sided(const Event& e, OTF2_TimeStamp time) {
  switch (e.kind) {
    case EventKind::kRmaPut:
      return OTF2_EvtWriter_RmaPut(writer, attributes, time, e.window, e.peer, e.bytes, e.request);
    case EventKind::kRmaGet:
      return OTF2_EvtWriter_RmaGet(writer, attributes, time, e.window, e.peer, e.bytes, e.request);
    case EventKind::kRmaAtomic:
      return OTF2_EvtWriter_RmaAtomic(writer, attributes, time, e.window, e.peer, e.rma, e.bytes, e.received,
                                      e.request);
    case EventKind::kRmaOpCompleteBlocking:
      return OTF2_EvtWriter_RmaOpCompleteBlocking(writer, attributes, time, e.window, e.request);
    case EventKind::kRmaOpCompleteNonBlocking:
      return OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer, attributes, time, e.window, e.request);
    case EventKind::kRmaOpCompleteRemote:
      return OTF2_EvtWriter_RmaOpCompleteRemote(writer, attributes, time, e.window, e.request);
    case EventKind::kRmaOpTest:
      return OTF2_EvtWriter_RmaOpTest(writer, attributes, time, e.window, e.request);
    case EventKind::kRmaWinCreate:
      return OTF2_EvtWriter_RmaWinCreate(writer, attributes, time, e.window);
    case EventKind::kRmaWinDestroy:
      return OTF2_EvtWriter_RmaWinDestroy(writer, attributes, time, e.window);
    case EventKind::kRmaCollectiveBegin:
      return OTF2_EvtWriter_RmaCollectiveBegin(writer, attributes, time);
    case EventKind::kRmaCollectiveEnd:
      return OTF2_EvtWriter_RmaCollectiveEnd(writer, attributes, time, to_otf2(e.collective), e.rma, e.window, e.peer,
                                             e.bytes, e.received);
    case EventKind::kRmaGroupSync:
      return OTF2_EvtWriter_RmaGroupSync(writer, attributes, time, e.rma, e.window, e.tag + kFirstGroup);
    case EventKind::kRmaRequestLock:
      return OTF2_EvtWriter_RmaRequestLock(writer, attributes, time, e.window, e.peer, e.request, e.rma);
    case EventKind::kRmaAcquireLock:
      return OTF2_EvtWriter_RmaAcquireLock(writer, attributes, time, e.window, e.peer, e.request, e.rma);
    case EventKind::kRmaTryLock:
      return OTF2_EvtWriter_RmaTryLock(writer, attributes, time, e.window, e.peer, e.request, e.rma);
    case EventKind::kRmaReleaseLock:
      return OTF2_EvtWriter_RmaReleaseLock(writer, attributes, time, e.window, e.peer, e.request);
    case EventKind::kRmaSync:
      return OTF2_EvtWriter_RmaSync(writer, attributes, time, e.window, e.peer, e.rma);
    case EventKind::kRmaWaitChange:
      return OTF2_EvtWriter_RmaWaitChange(writer, attributes, time, e.window);
    default:
      return OTF2_ERROR_INVALID_ARGUMENT;  // the other kinds are written above
  }
}

OTF2_ErrorCode Writer::State::write_metric(const Event& e, OTF2_TimeStamp time) {
  PLUMBLINE_CHECK(e.tag < metric_types.size(), "declare() the metrics before their events");
  const std::vector<OTF2_Type>& members = metric_types[e.tag];
  PLUMBLINE_CHECK(e.values.size() == members.size(), "a metric event has a value for each member");
  metric_values.resize(members.size());
  for (std::size_t i = 0; i < members.size(); ++i) metric_values[i].unsigned_int = e.values[i];
  return OTF2_EvtWriter_Metric(writer, attributes, time, e.tag, static_cast<std::uint8_t>(members.size()),
                               members.data(), metric_values.data());
}

// Readers look for a file of local definitions per location even where it has nothing to say. All are the same, and
// libotf2 would clear a buffer of 4 MiB for each: it makes the first, the others are links to that or, where there can
// be none, copies.
void Writer::State::write_local_definitions(const Definitions& definitions) {
  if (definitions.locations.empty()) return;
  const std::uint64_t first = definitions.locations.front().otf2_id;
  require(OTF2_Archive_OpenDefFiles(archive));
  OTF2_DefWriter* local = OTF2_Archive_GetDefWriter(archive, first);
  if (local == nullptr) fail(OTF2_ERROR_FILE_CAN_NOT_OPEN);
  require(OTF2_Archive_CloseDefWriter(archive, local));
  require(OTF2_Archive_CloseDefFiles(archive));
  const auto file_of = [&](std::uint64_t id) { return where / fmt::format("traces/{}.def", id); };
  const std::filesystem::path made = file_of(first);
  for (const Location& location : definitions.locations) {
    if (location.otf2_id == first) continue;
    std::error_code code;
    std::filesystem::create_hard_link(made, file_of(location.otf2_id), code);
    if (code && !std::filesystem::copy_file(made, file_of(location.otf2_id), code)) fail(OTF2_ERROR_FILE_CAN_NOT_OPEN);
  }
}

void Writer::finish(const Definitions& definitions) {
  State& state = *state_;
  PLUMBLINE_CHECK(state.output, "a part ends with finish_part()");
  for (const State::Open& one : state.open) PLUMBLINE_CHECK(one.writer == nullptr, "end_location() before finish()");
  std::vector<std::uint64_t> events;
  for (const Location& location : definitions.locations) {
    if (!state.events.contains(location.otf2_id)) {  // defined, but without events
      begin_location(location.otf2_id);
      end_location();
    }
    events.push_back(state.events[location.otf2_id]);
  }
  PLUMBLINE_CHECK(events.size() == state.events.size(), "every location with events is defined, once");
  state.require(OTF2_Archive_CloseEvtFiles(state.archive));
  state.require(OTF2_Archive_SetCreator(state.archive, definitions.creator.c_str()));
  state.require(OTF2_Archive_SetDescription(state.archive, definitions.description.c_str()));
  for (const auto& [name, value] : definitions.properties)
    state.require(OTF2_Archive_SetProperty(state.archive, name.c_str(), value.c_str(), true));

  state.write_local_definitions(definitions);

  OTF2_GlobalDefWriter* global = OTF2_Archive_GetGlobalDefWriter(state.archive);
  if (global == nullptr) state.fail(OTF2_ERROR_FILE_CAN_NOT_OPEN);
  state.require(write_definitions(global, definitions, events));
  state.require(OTF2_Archive_CloseGlobalDefWriter(state.archive, global));
  state.require(OTF2_Archive_Close(std::exchange(state.archive, nullptr)));
  set_trace_id_by_content(state.where);
  state.output->commit();
}

}  // namespace plumbline::archive
