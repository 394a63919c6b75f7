#include "tests/replay/io/ompio_lists.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

#include "tests/replay/io/windows.hpp"

namespace plumbline::replay::io {
namespace {

std::uint64_t length_of(const ByteRange& run) { return run.end - run.begin; }

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t divisor) { return (number + divisor - 1) / divisor; }

// Cut into lists of `bytes` bytes of data each, but for the last one.
std::vector<std::vector<ByteRange>> cycles_of(const std::vector<ByteRange>& pieces, std::uint64_t bytes) {
  std::vector<std::vector<ByteRange>> cycles;
  std::uint64_t left = 0;
  for (ByteRange piece : pieces)
    while (piece.begin < piece.end) {
      if (left == 0) {
        cycles.emplace_back();
        left = std::max<std::uint64_t>(bytes, 1);
      }
      const std::uint64_t part = std::min(left, length_of(piece));
      cycles.back().push_back({piece.begin, piece.begin + part});
      piece.begin += part;
      left -= part;
    }
  return cycles;
}

void put_in_order(std::vector<ByteRange>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const ByteRange& a, const ByteRange& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
}

using Cycles = std::vector<std::vector<ByteRange>>;

// ---- Who owns what, of the components that cut the file: round robin over stripes that are counted from its beginning

struct Stripes {
  std::uint64_t bytes = 1;
  std::vector<std::uint32_t> aggregators;
};

std::vector<std::vector<ByteRange>> by_owner(const Stripes& stripes, std::span<const OmpioPieces> pieces) {
  std::vector<std::vector<ByteRange>> owned(stripes.aggregators.size());
  for (const OmpioPieces& of_rank : pieces)
    for (ByteRange piece : of_rank)
      while (piece.begin < piece.end) {
        const std::uint64_t stripe = piece.begin / stripes.bytes;
        const std::uint64_t end = std::min(piece.end, (stripe + 1) * stripes.bytes);
        owned[stripe % owned.size()].push_back({piece.begin, end});
        piece.begin = end;
      }
  for (std::vector<ByteRange>& list : owned) put_in_order(list);
  return owned;
}

// First and last byte of all ranks; one that accesses nothing counts as standing at 0 (mca_fcoll_vulcan_minmax).
ByteRange ompio_extent(std::span<const OmpioPieces> pieces) {
  ByteRange extent{std::numeric_limits<std::uint64_t>::max(), 0};
  for (const OmpioPieces& of_rank : pieces) {
    extent.begin = std::min(extent.begin, of_rank.empty() ? 0 : of_rank.front().begin);
    extent.end = std::max(extent.end, of_rank.empty() ? 0 : of_rank.back().end);
  }
  return extent;
}

std::vector<std::uint32_t> firsts_of(const std::vector<std::vector<std::uint32_t>>& groups) {
  std::vector<std::uint32_t> firsts;
  for (const std::vector<std::uint32_t>& group : groups) firsts.push_back(group.front());
  return firsts;
}

// Of components that do not ask how the ranks are grouped.
std::vector<std::uint32_t> spread(std::uint32_t aggregators, std::uint32_t ranks) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < aggregators; ++i) found.push_back(i * ranks / aggregators);
  return found;
}

// mca_fcoll_vulcan_file_write_all. Two buffers of half the size each take turns; with more than two cycles the writes
// are asynchronous.
std::vector<FileOperations> vulcan_write(const OmpioSettings& settings, std::span<const OmpioPieces> pieces,
                                         const std::vector<std::uint32_t>& aggregators) {
  constexpr std::size_t kMostSynchronousCycles = 2;
  std::vector<FileOperations> operations(pieces.size());
  const ByteRange extent = ompio_extent(pieces);
  if (extent.begin >= extent.end) return operations;
  const auto owned = by_owner({rounded_up(length_of(extent), aggregators.size()), aggregators}, pieces);
  std::vector<Cycles> cycles;
  std::size_t most = 0;
  for (const std::vector<ByteRange>& list : owned) {
    cycles.push_back(cycles_of(list, settings.bytes_per_agg / 2));
    most = std::max(most, cycles.back().size());
  }
  for (std::size_t i = 0; i < aggregators.size(); ++i)
    for (const std::vector<ByteRange>& cycle : cycles[i]) {
      FileOperations& own = operations[aggregators[i]];
      if (most <= kMostSynchronousCycles)
        ompio_append_list(own, settings, hw::Access::kWrite, OmpioCaller::kCollective, ompio_joined(cycle));
      else
        for (const ByteRange& piece : ompio_joined(cycle))
          own.push_back({FileAction::kSubmitWrite, piece.begin, length_of(piece)});
    }
  return operations;
}

