#include "tracer/record/launch/srun.hpp"

#include <algorithm>

namespace plumbline::record {
namespace {

bool is_name(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-'; }

bool names_programs_in_a_file(std::string_view word) { return word.starts_with("--multi"); }

}  // namespace

// A line of the help begins "  -n, --ntasks=N  text", "      --mpi=type  text", "  -l, --label  text" or
// "      --nice[=value]  text": only `=` right behind the name means that a value must follow.
SrunOptions::SrunOptions(std::string_view help) {
  while (!help.empty()) {
    const std::size_t end = std::min(help.find('\n'), help.size());
    std::string_view line = help.substr(0, end);
    help.remove_prefix(std::min(end + 1, help.size()));
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    const char letter = line.size() > 4 && line[0] == '-' && line[1] != '-' ? line[1] : '\0';
    if (letter != '\0') line.remove_prefix(4);
    if (!line.starts_with("--")) continue;
    line.remove_prefix(2);
    const auto name_end = std::find_if_not(line.begin(), line.end(), is_name);
    const bool takes_value = name_end != line.end() && *name_end == '=';
    long_[std::string(line.begin(), name_end)] = takes_value;
    if (letter != '\0') short_[letter] = takes_value;
  }
  if (long_.empty()) return;  // no help: nothing is known
  // What the help leaves out or shows without its value (Slurm 22.05.8, srun(1)).
  for (const char* name : {"accel-bind", "container", "cpu-bind", "gid", "hint", "mem-bind", "msg-timeout", "network",
                           "nodefile", "ntasks-per-gpu", "open-mode", "prefer", "uid"})
    long_[name] = true;
  short_['F'] = true;
  for (const char* name : {"test-only", "x11"}) long_.try_emplace(name, false);
}

// Long options may be shortened as long as one option is meant.
std::optional<bool> SrunOptions::long_takes_value(std::string_view name) const {
  if (const auto exact = long_.find(name); exact != long_.end()) return exact->second;
  const auto first = long_.lower_bound(name);
  if (first == long_.end() || !first->first.starts_with(name)) return std::nullopt;
  const auto second = std::next(first);
  if (second != long_.end() && second->first.starts_with(name)) return std::nullopt;
  return first->second;
}

// "n4", "n", "ln4", "ln": the first that takes a value has the rest of the word, or the next word.
std::optional<std::size_t> SrunOptions::after_short(std::string_view letters) const {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const auto known = short_.find(letters[i]);
    if (known == short_.end()) {
      if (i > 0 && letters[i] >= '0' && letters[i] <= '9') return 0;  // an optional value: -K0
      return std::nullopt;
    }
    if (known->second) return i + 1 == letters.size() ? 1 : 0;
  }
  return 0;
}

std::optional<std::size_t> SrunOptions::values_after(std::string_view word) const {
  if (!word.starts_with("--")) return after_short(word.substr(1));
  const std::string_view name = word.substr(2, word.find('=') - 2);
  const auto takes_value = long_takes_value(name);
  if (!takes_value) return std::nullopt;
  return *takes_value && word.find('=') == std::string_view::npos ? 1 : 0;
}

std::optional<Command> srun_with_keeper(const Command& command, const Command& keeper, const SrunOptions& options) {
  Command result{command[0]};
  std::size_t next = 1;
  do {
    while (next < command.size() && command[next].starts_with('-') && command[next].size() > 1) {
      if (command[next] == "--") {
        result.push_back(command[next++]);
        break;
      }
      if (names_programs_in_a_file(command[next])) return std::nullopt;
      const auto values = options.values_after(command[next]);
      if (!values) return std::nullopt;
      for (std::size_t i = 0; i <= *values && next < command.size(); ++i) result.push_back(command[next++]);
    }
    if (next >= command.size() || command[next] == ":") return std::nullopt;
    result.insert(result.end(), keeper.begin(), keeper.end());
    while (next < command.size() && command[next] != ":") result.push_back(command[next++]);
    if (next < command.size()) result.push_back(command[next++]);
  } while (next < command.size());
  return result;
}

}  // namespace plumbline::record
