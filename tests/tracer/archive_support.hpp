#pragma once
// What the tests of archives share: events that own their attributes, random archives.

#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/archive/write/writer.hpp"

namespace plumbline::archive::test {

using plumbline::test::TemporaryDirectory;

struct OwnedEvent {
  Event event;  // without attributes and values
  std::vector<AttributeValue> attributes;
  std::vector<std::uint64_t> values = {};
};

// Every field and attribute of an event on one line, so that two lists can be compared with ==.
std::string describe(const OwnedEvent& event, const Definitions& definitions);
std::vector<std::string> describe_all(const Definitions& definitions);

std::vector<OwnedEvent> read_all(Reader& reader, std::uint32_t location);
std::vector<std::string> describe_location(Reader& reader, std::uint32_t location);

// Definitions of every kind, and events of every kind for each location.
struct Archive {
  Definitions definitions;
  std::vector<std::vector<OwnedEvent>> events;  // by location
};
Archive random_archive(std::mt19937_64& random, std::size_t events_per_location);

void write_archive(const Archive& archive, const std::filesystem::path& directory);

// Reads and writes again.
void copy_archive(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace plumbline::archive::test
