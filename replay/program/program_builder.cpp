#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/error.hpp"
#include "base/files/output.hpp"
#include "base/memory/scratch.hpp"
#include "replay/program/failed_calls.hpp"
#include "replay/program/format.hpp"
#include "replay/program/program.hpp"

namespace plumbline::replay {
namespace {

using format::Range;

// Appends to a file and hashes what it appends.
class Output {
 public:
  explicit Output(const std::filesystem::path& path) : path_(path), file_(std::fopen(path.c_str(), "wb")) {
    if (file_ == nullptr) fail("cannot be created");
    XXH3_64bits_reset(hash_.get());
    const format::Header empty;
    write(&empty, sizeof empty);
    XXH3_64bits_reset(hash_.get());  // the key does not cover the header, which holds it
  }
  ~Output() {
    if (file_ != nullptr) std::fclose(file_);
  }
  Output(const Output&) = delete;
  Output& operator=(const Output&) = delete;

  template <class T>
  Range append(std::span<const T> records) {
    const Range range{offset_, records.size()};
    write(records.data(), records.size_bytes());
    constexpr std::array<char, 8> kZeros{};
    write(kZeros.data(), (8 - offset_ % 8) % 8);
    return range;
  }

  void finish(format::Header header) {
    header.file_bytes = offset_;
    header.content_key = XXH3_64bits_digest(hash_.get());
    if (std::fseek(file_, 0, SEEK_SET) != 0) fail("cannot be written");
    if (std::fwrite(&header, sizeof header, 1, file_) != 1) fail("cannot be written");
    const int closed = std::fclose(file_);
    file_ = nullptr;
    if (closed != 0) fail("cannot be written");
  }

 private:
  struct FreeHash {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };

  [[noreturn]] void fail(const char* what) const {
    throw Error(path_.string(), fmt::format("{}: {}", what, std::strerror(errno)));
  }

  void write(const void* data, std::size_t bytes) {
    if (bytes == 0) return;
    if (std::fwrite(data, 1, bytes, file_) != bytes) fail("cannot be written");
    XXH3_64bits_update(hash_.get(), data, bytes);
    offset_ += bytes;
  }

  std::filesystem::path path_;
  std::FILE* file_;
  std::unique_ptr<XXH3_state_t, FreeHash> hash_{XXH3_createState()};
  std::uint64_t offset_ = 0;
};

// Texts by index; equal texts are one.
class Texts {
 public:
  std::uint32_t index(std::string_view text) {
    if (const auto found = indices_.find(text); found != indices_.end()) return found->second;
    const auto index = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(&indices_.emplace(text, index).first->first);
    return index;
  }
  const std::string& operator[](std::uint32_t index) const { return *texts_[index]; }
  bool contains(std::string_view text) const { return indices_.find(text) != indices_.end(); }
  std::size_t size() const { return texts_.size(); }
  bool empty() const { return texts_.empty(); }

  Range write(Output& output) const {
    std::vector<Range> ranges;
    for (const std::string* text : texts_) ranges.push_back(output.append(std::span<const char>(*text)));
    return output.append(std::span<const Range>(ranges));
  }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>()(text); }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> indices_;
  std::vector<const std::string*> texts_;  // keys of indices_, which do not move
};

// One rank in the making.
struct RankInMaking {
  explicit RankInMaking(const std::filesystem::path& directory) : scratch(scratch_in(directory)) {}

  const Scratch scratch;
  Column<Operation> operations{scratch};
  Column<OperationTimes> times{scratch};
  Column<std::uint32_t> request_lists{scratch};
  Column<SendrecvTail> sendrecvs{scratch};
  Column<CollectiveTail> collectives{scratch};
  Column<std::uint64_t> counts{scratch};
  Column<IoAccess> accesses{scratch};
  Column<InnerItem> inner{scratch};
  Column<InnerMessage> inner_messages{scratch};
  Column<InnerAccess> inner_accesses{scratch};
  Column<OffCpu> off_cpu{scratch};
  Column<Reason> reasons{scratch};
  Column<NeighbourTail> neighbourhoods{scratch};
  Column<Neighbour> neighbours{scratch};
  std::unordered_multimap<std::uint64_t, NeighbourTail> known_neighbours;  // by the hash of the lists
  Column<RmaTail> rma{scratch};
  Column<std::uint32_t> groups{scratch};
  std::uint32_t node = 0, processor = 0, cores = 0, gap_cost_ps = 0;

