#include "replay/model/fold/files.hpp"

#include <algorithm>
#include <optional>

#include "tracer/archive/layout/layout.hpp"

namespace plumbline::replay::model {
namespace {

bool moves_bytes(OpKind kind) { return kind == OpKind::kIoRead || kind == OpKind::kIoWrite; }

bool is_contiguous(const archive::Layout& layout) {
  return layout.blocks.size() == 1 && layout.blocks[0].count == 1 && layout.extent >= 0 &&
         layout.blocks[0].length == static_cast<std::uint64_t>(layout.extent);
}

}  // namespace

RecordedFiles::RecordedFiles(const Program& program, const std::vector<bool>& is_world)
    : program_(program), is_world_(is_world), files_(program.files()) {
  for (std::uint32_t i = 0; i < program.layouts(); ++i) add_layout(program.layout(i));
}

void RecordedFiles::add_layout(std::string_view text) {
  Layout& own = layouts_.emplace_back();
  std::optional<archive::Layout> layout = archive::parse_layout(text);
  if (!layout || layout->opaque || layout->size == 0) return;
  own.is_known = true;
  if (is_contiguous(*layout)) return;
  const std::int64_t first = std::ranges::min(layout->blocks, {}, &archive::Block::offset).offset;
  const std::int64_t displacement = layout->displacement + first;
  own.is_known = displacement >= 0;
  if (!own.is_known) return;
  own.displacement = static_cast<std::uint64_t>(displacement);
  layout->displacement = 0;
  for (archive::Block& block : layout->blocks) block.offset -= first;
  const std::string view = archive::to_text(*layout);
  const auto known = std::ranges::find(views_, view);
  own.view = static_cast<std::uint32_t>(known - views_.begin());
  if (known == views_.end()) views_.push_back(view);
}

RecordedFiles::Where RecordedFiles::where(const IoAccess& access) const {
  if (access.layout == kNone || layouts_[access.layout].view == kNone) return {kNone, access.offset, 0};
  const Layout& layout = layouts_[access.layout];
  return {layout.view, access.view_position, layout.displacement};
}

void RecordedFiles::look_at(const RankProgram& own, const Operation& op) {
  File& file = files_[op.comm];
  if (file.why_not.empty()) file.why_not = why_not_of(own, op);
  if (op.extra == kNone || op.kind == OpKind::kIoClose || op.kind == OpKind::kIoSync) return;
  file.is_accessed = true;
  file.hints = own.accesses[op.extra].hints;
}

std::string_view RecordedFiles::why_not_of(const RankProgram& own, const Operation& op) const {
  constexpr std::uint8_t kBoth = kIoIsCollective | kNonBlocking;
  const std::string_view path = program_.file(op.comm);
  if (!(op.flags & kIoIsMpi)) return "a file that is not opened through MPI";
  if (op.extra == kNone) return "a file with accesses of which the recording does not tell where they are";
  const IoAccess& access = own.accesses[op.extra];
  const bool moves = moves_bytes(op.kind), is_world = access.comm != kNone && is_world_[access.comm];
  if (op.kind == OpKind::kIoOpen && !is_world) return "a file that not all ranks open together";
  if (moves && (op.flags & kBoth) == kBoth) return "a file with non-blocking collective accesses";
  if (path.find_first_of("\"\n\r") != path.npos || path.find("*/") != path.npos)
    return "a file whose name the language cannot write";
  return op.kind == OpKind::kIoOpen || moves ? why_not_of(files_[op.comm], access, moves) : std::string_view();
}

std::string_view RecordedFiles::why_not_of(const File& file, const IoAccess& access, bool moves) const {
  if (moves && access.layout == kNone && access.offset == kUnknownOffset)
    return "a file with accesses of which the recording does not tell where they are";
  if (moves && access.layout != kNone && !layouts_[access.layout].is_known)
    return "a file with a view of which the recording does not tell the pieces";
  if (access.file_flags & kAtomicMode) return "a file in atomic mode";
  if (file.is_accessed && access.hints != file.hints) return "a file whose hints change";
  return "";
}

}  // namespace plumbline::replay::model
