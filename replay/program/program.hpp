#pragma once
// The compiled program: what each rank did, as fixed records that a replay can walk through without reading OTF2. It
// lives in one file that is mapped, not read (docs/internals/program-file.md), and can always be made again from the
// archive.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/team/processes.hpp"
#include "base/units.hpp"
#include "replay/program/rank_program.hpp"
#include "replay/program/records.hpp"

namespace plumbline::replay {

class ProgramBuilder;

class Program {
 public:
  // Maps a program file; Error when it is damaged or of another version. kKnown: of what has just been written, the
  // contents are not looked at.
  enum class Contents { kCheck, kKnown };
  static Program open(const std::filesystem::path& path, Contents contents = Contents::kCheck);
  // Error when these ranks, up to `end`, are damaged.
  void check_ranks(std::uint32_t begin, std::uint32_t end) const;
  ~Program();
  Program(Program&&) noexcept;
  Program& operator=(Program&&) noexcept;

  std::uint32_t ranks() const;
  const RankProgram& rank(std::uint32_t rank) const;
  std::uint32_t comms() const;
  CommView comm(std::uint32_t index) const;
  std::span<const Window> windows() const;

  // Tables of text.
  std::string_view call(std::uint16_t index) const;
  std::string_view site(std::uint32_t index) const;  // "" for kNone
  std::string_view file(std::uint32_t index) const;
  std::string_view layout(std::uint32_t index) const;
  std::string_view node(std::uint32_t index) const;
  std::string_view reason(std::uint32_t text) const;
  std::string_view hints(std::uint16_t index) const;  // "key=value" lines; "" for kNoHints
  std::uint32_t calls() const;
  std::uint32_t sites() const;
  std::uint32_t files() const;
  std::uint32_t layouts() const;
  std::uint32_t nodes() const;
  std::uint32_t reasons() const;
  std::uint32_t hint_texts() const;

  // Facts about the recording: "library", "creator", "source" (content hash of the archive), "lacks" (what the archive
  // does not tell, one per line), "hints:PATH", "filesystem:PATH" (type of the mount), "mca:NAME" (parameters of Open
  // MPI that concern files), "thread_level", .. ; "" when absent.
  std::string_view property(std::string_view key) const;
  std::vector<std::pair<std::string_view, std::string_view>> properties() const;  // by key

  // XXH3-64 of the contents: equal programs have equal keys.
  std::uint64_t content_key() const;

 private:
  friend class ProgramBuilder;
  struct State;
  explicit Program(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

// Whether a file is there that begins as a program file does.
bool is_program_file(const std::filesystem::path& path);

// Of the first, and of the last operation of all ranks; 0 where there is none.
Time begin_of(const Program& program);
Time end_of(const Program& program);

// Makes a program, rank by rank in ascending order, and writes it to a file. Memory: one rank at a time.
class ProgramBuilder {
 public:
  explicit ProgramBuilder(const std::filesystem::path& file);  // staged; appears with finish()
  // Of some of the ranks of a program that another process makes, whose staging() is named: see join().
  struct PartOf {
    std::filesystem::path staging;
  };
  explicit ProgramBuilder(const PartOf& program);
  ~ProgramBuilder();
  ProgramBuilder(ProgramBuilder&&) noexcept;

  std::uint16_t call(std::string_view name);
  std::uint32_t site(std::string_view text);
  std::uint32_t file(std::string_view path);
  std::uint32_t layout(std::string_view notation);
  std::uint32_t node(std::string_view name);
  std::uint16_t hints(std::string_view lines);  // kNoHints when there are too many different ones
  std::uint32_t comm(std::span<const std::uint32_t> members, std::span<const std::uint32_t> remote_members = {});
  // `shared`: what the other processes know it by, where several make the program; kNone: none of them has it too.
  std::uint32_t window(const Window& window, std::uint32_t shared = kNone);
  void window_made(std::uint32_t index, WindowKind kind);  // by some rank, with whom its kind is known
  void property(std::string_view key, std::string_view value);

  // `processor` kNone: has the name of the node.
  void begin_rank(std::uint32_t node, std::uint32_t cores, std::uint32_t gap_cost_ps = 0,
                  std::uint32_t processor = kNone);
  void add(const Operation& operation, const OperationTimes& times);
  std::uint32_t operations() const;            // added to the rank so far
  Operation& operation(std::uint32_t index);   // of the rank in the making: a receive learns its match later
  OperationTimes& times(std::uint32_t index);  // likewise: a wait by polls begins with the first of them
  std::uint32_t add_requests(std::span<const std::uint32_t> slots);
  std::uint32_t add(const SendrecvTail& tail);
  std::uint32_t add(const CollectiveTail& tail);
  std::uint32_t add_counts(std::span<const std::uint64_t> bytes_per_rank);
  std::uint32_t add_neighbours(std::span<const Neighbour> to, std::span<const Neighbour> from,
                               std::uint32_t request = kNone);  // their NeighbourTail
  std::uint32_t add(const IoAccess& access);
  void add(const InnerItem& inner);
  std::uint32_t add(const InnerMessage& message);
  InnerMessage& inner_message(std::uint32_t index);
  std::uint32_t add(const InnerAccess& access);
  std::uint32_t add(const RmaTail& tail);
  std::uint32_t add_group(std::span<const std::uint32_t> ranks_of_window);
  void add(const OffCpu& off);
  void not_judged(std::uint32_t operation, std::string_view reason);  // sets the flags too
  void end_rank(std::uint32_t request_slots, std::uint32_t inner_slots = 0);

  // Puts together what several processes have made: each, before the first of its ranks, the same communicators, then a
  // block of ranks that follow those of the process before. All of them call it when their last rank has ended; then
  // the builder of process 0 has everything as if it had made all ranks itself. False where that cannot be: there are
  // too many different hints for the numbers of a part.
  bool join(Processes& processes);
  std::filesystem::path staging() const;
  std::filesystem::path path() const;  // where the file will be

  void write();      // the file is in its place then
  Program finish();  // likewise, and opens it

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace plumbline::replay