  void clear() {  // keeps the memory for the next rank
    operations.clear(), times.clear(), request_lists.clear(), sendrecvs.clear(), collectives.clear(), counts.clear();
    accesses.clear(), inner.clear(), inner_messages.clear(), inner_accesses.clear(), off_cpu.clear(), reasons.clear();
    neighbourhoods.clear(), neighbours.clear(), known_neighbours.clear();
    rma.clear(), groups.clear();
  }

  // Where the lists begin in `neighbours`, where equal ones stand once.
  NeighbourTail lists(std::span<const Neighbour> to, std::span<const Neighbour> from) {
    const std::uint64_t hash = XXH3_64bits_withSeed(from.data(), from.size_bytes(),
                                                    XXH3_64bits_withSeed(to.data(), to.size_bytes(), to.size()));
    const auto at = [this](std::size_t first, std::size_t n) { return std::span(neighbours).subspan(first, n); };
    const auto [begin, end] = known_neighbours.equal_range(hash);
    for (auto known = begin; known != end; ++known) {
      const NeighbourTail& tail = known->second;
      if (tail.to == to.size() && tail.from == from.size() && std::ranges::equal(at(tail.first, tail.to), to) &&
          std::ranges::equal(at(tail.first + std::size_t{tail.to}, tail.from), from))
        return tail;
    }
    NeighbourTail tail;
    tail.first = static_cast<std::uint32_t>(neighbours.size());
    tail.to = static_cast<std::uint32_t>(to.size());
    tail.from = static_cast<std::uint32_t>(from.size());
    neighbours.insert(neighbours.end(), to.begin(), to.end());
    neighbours.insert(neighbours.end(), from.begin(), from.end());
    known_neighbours.emplace(hash, tail);
    return tail;
  }

  format::RankEntry write(Output& output) const {
    format::RankEntry entry{.sections = {}, .node = node, .cores = cores, .gap_cost_ps = gap_cost_ps};
    entry.processor = processor;
    entry.sections[format::kOperations] = output.append(std::span(operations));
    entry.sections[format::kTimes] = output.append(std::span(times));
    entry.sections[format::kRequestLists] = output.append(std::span(request_lists));
    entry.sections[format::kSendrecvs] = output.append(std::span(sendrecvs));
    entry.sections[format::kCollectives] = output.append(std::span(collectives));
    entry.sections[format::kCounts] = output.append(std::span(counts));
    entry.sections[format::kAccesses] = output.append(std::span(accesses));
    entry.sections[format::kInner] = output.append(std::span(inner));
    entry.sections[format::kInnerMessages] = output.append(std::span(inner_messages));
    entry.sections[format::kInnerAccesses] = output.append(std::span(inner_accesses));
    entry.sections[format::kOffCpu] = output.append(std::span(off_cpu));
    entry.sections[format::kReasons] = output.append(std::span(reasons));
    entry.sections[format::kNeighbourhoods] = output.append(std::span(neighbourhoods));
    entry.sections[format::kNeighbours] = output.append(std::span(neighbours));
    entry.sections[format::kRma] = output.append(std::span(rma));
    entry.sections[format::kGroups] = output.append(std::span(groups));
    return entry;
  }
};

template <class Pool>
std::uint32_t push(Pool& pool, const typename Pool::value_type& value) {
  pool.push_back(value);
  return static_cast<std::uint32_t>(pool.size() - 1);
}

// n, then n values.
std::uint32_t push_list(Column<std::uint32_t>& lists, std::span<const std::uint32_t> values) {
  const auto index = static_cast<std::uint32_t>(lists.size());
  lists.push_back(static_cast<std::uint32_t>(values.size()));
  lists.insert(lists.end(), values.begin(), values.end());
  return index;
}

}  // namespace

