#pragma once
// Room on the disks that a validation writes to: whether there is enough of it before anything is measured, whether any
// is left meanwhile, and a reserve so that the report of a run that has filled its disk can be written.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "cli/workflows/validate/session/options.hpp"

namespace plumbline::cli::validate {

// What a level writes to a directory at most at any time, in bytes.
struct Need {
  std::filesystem::path directory;
  std::string what;  // "the report, platforms and archives"
  std::uint64_t bytes = 0;
};

// The output directory, the one for spools, and each --io (the working directory, where there is none); of so many MPIs
// and ranks, of which `per_node` are on this node.
std::vector<Need> needs_of(const Options& options, std::size_t mpis, std::uint32_t ranks, std::uint32_t per_node);

// Throws Error (kBadInput) where a file system has less room than all that goes there needs. What cannot be asked has
// enough.
void require_room(const std::vector<Need>& needs);

// Throws Error (kCannotRunHere) where a file system is as good as full.
void require_some_room(const std::vector<Need>& needs);

// A file that keeps room for the report until it goes. Where it cannot be made there is none.
class Reserve {
 public:
  explicit Reserve(std::filesystem::path file);
  ~Reserve() { release(); }
  Reserve(const Reserve&) = delete;
  Reserve& operator=(const Reserve&) = delete;

  void release();

 private:
  std::filesystem::path file_;
};

}  // namespace plumbline::cli::validate
