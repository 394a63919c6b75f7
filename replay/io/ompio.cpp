#include "replay/io/ompio.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace plumbline::replay::io {
namespace {

std::uint64_t length_of(const ByteRange& run) { return run.end - run.begin; }

// ---- fbtl/posix: a list of pieces, read or written at once

bool sieves(const OmpioSettings& settings, hw::Access kind, OmpioCaller caller, const std::vector<ByteRange>& pieces) {
  std::uint64_t bytes = 0;
  for (const ByteRange& piece : pieces) bytes += length_of(piece);
  return ompio_sieves(settings, kind, caller, pieces.size(), bytes, pieces.front().begin, pieces.back().begin);
}

FileOperations ompio_sieve(const OmpioSettings& settings, hw::Access kind, const std::vector<ByteRange>& pieces) {
  FileOperations operations;
  for (std::size_t first = 0; first < pieces.size();) {
    std::size_t end = first + 1;
    while (end < pieces.size() && pieces[end].end - pieces[first].begin <= settings.max_tmpbuf_size) ++end;
    const ByteRange window = {pieces[first].begin, pieces[end - 1].end};
    operations.push_back({FileAction::kRead, window.begin, length_of(window)});
    if (kind == hw::Access::kWrite) operations.push_back({FileAction::kWrite, window.begin, length_of(window)});
    first = end;
  }
  return operations;
}

// One call for pieces that touch, as many as a vector may have.
FileOperations vector_by_vector(hw::Access kind, const std::vector<ByteRange>& pieces) {
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

void put_in_order(std::vector<ByteRange>& pieces) {
  std::sort(pieces.begin(), pieces.end(),
            [](const ByteRange& a, const ByteRange& b) { return std::tie(a.begin, a.end) < std::tie(b.begin, b.end); });
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
                       const std::vector<ByteRange>& pieces) {
  FileOperations more;
  if (pieces.size() == 1)
    more.push_back(
        {kind == hw::Access::kWrite ? FileAction::kWrite : FileAction::kRead, pieces[0].begin, length_of(pieces[0])});
  else if (pieces.size() > 1)
    more =
        sieves(settings, kind, caller, pieces) ? ompio_sieve(settings, kind, pieces) : vector_by_vector(kind, pieces);
  operations.insert(operations.end(), more.begin(), more.end());
}

std::vector<ByteRange> ompio_joined(std::vector<ByteRange> pieces) {
  put_in_order(pieces);
  std::vector<ByteRange> found;
  for (const ByteRange& piece : pieces)
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

}  // namespace plumbline::replay::io
