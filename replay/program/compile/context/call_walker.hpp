#pragma once
// The rule that cuts a location's events into program-level calls, and calls into operations. The compiler and whoever
// writes or reads expected archives walk with the same one, so that operation n means the same to all.
//
// A call is an MPI or POSIX I/O region that lies in no other such region; other regions are looked through. A call is
// one operation, unless it posts several requests (MPI_Startall): then it is one per post.

#include <cstdint>
#include <vector>

#include "replay/program/compile/context/call_table.hpp"
#include "tracer/archive/model.hpp"

namespace plumbline::replay {

class CallWalker {
 public:
  enum class Step : std::uint8_t {
    kOutside,   // between calls
    kBegins,    // Enter of a call
    kInside,    // in a call, in no region inside it
    kNested,    // in a region inside a call, or its Enter or Leave
    kEnds,      // Leave of a call
    kMismatch,  // Leave of a region that is not the innermost one
  };

  explicit CallWalker(const std::vector<CallTraits>& table) : table_(table) {}

  Step next(const archive::Event& event) {
    if (event.kind == archive::EventKind::kEnter) return enter(event.region);
    if (event.kind == archive::EventKind::kLeave) return leave(event.region);
    if (!in_call()) return Step::kOutside;
    if (regions_.size() > call_depth_) return Step::kNested;
    if (event.kind == archive::EventKind::kMpiIsend || event.kind == archive::EventKind::kMpiIrecvRequest ||
        event.kind == archive::EventKind::kNonBlockingCollectiveRequest)
      ++posts_;
    return Step::kInside;
  }

  bool in_call() const { return call_depth_ > 0; }
  std::size_t depth() const { return regions_.size(); }                  // of all regions
  std::size_t nesting() const { return regions_.size() - call_depth_; }  // of regions inside the call
  std::uint32_t region() const { return regions_[call_depth_ - 1]; }     // of the call
  std::uint32_t innermost() const { return regions_.back(); }

  // Of the call in progress or just ended.
  std::uint32_t regions_inside() const { return regions_inside_; }

  // Of the call that has just ended.
  std::uint32_t operations_of_call() const { return posts_ > 1 ? posts_ : 1; }
  std::uint32_t ended_region() const { return ended_; }

 private:
  Step enter(std::uint32_t region) {
    if (region >= table_.size()) return Step::kMismatch;
    regions_.push_back(region);
    if (in_call()) {
      ++regions_inside_;
      return Step::kNested;
    }
    if (table_[region].shape == CallShape::kRegion) return Step::kOutside;
    call_depth_ = regions_.size();
    posts_ = regions_inside_ = 0;
    return Step::kBegins;
  }

  Step leave(std::uint32_t region) {
    if (regions_.empty() || regions_.back() != region) return Step::kMismatch;
    const bool ends = regions_.size() == call_depth_;
    regions_.pop_back();
    if (!ends) return in_call() ? Step::kNested : Step::kOutside;
    call_depth_ = 0;
    ended_ = region;
    return Step::kEnds;
  }

  const std::vector<CallTraits>& table_;
  std::vector<std::uint32_t> regions_;
  std::size_t call_depth_ = 0;  // regions up to and with the call; 0: in no call
  std::uint32_t posts_ = 0, regions_inside_ = 0, ended_ = 0;
};

}  // namespace plumbline::replay
