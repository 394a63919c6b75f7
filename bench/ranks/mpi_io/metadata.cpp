// What it takes to make, open, size, close and remove a file through MPI.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <span>
#include <string_view>

#include "base/error.hpp"
#include "bench/ranks/mpi_io/mpi_file.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

constexpr std::string_view kAllPhases[] = {"all",         "create", "set_size", "get_size", "preallocate",
                                           "close_first", "open",   "close",    "delete"};
constexpr std::span<const std::string_view> kPhases = std::span(kAllPhases).subspan(1);  // that are timed by themselves
using PhaseTimes = std::array<double, kPhases.size()>;

// The life of one file; ranks begin each of its phases together.
struct FileLife {
  MPI_Comm comm = MPI_COMM_NULL;  // whose file it is
  std::string name;
  MPI_Info hints = MPI_INFO_NULL;
  MPI_Offset size = 0;
  bool deletes = true;
  std::vector<PhaseTimes> times = {};  // seconds, of each execution

  int operator()(MPI_Comm world) {
    MPI_File file = MPI_FILE_NULL;
    PhaseTimes& now = times.emplace_back();
    std::size_t phase = 0;
    int code = MPI_SUCCESS;
    const auto time = [&](auto call) {
      code = first_failure({code, MPI_Barrier(world)});
      const std::int64_t begin = now_ns();
      code = first_failure({code, call()});
      now[phase++] = static_cast<double>(now_ns() - begin) * 1e-9;
    };
    const auto with_file = [&](auto call) { time([&] { return file == MPI_FILE_NULL ? MPI_ERR_FILE : call(); }); };
    time([&] { return MPI_File_open(comm, name.c_str(), MPI_MODE_CREATE | MPI_MODE_RDWR, hints, &file); });
    with_file([&] { return MPI_File_set_size(file, size); });
    MPI_Offset found = 0;
    with_file([&] { return MPI_File_get_size(file, &found); });
    // Not what the file has already: behind that the ranks of Open MPI 4.1 (OMPIO) are out of step, and wait for ever.
    with_file([&] { return MPI_File_preallocate(file, 2 * size); });
    with_file([&] { return MPI_File_close(&file); });
    time([&] { return MPI_File_open(comm, name.c_str(), MPI_MODE_RDWR, hints, &file); });
    with_file([&] { return MPI_File_close(&file); });
    time([&] { return deletes ? MPI_File_delete(name.c_str(), MPI_INFO_NULL) : MPI_SUCCESS; });
    return found == size ? code : first_failure({code, MPI_ERR_IO});
  }
};

// Times of the phases in the repetitions of `whole`, on rank 0: the longest of any rank. Collective.
std::vector<Cell> cells_of_phases(const Context& context, const Cell& whole, const FileLife& life) {
  std::uint64_t repetitions = whole.seconds.size();
  must(MPI_Bcast(&repetitions, 1, MPI_UINT64_T, 0, context.world));
  const auto ranks = static_cast<std::size_t>(size_of(context.world));
  const std::size_t numbers = repetitions * kPhases.size();
  const PhaseTimes* own = life.times.data() + (life.times.size() - repetitions);  // behind those for warming up
  std::vector<double> all(rank_in(context.world) == 0 ? numbers * ranks : 0);
  must(MPI_Gather(own, static_cast<int>(numbers), MPI_DOUBLE, all.data(), static_cast<int>(numbers), MPI_DOUBLE, 0,
                  context.world));
  std::vector<Cell> cells;
  for (std::size_t phase = 0; phase < kPhases.size() && !all.empty(); ++phase) {
    Cell& cell = cells.emplace_back(whole);
    cell.words[kPhase] = kPhases[phase];
    cell.timing = "max";
    cell.of_ranks.clear();
    for (std::size_t i = 0; i < repetitions; ++i) {
      for (std::size_t rank = 0; rank < ranks; ++rank)
        cell.of_ranks.push_back(all[rank * numbers + i * kPhases.size() + phase]);
      cell.seconds[i] =
          *std::max_element(cell.of_ranks.end() - static_cast<std::ptrdiff_t>(ranks), cell.of_ranks.end());
    }
  }
  return cells;
}

void measure_metadata(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  const Hints hints(request);
  const bool shared = is_shared(request);
  for_each_size(context, request, [&](std::uint64_t bytes) {
    if (bytes > LLONG_MAX / 4) throw Error(request.operation, "a file cannot be so large");
    FileLife life{shared ? context.world : MPI_COMM_SELF, new_file_name(context, request), hints,
                  static_cast<MPI_Offset>(bytes), !shared || rank_in(context.world) == 0};
    Cell whole = cell_of(request, bytes);
    whole.in_flight = shared ? 1 : static_cast<std::uint32_t>(size_of(context.world));
    whole.words[kPhase] = kAllPhases[0];
    whole = measure_cell(context.world, operation_of("file_metadata", life), request.effort, std::move(whole));
    context.give(whole);
    for (Cell& cell : cells_of_phases(context, whole, life)) context.give(std::move(cell));
    return median_time(whole);
  });
}

constexpr FamilyParameter kMetadataParameters[] = {kDirectory, kWhoseFile, kHints};

constexpr Family kMetadataFamilies[] = {
    {"file_metadata",
     "the life of an empty file, and, by the word \"phase\", its parts: create, set_size, get_size, preallocate, "
     "close_first, open, close, delete; all: with the barriers between them",
     "what the file's size is set to; twice that is preallocated", kOnlyLibrary, kMetadataParameters, 1,
     measure_metadata, kAllPhases},
};

}  // namespace

std::span<const Family> metadata_families() { return kMetadataFamilies; }

}  // namespace plumbline::bench
