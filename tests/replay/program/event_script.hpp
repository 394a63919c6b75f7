#pragma once
// An archive of one location written down by hand, and the operations that the compiler makes of it.

#include <optional>
#include <string>
#include <vector>

#include "replay/program/compile/location/compiler.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tracer/archive/names.hpp"

namespace plumbline::replay {

class EventScript {
 public:
  // Rank 0 of `ranks`; communicator 0 is the world.
  explicit EventScript(std::uint32_t ranks = 4);

  // Times are in microseconds.
  EventScript& enter(const std::string& region, std::int64_t us);
  EventScript& leave(std::int64_t us);
  EventScript& add(archive::EventKind kind, std::int64_t us, std::uint32_t peer = archive::kUndefined,
                   std::uint32_t tag = 0, std::uint64_t bytes = 0, std::uint64_t request = archive::kNoRequest);
  EventScript& collective(archive::CollectiveOp op, std::int64_t us, std::uint64_t sent, std::uint64_t received,
                          std::uint32_t root = archive::kUndefined);
  EventScript& io(archive::EventKind kind, std::int64_t us, std::uint32_t handle, std::uint64_t bytes = 0,
                  std::uint64_t id = archive::kNoRequest, archive::IoMode mode = archive::IoMode::kWrite);
  EventScript& with(const char* attribute, std::uint64_t value);  // of the event before
  EventScript& with(const char* attribute, std::int64_t value);
  EventScript& with(const char* attribute, const std::string& value);

  // What follows is on the location with the inside of the calls.
  EventScript& inside();
  std::uint32_t context();  // of the library, of all ranks

  std::uint32_t comm(std::vector<std::uint32_t> members);
  std::uint32_t file_handle(const std::string& path, archive::IoParadigm paradigm,
                            std::uint32_t comm = archive::kUndefined);
  archive::Event& last() { return events_.back().event; }

  Program compile(TracerCost cost = {});
  const Tally& tally() const { return *tally_; }

  archive::Definitions definitions;

 private:
  struct Scripted {
    archive::Event event;
    std::vector<archive::AttributeValue> attributes;
  };
  archive::AttributeValue& attribute(const char* name, archive::AttributeType type);
  std::uint32_t region(const std::string& name);

  std::uint32_t ranks_;
  std::vector<Scripted> events_;
  std::optional<std::size_t> inside_;  // the first event there
  std::vector<std::uint32_t> open_;
  std::optional<Tally> tally_;
  test::TemporaryDirectory directory_;
};

}  // namespace plumbline::replay
