#include "bare_otf2.hpp"

#include <otf2/otf2.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/check.hpp"
#include "replay_bench.hpp"
#include "tracer/archive/otf2_values.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/buffers.hpp"

namespace plumbline::perf {
namespace {

using archive::Event;
using archive::EventKind;

void require(OTF2_ErrorCode code) { PLUMBLINE_CHECK(code == OTF2_SUCCESS, "libotf2 does what it is asked to"); }

template <typename... Fields>
OTF2_CallbackCode nothing(OTF2_LocationRef, OTF2_TimeStamp, std::uint64_t, void*, OTF2_AttributeList*, Fields...) {
  return OTF2_CALLBACK_SUCCESS;
}

// The kinds of events in the archives of the benchmark; others are read too, and have no callback.
OTF2_EvtReaderCallbacks* callbacks() {
  OTF2_EvtReaderCallbacks* c = OTF2_EvtReaderCallbacks_New();
  OTF2_EvtReaderCallbacks_SetEnterCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetLeaveCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiIsendCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(c, nothing);
  OTF2_EvtReaderCallbacks_SetMetricCallback(c, nothing);
  return c;
}

OTF2_CallbackCode on_location(void* user, OTF2_LocationRef self, OTF2_StringRef, OTF2_LocationType, std::uint64_t,
                              OTF2_LocationGroupRef) {
  static_cast<std::vector<OTF2_LocationRef>*>(user)->push_back(self);
  return OTF2_CALLBACK_SUCCESS;
}

std::vector<OTF2_LocationRef> locations_of(OTF2_Reader* reader) {
  std::vector<OTF2_LocationRef> locations;
  std::uint64_t count = 0;
  OTF2_GlobalDefReader* definitions = OTF2_Reader_GetGlobalDefReader(reader);
  OTF2_GlobalDefReaderCallbacks* c = OTF2_GlobalDefReaderCallbacks_New();
  OTF2_GlobalDefReaderCallbacks_SetLocationCallback(c, on_location);
  require(OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, c, &locations));
  OTF2_GlobalDefReaderCallbacks_Delete(c);
  require(OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count));
  return locations;
}

OTF2_FlushType flush_when_full(void*, OTF2_FileType, OTF2_LocationRef, void*, bool) { return OTF2_FLUSH; }

// An event and what its spans point to.
struct Kept {
  Event event;
  std::size_t attributes = 0, values = 0;  // where they begin
};

struct Location {
  std::vector<Kept> events;
  std::vector<archive::AttributeValue> attributes;
  std::vector<std::uint64_t> values;
};

void keep(Location& location, const Event& event) {
  location.events.push_back({event, location.attributes.size(), location.values.size()});
  location.attributes.insert(location.attributes.end(), event.attributes.begin(), event.attributes.end());
  location.values.insert(location.values.end(), event.values.begin(), event.values.end());
}

class BareWriter {
 public:
  BareWriter(const std::filesystem::path& directory, const archive::Definitions& definitions)
      : archive_(OTF2_Archive_Open(directory.c_str(), "traces", OTF2_FILEMODE_WRITE, archive::kEventChunk,
                                   OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE)),
        attributes_(OTF2_AttributeList_New()) {
    static const OTF2_FlushCallbacks kFlush = {flush_when_full, nullptr};
    require(OTF2_Archive_SetFlushCallbacks(archive_, &kFlush, nullptr));
    require(OTF2_Archive_SetSerialCollectiveCallbacks(archive_));
    require(buffers_.use_for(archive_));
    require(OTF2_Archive_OpenEvtFiles(archive_));
    for (const archive::AttributeDefinition& attribute : definitions.attributes)
      types_.push_back(archive::to_otf2(attribute.type));
  }

  void write(std::uint64_t id, const Location& location) {
    OTF2_EvtWriter* writer = OTF2_Archive_GetEvtWriter(archive_, id);
    for (std::size_t i = 0; i < location.events.size(); ++i) {
      const Kept& kept = location.events[i];
      for (std::size_t k = 0; k < kept.event.attributes.size(); ++k) add(location.attributes[kept.attributes + k]);
      require(write(writer, kept.event, location.values.data() + kept.values));
    }
    require(OTF2_Archive_CloseEvtWriter(archive_, writer));
  }

  void close() {
    require(OTF2_Archive_CloseEvtFiles(archive_));
    OTF2_AttributeList_Delete(attributes_);
    require(OTF2_Archive_Close(archive_));
  }

 private:
  void add(const archive::AttributeValue& value) {
    OTF2_AttributeValue stored;
    stored.uint64 = value.u64;
    if (types_[value.attribute] == OTF2_TYPE_STRING) stored.stringRef = value.string;
    require(OTF2_AttributeList_AddAttribute(attributes_, value.attribute, types_[value.attribute], stored));
  }

