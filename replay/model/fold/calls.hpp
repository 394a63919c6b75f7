#pragma once
// What a recording did, in the words of the language of models: the first step of folding it into one (fold.hpp).

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "replay/model/fold/files.hpp"
#include "replay/model/language/message_types.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay::model {

inline constexpr std::int32_t kFromAny = -2;  // a receive from any of which nobody recorded what it took

// One Message of one rank, with its numbers.
struct FoldedCall {
  const MessageType* type = nullptr;         // null: computes, and makes no call
  std::uint32_t left_out = kNone;            // then: the recorded call whose time this is, by name of the program
  std::uint32_t site = kNone, file = kNone;  // of the program
  std::uint32_t view = kNone;                // of RecordedFiles
  std::uint32_t request = kNone;             // number of its name
  std::int32_t to = kNoPeer, from = kNoPeer;
  std::int32_t tag = 0, receive_tag = 0, root = 0;
  std::uint64_t size = 0, receive_size = 0, offset = 0, displacement = 0;
};

bool has_offset(const FoldedCall& call);
// Apart from peers, the offset and the displacement.
bool is_same_call(const FoldedCall& a, const FoldedCall& b);

constexpr bool is_message(OpKind kind) {
  return kind == OpKind::kSend || kind == OpKind::kIsend || kind == OpKind::kRecv || kind == OpKind::kIrecv ||
         kind == OpKind::kSendrecv || kind == OpKind::kProbe;
}

// Nobody knows whether a message has met it.
constexpr bool is_never_completed(const Operation& op) {
  return op.kind == OpKind::kIrecv && (op.flags & kNotCompleted) != 0;
}

// One of the times that something passed, counted from 0; ps.
struct Passage {
  std::uint64_t number = 0;
  double time = 0;
};

// Time between two calls, summed over all the times that it passed; ps.
struct Elapsed {
  double sum = 0;
  std::vector<Passage> notable;  // those that the length of the run could tell, in ascending order
};

// Between two calls. Kept: what the replay takes as it was observed, whatever factor computation has.
struct Gap {
  Elapsed computed, kept;
  // That the call behind it takes, because the replay models it in part (docs/models/replay-not-judged.md).
  Elapsed least;
  std::uint64_t times = 1;

  Gap& operator+=(const Gap& other);
};

// Operations of one call at one site that the language cannot say. They keep their observed time as computation.
// Approximated ones are said with something else in the place of what was recorded.
struct NotFolded {
  std::string reason, call, site;
  bool approximated = false;
  std::uint64_t operations = 0;
};

class RecordedCalls {
 public:
  // Looks at all ranks once: what can be said of one depends on what others do. The program outlives this.
  explicit RecordedCalls(const Program& program);

  // Of one rank, in order; a call without a type comes last where the rank computes behind its last call.
  void visit(std::uint32_t rank, const std::function<void(const FoldedCall&, const Gap&)>& visit);

  std::vector<NotFolded> not_folded() const;  // of the ranks visited so far, most operations first

  // What the longest rank computes, and keeps as it was observed: the run takes no less. ps.
  double busy() const { return busy_; }
  const RecordedFiles& files() const { return files_; }

 private:
  friend class RankCalls;

  struct Channel {
    std::uint32_t sender = 0, receiver = 0;
    std::int32_t tag = 0;
    auto operator<=>(const Channel&) const = default;
  };
  struct Ends {
    std::uint64_t sends = 0, receives = 0;
  };
  // A collective call of all ranks: what each says that its size is.
  struct CollectiveSizes {
    std::uint64_t least = ~std::uint64_t{0}, most = 0, ranks = 0;
    double sum = 0;
  };

  void find_comms();
  void number_tags();
  void look_at(std::uint32_t rank);
  double busy_of(const RankProgram& own) const;
  bool is_foldable_collective(const Operation& op) const;
  std::uint64_t collective_size(const RankProgram& own, const Operation& op) const;
  std::int32_t world_rank(std::uint32_t rank, std::uint32_t comm, std::int32_t peer) const;
  std::int32_t tag_of(std::uint32_t comm, std::int32_t tag) const;
  void leave_out(std::string_view reason, const Operation& op, bool approximated = false);

  const Program& program_;
  Time begin_;
  std::vector<bool> is_world_;         // by communicator: all ranks in their order
  std::vector<std::uint32_t> colour_;  // by communicator: those of one colour share no rank
  std::map<std::pair<std::uint32_t, std::int32_t>, std::int32_t> tags_;  // by colour and recorded tag
  RecordedFiles files_;
  double busy_ = 0;
  std::map<Channel, Ends> channels_;
  bool open_wildcards_ = false;
  std::vector<CollectiveSizes> collectives_;  // in the order of each rank
  std::map<std::tuple<std::string_view, std::uint16_t, std::uint32_t, bool>, std::uint64_t> not_folded_;
};

}  // namespace plumbline::replay::model
