#include "replay/io/library_call.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace plumbline::replay::io {
namespace {

constexpr std::uint64_t kOffset = 8, kCount = 4;  // sizeof(MPI_Offset), sizeof(int)

CollectiveExchange allgather(std::uint64_t bytes, std::size_t ranks) {
  return {.collective = Collective::kAllgather, .sent = bytes, .received = bytes * ranks};
}

CollectiveExchange allreduce(std::uint64_t bytes) {
  return {.collective = Collective::kAllreduce, .sent = bytes, .received = bytes};
}

CollectiveExchange alltoall_of_counts(std::size_t ranks) {
  return {.collective = Collective::kAlltoall, .sent = kCount * ranks, .received = kCount * ranks};
}

CollectiveExchange broadcast(std::uint64_t bytes) {
  return {.collective = Collective::kBcast, .sent = bytes, .received = bytes};
}

CollectiveExchange lists() { return {.kind = CollectiveExchange::Kind::kLists}; }

std::uint64_t sum(const std::vector<std::uint64_t>& numbers) {
  std::uint64_t all = 0;
  for (const std::uint64_t number : numbers) all += number;
  return all;
}

void note_aggregators(LibraryCall& call, std::size_t ranks) {
  call.aggregator_of.assign(ranks, kNone);
  for (std::uint32_t i = 0; i < call.rounds.aggregators().size(); ++i)
    call.aggregator_of[call.rounds.aggregators()[i].rank] = i;
}

std::vector<Aggregator> owners_of_domains(std::span<const std::uint32_t> ranks, std::span<const ByteRange> domains,
                                          std::size_t size) {
  std::vector<Aggregator> aggregators;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    aggregators.push_back({ranks[i], 0, static_cast<std::uint32_t>(size), {domains[i]}});
  return aggregators;
}

// ---- ROMIO (ad_write_coll.c, ad_read_coll.c)

void romio(LibraryCall& call, const FileSettings& settings, hw::Access kind, std::span<const Pattern> patterns,
           std::span<const Participant> participants) {
  const bool writes = kind == hw::Access::kWrite;
  const std::size_t ranks = patterns.size();
  const RomioSwitch buffering = writes ? settings.romio.romio_cb_write : settings.romio.romio_cb_read;
  std::vector<RomioExtent> extents;
  for (const Pattern& p : patterns) extents.push_back(romio_extent(p.empty(), p.begin(), p.end(), p.view_has_gaps()));
  if (buffering != RomioSwitch::kDisable) call.before = {allgather(kOffset, ranks), allgather(kOffset, ranks)};
  call.alone = !romio_collects(buffering, extents);
  if (call.alone) return;
  std::vector<std::string> processors;
  for (const Participant& participant : participants) processors.emplace_back(participant.processor);
  std::vector<std::uint32_t> aggregators = romio_aggregators(processors, settings.cb_config_list, settings.cb_nodes);
  if (aggregators.empty()) aggregators.push_back(0);  // ROMIO would not have opened the file
  const std::vector<ByteRange> domains = romio_domains(settings.romio, aggregators.size(), extents);
  call.rounds = Rounds({.kind = kind, .cut = Cut::kWindows, .bytes = settings.romio.cb_buffer_size},
                       owners_of_domains(aggregators, domains, ranks), patterns);
  call.opening = {alltoall_of_counts(ranks), lists(), allreduce(kCount)};
  call.each_round = {alltoall_of_counts(ranks)};
  call.reads_first = !writes;
  if (writes) call.closing = {aggregators.size() == 1 ? broadcast(kCount) : allreduce(kCount)};
  const bool two = settings.library == MpiIoLibrary::kRomio321;
  call.list_messages = two ? 2 : 1;
  call.list_bytes = two ? kListEntryBytes / 2 : kListEntryBytes;
}

// ---- OMPIO

// First and last byte; a rank that accesses nothing counts as standing at 0 (mca_fcoll_vulcan_minmax).
ByteRange extent_of(std::span<const Pattern> patterns) {
  ByteRange extent{std::numeric_limits<std::uint64_t>::max(), 0};
  for (const Pattern& pattern : patterns) {
    extent.begin = std::min(extent.begin, pattern.empty() ? 0 : pattern.begin());
    extent.end = std::max(extent.end, pattern.empty() ? 0 : pattern.end());
  }
  return extent.begin < extent.end ? extent : ByteRange{};
}

std::uint64_t share_of(const ByteRange& extent, std::size_t aggregators) {
  return std::max<std::uint64_t>((extent.end - extent.begin + aggregators - 1) / aggregators, 1);
}

OmpioView average_view(std::span<const Participant> participants) {
  OmpioView sum{0, 0};
  const OmpioView none;
  for (const Participant& participant : participants) {
    const ViewMap* view = participant.view;
    const bool gaps = view != nullptr && view->has_gaps();
    sum.piece += gaps ? view->tile_bytes() / view->tile_pieces() : none.piece;
    sum.bytes += gaps ? view->tile_bytes() : none.bytes;
  }
  return {sum.piece / participants.size(), sum.bytes / participants.size()};
}

std::vector<std::uint32_t> evenly(std::uint32_t aggregators, std::uint32_t ranks) {
  std::vector<std::uint32_t> found;
  for (std::uint32_t i = 0; i < aggregators; ++i) found.push_back(i * ranks / aggregators);
  return found;
}

// Round robin over stripes of the file (vulcan, dynamic_gen2): fcoll_vulcan_file_write_all.c. All ranks tell all others
// what they have for each aggregator.
void ompio_stripes(LibraryCall& call, const RoundRules& rules, std::span<const std::uint32_t> ranks,
                   std::uint64_t stripe, std::span<const Pattern> patterns) {
  const std::size_t size = patterns.size();
  std::vector<Aggregator> aggregators;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    aggregators.push_back(
        {ranks[i], 0, static_cast<std::uint32_t>(size), {extent_of(patterns), stripe, i, ranks.size()}});
  call.rounds = Rounds(rules, std::move(aggregators), patterns);
  call.opening = {allreduce(kOffset * ranks.size()), allgather(kCount * ranks.size(), size)};
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    CollectiveExchange exchange{.collective = Collective::kAllgather};
    for (std::uint32_t rank = 0; rank < size; ++rank)
      exchange.per_rank.push_back(kListEntryBytes * call.rounds.pieces_of(i, rank));
    exchange.received = sum(exchange.per_rank);
    call.opening.push_back(std::move(exchange));
  }
}