// mca_fcoll_dynamic_gen2_file_write_all: one call for what lies in a stripe.
std::vector<FileOperations> dynamic_gen2_write(const OmpioSettings& settings, std::span<const OmpioPieces> pieces) {
  constexpr std::uint64_t kStripe = 65536;  // where the file system has none
  const auto ranks = static_cast<std::uint32_t>(pieces.size());
  const std::uint32_t asked = settings.num_aggregators < 1 ? 1 : static_cast<std::uint32_t>(settings.num_aggregators);
  const std::vector<std::uint32_t> aggregators = spread(std::min(asked, ranks), ranks);
  const auto owned = by_owner({kStripe, aggregators}, pieces);
  std::vector<FileOperations> operations(pieces.size());
  for (std::size_t i = 0; i < aggregators.size(); ++i)
    for (const std::vector<ByteRange>& cycle : cycles_of(owned[i], settings.bytes_per_agg / 2)) {
      std::vector<ByteRange> in_stripe;
      const auto write = [&] {
        ompio_append_list(operations[aggregators[i]], settings, hw::Access::kWrite, OmpioCaller::kCollective,
                          ompio_joined(in_stripe));
        in_stripe.clear();
      };
      for (const ByteRange& piece : cycle) {
        if (!in_stripe.empty() && in_stripe.back().begin / kStripe != piece.begin / kStripe) write();
        in_stripe.push_back(piece);
      }
      if (!in_stripe.empty()) write();
    }
  return operations;
}

// All reads but those of two_phase, and the writes of dynamic: an aggregator serves the ranks of its group, wherever in
// the file their pieces are.
std::vector<FileOperations> group_by_group(const OmpioSettings& settings, hw::Access kind,
                                           std::span<const OmpioPieces> pieces,
                                           const std::vector<std::vector<std::uint32_t>>& groups) {
  std::vector<FileOperations> operations(pieces.size());
  for (const std::vector<std::uint32_t>& group : groups) {
    std::vector<ByteRange> wanted;
    for (const std::uint32_t rank : group) wanted.insert(wanted.end(), pieces[rank].begin(), pieces[rank].end());
    put_in_order(wanted);
    for (const std::vector<ByteRange>& cycle : cycles_of(wanted, settings.bytes_per_agg))
      ompio_append_list(operations[group.front()], settings, kind, OmpioCaller::kRank, ompio_joined(cycle));
  }
  return operations;
}

// mca_fcoll_two_phase_file_write_all: as ROMIO does where accesses are interleaved, also where they are not.
std::vector<FileOperations> two_phases(const OmpioSettings& settings, hw::Access kind,
                                       std::span<const OmpioPieces> pieces, std::uint32_t aggregators) {
  const auto ranks = static_cast<std::uint32_t>(pieces.size());
  const std::vector<std::uint32_t> list = spread(std::min(aggregators, ranks), ranks);
  std::vector<FileOperations> operations(pieces.size());
  const ByteRange extent = ompio_extent(pieces);
  if (extent.begin >= extent.end) return operations;
  const std::uint64_t share = rounded_up(length_of(extent), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<ByteRange> wanted;
    for (const OmpioPieces& of_rank : pieces)
      add_clipped(wanted, of_rank, {extent.begin + share * i, extent.begin + share * (i + 1)});
    operations[list[i]] = window_by_window(kind, settings.bytes_per_agg, std::move(wanted));
  }
  return operations;
}

}  // namespace

FileOperations ompio_independent(const OmpioSettings& settings, hw::Access kind, const OmpioPieces& pieces) {
  FileOperations operations;
  for (const std::vector<ByteRange>& cycle : cycles_of(pieces, settings.cycle_buffer_size))
    ompio_append_list(operations, settings, kind, OmpioCaller::kRank, cycle);
  return operations;
}

std::vector<FileOperations> ompio_collective(const OmpioSettings& settings, OmpioCollective how, hw::Access kind,
                                             std::span<const OmpioPieces> pieces, const OmpioView& view) {
  const auto ranks = static_cast<std::uint32_t>(pieces.size());
  const std::vector<std::vector<std::uint32_t>> groups = ompio_groups(settings, ranks, view);
  const bool writes = kind == hw::Access::kWrite;
  if (how == OmpioCollective::kIndividual) {
    std::vector<FileOperations> operations;
    for (const OmpioPieces& of_rank : pieces) operations.push_back(ompio_independent(settings, kind, of_rank));
    return operations;
  }
  if (how == OmpioCollective::kTwoPhase)
    return two_phases(settings, kind, pieces,
                      settings.num_aggregators > 0 ? static_cast<std::uint32_t>(settings.num_aggregators)
                                                   : static_cast<std::uint32_t>(groups.size()));
  if (writes && how == OmpioCollective::kVulcan) return vulcan_write(settings, pieces, firsts_of(groups));
  if (writes && how == OmpioCollective::kDynamicGen2) return dynamic_gen2_write(settings, pieces);
  return group_by_group(settings, kind, pieces, groups);
}

}  // namespace plumbline::replay::io
