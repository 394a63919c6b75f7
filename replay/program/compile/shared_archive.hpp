#pragma once
// The archive that several processes share work on.

#include <filesystem>
#include <optional>

#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

// While this lives, the work of this thread has the archive open: reader_of() gives `reader` for its anchor to this
// process and, as a copy, to those that are forked for the work. The copies have nothing in common, because libotf2
// opens the files of events when they are read.
class SharedArchive {
 public:
  explicit SharedArchive(archive::Reader& reader);
  ~SharedArchive();
  SharedArchive(const SharedArchive&) = delete;
  SharedArchive& operator=(const SharedArchive&) = delete;
};

// What has the archive of this anchor open; opened in `own` where nothing has.
archive::Reader& reader_of(const std::filesystem::path& anchor, std::optional<archive::Reader>& own);

}  // namespace plumbline::replay
