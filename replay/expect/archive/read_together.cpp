#include "replay/expect/archive/read_together.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

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
  std::filesystem::path archive;
  std::vector<std::filesystem::path> parts;  // where each process writes its columns
};

template <class Io>
void fields(Io& io, Order& order) {
  io(order.archive, order.parts);
}

// Where the columns of all ranks are, and what their not_judged means; or that not all of them could be written.
struct Answer {
  bool is_whole = false;
  std::vector<std::vector<RankPlaces>> parts;  // by process
  std::vector<std::string> reasons;
};

template <class Io>
void fields(Io& io, Answer& answer) {
  io(answer.is_whole, answer.parts, answer.reasons);
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

// The numbers that the reasons of this process have among those of all, which begin with those of the first.
std::vector<std::uint32_t> numbers_in(std::vector<std::string>& all, Processes& processes,
                                      const std::vector<std::string>& reasons) {
  const std::vector<std::string> told = processes.exchange(to_bytes(reasons));
  std::vector<std::uint32_t> numbers;
  for (std::uint32_t process = 0; process < told.size(); ++process)
    for (const std::string& reason : from_bytes<std::vector<std::string>>(told[process])) {
      const std::uint32_t number = index_in(all, reason);
      if (process == processes.rank()) numbers.push_back(number);
    }
  return numbers;
}

std::string read_part(Processes& processes, std::string_view argument) {
  const auto order = from_bytes<Order>(argument);
  const std::filesystem::path& path = order.parts.at(processes.rank());
  if (!processes.is_so_for_all(::access(path.parent_path().c_str(), W_OK | X_OK) == 0)) return to_bytes(Answer());
  std::optional<archive::Reader> own;
  archive::Reader& reader = reader_of(order.archive, own);
  const Block block = split_by_cost(events_of(reader), processes.size())[processes.rank()];
  ColumnsFile file(path);
  const std::vector<std::string> reasons = read_each_rank(reader, block, [&](const ReadRank& rank) { file.add(rank); });
  Answer answer;
  const std::vector<std::uint32_t> numbers = numbers_in(answer.reasons, processes, reasons);
  answer.is_whole = processes.is_so_for_all(file.finish(numbers));
  for (const std::string& part : processes.gather(to_bytes(file.ranks())))
    answer.parts.push_back(from_bytes<std::vector<RankPlaces>>(part));
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
  // Never committed: they are there until all are mapped. A directory for them could not be removed on NFS meanwhile.
  std::vector<std::unique_ptr<StagedOutput>> files;
  Order order{reader.anchor(), {}};
  for (std::uint32_t process = 0; process < workers.size(); ++process) {
    const std::filesystem::path name = directory / ("columns-" + std::to_string(process));
    files.push_back(std::make_unique<StagedOutput>(name, StagedOutput::Kind::kFile, Overwrite::kYes));
    order.parts.push_back(files.back()->staging());
  }
  const SharedArchive shared(reader);
  auto answer = from_bytes<Answer>(workers.run_among(most, kReadExpected, to_bytes(order)));
  if (!answer.is_whole) return std::nullopt;
  RanksRead read{{}, std::move(answer.reasons)};
  for (std::size_t process = 0; process < answer.parts.size(); ++process) {
    const auto mapped = std::make_shared<const MappedFile>(order.parts[process]);
    for (const RankPlaces& places : answer.parts[process])
      read.ranks.push_back(rank_at(mapped->bytes(), places, mapped));
  }
  return read;
} catch (const Error& error) {
  if (error.code() != ExitCode::kCannotRunHere) throw;  // else: without the others it may be possible
  return std::nullopt;
}

}  // namespace plumbline::replay
