#include "replay/model/compile/timed.hpp"

#include "base/check.hpp"
#include "replay/model/compile/compile.hpp"

namespace plumbline::replay::model {
namespace {

using SourceOf = std::function<std::uint32_t(std::uint32_t rank, std::uint32_t operation)>;

// A model has no other sections than these.
void copy_rank(const Program& program, std::uint32_t number, const Column<OperationTimes>& times,
               const SourceOf& source_of, ProgramBuilder& builder) {
  const RankProgram& rank = program.rank(number);
  builder.begin_rank(builder.node(program.node(rank.node)), rank.cores);
  for (const SendrecvTail& tail : rank.sendrecvs) builder.add(tail);
  for (const CollectiveTail& tail : rank.collectives) builder.add(tail);
  for (IoAccess access : rank.accesses) {
    if (access.layout != kNone) access.layout = builder.layout(program.layout(access.layout));
    if (access.hints != kNoHints) access.hints = builder.hints(program.hints(access.hints));
    builder.add(access);
  }
  for (std::uint32_t i = 0; i < rank.operations.size(); ++i) {
    Operation op = rank.operations[i];
    op.flags &= static_cast<decltype(op.flags)>(~kNotJudged);  // until the reason is told
    if (is_open_wildcard(op)) op.peer = static_cast<std::int32_t>(source_of(number, i));
    op.call = builder.call(program.call(op.call));
    if (op.site != kNone) op.site = builder.site(program.site(op.site));
    if (is_io(op.kind)) op.comm = builder.file(program.file(op.comm));
    if (op.kind == OpKind::kWait && !(op.flags & kNoRequestList) && op.extra != kNone)
      op.extra = builder.add_requests(rank.waits_for(op));
    builder.add(op, times[i]);
  }
  for (const Reason& reason : rank.reasons) builder.not_judged(reason.operation, program.reason(reason.text));
  builder.end_rank(rank.request_slots);
}

}  // namespace

Program with_times(const Program& program, std::span<const Column<OperationTimes>> times, const SourceOf& source_of,
                   const std::filesystem::path& file) {
  PLUMBLINE_CHECK(is_of_model(program), "times are put into a model");
  ProgramBuilder builder(file);
  builder.comm(program.comm(0).members);
  for (const auto& [key, value] : program.properties()) builder.property(key, value);
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    copy_rank(program, rank, times[rank], source_of, builder);
  return builder.finish();
}

}  // namespace plumbline::replay::model
