#include "replay/collectives/recorded/algorithms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "base/error.hpp"
#include "base/quantity.hpp"
#include "replay/collectives/recorded/collective_calls.hpp"
#include "replay/collectives/schedules/algorithms.hpp"
#include "replay/collectives/schedules/tables.hpp"

namespace plumbline::replay::collectives::recorded {
namespace {

// Sizes of elements that a call may have had: most are doubles, then bytes, ints, shorts, long doubles.
constexpr std::array<std::uint64_t, 5> kTypeBytes = {8, 4, 1, 2, 16};

std::string name_of(const schedules::Algorithm& algorithm) {
  std::string text = to_string(algorithm);  // "openmpi bcast chain (fan-out 4)"
  const std::string head = fmt::format("{} {} ", algorithm.library, to_string(algorithm.operation));
  return text.starts_with(head) ? text.substr(head.size()) : text;
}

std::optional<schedules::Algorithm> choice(const std::string& library, const schedules::Call& call) {
  try {
    return schedules::choice_of(library, call);
  } catch (const Error&) {
    return std::nullopt;  // the tables have nothing for it
  }
}

struct Named {
  std::string algorithm, expected;
  bool is_known = false;
};

// With each way to read what a recording does not tell: the size of an element, whether the operator commutes.
std::vector<schedules::Call> readings(const Program& program, const CollectiveCall& call) {
  std::vector<schedules::Call> result;
  for (const std::uint64_t type_bytes : kTypeBytes)
    if (const auto read = call_of(program, call, type_bytes)) result.push_back(*read);
  const std::size_t plain = result.size();
  for (const auto change : {&schedules::Call::commutative, &schedules::Call::built_in}) {
    for (std::size_t i = 0; i < plain; ++i) {
      schedules::Call other = result[i];
      other.commutative = other.built_in = false;
      if (change == &schedules::Call::built_in) other.commutative = true;
      result.push_back(std::move(other));
    }
  }
  for (std::size_t i = 0; i < plain; ++i) {
    schedules::Call other = result[i];
    other.in_place = true;
    result.push_back(std::move(other));
  }
  return result;
}

Named name(const std::string& library, const std::vector<schedules::Call>& calls, const schedules::Observed& observed) {
  Named named;
  if (calls.empty()) return {"pattern of a call without tables", "", false};
  if (const auto expected = choice(library, calls.front())) named.expected = name_of(*expected);
  for (const schedules::Call& call : calls) {
    const std::vector<schedules::Algorithm> fit = schedules::algorithms_that_fit(library, call, observed);
    if (fit.empty()) continue;
    if (const auto expected = choice(library, call)) named.expected = name_of(*expected);
    named.algorithm = name_of(fit.front());
    named.is_known = true;
    return named;
  }
  named.algorithm = "unknown pattern";
  return named;
}

// MPI-IO: who accesses the file, and whether data went to them first.
std::string access_pattern(const Program& program, const CollectiveCall& call, const InnerIndex& inner) {
  const CommView comm = program.comm(call.comm);
  std::uint64_t accessing = 0, messages = 0;
  for (std::uint32_t rank = 0; rank < call.operations.size(); ++rank) {
    const auto items = program.rank(comm.members[rank]).inner_of(call.operations[rank]);
    accessing += std::ranges::any_of(
        items, [](const InnerItem& item) { return item.kind == InnerKind::kRead || item.kind == InnerKind::kWrite; });
    messages += inner.of(comm.members[rank], call.operations[rank]).size();
  }
  if (accessing == 0) return "no access to the file";
  if (messages == 0) return "every rank for itself";
  return fmt::format("two-phase with {} aggregator{}", accessing, accessing == 1 ? "" : "s");
}

std::uint64_t compared_bytes(const schedules::Call& call) {
  if (call.counts.empty()) return call.count * call.type_bytes;
  std::uint64_t sum = 0;
  for (const std::uint64_t count : call.counts) sum += count;
  return sum * call.type_bytes / call.counts.size();
}

// What makes calls one row.
using Key = std::tuple<std::string, std::uint32_t, std::uint32_t, std::uint64_t, std::string>;

std::uint32_t nodes_of(const Program& program, const CollectiveCall& call) {
  std::set<std::uint32_t> nodes;
  for (const std::uint32_t member : program.comm(call.comm).members) nodes.insert(program.rank(member).node);
  return static_cast<std::uint32_t>(nodes.size());
}

Duration longest_of(const Program& program, const CollectiveCall& call) {
  Duration longest;
  for (std::uint32_t rank = 0; rank < call.operations.size(); ++rank) {
    const OperationTimes& times = program.rank(program.comm(call.comm).members[rank]).times[call.operations[rank]];
    longest = std::max(longest, times.end - times.begin);
  }
  return longest;
}

// Equal calls are named once.
class Names {
 public:
  Names(const Program& program, std::string library) : program_(program), library_(std::move(library)) {}

