#pragma once
// Which operations the replay models, and what each of the others is missing.

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "hwmodels/platform/platform.hpp"
#include "replay/io/nonblocking_collectives.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {

// Operations that are not judged keep their observed duration; where they synchronise, that is played.
class ModelCoverage {
 public:
  // `library`: "openmpi" or "mpich" instead of the recorded one, or empty.
  ModelCoverage(const Program& program, const hw::Platform& platform, std::string_view library = {});

  // Why an operation is not judged; empty: it is.
  std::string_view reason_not_judged(std::uint32_t rank, std::uint32_t operation) const;

  // It takes at least what was observed (docs/models/replay-not-judged.md), for what is missing in the model.
  // `op`: the rank's operation of that index.
  bool models_in_part(std::uint32_t rank, std::uint32_t operation, const Operation& op) const {
    if ((op.flags & kNotJudged) || op.kind == OpKind::kCommCreate || op.kind == OpKind::kWinCreate) return true;
    if (op.kind == OpKind::kWait) return begun_.ends_not_modelled(rank, operation);
    if (!is_io(op.kind)) return false;
    return (op.kind == OpKind::kIoOpen && (op.flags & kIoIsMpi)) || !reason_not_begun(program_.rank(rank), op).empty();
  }

  // Whether its access to a file is over when it is.
  bool blocks(const RankProgram& rank, const Operation& op) const;
  // Whether all ranks of the file's communicator carry it out together, while they are in it.
  bool gathers(const RankProgram& rank, const Operation& op) const {
    return (op.flags & kIoIsCollective) && blocks(rank, op);
  }

  // The file system that serves a file.
  std::optional<std::uint32_t> file_system(std::uint32_t file) const { return file_systems_[file]; }
  // Whether it is distributed over servers.
  bool on_servers(std::uint32_t file) const { return on_servers_[file]; }

 private:
  std::string_view reason_not_begun(const RankProgram& rank, const Operation& op) const;
  std::string_view recorded_reason(std::uint32_t rank, std::uint32_t operation) const;

  const Program& program_;
  std::vector<std::optional<std::uint32_t>> file_systems_;  // per file
  std::vector<bool> on_servers_;                            // per file
  std::vector<bool> inter_;                                 // per communicator: joins two groups
  io::NonblockingCollectives begun_;
};

}  // namespace plumbline::replay
