#pragma once
// Slurm's srun: where on its command line the programs begin.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tracer/record/launch/child.hpp"

namespace plumbline::record {

// Options as `srun --help` lists them: this srun's own, of whatever version.
class SrunOptions {
 public:
  explicit SrunOptions(std::string_view help);

  // How many words follow this one (0 or 1) as the value of an option in it. Nothing when it is not known: no such
  // option.
  std::optional<std::size_t> values_after(std::string_view word) const;

 private:
  std::optional<bool> long_takes_value(std::string_view name) const;
  std::optional<std::size_t> after_short(std::string_view letters) const;

  std::map<std::string, bool, std::less<>> long_;  // whether a value must follow
  std::map<char, bool> short_;
};

// `command` with `keeper` in front of the program of every component (`srun -n 1 a : -n 2 b`). Nothing when it cannot
// be told where they are, or when they are in a file (--multi-prog).
std::optional<Command> srun_with_keeper(const Command& command, const Command& keeper, const SrunOptions& options);

}  // namespace plumbline::record
