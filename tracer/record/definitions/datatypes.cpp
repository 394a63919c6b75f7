#include "tracer/record/definitions/datatypes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {
namespace {

using archive::Block;
using archive::Layout;

constexpr int kDeepest = 64;                    // types inside types; deeper: opaque
constexpr std::uint64_t kMostSteps = 1U << 22;  // pieces looked at for one type; more: opaque

// Pieces in the order of the data. Fails, once and for good, when there are too many or numbers overflow.
class Pieces {
 public:
  bool good() const { return good_; }
  std::vector<Block> take() { return std::move(blocks_); }
  const std::vector<Block>& blocks() const { return blocks_; }

  // `count` copies of `tile`, the first moved by `at`, each `stride` after the one before.
  void repeat(const std::vector<Block>& tile, std::int64_t at, std::int64_t count, std::int64_t stride) {
    if (count < 0) good_ = false;
    if (count <= 0 || tile.empty() || !good_) return;
    if (tile.size() == 1 && tile[0].count == 1) {
      add({tile[0].offset, tile[0].length, static_cast<std::uint64_t>(count), count == 1 ? 0 : stride}, at);
      return;
    }
    for (std::int64_t i = 0; i < count && good_; ++i) {
      for (const Block& block : tile) add(block, at);
      if (__builtin_add_overflow(at, stride, &at)) good_ = good_ && i + 1 == count;
    }
  }

  void fail() { good_ = false; }

 private:
  void add(Block block, std::int64_t at) {
    std::int64_t span = 0, end = 0;
    if (++steps_ > kMostSteps || __builtin_add_overflow(block.offset, at, &block.offset) || block.length > INT64_MAX ||
        block.count > INT64_MAX ||
        __builtin_mul_overflow(static_cast<std::int64_t>(block.count), block.stride, &span) ||
        __builtin_add_overflow(block.offset, span, &end) ||
        __builtin_add_overflow(end, static_cast<std::int64_t>(block.length), &end) || !archive::append(blocks_, block))
      good_ = false;
  }

  std::vector<Block> blocks_;
  std::uint64_t steps_ = 0;
  bool good_ = true;
};

// Arguments of a constructor, as MPI_Type_get_contents gives them; a missing one makes the whole type opaque.
class Arguments {
 public:
  Arguments(const std::vector<std::int64_t>& integers, const std::vector<std::int64_t>& addresses, Pieces& pieces)
      : integers_(integers), addresses_(addresses), pieces_(pieces) {}

  // A C int, as MPI has them: sums and products of two need no check.
  std::int64_t integer(std::int64_t i) const {
    const std::int64_t value = get(integers_, i);
    if (value == static_cast<std::int32_t>(value)) return value;
    pieces_.fail();
    return 0;
  }
  std::int64_t address(std::int64_t i) const { return get(addresses_, i); }

 private:
  std::int64_t get(const std::vector<std::int64_t>& list, std::int64_t i) const {
    if (i >= 0 && static_cast<std::size_t>(i) < list.size()) return list[static_cast<std::size_t>(i)];
    pieces_.fail();
    return 0;
  }

  const std::vector<std::int64_t>& integers_;
  const std::vector<std::int64_t>& addresses_;
  Pieces& pieces_;
};

std::int64_t product(std::int64_t a, std::int64_t b, Pieces& pieces) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) pieces.fail();
  return result;
}

// A run of consecutive indices of one dimension.
struct Run {
  std::int64_t start, length;
};

struct Dimension {
  std::int64_t size = 0;
  std::vector<Run> runs;
};

// The part of an array that the runs of each dimension select; `dimensions` from the fastest to the slowest.
void select(const std::vector<Dimension>& dimensions, const Layout& element, Pieces& pieces) {
  std::vector<Block> tile = element.blocks;
  std::int64_t stride = element.extent;
  for (const Dimension& dimension : dimensions) {
    Pieces wider;
    for (const Run& run : dimension.runs) wider.repeat(tile, product(run.start, stride, pieces), run.length, stride);
    if (!wider.good()) return pieces.fail();
    tile = wider.take();
    stride = product(stride, dimension.size, pieces);
  }
  pieces.repeat(tile, 0, 1, 0);
}

