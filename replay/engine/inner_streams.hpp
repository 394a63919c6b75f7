#pragma once
// Which operations of a program can be run by the messages that were recorded inside of them
// (docs/models/replay-inner-streams.md). An operation is left to its schedule together with all that belongs to the
// same call on other ranks, or has messages with it, so that the ranks never disagree.

#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include "base/memory/scratch.hpp"
#include "replay/engine/model_coverage.hpp"
#include "replay/engine/replay.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

class InnerStreams {
 public:
  // What `choices` force is not run by what was recorded.
  InnerStreams(const Program& program, const ModelCoverage& coverage, const Choices& choices, const Scratch& scratch);

  // Whether the messages that belong to the operation are run.
  bool runs(std::uint32_t rank, std::uint32_t operation) const {
    const std::vector<bool>& own = runs_[rank];
    return operation < own.size() && own[operation];
  }
  bool any() const;
  bool has_synchronous() const { return has_synchronous_; }
  std::vector<InnerFault> faults() const;

  // Of a replay that could not go on in this operation; true: it had been run.
  bool leave_out(std::uint32_t rank, std::uint32_t operation);
  void leave_out_all();

 private:
  enum class Fault : std::uint8_t {
    kNoFault,
    kIncomplete,
    kFailed,
    kSize,
    kPeer,
    kUnmatched,
    kMember,
    kPlayed,
    kFaults
  };
  struct Unit {
    std::uint32_t rank = 0, operation = 0;
    auto operator<=>(const Unit&) const = default;
  };
  // One end of a message.
  struct End {
    std::uint32_t context = 0, source = 0, receiver = 0;
    std::int32_t tag = 0;
    std::uint32_t unit = kNone;  // kNone: of an operation that is not run by messages
    std::uint32_t order = 0;     // among those of its rank
    auto channel() const { return std::tie(context, source, receiver, tag); }
  };

  bool is_eligible(std::uint32_t rank, std::uint32_t operation) const;
  void find_units();
  void join_calls();
  void take_messages(std::uint32_t rank, Column<End>& sends, Column<End>& receives);
  void match(Column<End>& sends, Column<End>& receives);
  void decide();
  std::uint32_t unit_of(std::uint32_t rank, std::uint32_t operation) const;
  std::uint32_t root(std::uint32_t node) const;
  void join(std::uint32_t a, std::uint32_t b);
  void blame(std::uint32_t node, Fault fault);
  static std::string_view words(Fault fault);

  const Program& program_;
  const ModelCoverage& coverage_;
  std::vector<bool> forced_;              // by call
  Column<Unit> units_;                    // ascending
  mutable Column<std::uint32_t> parent_;  // of units: a forest, one tree for all that must be run together
  Column<Fault> faults_;                  // of roots
  std::vector<std::vector<bool>> runs_;   // by rank and operation; empty where a rank has none
  bool has_synchronous_ = false;
};

}  // namespace plumbline::replay