void vulcan(LibraryCall& call, const FileSettings& settings, std::span<const std::uint32_t> aggregators,
            std::span<const Pattern> patterns) {
  RoundRules rules{.cut = Cut::kCycles,
                   .bytes = settings.ompio.bytes_per_agg / 2,  // two buffers take turns
                   .ompio = &settings.ompio,
                   .caller = OmpioCaller::kCollective};
  const std::uint64_t stripe = share_of(extent_of(patterns), aggregators.size());
  ompio_stripes(call, rules, aggregators, stripe, patterns);
  call.opening.insert(call.opening.begin(), {allreduce(kOffset), allreduce(kOffset)});
  constexpr std::uint64_t kMostSynchronousCycles = 2;
  if (call.rounds.number() <= kMostSynchronousCycles) return;
  rules.asynchronous = true;
  std::vector<Aggregator> same = call.rounds.aggregators();
  call.rounds = Rounds(rules, std::move(same), patterns);
}

void dynamic_gen2(LibraryCall& call, const FileSettings& settings, std::span<const Pattern> patterns) {
  constexpr std::uint64_t kStripe = 65536;  // where the file system has none
  const auto size = static_cast<std::uint32_t>(patterns.size());
  const std::int32_t asked = settings.ompio.num_aggregators;
  const RoundRules rules{.cut = Cut::kCycles,
                         .bytes = settings.ompio.bytes_per_agg / 2,
                         .ompio = &settings.ompio,
                         .caller = OmpioCaller::kCollective,
                         .by_stripe = true};
  const auto number = asked < 1 ? 1 : std::min(static_cast<std::uint32_t>(asked), size);
  ompio_stripes(call, rules, evenly(number, size), kStripe, patterns);
}

