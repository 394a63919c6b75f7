#pragma once
// The ranks of an archive become those of a program, one location at a time.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/team/shared_work.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "replay/program/compile/context/inside_compiler.hpp"
#include "replay/program/compile/remarks.hpp"
#include "replay/program/program.hpp"
#include "tracer/archive/read/reader.hpp"

namespace plumbline::replay {

class Compilation {
 public:
  // `builder` outlives it, and is given the communicators of the archive.
  Compilation(archive::Reader& reader, ProgramBuilder& builder, Damage damage);

  void compile(Block ranks, bool tells_progress);

  // On the ranks compiled so far.
  Found found() const;

  // Describes the program of all ranks, on which `found` was found.
  CompileSummary finish(const Found& found, const std::string& source);

 private:
  void compile_rank(std::uint32_t rank);
  InsideOfCalls compile_inside(std::uint32_t location);
  template <class Compiler>
  void read(std::uint32_t location, Compiler& compiler);

  const Damage damage_;
  archive::Reader& reader_;
  const std::map<std::string, std::uint64_t> skipped_before_;  // by others of the reader
  const archive::Definitions& definitions_;
  const std::vector<std::uint32_t> locations_;
  const std::vector<std::uint32_t> insides_;  // by location
  ProgramBuilder& builder_;
  CompileContext context_;
  Found found_;  // but for what the context and the reader count
};

}  // namespace plumbline::replay
