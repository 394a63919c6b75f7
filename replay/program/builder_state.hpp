#pragma once
// What a ProgramBuilder holds.

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files/output.hpp"
#include "replay/program/program.hpp"
#include "replay/program/program_texts.hpp"
#include "replay/program/rank_in_making.hpp"

namespace plumbline::replay {

struct WindowInMaking {
  Window window;
  std::uint32_t shared = kNone;    // what parts of the program know it by
  std::uint32_t kind_is_told = 0;  // some rank made it
};

// What one process makes of a program: the ranks that it has begun, and what is defined from the first of them on.
struct OwnRanks {
  bool begun = false;
  std::uint64_t first_byte = 0;
  std::uint32_t first_comm = 0;
};

struct ProgramBuilder::State {
  // A program.
  explicit State(const std::filesystem::path& file)
      : staged(std::in_place, file, StagedOutput::Kind::kFile, Overwrite::kYes),
        path(staged->path()),
        output(std::in_place, staged->staging(), Output::Kind::kProgram),
        rank(staged->staging().parent_path()) {}
  // A part of it.
  State(const std::filesystem::path& file, Output::Kind part)
      : path(file), output(std::in_place, file, part), rank(file.parent_path()) {}

  void begin_own_ranks() {
    if (own.begun) return;
    own = {true, output->bytes(), static_cast<std::uint32_t>(comms.size())};
  }

  std::optional<StagedOutput> staged;  // not of a part
  const std::filesystem::path path;    // of the program
  std::optional<Output> output;
  std::array<Texts, format::kProperties> texts;
  bool hints_ran_out = false;
  std::map<std::string, std::string, std::less<>> properties;
  std::vector<format::CommEntry> comms;
  std::vector<WindowInMaking> windows;
  std::vector<format::RankEntry> ranks;
  RankInMaking rank;
  bool in_rank = false;
  OwnRanks own;
};

// Errors: too many different calls, in the program at `path`.
std::uint16_t index_of_call(std::uint32_t index, const std::filesystem::path& path);
// kNoHints where there are too many different ones.
std::uint16_t index_of_hints(Texts& texts, std::string_view lines);

}  // namespace plumbline::replay