// All reads but those of two_phase, and the writes of dynamic: in groups, which know nothing of each other. The first
// rank of a group gathers what the others tell and tells it to all, three times (fcoll_base_coll_array.c).
void groups_of_ranks(LibraryCall& call, const FileSettings& settings, hw::Access kind,
                     const std::vector<std::vector<std::uint32_t>>& groups, std::span<const Pattern> patterns) {
  std::vector<Aggregator> aggregators;
  std::vector<std::uint64_t> of_lists(patterns.size()), all_lists(patterns.size()), all_totals(patterns.size());
  for (const std::vector<std::uint32_t>& group : groups) {
    aggregators.push_back(
        {group.front(), group.front(), group.back() + 1, {{0, std::numeric_limits<std::uint64_t>::max()}}});
    std::uint64_t lists = 0;
    for (const std::uint32_t rank : group) {
      of_lists[rank] = kListEntryBytes * patterns[rank].pieces(0, patterns[rank].bytes());
      lists += of_lists[rank];
    }
    for (const std::uint32_t rank : group) {
      all_lists[rank] = lists;
      all_totals[rank] = kOffset * group.size();
    }
  }
  call.rounds = Rounds({.kind = kind,
                        .cut = Cut::kCycles,
                        .bytes = settings.ompio.bytes_per_agg,
                        .ompio = &settings.ompio,
                        .caller = OmpioCaller::kRank},
                       std::move(aggregators), patterns);
  const std::vector<std::uint64_t> totals(patterns.size(), kOffset);
  std::vector<std::uint64_t> counts(patterns.size(), kCount), all_counts = all_totals;
  for (std::uint64_t& bytes : all_counts) bytes = bytes / kOffset * kCount;
  using Kind = CollectiveExchange::Kind;
  const std::pair<const std::vector<std::uint64_t>*, const std::vector<std::uint64_t>*> exchanges[] = {
      {&totals, &all_totals}, {&counts, &all_counts}, {&of_lists, &all_lists}};
  for (const auto& [to, from] : exchanges) {
    call.opening.push_back({.kind = Kind::kToFirst, .per_rank = *to});
    call.opening.push_back({.kind = Kind::kFromFirst, .per_rank = *from});
  }
  call.reads_first = kind == hw::Access::kRead;
}

// fcoll_two_phase_file_write_all.c, which was ROMIO's once.
void ompio_two_phase(LibraryCall& call, const FileSettings& settings, hw::Access kind, std::uint32_t aggregators,
                     std::span<const Pattern> patterns) {
  const auto size = static_cast<std::uint32_t>(patterns.size());
  const std::vector<std::uint32_t> ranks = evenly(std::min(aggregators, size), size);
  const ByteRange extent = extent_of(patterns);
  const std::uint64_t share = share_of(extent, ranks.size());
  std::vector<ByteRange> domains;
  for (std::size_t i = 0; i < ranks.size(); ++i)
    domains.push_back({extent.begin + share * i, extent.begin + share * (i + 1)});
  call.rounds = Rounds({.kind = kind, .cut = Cut::kWindows, .bytes = settings.ompio.bytes_per_agg},
                       owners_of_domains(ranks, domains, size), patterns);
  call.opening = {
      allreduce(kOffset), allgather(kOffset, size), allgather(kOffset, size), alltoall_of_counts(size), lists(),
      allreduce(kCount)};
  call.each_round = {alltoall_of_counts(size)};
  call.reads_first = kind == hw::Access::kRead;
  call.list_messages = 2;
  call.list_bytes = kListEntryBytes / 2;
}

void ompio(LibraryCall& call, const FileSettings& settings, hw::Access kind, std::span<const Pattern> patterns,
           std::span<const Participant> participants) {
  const auto size = static_cast<std::uint32_t>(patterns.size());
  const OmpioCollective how = component_of(settings, size);
  call.alone = how == OmpioCollective::kIndividual;
  if (call.alone) return;
  const auto groups = ompio_groups(settings.ompio, size, average_view(participants));
  const bool writes = kind == hw::Access::kWrite;
  if (how == OmpioCollective::kTwoPhase) {
    const std::int32_t asked = settings.ompio.num_aggregators;
    return ompio_two_phase(call, settings, kind,
                           asked > 0 ? static_cast<std::uint32_t>(asked) : static_cast<std::uint32_t>(groups.size()),
                           patterns);
  }
  if (writes && how == OmpioCollective::kVulcan) {
    std::vector<std::uint32_t> aggregators;
    for (const std::vector<std::uint32_t>& group : groups) aggregators.push_back(group.front());
    return vulcan(call, settings, aggregators, patterns);
  }
  if (writes && how == OmpioCollective::kDynamicGen2) return dynamic_gen2(call, settings, patterns);
  groups_of_ranks(call, settings, kind, groups, patterns);
}

}  // namespace

bool is_always_alone(const FileSettings& settings, hw::Access kind, std::uint32_t ranks) {
  if (settings.library == MpiIoLibrary::kOmpio) return component_of(settings, ranks) == OmpioCollective::kIndividual;
  return (kind == hw::Access::kWrite ? settings.romio.romio_cb_write : settings.romio.romio_cb_read) ==
         RomioSwitch::kDisable;
}

LibraryCall library_call(const FileSettings& settings, hw::Access kind, std::span<const Pattern> patterns,
                         std::span<const Participant> participants) {
  LibraryCall call;
  if (settings.library == MpiIoLibrary::kOmpio)
    ompio(call, settings, kind, patterns, participants);
  else
    romio(call, settings, kind, patterns, participants);
  note_aggregators(call, patterns.size());
  return call;
}

}  // namespace plumbline::replay::io
