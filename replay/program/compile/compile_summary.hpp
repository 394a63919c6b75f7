#pragma once
// What is told of a compilation, and what it makes of damage.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace plumbline::replay {

struct CompileSummary {
  std::uint64_t operations = 0, messages = 0;
  std::vector<std::string> lacks;    // what the archive does not tell, and which features are therefore off
  std::vector<std::string> remarks;  // what was found odd: unmatched requests, skipped records, clock disorder
  bool from_cache = false;
  std::filesystem::path kept = {};  // the file of the program; none where it has no name
};

template <class Io>
void fields(Io& io, CompileSummary& s) {
  io(s.operations, s.messages, s.lacks, s.remarks);
}

// What a damaged location makes of a compilation: an Error, or a rank up to its first fault (readable_part_of).
enum class Damage { kRefuse, kLeaveOut };

}  // namespace plumbline::replay
