#include <algorithm>
#include <bit>
#include <map>

#include "replay/compare/tally.hpp"

namespace plumbline::replay {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// "/out/ckpt_0007.dat" -> "/out/ckpt_#.dat": every run of digits in the last component.
std::string pattern_of(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  const std::size_t name = slash == std::string_view::npos ? 0 : slash + 1;
  std::string pattern{path.substr(0, name)};
  for (std::size_t i = name; i < path.size(); ++i) {
    if (!is_digit(path[i]))
      pattern += path[i];
    else if (i == name || !is_digit(path[i - 1]))
      pattern += '#';
  }
  return pattern;
}

}  // namespace

RowKeys::RowKeys(const Program& program) : program_(program) {
  std::map<std::string, std::vector<std::uint32_t>> alike;
  for (std::uint32_t file = 0; file < program.files(); ++file) alike[pattern_of(program.file(file))].push_back(file);
  file_group_.resize(program.files());
  for (const auto& [pattern, members] : alike) {
    for (const std::uint32_t file : members) file_group_[file] = static_cast<std::uint32_t>(files_.size());
    files_.push_back(members.size() > 1 ? pattern : std::string(program.file(members.front())));
  }
}

RowKey RowKeys::of(const RankProgram& rank, const Operation& operation) const {
  RowKey key;
  key.call = operation.call;
  key.kind = operation.kind;
  key.size_class = static_cast<std::uint8_t>(std::bit_width(operation.bytes));
  key.site = operation.site;
  if (!is_io(operation.kind)) {
    const bool on_window = is_one_sided(operation.kind);
    key.comm_size = comm_size(on_window ? program_.windows()[operation.comm].comm : operation.comm);
    return key;
  }
  if (operation.comm < file_group_.size()) key.file = file_group_[operation.comm];
  if (operation.extra != kNone && operation.extra < rank.accesses.size())
    key.comm_size = comm_size(rank.accesses[operation.extra].comm);
  return key;
}

std::uint32_t RowKeys::comm_size(std::uint32_t comm) const {
  if (comm >= program_.comms()) return 0;
  const CommView view = program_.comm(comm);
  return static_cast<std::uint32_t>(view.members.size() + view.remote_members.size());
}

}  // namespace plumbline::replay
