#include "replay/expect/archive/write_together.hpp"

#include <unistd.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/files/mapped_file.hpp"
#include "base/files/output.hpp"
#include "base/team/bytes.hpp"
#include "replay/expect/archive/columns_file.hpp"

namespace plumbline::replay {
namespace {

struct WriteOrder {
  std::filesystem::path observed, columns, staging;  // columns: where those of the ranks are; empty: in memory
  std::vector<RankPlaces> ranks;
  std::vector<archive::StringId> reasons;
};

template <class Io>
void fields(Io& io, WriteOrder& order) {
  io(order.observed, order.columns, order.staging, order.ranks, order.reasons);
}

struct WrittenPart {
  Duration length;
  archive::Writer::Counts counts;  // of what is not written by the whole archive's writer
};

template <class Io>
void fields(Io& io, WrittenPart& part) {
  io(part.length, part.counts);
}

// What process 0 and those that are forked from it have in memory while they work.
struct InMemory {
  const EventsSource& source;
  archive::Writer& whole;
};
thread_local const InMemory* in_memory = nullptr;

class WhileInMemory {
 public:
  explicit WhileInMemory(const InMemory& what) { in_memory = &what; }
  ~WhileInMemory() { in_memory = nullptr; }
  WhileInMemory(const WhileInMemory&) = delete;
  WhileInMemory& operator=(const WhileInMemory&) = delete;
};

// The same, of a process that was not forked.
class FromFiles {
 public:
  explicit FromFiles(WriteOrder order)
      : reasons_(std::move(order.reasons)),
        reader_(order.observed),
        definitions_(reader_.definitions()),
        attributes_(definitions_),
        mapped_(std::make_shared<const MappedFile>(order.columns)) {
    for (const RankPlaces& places : order.ranks) ranks_.push_back(rank_at(mapped_->bytes(), places, mapped_));
  }

  EventsSource source() {
    return {reader_, definitions_, attributes_,
            ranks_,  reasons_,     scratch_in(std::filesystem::absolute(reader_.anchor()).parent_path())};
  }

 private:
  std::vector<archive::StringId> reasons_;
  archive::Reader reader_;
  archive::Definitions definitions_;
  ExpectedAttributes attributes_;
  std::shared_ptr<const MappedFile> mapped_;
  std::vector<ExpectedRank> ranks_;
};

WrittenPart written_by(Processes& processes, const EventsSource& source, const std::filesystem::path& staging) {
  const Block block = split_by_cost(costs_of_events(source), processes.size())[processes.rank()];
  ExpectedEvents events(source);
  if (processes.rank() == 0) {
    events.write(block, in_memory->whole);
    return {events.length(), {}};
  }
  if (block.size() == 0) return {};
  archive::Writer writer(staging, processes.rank());
  writer.declare(source.definitions);
  events.write(block, writer);
  return {events.length(), writer.finish_part()};
}

// The answer is how long the archive lasts; nothing where not all see it.
std::string write_part(Processes& processes, std::string_view argument) {
  const auto order = from_bytes<WriteOrder>(argument);
  if (!processes.is_so_for_all(::access(order.staging.c_str(), W_OK | X_OK) == 0)) return {};
  std::optional<FromFiles> files;
  if (in_memory == nullptr) files.emplace(order);
  const WrittenPart own = written_by(processes, files ? files->source() : in_memory->source, order.staging);
  Duration length;
  for (const std::string& bytes : processes.gather(to_bytes(own))) {
    const auto part = from_bytes<WrittenPart>(bytes);
    length = std::max(length, part.length);
    in_memory->whole.add(part.counts);
  }
  return to_bytes(length);
}

// Whether there was room for them.
bool put_columns(std::span<const ExpectedRank> ranks, WriteOrder& order) {
  ColumnsFile file(order.columns);
  const ExpectedRank none;
  for (std::size_t rank = 0; rank < ranks.size(); ++rank)
    file.add({ranks[rank], equal_columns(ranks[rank], rank > 0 ? ranks[rank - 1] : none)});
  order.ranks = file.ranks();
  return file.finish({});
}

}  // namespace

const SharedWork kWriteExpected{"expect.write", write_part};

std::optional<Duration> write_events_together(const WritersOfEvents& writers, const EventsSource& source,
                                              archive::Writer& whole) {
  WriteOrder order{source.observed.anchor(), {}, whole.staging(), {}, {source.reasons.begin(), source.reasons.end()}};
  std::optional<StagedOutput> columns;  // never committed
  if (!writers.workers->are_forked()) {
    const std::string name = whole.staging().string() + "-columns";
    order.columns = columns.emplace(name, StagedOutput::Kind::kFile, Overwrite::kNo).staging();
    if (!put_columns(source.ranks, order)) return std::nullopt;
  }
  const InMemory shared{source, whole};
  const WhileInMemory while_it_works(shared);
  const std::string answer = writers.workers->run_among(writers.most, kWriteExpected, to_bytes(order));
  if (answer.empty()) return std::nullopt;
  return from_bytes<Duration>(answer);
}

}  // namespace plumbline::replay
