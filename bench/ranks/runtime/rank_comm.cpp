#include "bench/ranks/runtime/rank_comm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <climits>
#include <cstddef>

#include "bench/results/stream.hpp"

namespace plumbline::bench {

std::vector<std::string> gather_texts(MPI_Comm comm, std::string_view own) {
  if (own.size() > INT_MAX) throw MpiFailure{MPI_ERR_COUNT};
  const int length = static_cast<int>(own.size());
  const bool gathers = rank_in(comm) == 0;
  std::vector<int> lengths(static_cast<std::size_t>(size_of(comm)));
  must(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm));
  std::vector<int> places(lengths.size());
  for (std::size_t i = 1; gathers && i < places.size(); ++i) places[i] = places[i - 1] + lengths[i - 1];
  std::string all(gathers ? static_cast<std::size_t>(places.back() + lengths.back()) : 0, '\0');
  must(MPI_Gatherv(own.data(), length, MPI_CHAR, all.data(), lengths.data(), places.data(), MPI_CHAR, 0, comm));
  std::vector<std::string> texts;
  for (std::size_t i = 0; gathers && i < places.size(); ++i)
    texts.push_back(all.substr(static_cast<std::size_t>(places[i]), static_cast<std::size_t>(lengths[i])));
  return texts;
}

std::string broadcast_text(MPI_Comm comm, std::string text) {
  std::uint64_t length = text.size();
  must(MPI_Bcast(&length, 1, MPI_UINT64_T, 0, comm));
  text.resize(length);
  for (std::uint64_t at = 0; at < length; at += INT_MAX)
    must(MPI_Bcast(text.data() + at, static_cast<int>(std::min<std::uint64_t>(length - at, INT_MAX)), MPI_CHAR, 0,
                   comm));
  return text;
}

void give_of_all(const Context& context, const std::vector<Cell>& own) {
  std::string records;
  for (const Cell& cell : own) records += cell_record(cell);
  for (const std::string& of_rank : gather_texts(context.world, records))
    for (Cell& cell : cells_of_records(of_rank)) context.give(std::move(cell));
}

std::string text_of_failure(const MpiFailure& failure) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  if (MPI_Error_string(failure.code, text, &length) != MPI_SUCCESS) return fmt::format("MPI failed: {}", failure.code);
  return fmt::format("MPI failed: {}", std::string_view(text, static_cast<std::size_t>(length)));
}

std::string first_fault(MPI_Comm comm, const std::string& own) {
  const int rank = rank_in(comm), size = size_of(comm);
  int faulty = own.empty() ? INT_MAX : rank, faults = own.empty() ? 0 : 1;
  must(MPI_Allreduce(MPI_IN_PLACE, &faulty, 1, MPI_INT, MPI_MIN, comm));
  must(MPI_Allreduce(MPI_IN_PLACE, &faults, 1, MPI_INT, MPI_SUM, comm));
  if (faulty == INT_MAX) return "";
  int length = static_cast<int>(own.size());
  must(MPI_Bcast(&length, 1, MPI_INT, faulty, comm));
  std::string fault = own;
  fault.resize(static_cast<std::size_t>(length));
  must(MPI_Bcast(fault.data(), length, MPI_CHAR, faulty, comm));
  return faults < size ? fmt::format("rank {}: {}", faulty, fault) : fault;
}

}  // namespace plumbline::bench
