#include "replay/io/ompio.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "replay/io/two_phase.hpp"

namespace plumbline::replay::io {
namespace {

std::uint64_t length_of(const Run& run) { return run.end - run.begin; }

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t divisor) { return (number + divisor - 1) / divisor; }

// ---- fbtl/posix: a list of pieces, read or written at once

bool sieves(const OmpioSettings& settings, hw::Access kind, OmpioCaller caller, const std::vector<Run>& pieces) {
  std::uint64_t bytes = 0;
  for (const Run& piece : pieces) bytes += length_of(piece);
  return ompio_sieves(settings, kind, caller, pieces.size(), bytes, pieces.front().begin, pieces.back().begin);
}

FileOperations ompio_sieve(const OmpioSettings& settings, hw::Access kind, const std::vector<Run>& pieces) {
  FileOperations operations;
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t end = first + 1;
    while (end < pieces.size() && pieces[end].end - pieces[first].begin <= settings.max_tmpbuf_size) ++end;
    const Run window = {pieces[first].begin, pieces[end - 1].end};
    operations.push_back({FileAction::kRead, window.begin, length_of(window)});
    if (kind == hw::Access::kWrite) operations.push_back({FileAction::kWrite, window.begin, length_of(window)});
    first = end;
  }
  return operations;
}

// One call for pieces that touch, as many as a vector may have.
FileOperations vector_by_vector(hw::Access kind, const std::vector<Run>& pieces) {
  const FileAction action = kind == hw::Access::kWrite ? FileAction::kVectorWrite : FileAction::kVectorRead;
  FileOperations operations;
  std::size_t number = 0;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (number > 0 && pieces[i].begin == pieces[i - 1].end && number < kOmpioMostOfAVector) {
      operations.back().bytes += length_of(pieces[i]);
      ++number;
      continue;
    }
    operations.push_back({action, pieces[i].begin, length_of(pieces[i])});
    number = 1;
  }
  return operations;
}

// ---- Cycles