void subarray(const Arguments& a, const Layout& element, Pieces& pieces) {
  const std::int64_t n = a.integer(0);
  if (n < 1 || n > kDeepest) return pieces.fail();
  const bool fortran = a.integer(1 + 3 * n) == 1;
  std::vector<Dimension> dimensions;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t d = fortran ? i : n - 1 - i;
    dimensions.push_back({a.integer(1 + d), {{a.integer(1 + 2 * n + d), a.integer(1 + n + d)}}});
  }
  select(dimensions, element, pieces);
}

// MPI 3.1, 4.1.4: which indices of a dimension of `size` belong to coordinate `at` of `processes`.
std::optional<Dimension> distributed(std::int64_t size, std::int64_t distribution, std::int64_t argument,
                                     std::int64_t processes, std::int64_t at) {
  constexpr std::int64_t kNone = 0, kBlock = 1, kDefault = -1;
  if (size < 0 || processes < 1) return std::nullopt;
  Dimension dimension{size, {}};
  if (distribution == kNone) {
    dimension.runs.push_back({0, size});
    return dimension;
  }
  const bool block = distribution == kBlock;
  std::int64_t length = argument;
  if (argument == kDefault) length = block ? (size + processes - 1) / processes : 1;
  if (length < 1 && size != 0) return std::nullopt;
  length = std::clamp<std::int64_t>(length, 1, std::max<std::int64_t>(size, 1));  // a longer block is all of it
  const std::int64_t step = block ? size : length * processes;
  for (std::int64_t start = at * length; start < size; start += step) {
    dimension.runs.push_back({start, std::min(length, size - start)});
    if (dimension.runs.size() > archive::kMaxBlocks) return std::nullopt;
  }
  return dimension;
}

void darray(const Arguments& a, const Layout& element, Pieces& pieces) {
  const std::int64_t rank = a.integer(1), n = a.integer(2);
  if (n < 1 || n > kDeepest || rank < 0) return pieces.fail();
  const bool fortran = a.integer(3 + 4 * n) == 1;
  std::vector<std::int64_t> coordinates;  // the grid of processes counts in row-major order, whatever the array's
  std::int64_t processes = a.integer(0), rest = rank;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t along = a.integer(3 + 3 * n + i);
    if (along < 1 || processes < along || !pieces.good()) return pieces.fail();
    processes /= along;
    coordinates.push_back(rest / processes);
    rest %= processes;
  }
  std::vector<Dimension> dimensions;
  for (std::int64_t i = 0; i < n; ++i) {
    const std::int64_t d = fortran ? i : n - 1 - i;
    const std::optional<Dimension> dimension =
        distributed(a.integer(3 + d), a.integer(3 + n + d), a.integer(3 + 2 * n + d), a.integer(3 + 3 * n + d),
                    coordinates[static_cast<std::size_t>(d)]);
    if (!dimension) return pieces.fail();
    dimensions.push_back(*dimension);
  }
  select(dimensions, element, pieces);
}

// Constructors with one kind of element.
void uniform(std::uint32_t combiner, const Arguments& a, const Layout& element, Pieces& pieces) {
  const std::int64_t extent = element.extent;
  const auto group = [&](std::int64_t length) {
    Pieces block;
    block.repeat(element.blocks, 0, length, extent);
    if (!block.good()) pieces.fail();
    return block.take();
  };
  switch (combiner) {
    case PL_TYPE_DUP:
    case PL_TYPE_RESIZED:
      return pieces.repeat(element.blocks, 0, 1, 0);
    case PL_TYPE_CONTIGUOUS:
      return pieces.repeat(element.blocks, 0, a.integer(0), extent);
    case PL_TYPE_VECTOR:
      return pieces.repeat(group(a.integer(1)), 0, a.integer(0), product(a.integer(2), extent, pieces));
    case PL_TYPE_HVECTOR:
      return pieces.repeat(group(a.integer(1)), 0, a.integer(0), a.address(0));
    case PL_TYPE_INDEXED:
      for (std::int64_t i = 0; i < a.integer(0) && pieces.good(); ++i)
        pieces.repeat(element.blocks, product(a.integer(1 + a.integer(0) + i), extent, pieces), a.integer(1 + i),
                      extent);
      return;
    case PL_TYPE_HINDEXED:
      for (std::int64_t i = 0; i < a.integer(0) && pieces.good(); ++i)
        pieces.repeat(element.blocks, a.address(i), a.integer(1 + i), extent);
      return;
    case PL_TYPE_INDEXED_BLOCK:
      for (std::int64_t i = 0; i < a.integer(0) && pieces.good(); ++i)
        pieces.repeat(element.blocks, product(a.integer(2 + i), extent, pieces), a.integer(1), extent);
      return;
    case PL_TYPE_HINDEXED_BLOCK:
      for (std::int64_t i = 0; i < a.integer(0) && pieces.good(); ++i)
        pieces.repeat(element.blocks, a.address(i), a.integer(1), extent);
      return;
    case PL_TYPE_SUBARRAY:
      return subarray(a, element, pieces);
    case PL_TYPE_DARRAY:
      return darray(a, element, pieces);
    default:
      return pieces.fail();
  }
}

