#pragma once
// POSIX calls that the library made inside of a call of MPI-IO, from the events of a location.

#include <cstdint>
#include <vector>

#include "base/memory/flat_table.hpp"
#include "replay/program/compile/context/context.hpp"

namespace plumbline::replay {

// Where the descriptors of a location stand, by handle.
class DescriptorPositions {
 public:
  void set(std::uint32_t handle, std::uint64_t position) { positions_.put(handle, position); }
  void moved(std::uint32_t handle, std::uint64_t bytes);
  // Of an I/O operation that begins: as recorded, else where its descriptor stands; kUnknownOffset.
  std::uint64_t offset_of(const archive::Event& event, const AttributeIds& attributes);

 private:
  FlatTable<std::uint64_t> positions_;
};

class InnerPosix {
 public:
  struct Item {
    InnerKind kind = InnerKind::kOther;
    OperationTimes times;
    InnerAccess access;
  };

  InnerPosix(CompileContext& context, DescriptorPositions& positions) : context_(context), positions_(positions) {}

  // Around each region directly inside the call.
  void enter(Time now);
  void leave(const CallTraits& region, Time now);
  // `region`: inside of which it happened; null: directly in the call. Records of MPI-IO are none of ours.
  void event(const archive::Event& event, const CallTraits* region, Time now);

  // Of the call so far, by begin.
  std::size_t count() const { return items_.size(); }
  Item item(std::size_t index) const { return items_[index].item; }
  void clear();

 private:
  struct UnderWay {
    Item item;
    std::uint64_t id = archive::kNoRequest;
    std::uint32_t handle = 0;
    bool moves = false;  // the position of its descriptor
  };
  void add(const archive::Event& event, InnerKind kind, const CallTraits* region, Time now);
  void complete(const archive::Event& event, Time now);

  CompileContext& context_;
  DescriptorPositions& positions_;
  std::vector<UnderWay> items_;
  std::size_t first_ = 0;  // of the region that is open
  Time begin_;             // likewise
};

}  // namespace plumbline::replay
