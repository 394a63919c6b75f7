#include "replay/program/renumbering.hpp"

#include <span>

namespace plumbline::replay {
namespace {

bool changes(std::span<const std::uint32_t> numbers) {
  for (std::size_t i = 0; i < numbers.size(); ++i)
    if (numbers[i] != i) return true;
  return false;
}

}  // namespace

bool Renumbering::changes_operations() const {
  return comms_before > 0 || changes(windows) || changes(texts[format::kCallNames]) ||
         changes(texts[format::kSiteTexts]) || changes(texts[format::kFilePaths]);
}

void Renumbering::apply(Operation& operation) const {
  operation.call = static_cast<std::uint16_t>(texts[format::kCallNames][operation.call]);
  operation.site = text(format::kSiteTexts, operation.site);
  if (operation.comm == kNone) return;
  operation.comm = is_io(operation.kind)          ? texts[format::kFilePaths][operation.comm]
                   : is_one_sided(operation.kind) ? windows[operation.comm]
                                                  : comm(operation.comm);
}

void Renumbering::apply(IoAccess& access) const {
  access.layout = text(format::kLayoutTexts, access.layout);
  access.comm = comm(access.comm);
  if (access.hints != kNoHints) access.hints = static_cast<std::uint16_t>(texts[format::kHintTexts][access.hints]);
}

void Renumbering::apply(InnerAccess& access) const { access.file = text(format::kFilePaths, access.file); }

void Renumbering::apply(Reason& reason) const { reason.text = texts[format::kReasonTexts][reason.text]; }

void Renumbering::apply(format::RankEntry& rank) const {
  rank.node = texts[format::kNodeNames][rank.node];
  rank.processor = texts[format::kNodeNames][rank.processor];
  for (format::Range& section : rank.sections) section.offset += bytes_before;
}

void Renumbering::apply(format::CommEntry& comm) const {
  comm.members.offset += bytes_before;
  comm.remote_members.offset += bytes_before;
}

}  // namespace plumbline::replay
