// Accesses to the memory of another rank.

#include <climits>

#include "base/error.hpp"
#include "bench/ranks/runtime/catalogue.hpp"
#include "bench/ranks/runtime/memory_area.hpp"
#include "bench/ranks/runtime/operation.hpp"
#include "bench/ranks/runtime/pairs.hpp"
#include "bench/ranks/runtime/rank_comm.hpp"
#include "bench/ranks/runtime/requests.hpp"

namespace plumbline::bench {
namespace {

// Memory of the second rank of a pair, which the first one has access to. Collective.
class Window {
 public:
  Window(MPI_Comm pair, char* memory, std::uint64_t bytes) {
    must(MPI_Win_create(memory, static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, pair, &window_));
    must(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
  }
  ~Window() {
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
  }
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  MPI_Win handle() const { return window_; }

 private:
  MPI_Win window_ = MPI_WIN_NULL;
};

enum class AccessKind { kPut, kGet, kAccumulate };
enum class Epoch { kFence, kLock };

struct OneSided {
  MPI_Win window = MPI_WIN_NULL;
  AccessKind kind = {};
  Epoch epoch = {};
  char* own = nullptr;
  int bytes = 0;
  bool is_origin = false;

  int access() const {
    switch (kind) {
      case AccessKind::kPut:
        return MPI_Put(own, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
      case AccessKind::kGet:
        return MPI_Get(own, bytes, MPI_BYTE, 1, 0, bytes, MPI_BYTE, window);
      case AccessKind::kAccumulate:
        return MPI_Accumulate(own, bytes / 8, MPI_INT64_T, 1, 0, bytes / 8, MPI_INT64_T, MPI_SUM, window);
    }
    return MPI_ERR_OTHER;
  }

  int operator()(MPI_Comm) const {
    if (epoch == Epoch::kFence)
      return first_failure({MPI_Win_fence(0, window), is_origin ? access() : MPI_SUCCESS, MPI_Win_fence(0, window)});
    if (!is_origin) return MPI_SUCCESS;
    return first_failure({MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window), access(), MPI_Win_unlock(1, window)});
  }
};

AccessKind kind_of_access(const Request& request) {
  return request.operation == "put"   ? AccessKind::kPut
         : request.operation == "get" ? AccessKind::kGet
                                      : AccessKind::kAccumulate;
}

void measure_one_sided(const Context& context, const Request& request) {
  if (request.effort.timing == "acknowledged")
    throw Error(request.operation, "cannot be timed by acknowledgements", "that is for broadcasts and scatters");
  constexpr std::string_view kEpochs[] = {"fence", "lock"};
  Effort effort = request.effort;
  effort.root = 0;
  const auto epoch = static_cast<Epoch>(choice(request, "epoch", kEpochs));
  const auto rounds = rounds_of_pairs(request, static_cast<std::uint32_t>(size_of(context.world)));
  measure_groups(context, request, rounds, [&](MPI_Comm pair, std::uint64_t asked, std::uint32_t at_once) {
    const AccessKind kind = kind_of_access(request);
    const std::uint64_t bytes = kind == AccessKind::kAccumulate ? (asked + 7) / 8 * 8 : asked;
    if (bytes > INT_MAX) throw Error(request.operation, "an access cannot be larger than 2^31 - 1 bytes");
    MemoryArea area = together(pair, [&] { return MemoryArea(bytes, 0); });
    const Window window(pair, area.first(), bytes);
    const OneSided body{window.handle(), kind, epoch, area.first(), static_cast<int>(bytes), rank_in(pair) == 0};
    Cell cell = cell_of(request, bytes);
    cell.in_flight = at_once;
    return measure_cell(pair, operation_of("one-sided", body), effort, std::move(cell));
  });
}

constexpr FamilyParameter kOneSidedParameters[] = {
    {"epoch", "fence: both ranks, before and behind; lock: the first one alone, until the data are there", "fence",
     true},
    kWhichRanks,
};

constexpr Family kOneSidedFamilies[] = {
    {"put", "the first rank writes to the memory of the second", "what is written", kOnlyLibrary, kOneSidedParameters,
     2, measure_one_sided},
    {"get", "the first rank reads from the memory of the second", "what is read", kOnlyLibrary, kOneSidedParameters, 2,
     measure_one_sided},
    {"accumulate", "the first rank adds 64-bit integers to those of the second", "what is added, in whole integers",
     kOnlyLibrary, kOneSidedParameters, 2, measure_one_sided},
};

}  // namespace

std::span<const Family> one_sided_families() { return kOneSidedFamilies; }

}  // namespace plumbline::bench