  const Named& of(const CollectiveCall& call, const schedules::Call* read, const schedules::Observed& observed) {
    std::string key(call.name);
    const auto add = [&key](std::uint64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
    add(call.comm);
    if (read != nullptr) {
      add(read->root);
      add(read->count * read->type_bytes);
      for (const std::uint64_t count : read->counts) add(count);
    }
    for (const std::vector<schedules::Transfer>& rank : observed.ranks) {
      add(~std::uint64_t{0});
      for (const schedules::Transfer& transfer : rank) {
        add(std::uint64_t{transfer.peer} << 1 | (transfer.send ? 1 : 0));
        add(transfer.bytes);
      }
    }
    const auto [entry, is_new] = names_.try_emplace(std::move(key));
    if (is_new) entry->second = name(library_, readings(program_, call), observed);
    return entry->second;
  }

 private:
  const Program& program_;
  std::string library_;
  std::map<std::string, Named> names_;
};

void add_volume(AlgorithmUse& use, const schedules::Observed& observed) {
  for (const std::vector<schedules::Transfer>& rank : observed.ranks)
    for (const schedules::Transfer& transfer : rank) {
      if (!transfer.send) continue;
      ++use.messages;
      use.message_bytes += transfer.bytes;
    }
}

}  // namespace

Algorithms algorithms_of(const Program& program) {
  Algorithms result;
  result.library = library_of(program);
  const InnerIndex inner(program);
  Names names(program, result.library);
  std::map<Key, AlgorithmUse> uses;
  for_each_collective(program, [&](const CollectiveCall& call) {
    const std::optional<schedules::Observed> observed = observed_of(program, inner, call);
    if (!observed) {
      ++result.calls_unclear;
      return;
    }
    const bool is_file = call.name.starts_with("MPI_File_");
    const bool has_messages = std::ranges::any_of(observed->ranks, [](const auto& rank) { return !rank.empty(); });
    if (!is_file && !has_messages) {
      ++result.calls_without;
      return;
    }
    AlgorithmUse use;
    use.call = call.name;
    use.ranks = static_cast<std::uint32_t>(call.operations.size());
    use.nodes = nodes_of(program, call);
    if (is_file) {
      use.algorithm = access_pattern(program, call, inner);
      use.is_known = true;
      use.bytes = program.rank(program.comm(call.comm).members[0]).operations[call.operations[0]].bytes;
    } else {
      const auto read = call_of(program, call, 1);
      const Named& named = names.of(call, read ? &*read : nullptr, *observed);
      use.algorithm = named.algorithm;
      use.expected = named.expected;
      use.is_known = named.is_known;
      if (read) use.bytes = compared_bytes(*read);
    }
    add_volume(use, *observed);
    const Duration longest = longest_of(program, call);
    const Key key{use.call, use.ranks, use.nodes, use.bytes, use.algorithm + '\n' + use.expected};
    AlgorithmUse& row = uses.try_emplace(key, std::move(use)).first->second;
    ++row.calls;
    row.longest = std::max(row.longest, longest);
  });
  for (auto& [key, use] : uses) result.uses.push_back(std::move(use));
  return result;
}

std::string algorithms_text(const Algorithms& algorithms) {
  std::string text;
  if (!algorithms.uses.empty())
    text += fmt::format("{:<26} {:>5} {:>5} {:>10}  {:<38} {:<26} {:>7} {:>9} {:>10} {:>10}\n", "collective", "ranks",
                        "nodes", "bytes", "algorithm", "tables say", "calls", "messages", "bytes", "longest");
  for (const AlgorithmUse& use : algorithms.uses)
    text += fmt::format("{:<26} {:>5} {:>5} {:>10}  {:<38} {:<26} {:>7} {:>9} {:>10} {:>10}\n", use.call, use.ranks,
                        use.nodes, use.bytes, use.algorithm,
                        use.expected.empty()            ? "-"
                        : use.expected == use.algorithm ? "the same"
                                                        : use.expected,
                        use.calls, use.messages, use.message_bytes, format(use.longest));
  if (algorithms.calls_without > 0)
    text += fmt::format("{} collective calls of several ranks have no messages inside in this recording\n",
                        algorithms.calls_without);
  if (algorithms.calls_unclear > 0)
    text += fmt::format("of {} calls a peer, a size or a completion inside is not known: they are not named\n",
                        algorithms.calls_unclear);
  if (text.empty()) text = "no collective calls of several ranks\n";
  return text;
}

}  // namespace plumbline::replay::collectives::recorded
