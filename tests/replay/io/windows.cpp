#include "tests/replay/io/windows.hpp"

#include <algorithm>
#include <tuple>

#include "replay/io/append_transfer.hpp"

namespace plumbline::replay::io {
namespace {

struct Need {
  bool any = false, all = false;  // of a window
};

// `next`: first of `wanted` that may reach into the window; moved on.
Need need_of(const ByteRange& window, const std::vector<ByteRange>& wanted, std::size_t& next) {
  Need need;
  std::uint64_t covered = window.begin;
  while (next < wanted.size() && wanted[next].end <= window.begin) ++next;
  for (std::size_t i = next; i < wanted.size() && wanted[i].begin < window.end; ++i) {
    if (wanted[i].end <= window.begin) continue;
    need.any = true;
    if (wanted[i].begin <= covered) covered = std::max(covered, wanted[i].end);
  }
  need.all = covered >= window.end;
  return need;
}

}  // namespace

void add_clipped(std::vector<ByteRange>& wanted, const std::vector<ByteRange>& pieces, const ByteRange& domain) {
  for (const ByteRange& piece : pieces) {
    const ByteRange within = {std::max(piece.begin, domain.begin), std::min(piece.end, domain.end)};
    if (within.begin < within.end) wanted.push_back(within);
  }
}

FileOperations window_by_window(hw::Access kind, std::uint64_t buffer, std::vector<ByteRange> wanted) {
  FileOperations operations;
  if (wanted.empty()) return operations;
  buffer = std::max<std::uint64_t>(buffer, 1);
  std::sort(wanted.begin(), wanted.end(),
            [](const ByteRange& a, const ByteRange& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
  std::uint64_t end = 0;
  for (const ByteRange& run : wanted) end = std::max(end, run.end);
  std::size_t next = 0;
  const bool writes = kind == hw::Access::kWrite;
  for (std::uint64_t begin = wanted.front().begin; begin < end; begin += buffer) {
    const ByteRange window = {begin, std::min(end, begin + buffer)};
    const Need need = need_of(window, wanted, next);
    if (!need.any) continue;
    if (writes && !need.all) append_transfer(operations, FileAction::kRead, window.begin, window.end - window.begin);
    append_transfer(operations, writes ? FileAction::kWrite : FileAction::kRead, window.begin,
                    window.end - window.begin);
  }
  return operations;
}

}  // namespace plumbline::replay::io
