#pragma once
// Writing an OTF2 archive from the same types that reader.hpp delivers. The directory appears whole or not at all.
// Several processes can write one archive: each the events of some locations, and one of them all the rest.

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>

#include "base/files/output.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::archive {

// To be asked before any work is done. Throws Error where an archive cannot be written: like require_writable(), and
// where `directory` holds anything that is not part of an archive, whatever `overwrite` says.
void require_archive_output(const std::filesystem::path& directory, Overwrite overwrite);

class Writer {
 public:
  // `directory` will hold traces.otf2, traces.def and traces/. Refuses an existing one unless `overwrite`.
  Writer(const std::filesystem::path& directory, Overwrite overwrite);
  // For some locations of the archive that another Writer makes, which may be another process's: `staging` of that one,
  // and a number that no other part has. It ends with finish_part().
  Writer(const std::filesystem::path& staging, std::uint32_t part);
  ~Writer();  // without finish(): nothing is left behind
  Writer(Writer&&) noexcept;

  // The types of the attributes that events will carry: call it before the first such event, and again when attributes
  // were added. Nothing else of `definitions` is read.
  void declare(const Definitions& definitions);

  // Event writer of one location at a time: begin, events with times that do not decrease, end. Beside it another one
  // may be open, for what is inside of its calls. `definitions` must hold everything that the events refer to when
  // finish() is called, not before; their ids may not change.
  enum class Place : std::uint8_t { kFirst, kBeside };
  void begin_location(std::uint64_t otf2_id, Place place = Place::kFirst);
  void write(const Event& event, Place place = Place::kFirst);
  // The event at another time and with other attributes than its own.
  void write(const Event& event, Time time, std::span<const AttributeValue> attributes, Place place = Place::kFirst);
  void end_location(Place place = Place::kFirst);

  // Writes the definitions (locations' event counts are filled in here) and puts the archive in its place.
  void finish(const Definitions& definitions);

  // Where the archive is under construction.
  const std::filesystem::path& staging() const;
  // Number of events by location.
  using Counts = std::map<std::uint64_t, std::uint64_t>;
  // Puts the files of a part's locations where the archive has them, and says what they hold.
  Counts finish_part();
  // Takes over what a part has written, before finish().
  void add(const Counts& part);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline::archive
