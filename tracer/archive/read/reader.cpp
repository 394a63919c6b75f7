#include "tracer/archive/read/reader.hpp"

#include <fmt/format.h>
#include <otf2/otf2.h>

#include <cstdlib>
#include <span>
#include <system_error>
#include <vector>

#include "base/check.hpp"
#include "base/error.hpp"
#include "tracer/archive/otf2_errors.hpp"
#include "tracer/archive/read/check_files.hpp"
#include "tracer/archive/read/cleared_memory.hpp"
#include "tracer/archive/read/definitions.hpp"
#include "tracer/archive/read/event_reading.hpp"
#include "tracer/archive/read/events.hpp"

namespace plumbline::archive {
namespace {

std::string take_text(char* text) {
  std::string copy = text != nullptr ? text : "";
  std::free(text);  // OTF2 hands over memory from malloc
  return copy;
}

// Not while the reader is made or closed: the first chunk is cleared in any case, and none when it is given back.
OTF2_ErrorCode read_all(OTF2_Reader* reader, OTF2_EvtReader* events) {
  const ClearedMemory cleared;
  std::uint64_t count = 0;
  return OTF2_Reader_ReadAllLocalEvents(reader, events, &count);
}

struct CloseReader {
  void operator()(OTF2_Reader* reader) const { OTF2_Reader_Close(reader); }
};

void read_anchor_texts(OTF2_Reader* reader, Definitions& definitions) {
  char* text = nullptr;
  if (OTF2_Reader_GetCreator(reader, &text) == OTF2_SUCCESS) definitions.creator = take_text(text);
  text = nullptr;
  if (OTF2_Reader_GetDescription(reader, &text) == OTF2_SUCCESS) definitions.description = take_text(text);
  std::uint32_t count = 0;
  char** names = nullptr;
  if (OTF2_Reader_GetPropertyNames(reader, &count, &names) != OTF2_SUCCESS) return;
  for (std::uint32_t i = 0; i < count; ++i) {
    text = nullptr;
    if (OTF2_Reader_GetProperty(reader, names[i], &text) == OTF2_SUCCESS)
      definitions.properties[names[i]] = take_text(text);
  }
  std::free(names);
}

}  // namespace

std::filesystem::path find_anchor(const std::filesystem::path& path) {
  std::error_code code;
  if (!std::filesystem::exists(path, code))
    throw Error(path.string(), "there is no such archive", "give the directory that 'plumbline record -o' wrote");
  if (!std::filesystem::is_directory(path, code)) return path;
  std::vector<std::filesystem::path> anchors;
  for (const auto& entry : std::filesystem::directory_iterator(path, code))
    if (entry.path().extension() == ".otf2" && entry.is_regular_file(code)) anchors.push_back(entry.path());
  if (anchors.empty())
    throw Error(path.string(), "there is no OTF2 archive in this directory",
                "give the *.otf2 file, or a directory that holds one");
  if (anchors.size() > 1)
    throw Error(path.string(), fmt::format("there are {} OTF2 archives in this directory", anchors.size()),
                "give the *.otf2 file that is meant");
  return anchors.front();
}

struct Reader::State {
  explicit State(std::filesystem::path anchor_file) : anchor(std::move(anchor_file)) {}

  std::string where() const { return anchor.string(); }

  void open();
  void read_local_definitions(std::span<const std::uint64_t> locations);
  std::string place(std::uint32_t location, std::uint64_t event) const;

