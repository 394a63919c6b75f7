#pragma once
// Words of the text form (docs/internals/program-text.md) that its parser and its printer share.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "replay/program/program.hpp"

namespace plumbline::replay {

inline constexpr std::array<std::string_view, 11> kCollectiveWords = {
    "barrier",   "bcast",  "gather",         "scatter", "allgather", "alltoall",
    "allreduce", "reduce", "reduce_scatter", "scan",    "exscan"};

inline constexpr std::array<std::string_view, 5> kNeighbourhoodWords = {
    "neighbor_allgather", "neighbor_allgatherv", "neighbor_alltoall", "neighbor_alltoallv", "neighbor_alltoallw"};

inline constexpr std::array<std::string_view, 9> kInnerWords = {"open",  "close", "read", "write", "sync",
                                                                "other", "send",  "recv", "done"};

// What an I/O verb says: "write_at_all" is a collective MPI-IO write.
struct IoVerb {
  OpKind kind = OpKind::kIoRead;
  std::uint8_t flags = 0;
};
std::optional<IoVerb> io_verb(std::string_view word);

// The verb of an I/O operation; collective opens, closes and syncs say so in a word of their own.
std::string io_word(const Operation& operation, bool has_offset);

// The call that a verb stands for when the text names none: "send" is MPI_Send.
std::string default_call(const Operation& operation, std::string_view verb);

// Bytes received by a rank where the text does not say.
std::uint64_t default_received(Collective collective, std::uint64_t sent, std::size_t comm_size, bool is_root);

}  // namespace plumbline::replay