struct ProgramBuilder::State {
  explicit State(const std::filesystem::path& file)
      : staged(file, StagedOutput::Kind::kFile, Overwrite::kYes),
        output(std::in_place, staged.staging()),
        rank(staged.staging().parent_path()) {}

  StagedOutput staged;
  std::optional<Output> output;
  std::array<Texts, format::kProperties> texts;
  std::map<std::string, std::string, std::less<>> properties;
  std::vector<format::CommEntry> comms;
  std::vector<Window> windows;
  std::vector<format::RankEntry> ranks;
  RankInMaking rank;
  bool in_rank = false;
};

ProgramBuilder::ProgramBuilder(const std::filesystem::path& file) : state_(std::make_unique<State>(file)) {}
ProgramBuilder::~ProgramBuilder() = default;

std::uint16_t ProgramBuilder::call(std::string_view name) {
  const std::uint32_t index = state_->texts[format::kCallNames].index(name);
  if (index > std::numeric_limits<std::uint16_t>::max())
    throw Error(state_->staged.path().string(), "more than 65536 different calls");
  return static_cast<std::uint16_t>(index);
}

std::uint32_t ProgramBuilder::site(std::string_view text) { return state_->texts[format::kSiteTexts].index(text); }
std::uint32_t ProgramBuilder::file(std::string_view path) { return state_->texts[format::kFilePaths].index(path); }
std::uint32_t ProgramBuilder::layout(std::string_view notation) {
  return state_->texts[format::kLayoutTexts].index(notation);
}
std::uint32_t ProgramBuilder::node(std::string_view name) { return state_->texts[format::kNodeNames].index(name); }
std::uint16_t ProgramBuilder::hints(std::string_view lines) {
  Texts& texts = state_->texts[format::kHintTexts];
  return texts.size() < kNoHints || texts.contains(lines) ? static_cast<std::uint16_t>(texts.index(lines)) : kNoHints;
}

std::uint32_t ProgramBuilder::comm(std::span<const std::uint32_t> members,
                                   std::span<const std::uint32_t> remote_members) {
  const format::CommEntry entry{state_->output->append(members), state_->output->append(remote_members)};
  return push(state_->comms, entry);
}

std::uint32_t ProgramBuilder::window(const Window& window) { return push(state_->windows, window); }
Window& ProgramBuilder::window(std::uint32_t index) { return state_->windows[index]; }

void ProgramBuilder::property(std::string_view key, std::string_view value) {
  state_->properties.insert_or_assign(std::string(key), std::string(value));
}

void ProgramBuilder::begin_rank(std::uint32_t node, std::uint32_t cores, std::uint32_t gap_cost_ps,
                                std::uint32_t processor) {
  PLUMBLINE_CHECK(!state_->in_rank, "ranks are made one after another");
  state_->in_rank = true;
  state_->rank.clear();
  state_->rank.node = node;
  state_->rank.processor = processor == kNone ? node : processor;
  state_->rank.cores = cores;
  state_->rank.gap_cost_ps = gap_cost_ps;
}

void ProgramBuilder::add(const Operation& operation, const OperationTimes& times) {
  state_->rank.operations.push_back(operation);
  state_->rank.times.push_back(times);
}

std::uint32_t ProgramBuilder::operations() const { return static_cast<std::uint32_t>(state_->rank.operations.size()); }
Operation& ProgramBuilder::operation(std::uint32_t index) { return state_->rank.operations[index]; }

OperationTimes& ProgramBuilder::times(std::uint32_t index) { return state_->rank.times[index]; }

std::uint32_t ProgramBuilder::add_requests(std::span<const std::uint32_t> slots) {
  return push_list(state_->rank.request_lists, slots);
}