  std::filesystem::path anchor;
  ErrorCapture errors;
  std::unique_ptr<OTF2_Reader, CloseReader> reader;
  ReadDefinitions file;
  std::map<std::string, std::uint64_t> skipped;
  EventCallbacks callbacks = make_event_callbacks();
};

void Reader::State::open() {
  check_anchor(anchor);
  reader.reset(OTF2_Reader_Open(anchor.c_str()));
  if (reader == nullptr)
    throw Error(where(), "this is not a readable OTF2 archive: " + explain(errors, OTF2_ERROR_FILE_CAN_NOT_OPEN),
                kCopyAgain);
  if (OTF2_Reader_SetSerialCollectiveCallbacks(reader.get()) != OTF2_SUCCESS)
    throw Error(where(), "OTF2 cannot read this archive: " + explain(errors, OTF2_ERROR_INVALID), kCopyAgain);
  check_definitions(anchor);
  file = read_definitions(reader.get(), where());
  read_anchor_texts(reader.get(), file.definitions);
  std::vector<std::uint64_t> with_definitions;
  for (const Location& location : file.definitions.locations) {
    if (check_location(anchor, location.otf2_id)) with_definitions.push_back(location.otf2_id);
    OTF2_Reader_SelectLocation(reader.get(), location.otf2_id);
  }
  read_local_definitions(with_definitions);
  errors.clear();
  if (const OTF2_ErrorCode code = OTF2_Reader_OpenEvtFiles(reader.get()); code != OTF2_SUCCESS)
    throw Error(where(), "the events cannot be opened: " + explain(errors, code), kCopyAgain);
}

// Clock offsets and mapping tables; OTF2 applies them when it reads events. An archive may do without.
void Reader::State::read_local_definitions(std::span<const std::uint64_t> locations) {
  if (OTF2_Reader_OpenDefFiles(reader.get()) != OTF2_SUCCESS) return;
  for (const std::uint64_t location : locations) {
    errors.clear();
    OTF2_DefReader* local = OTF2_Reader_GetDefReader(reader.get(), location);
    if (local == nullptr)
      throw Error(fmt::format("{}: location {}", where(), location),
                  "its definitions cannot be opened: " + explain(errors, OTF2_ERROR_FILE_CAN_NOT_OPEN), kCopyAgain);
    std::uint64_t count = 0;
    const OTF2_ErrorCode code = OTF2_Reader_ReadAllLocalDefinitions(reader.get(), local, &count);
    OTF2_Reader_CloseDefReader(reader.get(), local);
    if (code != OTF2_SUCCESS)
      throw Error(fmt::format("{}: location {}", where(), location),
                  "its definitions are damaged: " + explain(errors, code), kCopyAgain);
  }
  OTF2_Reader_CloseDefFiles(reader.get());
}

std::string Reader::State::place(std::uint32_t location, std::uint64_t event) const {
  const Location& l = file.definitions.locations[location];
  return l.rank ? fmt::format("{}: rank {}, event {}", where(), *l.rank, event)
                : fmt::format("{}: location {}, event {}", where(), l.otf2_id, event);
}

Reader::Reader(const std::filesystem::path& path) : state_(std::make_unique<State>(find_anchor(path))) {
  const ClearedMemory cleared;
  state_->open();
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;

const Definitions& Reader::definitions() const { return state_->file.definitions; }

const std::filesystem::path& Reader::anchor() const { return state_->anchor; }

const std::map<std::string, std::uint64_t>& Reader::skipped() const { return state_->skipped; }

void Reader::read(std::uint32_t location, const std::function<void(const Event&)>& visit) {
  State& state = *state_;
  PLUMBLINE_CHECK(location < state.file.definitions.locations.size(), "the location exists");
  const Location& definition = state.file.definitions.locations[location];
  const ErrorCapture errors;  // the caller may be on another thread than the constructor was
  EventReading reading{state.file, visit, state.skipped, 0, {}, {}, {}, {}};
  OTF2_EvtReader* events = OTF2_Reader_GetEvtReader(state.reader.get(), definition.otf2_id);
  if (events == nullptr)
    throw Error(state.place(location, 0),
                "the events cannot be opened: " + explain(errors, OTF2_ERROR_FILE_CAN_NOT_OPEN), kCopyAgain);
  OTF2_Reader_RegisterEvtCallbacks(state.reader.get(), events, state.callbacks.get(), &reading);
  const OTF2_ErrorCode code = read_all(state.reader.get(), events);
  const std::string complaint = code == OTF2_SUCCESS ? "" : explain(errors, code);
  OTF2_Reader_CloseEvtReader(state.reader.get(), events);
  if (reading.thrown) std::rethrow_exception(reading.thrown);
  if (!reading.fault.empty()) throw Error(state.place(location, reading.number), reading.fault, kCopyAgain);
  if (code != OTF2_SUCCESS) throw Error(state.place(location, reading.number), complaint, kCopyAgain);
  if (reading.number != definition.events)
    throw Error(state.place(location, reading.number),
                fmt::format("the events end here, but there should be {}", definition.events), kCopyAgain);
}

}  // namespace plumbline::archive