  OTF2_ErrorCode write(OTF2_EvtWriter* writer, const Event& e, const std::uint64_t* values) {
    const auto time = static_cast<OTF2_TimeStamp>(e.time.ps);
    switch (e.kind) {
      case EventKind::kEnter:
        return OTF2_EvtWriter_Enter(writer, attributes_, time, e.region);
      case EventKind::kLeave:
        return OTF2_EvtWriter_Leave(writer, attributes_, time, e.region);
      case EventKind::kMpiIsend:
        return OTF2_EvtWriter_MpiIsend(writer, attributes_, time, e.peer, e.comm, e.tag, e.bytes, e.request);
      case EventKind::kMpiIsendComplete:
        return OTF2_EvtWriter_MpiIsendComplete(writer, attributes_, time, e.request);
      case EventKind::kMpiIrecvRequest:
        return OTF2_EvtWriter_MpiIrecvRequest(writer, attributes_, time, e.request);
      case EventKind::kMpiIrecv:
        return OTF2_EvtWriter_MpiIrecv(writer, attributes_, time, e.peer, e.comm, e.tag, e.bytes, e.request);
      case EventKind::kMpiCollectiveBegin:
        return OTF2_EvtWriter_MpiCollectiveBegin(writer, attributes_, time);
      case EventKind::kMpiCollectiveEnd:
        return OTF2_EvtWriter_MpiCollectiveEnd(writer, attributes_, time, OTF2_COLLECTIVE_OP_ALLREDUCE, e.comm, e.peer,
                                               e.bytes, e.received);
      case EventKind::kMetric: {
        const std::vector<OTF2_Type> types(e.values.size(), OTF2_TYPE_UINT64);
        std::vector<OTF2_MetricValue> numbers(e.values.size());
        for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i].unsigned_int = values[i];
        return OTF2_EvtWriter_Metric(writer, attributes_, time, e.tag, static_cast<std::uint8_t>(types.size()),
                                     types.data(), numbers.data());
      }
      default:
        return OTF2_ERROR_INVALID_ARGUMENT;  // the benchmark has no others
    }
  }

  archive::WriteBuffers buffers_;
  OTF2_Archive* archive_;
  OTF2_AttributeList* attributes_;
  std::vector<OTF2_Type> types_;
};

}  // namespace

BareCost read_bare(const std::filesystem::path& archive) {
  BareCost cost;
  const double begin = cpu_seconds();
  OTF2_Reader* reader = OTF2_Reader_Open(archive::find_anchor(archive).c_str());
  PLUMBLINE_CHECK(reader != nullptr, "the archive can be opened");
  require(OTF2_Reader_SetSerialCollectiveCallbacks(reader));
  const std::vector<OTF2_LocationRef> locations = locations_of(reader);
  for (const OTF2_LocationRef location : locations) require(OTF2_Reader_SelectLocation(reader, location));
  require(OTF2_Reader_OpenEvtFiles(reader));
  OTF2_EvtReaderCallbacks* events = callbacks();
  for (const OTF2_LocationRef location : locations) {
    OTF2_EvtReader* one = OTF2_Reader_GetEvtReader(reader, location);
    require(OTF2_Reader_RegisterEvtCallbacks(reader, one, events, nullptr));
    std::uint64_t count = 0;
    require(OTF2_Reader_ReadAllLocalEvents(reader, one, &count));
    require(OTF2_Reader_CloseEvtReader(reader, one));
    cost.events += count;
  }
  OTF2_EvtReaderCallbacks_Delete(events);
  OTF2_Reader_CloseEvtFiles(reader);
  OTF2_Reader_Close(reader);
  cost.seconds = cpu_seconds() - begin;
  return cost;
}

BareCost write_bare(const std::filesystem::path& archive, const std::filesystem::path& directory) {
  BareCost cost;
  archive::Reader reader(archive);
  const archive::Definitions& definitions = reader.definitions();
  double begin = cpu_seconds();
  BareWriter writer(directory, definitions);
  cost.seconds += cpu_seconds() - begin;
  Location location;
  for (std::uint32_t i = 0; i < definitions.locations.size(); ++i) {
    location.events.clear(), location.attributes.clear(), location.values.clear();
    reader.read(i, [&](const Event& event) { keep(location, event); });
    cost.events += location.events.size();
    begin = cpu_seconds();
    writer.write(definitions.locations[i].otf2_id, location);
    cost.seconds += cpu_seconds() - begin;
  }
  begin = cpu_seconds();
  writer.close();
  cost.seconds += cpu_seconds() - begin;
  return cost;
}

}  // namespace plumbline::perf
