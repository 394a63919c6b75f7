#include "replay/expect/archive/expected_archive.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "replay/expect/archive/expected_events.hpp"
#include "replay/expect/archive/storage_locations.hpp"
#include "replay/expect/archive/use_locations.hpp"
#include "replay/expect/archive/write_together.hpp"
#include "tracer/archive/names.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::replay {
namespace {

namespace names = archive::names;

void set_property(archive::Definitions& definitions, const char* key, const std::string& value) {
  definitions.properties.erase(key);
  if (!value.empty()) definitions.properties[key] = value;  // OTF2 has no empty ones
}

std::vector<archive::StringId> interned(archive::Definitions& definitions, const std::vector<std::string>& texts) {
  std::vector<archive::StringId> ids;
  for (const std::string& text : texts) ids.push_back(definitions.strings.intern(text));
  return ids;
}

Duration write_events(const EventsSource& source, archive::Writer& to) {
  ExpectedEvents events(source);
  events.write({0, source.observed.definitions().locations.size()}, to);
  return events.length();
}

bool are_several(const WritersOfEvents& writers) {
  return writers.workers != nullptr && writers.most > 1 && writers.workers->size() > 1;
}

void write(archive::Reader& observed, const Expected& expected, const hw::UseRecord& use,
           const std::filesystem::path& directory, Overwrite overwrite, const WritersOfEvents& writers) {
  archive::Writer writer(directory, overwrite);
  archive::Definitions definitions = observed.definitions();  // a copy; its strings live in the reader's
  const ExpectedAttributes attributes(definitions);
  const std::vector<archive::StringId> reasons = interned(definitions, expected.reasons);
  std::optional<UseLocations> uses;
  std::optional<StorageLocations> storage;
  if (use.history) uses.emplace(definitions, use.names, *use.history, use.kinds);
  if (use.storage.server_use) storage.emplace(definitions, use.storage);
  writer.declare(definitions);
  const EventsSource source{observed, definitions, attributes, expected.ranks, reasons, expected.scratch};
  std::optional<Duration> written;
  if (are_several(writers)) written = write_events_together(writers, source, writer);
  Duration length = written ? *written : write_events(source, writer);
  if (uses) length = std::max(length, uses->write(writer) - Time{});
  if (storage) length = std::max(length, storage->write(writer) - Time{});
  definitions.length = length;
  set_property(definitions, names::kPropertyKind, "expected");
  set_property(definitions, names::kPropertyPlatform, expected.platform);
  set_property(definitions, names::kPropertySource, expected.source);
  set_property(definitions, names::kPropertySchedules, expected.schedules);
  writer.finish(definitions);
}

}  // namespace

void write_expected(archive::Reader& observed, const Expected& expected, const hw::UseRecord& use,
                    const std::filesystem::path& directory, Overwrite overwrite, const WritersOfEvents& writers) {
  try {
    return write(observed, expected, use, directory, overwrite, writers);
  } catch (const Error&) {
    if (!are_several(writers)) throw;
  }
  // Whatever befell the others may not befall this process: they were killed, do not see the archive, have no room. If
  // it does, it says so.
  write(observed, expected, use, directory, overwrite, {});
}

}  // namespace plumbline::replay
