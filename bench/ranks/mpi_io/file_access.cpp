// Accesses to files through MPI at the four levels: contiguous or not, independent or collective (Thakur, Gropp, Lusk,
// "On Implementing MPI-IO Portably and with High Performance", IOPADS 1999).

#include <fmt/format.h>

#include <algorithm>
#include <climits>

#include "base/error.hpp"
#include "base/units.hpp"
#include "bench/ranks/mpi_io/mpi_file.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/memory_area.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"
#include "bench/ranks/runtime/sizes.hpp"

namespace plumbline::bench {
namespace {

struct Level {
  bool writes = false, collective = false, strided = false;
};

Level level_of(const Request& request) {
  constexpr std::string_view kLayouts[] = {"contiguous", "strided"};
  Level level;
  level.writes = request.operation.starts_with("file_write");
  level.collective = request.operation.ends_with("_all");
  level.strided = choice(request, "layout", kLayouts) == 1;
  return level;
}

int access(MPI_File file, MPI_Offset at, char* data, int bytes, bool writes, bool collective) {
  if (writes)
    return collective ? MPI_File_write_at_all(file, at, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                      : MPI_File_write_at(file, at, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
  return collective ? MPI_File_read_at_all(file, at, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE)
                    : MPI_File_read_at(file, at, data, bytes, MPI_BYTE, MPI_STATUS_IGNORE);
}

// What the data of this rank are: others for each rank and each place in a buffer.
char content(int rank, std::size_t at) { return static_cast<char>((31 * static_cast<std::size_t>(rank) + at) % 251); }

// Where the accesses of one rank go, one behind the other; then they begin anew.
struct Slots {
  std::uint64_t count = 1;
  MPI_Offset first = 0, distance = 0;  // of two accesses, in the view

  MPI_Offset at(std::uint64_t access) const { return first + static_cast<MPI_Offset>(access % count) * distance; }
};

struct Access {
  MPI_File file = MPI_FILE_NULL;
  Level level;
  Slots slots;
  int bytes = 0;
  bool syncs = false;
  MemoryArea area;
  std::uint64_t made = 0;

  int operator()(MPI_Comm) {
    const int code = access(file, slots.at(made++), area.first(), bytes, level.writes, level.collective);
    return syncs ? first_failure({code, MPI_File_sync(file)}) : code;
  }
};

// With others of a shared file: block by block, or piece by piece in the view.
Slots slots_of(const Request& request, const Level& level, std::uint64_t bytes, MPI_Comm world) {
  const bool side_by_side = is_shared(request) && !level.strided;
  Slots slots;
  const auto stride = static_cast<MPI_Offset>(bytes);
  slots.distance = side_by_side ? stride * size_of(world) : stride;
  slots.first = side_by_side ? stride * rank_in(world) : 0;
  if (flag(request, "rewrite")) return slots;
  const std::uint64_t room = count(request, "limit_mib", 1) * kMebi / std::max<std::uint64_t>(bytes, 1);
  const std::uint64_t wanted = std::uint64_t{request.effort.most} + std::max(request.effort.warm_up, 1U);
  slots.count = std::clamp<std::uint64_t>(room, 1, wanted);
  return slots;
}

// Each rank sees the pieces that are its own: every p-th of a shared file, every second of its own.
void set_view(MPI_File file, const Request& request, MPI_Comm world) {
  const std::uint64_t piece = count(request, "piece", 1);
  if (piece > INT_MAX) throw Error(request.operation, "'piece' is not below 2^31");
  const bool shared = is_shared(request);
  const MPI_Aint extent = static_cast<MPI_Aint>(piece) * (shared ? size_of(world) : 2);
  MPI_Datatype pieces = MPI_DATATYPE_NULL, type = MPI_DATATYPE_NULL;
  must(MPI_Type_contiguous(static_cast<int>(piece), MPI_BYTE, &pieces));
  must(MPI_Type_create_resized(pieces, 0, extent, &type));
  must(MPI_Type_commit(&type));
  const MPI_Offset own = shared ? static_cast<MPI_Offset>(piece) * rank_in(world) : 0;
  const int code = MPI_File_set_view(file, own, MPI_BYTE, type, "native", MPI_INFO_NULL);
  MPI_Type_free(&type);
  MPI_Type_free(&pieces);
  must(code);
}

Access make_access(const Request& request, const MeasuredFile& file, std::uint64_t bytes, MPI_Comm world) {
  if (bytes > INT_MAX) throw Error(request.operation, "an access cannot be larger than 2^31 - 1 bytes");
  Access made;
  made.file = file.handle();
  made.level = level_of(request);
  made.slots = slots_of(request, made.level, bytes, world);
  made.bytes = static_cast<int>(bytes);
  made.syncs = made.level.writes && flag(request, "sync");
  made.area = MemoryArea(bytes, 0);
  for (std::size_t i = 0; i < bytes; ++i) made.area.first()[i] = content(rank_in(world), i);
  return made;
}

// What is to be read, in the way that it will be.
void fill_file(Access& access_to, MPI_Comm world) {
  together(world, [&] {
    int code = MPI_SUCCESS;
    for (std::uint64_t i = 0; i < access_to.slots.count; ++i)
      code = first_failure({code, access(access_to.file, access_to.slots.at(i), access_to.area.first(), access_to.bytes,
                                         true, access_to.level.strided)});
    must(first_failure({code, MPI_File_sync(access_to.file)}));
    return true;
  });
  must(MPI_Barrier(world));
}

// Of the last access, on all ranks: bytes that are not what was written. Collective.
double wrong_bytes(Access& last, MPI_Comm world) {
  const int own = together(world, [&] {
    std::vector<char> found(static_cast<std::size_t>(last.bytes));
    if (last.level.writes) {
      must(MPI_File_sync(last.file));
      must(access(last.file, last.slots.at(last.made - 1), found.data(), last.bytes, false, false));
    } else {
      std::copy_n(last.area.first(), found.size(), found.begin());
    }
    int wrong = 0;
    for (std::size_t i = 0; i < found.size(); ++i) wrong += found[i] == content(rank_in(world), i) ? 0 : 1;
    return wrong;
  });
  double all = own;
  must(MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_DOUBLE, MPI_SUM, world));
  return all;
}

Cell measure_accesses_of_size(const Context& context, const Request& request, std::uint64_t bytes) {
  const MeasuredFile file(context, request);
  Access body = together(context.world, [&] { return make_access(request, file, bytes, context.world); });
  if (body.level.strided)
    together(context.world, [&] { return set_view(file.handle(), request, context.world), true; });
  if (!body.level.writes) {
    fill_file(body, context.world);
    std::fill_n(body.area.first(), bytes, '\0');
  }
  Cell cell = cell_of(request, bytes);
  cell.in_flight = static_cast<std::uint32_t>(size_of(context.world));
  cell = measure_cell(context.world, operation_of("file access", body), request.effort, std::move(cell));
  if (!flag(request, "verify")) return cell;
  cell.numbers["wrong_bytes"] = wrong_bytes(body, context.world);
  if (cell.numbers["wrong_bytes"] > 0)
    context.note(fmt::format("{}: {} bytes of {} are not what was written", request.operation,
                             cell.numbers["wrong_bytes"], bytes * cell.in_flight));
  return cell;
}

void measure_access(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  for_each_size(context, request, [&](std::uint64_t bytes) {
    const Cell cell = measure_accesses_of_size(context, request, bytes);
    context.give(cell);
    return median_time(cell);
  });
}

constexpr FamilyParameter kLayout = {
    "layout", "contiguous, or strided: pieces of all ranks in turn, by a view of the file", "contiguous", true};
constexpr FamilyParameter kPiece = {"piece", "bytes of a piece, where it is strided", "4096"};
constexpr FamilyParameter kRewrite = {"rewrite", "1: the same place each time; 0: each time the next one", "0"};
constexpr FamilyParameter kLimit = {"limit_mib", "MiB of each rank, then it begins anew", "64"};
constexpr FamilyParameter kVerify = {"verify", "1: data of the last access are compared; \"wrong_bytes\" tells", "0"};
constexpr FamilyParameter kSync = {"sync", "1: MPI_File_sync is part of it", "0"};

constexpr FamilyParameter kReadParameters[] = {kDirectory, kWhoseFile, kLayout, kPiece,
                                               kRewrite,   kLimit,     kVerify, kHints};
constexpr FamilyParameter kWriteParameters[] = {kDirectory, kWhoseFile, kLayout, kPiece, kRewrite,
                                                kLimit,     kVerify,    kSync,   kHints};

constexpr std::string_view kBytes = "the access of one rank";

constexpr Family kAccessFamilies[] = {
    {"file_write_at", "each rank writes by itself", kBytes, kOnlyLibrary, kWriteParameters, 1, measure_access},
    {"file_write_at_all", "all ranks write together", kBytes, kOnlyLibrary, kWriteParameters, 1, measure_access},
    {"file_read_at", "each rank reads by itself what has been written before, mostly from the page cache", kBytes,
     kOnlyLibrary, kReadParameters, 1, measure_access},
    {"file_read_at_all", "all ranks read together what has been written before, mostly from the page cache", kBytes,
     kOnlyLibrary, kReadParameters, 1, measure_access},
};

}  // namespace

std::span<const Family> file_access_families() { return kAccessFamilies; }

}  // namespace plumbline::bench
