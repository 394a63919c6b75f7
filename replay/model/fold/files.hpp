#pragma once
// Files of a recording, in the words of the language of models: which of them it can say, and through which views they
// are accessed.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "replay/program/program.hpp"

namespace plumbline::replay::model {

class RecordedFiles {
 public:
  // The program outlives this. `is_world`: by communicator.
  RecordedFiles(const Program& program, const std::vector<bool>& is_world);

  void look_at(const RankProgram& own, const Operation& op);  // an operation on a file, of all of the recording

  // Empty: the language can say it. All ranks open a file of a model through MPI, and its accesses name their bytes:
  // where one does not, none of the file can be said, because calls on it are collective.
  std::string_view why_not(std::uint32_t file) const { return files_[file].why_not; }

  struct Where {
    std::uint32_t view = kNone;  // of views(); kNone: contiguous
    std::uint64_t offset = 0;    // in bytes of the file, or of what the view selects
    std::uint64_t displacement = 0;
  };
  Where where(const IoAccess& access) const;

  // Texts in the notation of tracer/archive/layout/layout.hpp, each of which begins at the first byte that it selects:
  // views that differ in where they lie alone are one.
  const std::vector<std::string>& views() const { return views_; }

  std::uint16_t hints(std::uint32_t file) const { return files_[file].hints; }

 private:
  struct File {
    std::string_view why_not;
    bool is_accessed = false;
    std::uint16_t hints = kNoHints;
  };
  struct Layout {
    bool is_known = false;
    std::uint32_t view = kNone;
    std::uint64_t displacement = 0;
  };

  void add_layout(std::string_view text);
  std::string_view why_not_of(const RankProgram& own, const Operation& op) const;
  std::string_view why_not_of(const File& file, const IoAccess& access, bool moves) const;

  const Program& program_;
  const std::vector<bool>& is_world_;
  std::vector<File> files_;
  std::vector<Layout> layouts_;  // by number of the program
  std::vector<std::string> views_;
};

}  // namespace plumbline::replay::model
