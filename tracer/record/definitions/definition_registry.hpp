#pragma once
// The definitions of the archive under assembly, unified over all processes: what several ranks name each for itself
// gets one entry.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "tracer/archive/model.hpp"
#include "tracer/record/definitions/definition_journal.hpp"
#include "tracer/record/definitions/facts.hpp"
#include "tracer/record/definitions/mounts.hpp"

namespace plumbline::record {

// Indices of the event attributes that an observed archive uses (names.hpp).
struct AttributeIds {
  std::uint32_t site, offset, absolute_offset, layout, view_position, posted_source, posted_tag, buffer_bytes, comm,
      waits, polls, hints, hints_asked, counts_sent, counts_received, collective, root, bytes_sent, bytes_received,
      unfinished, run_delay, send_mode, persistent, request, completed, neighbours_sent, neighbours_received, path,
      second_path, length, protection, file_lock, found_source, found_tag;
  std::uint32_t window, target, assertion, group, address, window_kind, window_bytes, displacement_unit, displacement,
      operation, origin_layout, target_layout, result_layout;
  std::uint32_t call, belongs_to, unknown_bytes, inner_records;  // inside of calls
  std::uint32_t error_class;
  std::uint32_t longest_poll_gap, poll_computed, poll_off_cpu, also_polled;
};

// What makes two I/O handles the same definition. Of several open at once the n-th takes the n-th slot.
struct HandleKey {
  archive::IoParadigm paradigm;
  std::uint32_t owner;  // rank of a POSIX handle, communicator of an MPI-IO one
  std::uint32_t file, parent;

  auto operator<=>(const HandleKey&) const = default;
};

class DefinitionRegistry {
 public:
  DefinitionRegistry();

  // MPI_COMM_WORLD; before anything else is asked of communicators.
  void define_ranks(std::uint32_t ranks);

  archive::Definitions definitions;
  AttributeIds attributes{};

  // Of events: what is not interned by this is not in the journal.
  archive::StringId string(std::string_view text);
  std::uint32_t region(const FunctionFact& function);
  // kUndefined when `rank` never said who belongs to its communicator `id`.
  std::uint32_t comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id);
  // Of the messages that the library sends by that context of its own, between the insides of all ranks.
  std::uint32_t context(std::uint32_t number);
  bool has_contexts() const { return !contexts_.empty(); }
  std::uint32_t ranks() const { return ranks_; }
  std::uint32_t window(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id);  // likewise
  std::uint32_t group(const std::vector<std::uint32_t>& members);                         // of world ranks
  // `mounts`: of the process that names it; they describe a file that is new.
  std::uint32_t file(const std::string& path, const Mounts& mounts);
  std::uint32_t handle(const HandleKey& key, std::size_t slot, const std::string& name);
  std::uint32_t node(const std::string& host);

  // From now on what is asked for is noted, the first time that it is.
  void keep_journal();
  std::string take_journal();
  // Defines what another registry was asked for, which was equal to this one when it began its journal, as if this one
  // had been asked in the same order.
  void follow(std::string_view journal);

 private:
  struct Follower;
  // A communicator that is not known yet: its groups in the order in which they are defined.
  struct NewComm {
    std::vector<std::uint32_t> members, remote_members;
    std::uint32_t sequence = 0;
    bool is_self = false;
    std::string name;          // empty: by its number
    std::uint32_t parent = 0;  // as the process numbers it; 0: none
  };
  std::uint32_t find_or_make_comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id);
  // What the process says of it; nothing where that is no communicator of this MPI_COMM_WORLD.
  std::optional<NewComm> told_comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id) const;
  // `parent` is asked only where the communicator is new.
  std::uint32_t define_comm(NewComm comm, const std::function<std::uint32_t()>& parent);
  std::uint32_t window(std::uint32_t comm, std::uint32_t sequence, const std::string& name);
  std::uint32_t file(const std::string& path, const Mount* mount);
  bool is_to_be_noted(std::uint32_t comm);
  void put_comm(std::uint32_t rank, const ProcessFacts& facts, std::uint32_t id, std::vector<std::uint32_t>& below);

  using CommKey = std::tuple<std::vector<std::uint32_t>, std::vector<std::uint32_t>, std::uint32_t>;
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> regions_;
  std::map<CommKey, std::uint32_t> comms_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> comm_of_;  // (rank, its id)
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> windows_;  // (communicator, sequence)
  std::map<std::vector<std::uint32_t>, std::uint32_t> groups_;
  std::map<std::string, std::uint32_t> files_, nodes_;
  std::map<HandleKey, std::vector<std::uint32_t>> handles_;
  std::map<std::uint32_t, std::uint32_t> contexts_;
  std::optional<DefinitionJournal> journal_;
  std::uint32_t ranks_ = 0;
};

}  // namespace plumbline::record
