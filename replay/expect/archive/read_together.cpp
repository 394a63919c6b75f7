#include "replay/expect/archive/read_together.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"
#include "base/files/output.hpp"
#include "base/team/bytes.hpp"
#include "replay/expect/archive/columns_file.hpp"
#include "replay/program/compile/rank_locations.hpp"
#include "replay/program/compile/shared_archive.hpp"

namespace plumbline::replay {
namespace {

struct Order {
  std::filesystem::path archive, file;
};

template <class Io>
void fields(Io& io, Order& order) {
  io(order.archive, order.file);
}

// Where the columns of all ranks are, and what their not_judged means; or that nobody could be told.
struct Answer {
  bool is_whole = false;
  std::vector<RankPlaces> ranks;
  std::vector<std::string> reasons;
};

template <class Io>
void fields(Io& io, Answer& answer) {
  io(answer.is_whole, answer.ranks, answer.reasons);
}

std::vector<std::uint64_t> events_of(archive::Reader& reader) {
  const archive::Definitions& definitions = reader.definitions();
  std::vector<std::uint64_t> events;
  for (const std::uint32_t location : locations_by_rank(definitions, reader.anchor().string()))
    events.push_back(definitions.locations[location].events);
  return events;
}

// Index in `all`, at the end of which it is added where it is new.
std::uint32_t index_in(std::vector<std::string>& all, const std::string& reason) {
  const auto found = std::ranges::find(all, reason);
  if (found != all.end()) return static_cast<std::uint32_t>(found - all.begin());
  all.push_back(reason);
  return static_cast<std::uint32_t>(all.size() - 1);
}

// Gives the reasons of `read` the numbers that they have among those of the processes before it, and returns all.
std::vector<std::string> number_reasons(Processes& processes, RanksRead& read, const Scratch& scratch) {
  const auto told = processes.exchange(to_bytes(read.reasons));
  std::vector<std::string> all;
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t process = 0; process < told.size(); ++process)
    for (const std::string& reason : from_bytes<std::vector<std::string>>(told[process])) {
      const std::uint32_t number = index_in(all, reason);
      if (process == processes.rank()) numbers.push_back(number);
    }
  std::map<const void*, KeptColumn<std::uint32_t>> done;  // by memory, which several ranks may share
  for (ExpectedRank& rank : read.ranks) {
    const KeptColumn<std::uint32_t>& old = rank.not_judged;
    if (old.empty()) continue;
    const auto [entry, is_new] = done.try_emplace(old.data());
    if (is_new) {
      const auto memory =
          std::make_shared<Column<std::uint32_t>>(old.begin(), old.end(), ScratchAllocator<std::uint32_t>(scratch));
      for (std::uint32_t& reason : *memory)
        if (reason != kNone) reason = numbers[reason];
      entry->second = {std::span<const std::uint32_t>(*memory), memory};
    }
    rank.not_judged = entry->second;
  }
  return all;
}

// Where this process's columns begin in the file of all.
std::uint64_t begin_of(Processes& processes, std::uint64_t bytes) {
  const std::vector<std::string> sizes = processes.exchange(to_bytes(bytes));
  return std::transform_reduce(sizes.begin(), sizes.begin() + processes.rank(), std::uint64_t{0}, std::plus<>(),
                               [](const std::string& size) { return from_bytes<std::uint64_t>(size); });
}

std::string read_part(Processes& processes, std::string_view argument) {
  const auto order = from_bytes<Order>(argument);
  if (!processes.is_so_for_all(::access(order.file.c_str(), R_OK | W_OK) == 0)) return to_bytes(Answer());
  std::optional<archive::Reader> own;
  archive::Reader& reader = reader_of(order.archive, own);
  const Scratch scratch = scratch_in(order.file.parent_path());
  RanksRead read = read_ranks(reader, split_by_cost(events_of(reader), processes.size())[processes.rank()], scratch);
  Answer answer;
  answer.reasons = number_reasons(processes, read, scratch);
  ColumnsLayout layout = lay_out(read.ranks);
  const std::uint64_t begin = begin_of(processes, layout.bytes);
  answer.is_whole = processes.is_so_for_all(write_columns(order.file, begin, layout));
  for (RankPlaces& places : layout.ranks)
    for (ColumnPlace& place : places) place.offset += begin;
  for (const std::string& ranks : processes.gather(to_bytes(layout.ranks)))
    for (const RankPlaces& places : from_bytes<std::vector<RankPlaces>>(ranks)) answer.ranks.push_back(places);
  return to_bytes(answer);
}

}  // namespace

const SharedWork kReadExpected{"expect.read", read_part};

std::uint32_t useful_readers(archive::Reader& reader) {
  constexpr std::uint64_t kLeastEvents = 250'000;  // of a process
  const std::vector<std::uint64_t> events = events_of(reader);
  const std::uint64_t useful = std::reduce(events.begin(), events.end()) / kLeastEvents;
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(useful, 1, events.size()));
}

std::optional<RanksRead> read_ranks_together(Workers& workers, archive::Reader& reader, std::uint32_t most) try {
  const std::filesystem::path directory = std::filesystem::absolute(reader.anchor()).parent_path();
  if (::access(directory.c_str(), W_OK | X_OK) != 0) return std::nullopt;
  // Never committed: it has its name until everyone has written into it and it is mapped.
  const StagedOutput file(directory / "columns", StagedOutput::Kind::kFile, Overwrite::kYes);
  std::ofstream(file.staging()).close();
  const SharedArchive shared(reader);
  auto answer =
      from_bytes<Answer>(workers.run_among(most, kReadExpected, to_bytes(Order{reader.anchor(), file.staging()})));
  if (!answer.is_whole) return std::nullopt;
  const auto mapped = std::make_shared<const MappedFile>(file.staging());
  RanksRead read{{}, std::move(answer.reasons)};
  for (const RankPlaces& places : answer.ranks) read.ranks.push_back(rank_at(mapped->bytes(), places, mapped));
  return read;
} catch (const Error& error) {
  if (error.code() != ExitCode::kCannotRunHere) throw;  // else: without the others it may be possible
  return std::nullopt;
}

}  // namespace plumbline::replay