std::uint64_t bytes_in(const std::vector<Block>& blocks) {
  std::uint64_t sum = 0;
  for (const Block& block : blocks) sum += block.length * block.count;
  return sum;
}

}  // namespace

void Datatypes::define(spool::Words words) {
  const auto defined = spool::decode<pl_def_datatype_payload>(words);
  const spool::Words lists = spool::behind<pl_def_datatype_payload>(words);
  const std::size_t integers = defined.integers, addresses = defined.addresses, types = defined.types;
  if (words.size() < PL_WORDS_OF(pl_def_datatype_payload) || lists.size() < integers + addresses + (types + 1) / 2)
    return;
  Definition d;
  d.combiner = defined.combiner;
  d.size = defined.size;
  d.lower_bound = defined.lower_bound;
  d.extent = defined.extent;
  const auto number = [](std::uint64_t word) { return static_cast<std::int64_t>(word); };
  std::ranges::transform(lists.first(integers), std::back_inserter(d.integers), number);
  std::ranges::transform(lists.subspan(integers, addresses), std::back_inserter(d.addresses), number);
  for (std::size_t i = 0; i < types; ++i) d.types.push_back(spool::half(lists.subspan(integers + addresses), i));
  definitions_.emplace(defined.type, std::move(d));
}

const Layout* Datatypes::layout(std::uint32_t type) { return layout(type, 0); }

const Layout* Datatypes::layout(std::uint32_t type, int depth) {
  if (const auto known = layouts_.find(type); known != layouts_.end()) return &known->second;
  const auto definition = definitions_.find(type);
  if (definition == definitions_.end() || depth > kDeepest) return nullptr;
  Layout layout = flatten(definition->second, depth);
  return &layouts_.emplace(type, std::move(layout)).first->second;
}

Layout Datatypes::flatten(const Definition& d, int depth) {
  Layout result;
  result.size = d.size;
  result.extent = d.extent;
  result.lower_bound = d.lower_bound;
  Pieces pieces;
  const Arguments arguments(d.integers, d.addresses, pieces);
  if (d.combiner == PL_TYPE_NAMED) {
    // A pair type with a hole in it (MPI_SHORT_INT) is not taken apart.
    if (d.extent < 0 || static_cast<std::uint64_t>(d.extent) != d.size) pieces.fail();
    pieces.repeat({{0, d.size, 1, 0}}, 0, d.size == 0 ? 0 : 1, 0);
  } else if (d.combiner == PL_TYPE_STRUCT) {
    for (std::size_t i = 0; i < d.types.size() && pieces.good(); ++i) {
      const Layout* element = layout(d.types[i], depth + 1);
      const auto n = static_cast<std::int64_t>(i);
      if (element == nullptr || element->opaque)
        pieces.fail();
      else
        pieces.repeat(element->blocks, arguments.address(n), arguments.integer(1 + n), element->extent);
    }
  } else {
    const Layout* element = d.types.size() == 1 ? layout(d.types[0], depth + 1) : nullptr;
    if (element == nullptr || element->opaque)
      pieces.fail();
    else
      uniform(d.combiner, arguments, *element, pieces);
  }
  result.opaque = !pieces.good() || bytes_in(pieces.blocks()) != d.size;
  if (!result.opaque) result.blocks = pieces.take();
  return result;
}

}  // namespace plumbline::record