// Cut into lists of `bytes` bytes of data each, but for the last one.
std::vector<std::vector<Run>> cycles_of(const std::vector<Run>& pieces, std::uint64_t bytes) {
  std::vector<std::vector<Run>> cycles;
  std::uint64_t left = 0;
  for (Run piece : pieces)
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

void put_in_order(std::vector<Run>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const Run& a, const Run& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
}

using Cycles = std::vector<std::vector<Run>>;

// ---- Who owns what, of the components that cut the file: round robin over stripes that are counted from its beginning

struct Stripes {
  std::uint64_t bytes = 1;
  std::vector<std::uint32_t> aggregators;
};

std::vector<std::vector<Run>> by_owner(const Stripes& stripes, std::span<const OmpioPieces> pieces) {
  std::vector<std::vector<Run>> owned(stripes.aggregators.size());
  for (const OmpioPieces& of_rank : pieces)
    for (Run piece : of_rank)
      while (piece.begin < piece.end) {
        const std::uint64_t stripe = piece.begin / stripes.bytes;
        const std::uint64_t end = std::min(piece.end, (stripe + 1) * stripes.bytes);
        owned[stripe % owned.size()].push_back({piece.begin, end});
        piece.begin = end;
      }
  for (std::vector<Run>& list : owned) put_in_order(list);
  return owned;
}

// First and last byte of all ranks; one that accesses nothing counts as standing at 0 (mca_fcoll_vulcan_minmax).
Run ompio_extent(std::span<const OmpioPieces> pieces) {
  Run extent{std::numeric_limits<std::uint64_t>::max(), 0};
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
  const Run extent = ompio_extent(pieces);
  if (extent.begin >= extent.end) return operations;
  const auto owned = by_owner({rounded_up(length_of(extent), aggregators.size()), aggregators}, pieces);
  std::vector<Cycles> cycles;
  std::size_t most = 0;
  for (const std::vector<Run>& list : owned) {
    cycles.push_back(cycles_of(list, settings.bytes_per_agg / 2));
    most = std::max(most, cycles.back().size());
  }
  for (std::size_t i = 0; i < aggregators.size(); ++i)
    for (const std::vector<Run>& cycle : cycles[i]) {
      FileOperations& own = operations[aggregators[i]];
      if (most <= kMostSynchronousCycles)
        ompio_append_list(own, settings, hw::Access::kWrite, OmpioCaller::kCollective, ompio_joined(cycle));
      else
        for (const Run& piece : ompio_joined(cycle))
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
    for (const std::vector<Run>& cycle : cycles_of(owned[i], settings.bytes_per_agg / 2)) {
      std::vector<Run> in_stripe;
      const auto write = [&] {
        ompio_append_list(operations[aggregators[i]], settings, hw::Access::kWrite, OmpioCaller::kCollective,
                          ompio_joined(in_stripe));
        in_stripe.clear();
      };
      for (const Run& piece : cycle) {
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
    std::vector<Run> wanted;
    for (const std::uint32_t rank : group) wanted.insert(wanted.end(), pieces[rank].begin(), pieces[rank].end());
    put_in_order(wanted);
    for (const std::vector<Run>& cycle : cycles_of(wanted, settings.bytes_per_agg))
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
  const Run extent = ompio_extent(pieces);
  if (extent.begin >= extent.end) return operations;
  const std::uint64_t share = rounded_up(length_of(extent), list.size());
  for (std::size_t i = 0; i < list.size(); ++i) {
    std::vector<Run> wanted;
    for (const OmpioPieces& of_rank : pieces)
      add_clipped(wanted, of_rank, {extent.begin + share * i, extent.begin + share * (i + 1)});
    operations[list[i]] = window_by_window(kind, settings.bytes_per_agg, std::move(wanted));
  }
  return operations;
}

// ---- How many aggregators (common_ompio_aggregators.c)

// Seconds that a collective access would take with so many aggregators, in the model of Jha and Gabriel, Performance
// Models for Communication in Collective I/O Operations (2017), with the constants that OMPIO has for it.
double exchange_time(std::uint32_t ranks, std::uint32_t aggregators, double piece, double buffer,
                     bool in_one_dimension) {
  constexpr double kL = .00000184, ko = .00000149, kG = .00000000067;
  constexpr double kg = .0000119, kgOfSmall = .00000108, kSmall = 33554432;
  const double side = std::floor(std::sqrt(ranks));
  const double domain = std::floor(ranks * piece / aggregators);
  double to = 1, from = side, message = 0;
  if (in_one_dimension) {
    from = piece > buffer ? 1 : buffer / piece;
    message = std::min(piece, buffer);
  } else {
    to = aggregators / side;
    message = piece > std::floor(aggregators * buffer / ranks) ? std::min(buffer / side, piece)
                                                               : std::min(piece * side / aggregators, piece);
  }
  const double g = message < kSmall ? kgOfSmall : kg;
  const double sends = piece / (to * message), receives = domain / buffer;
  return sends * (kL + 2 * ko + (to - 1) * g + (message - 1) * to * kG) +
         receives * (kL + 2 * ko + (from - 1) * g + (message - 1) * from * kG);
}

// mca_common_ompio_simple_grouping: more as long as that gains enough, but one to so many ranks at most.
std::uint32_t number_of_aggregators(const OmpioSettings& settings, std::uint32_t ranks, const OmpioView& view) {
  constexpr double kLeastGain = 0.001;  // s
  const bool in_one_dimension = view.piece == view.bytes;
  const std::uint32_t step = ranks < 16 ? 2 : ranks < 128 ? 4 : ranks < 4096 ? 16 : 32;
  const auto time_with = [&](std::uint32_t aggregators) {
    return exchange_time(ranks, aggregators, static_cast<double>(view.piece),
                         static_cast<double>(settings.bytes_per_agg), in_one_dimension);
  };
  double before = time_with(1), gain_before = 0;
  std::uint32_t best = 1;
  for (std::uint32_t next = step; next <= ranks; next += step) {
    const double now = time_with(next), gain = (before - now) / before;
    const double change = next == step ? gain : gain_before - gain;
    if (change < settings.aggregators_cutoff_threshold / 100 || before - now < kLeastGain) break;
    before = now;
    gain_before = gain;
    best = next;
  }
  return std::max(1u, std::min(best, ranks / std::max(1u, settings.max_aggregators_ratio)));
}

}  // namespace

// mca_fbtl_posix_preadv, mca_fbtl_posix_pwritev. The gaps are counted from the beginning of a piece to that of the
// next.
bool ompio_sieves(const OmpioSettings& settings, hw::Access kind, OmpioCaller caller, std::uint64_t pieces,
                  std::uint64_t bytes, std::uint64_t first, std::uint64_t last) {
  const std::uint64_t block = bytes / pieces, gap = (last - first) / pieces;
  if (gap == 0 || block > settings.max_block_size || gap > settings.max_gap_size) return false;
  if (kind == hw::Access::kRead) return settings.read_datasieving;
  return settings.write_datasieving && caller == OmpioCaller::kCollective && !settings.thread_multiple;
}

void ompio_append_list(FileOperations& operations, const OmpioSettings& settings, hw::Access kind, OmpioCaller caller,
                       const std::vector<Run>& pieces) {
  FileOperations more;
  if (pieces.size() == 1)
    more.push_back(
        {kind == hw::Access::kWrite ? FileAction::kWrite : FileAction::kRead, pieces[0].begin, length_of(pieces[0])});
  else if (pieces.size() > 1)
    more =
        sieves(settings, kind, caller, pieces) ? ompio_sieve(settings, kind, pieces) : vector_by_vector(kind, pieces);
  operations.insert(operations.end(), more.begin(), more.end());
}

std::vector<Run> ompio_joined(std::vector<Run> pieces) {
  put_in_order(pieces);
  std::vector<Run> found;
  for (const Run& piece : pieces)
    if (!found.empty() && found.back().end == piece.begin)
      found.back().end = piece.end;
    else
      found.push_back(piece);
  return found;
}

OmpioCollective ompio_collective_of(std::uint32_t ranks) {
  return ranks <= 2 ? OmpioCollective::kIndividual : OmpioCollective::kVulcan;
}

std::vector<std::vector<std::uint32_t>> ompio_groups(const OmpioSettings& settings, std::uint32_t ranks,
                                                     const OmpioView& view) {
  std::uint32_t number = settings.num_aggregators > 0 ? static_cast<std::uint32_t>(settings.num_aggregators) : 0;
  if (settings.cb_nodes > 0) number = settings.cb_nodes;
  if (number == 0) number = number_of_aggregators(settings, ranks, view);
  number = std::min(number, ranks);
  std::vector<std::vector<std::uint32_t>> groups(number);
  std::uint32_t rank = 0;
  for (std::uint32_t i = 0; i < number; ++i)
    for (std::uint32_t left = ranks / number + (i < ranks % number ? 1 : 0); left > 0; --left)
      groups[i].push_back(rank++);
  return groups;
}

FileOperations ompio_independent(const OmpioSettings& settings, hw::Access kind, const OmpioPieces& pieces) {
  FileOperations operations;
  for (const std::vector<Run>& cycle : cycles_of(pieces, settings.cycle_buffer_size))
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