std::uint32_t ProgramBuilder::add(const SendrecvTail& tail) { return push(state_->rank.sendrecvs, tail); }
std::uint32_t ProgramBuilder::add(const CollectiveTail& tail) { return push(state_->rank.collectives, tail); }
std::uint32_t ProgramBuilder::add(const IoAccess& access) { return push(state_->rank.accesses, access); }
void ProgramBuilder::add(const InnerItem& inner) { state_->rank.inner.push_back(inner); }
std::uint32_t ProgramBuilder::add(const InnerMessage& message) { return push(state_->rank.inner_messages, message); }
InnerMessage& ProgramBuilder::inner_message(std::uint32_t index) { return state_->rank.inner_messages[index]; }
std::uint32_t ProgramBuilder::add(const InnerAccess& access) { return push(state_->rank.inner_accesses, access); }
std::uint32_t ProgramBuilder::add(const RmaTail& tail) { return push(state_->rank.rma, tail); }
std::uint32_t ProgramBuilder::add_group(std::span<const std::uint32_t> ranks_of_window) {
  return push_list(state_->rank.groups, ranks_of_window);
}
void ProgramBuilder::add(const OffCpu& off) { state_->rank.off_cpu.push_back(off); }

std::uint32_t ProgramBuilder::add_counts(std::span<const std::uint64_t> bytes_per_rank) {
  Column<std::uint64_t>& counts = state_->rank.counts;
  const auto index = static_cast<std::uint32_t>(counts.size());
  counts.insert(counts.end(), bytes_per_rank.begin(), bytes_per_rank.end());
  return index;
}

std::uint32_t ProgramBuilder::add_neighbours(std::span<const Neighbour> to, std::span<const Neighbour> from,
                                             std::uint32_t request) {
  NeighbourTail tail = state_->rank.lists(to, from);
  tail.request = request;
  return push(state_->rank.neighbourhoods, tail);
}

void ProgramBuilder::not_judged(std::uint32_t operation, std::string_view reason) {
  Operation& judged = state_->rank.operations[operation];
  if (judged.flags & kNotJudged) return;  // the first reason stands
  judged.flags |= kNotJudged;
  if (judged.kind == OpKind::kUnmodelled && is_refused(state_->texts[format::kCallNames][judged.call], reason))
    judged.flags |= kRefused;
  state_->rank.reasons.push_back({operation, state_->texts[format::kReasonTexts].index(reason)});
}

void ProgramBuilder::end_rank(std::uint32_t request_slots, std::uint32_t inner_slots) {
  PLUMBLINE_CHECK(state_->in_rank, "a rank ends that was not begun");
  state_->in_rank = false;
  std::ranges::sort(state_->rank.reasons, {}, &Reason::operation);
  format::RankEntry entry = state_->rank.write(*state_->output);
  entry.request_slots = request_slots;
  entry.inner_slots = inner_slots;
  state_->ranks.push_back(entry);
}

Program ProgramBuilder::finish() {
  PLUMBLINE_CHECK(!state_->in_rank, "the last rank was not ended");
  State& state = *state_;
  // Index 0 is the default of Operation::call and begin_rank's node in programs made by hand.
  if (state.texts[format::kCallNames].empty()) call("");
  if (state.texts[format::kNodeNames].empty()) node("node");
  format::Header header;
  for (std::size_t table = 0; table < format::kProperties; ++table)
    header.tables[table] = state.texts[table].write(*state.output);
  std::vector<Range> properties;
  for (const auto& [key, value] : state.properties)
    for (const std::string& text : {key, value})
      properties.push_back(state.output->append(std::span<const char>(text)));
  header.tables[format::kProperties] = state.output->append(std::span<const Range>(properties));
  header.comms = state.output->append(std::span<const format::CommEntry>(state.comms));
  header.windows = state.output->append(std::span<const Window>(state.windows));
  header.ranks = state.output->append(std::span<const format::RankEntry>(state.ranks));
  state.output->finish(header);
  state.staged.commit();
  return Program::open(state.staged.path());
}

}  // namespace plumbline::replay
