#pragma once
// One call of a collective, with all that any of MPI's needs: blocking and non-blocking ones are made of it.

#include <mpi.h>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "bench/algorithms/table.hpp"
#include "bench/ranks/runtime/family.hpp"
#include "bench/ranks/runtime/memory_area.hpp"

namespace plumbline::bench {

// How many blocks a rank has in a buffer.
enum class Blocks { kNone, kOne, kOneOnRoot, kAll, kAllOnRoot };

// Buffers of one rank, for every repetition.
struct CollectiveCall {
  MPI_Comm comm = MPI_COMM_NULL;
  int root = 0;
  MPI_Datatype type = MPI_BYTE;
  MPI_Op op = MPI_OP_NULL;
  int count = 0;                            // elements of a block
  std::vector<int> counts, places;          // of the block of each rank, in elements, where they differ
  std::vector<int> own_counts, own_places;  // as many blocks of the size of one's own
  std::vector<int> byte_places, own_byte_places;
  std::vector<MPI_Datatype> types;
  MemoryArea send, receive;
  std::size_t send_bytes = 0, receive_bytes = 0;
};

// Blocking where `request` is null.
using CollectiveFunction = int (*)(CollectiveCall& call, char* send, char* receive, MPI_Request* request);

enum class Sizes { kSame, kDiffer };  // v and w: blocks may differ, so that their places must fit an int

struct Collective {
  std::string_view name, summary, bytes;
  Blocks send, receive;
  CollectiveFunction function;
  Sizes sizes = Sizes::kSame;
  bool reduces = false, from_root = false;  // from_root: data go out from it
  const algorithms::Operation* ours = nullptr;
};

std::span<const Collective> collectives();
const Collective& collective_of(std::string_view name);

// Parameters of a collective, of "i" + name too.
std::vector<FamilyParameter> parameters_of(const Collective& collective);

// Bytes of a block as they are measured: of reductions whole elements.
std::uint64_t whole_elements(const Collective& collective, const Request& request, std::uint64_t bytes);

// Throws Error for what MPI cannot count. `bytes`: whole elements.
CollectiveCall make_call(const Collective& collective, const Request& request, std::uint64_t bytes, MPI_Comm comm);

}  // namespace plumbline::bench
