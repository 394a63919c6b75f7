#pragma once
// The inner stream of one rank, from the location with the inside of its calls. What is odd or missing there costs at
// most the as-run expectation of the calls it happened in: nothing here is an error of the archive.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "base/memory/flat_table.hpp"
#include "base/memory/scratch.hpp"
#include "replay/program/compile/context/inner_posix.hpp"

namespace plumbline::replay {

// The stream by calls instead of operations: InnerItem::operation and InnerMessage::operation are indices of calls,
// which the compiler of the calls turns into those of operations; slots are still to be given.
struct InsideOfCalls {
  struct Call {
    std::uint32_t call = 0;  // index among the calls of its location; ascending
    std::uint32_t first_item = 0, items = 0;
    std::uint32_t records = 0;  // of the tracer
  };
  // As InnerItem, and how many records of the tracer lie before it in its call.
  struct Item {
    InnerItem item;
    std::uint32_t records_before = 0;
  };
  // A message that was complete between two calls: the next call finds it so.
  struct Between {
    Time time;
    std::uint32_t message = 0;
  };
  explicit InsideOfCalls(const Scratch& scratch)
      : calls(scratch), between(scratch), items(scratch), messages(scratch), accesses(scratch) {}

  Column<Call> calls;
  Column<Between> between;  // ascending by time
  Column<Item> items;
  Column<InnerMessage> messages;
  Column<InnerAccess> accesses;
};

class InsideCompiler {
 public:
  explicit InsideCompiler(CompileContext& context)
      : context_(context), posix_(context, positions_), result_(context.scratch) {}

  void event(const archive::Event& event);
  InsideOfCalls finish();

 private:
  void enter(const archive::Event& event);
  void leave();
  void post(const archive::Event& event, InnerKind kind);
  void complete(const archive::Event& event);
  void cancelled(const archive::Event& event);
  void add(InnerKind kind, std::uint32_t index, const OperationTimes& times, std::uint32_t records_before);
  void take_posix();
  void match(const archive::Event& event, InnerMessage& message) const;

  CompileContext& context_;
  DescriptorPositions positions_;
  InnerPosix posix_;
  InsideOfCalls result_;
  FlatTable<std::uint32_t> under_way_;  // messages, by request
  std::vector<std::uint32_t> regions_;  // that are open
  Time now_;
};

}  // namespace plumbline::replay
