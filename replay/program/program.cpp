#include "replay/program/program.hpp"

#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <optional>
#include <system_error>

#include "base/error.hpp"
#include "base/files/mapped_file.hpp"
#include "replay/program/check.hpp"
#include "replay/program/format.hpp"

namespace plumbline::replay {
namespace {

using format::Range;

constexpr char kHint[] = "remove it: it is made again from the archive";

std::string version_hint() { return fmt::format("this Plumbline reads version {}; {}", kFormatVersion, kHint); }

}  // namespace

struct Program::State {
  State(MappedFile mapped, std::string name) : file(std::move(mapped)), where(std::move(name)) {}

  [[noreturn]] void damaged(std::string_view what) const {
    throw Error(where, fmt::format("damaged program file: {}", what), kHint);
  }

  // The only way from an offset to memory.
  template <class T>
  std::span<const T> view(const Range& range) const {
    const std::span<const std::byte> bytes = file.bytes();
    if (range.offset % alignof(T) != 0 || range.offset > bytes.size() ||
        range.count > (bytes.size() - range.offset) / sizeof(T))
      damaged("a section lies outside the file");
    return {reinterpret_cast<const T*>(bytes.data() + range.offset), range.count};
  }

  std::string_view text(format::Table table, std::size_t index) const { return tables[table][index]; }

  void read_header(Contents contents);
  void read_tables();
  void read_ranks();

  MappedFile file;
  std::string where;
  format::Header header;
  std::array<std::vector<std::string_view>, format::kTables> tables;
  std::vector<CommView> comms;
  std::span<const Window> windows;
  std::vector<RankProgram> ranks;
};

void Program::State::read_header(Contents contents) {
  const std::span<const std::byte> bytes = file.bytes();
  const bool ours =
      bytes.size() >= sizeof header.magic && std::memcmp(bytes.data(), format::kMagic.data(), sizeof header.magic) == 0;
  if (!ours) throw Error(where, "is not a program file", "make one from an archive: plumbline replay ARCHIVE");
  if (bytes.size() < sizeof header) damaged("its header is cut off");
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.version != kFormatVersion || header.byte_order != format::kByteOrder)
    throw Error(where, fmt::format("program file of version {}", header.version), version_hint());
  if (header.file_bytes != bytes.size())
    damaged(fmt::format("{} bytes, its header says {}", bytes.size(), header.file_bytes));
  if (contents == Contents::kKnown) return;
  const std::span<const std::byte> body = bytes.subspan(sizeof header);
  if (XXH3_64bits(body.data(), body.size()) != header.content_key) damaged("its contents do not match their key");
}

void Program::State::read_tables() {
  for (std::size_t table = 0; table < format::kTables; ++table) {
    const std::span<const Range> texts = view<Range>(header.tables[table]);
    tables[table].reserve(texts.size());
    for (const Range& text : texts) {
      const std::span<const char> chars = view<char>(text);
      tables[table].emplace_back(chars.data(), chars.size());
    }
  }
  if (tables[format::kProperties].size() % 2 != 0) damaged("a property has no value");
  for (const format::CommEntry& entry : view<format::CommEntry>(header.comms))
    comms.push_back({view<std::uint32_t>(entry.members), view<std::uint32_t>(entry.remote_members)});
}

void Program::State::read_ranks() {
  const std::span<const format::RankEntry> entries = view<format::RankEntry>(header.ranks);
  ranks.reserve(entries.size());
  for (const format::RankEntry& entry : entries) {
    const auto& s = entry.sections;
    ranks.push_back({
        .operations = view<Operation>(s[format::kOperations]),
        .times = view<OperationTimes>(s[format::kTimes]),
        .request_lists = view<std::uint32_t>(s[format::kRequestLists]),
        .sendrecvs = view<SendrecvTail>(s[format::kSendrecvs]),
        .collectives = view<CollectiveTail>(s[format::kCollectives]),
        .counts = view<std::uint64_t>(s[format::kCounts]),
        .accesses = view<IoAccess>(s[format::kAccesses]),
        .inner = view<InnerItem>(s[format::kInner]),
        .inner_messages = view<InnerMessage>(s[format::kInnerMessages]),
        .inner_accesses = view<InnerAccess>(s[format::kInnerAccesses]),
        .off_cpu = view<OffCpu>(s[format::kOffCpu]),
        .reasons = view<Reason>(s[format::kReasons]),
        .request_slots = entry.request_slots,
        .node = entry.node,
        .processor = entry.processor,
        .cores = entry.cores,
        .gap_cost_ps = entry.gap_cost_ps,
        .inner_slots = entry.inner_slots,
        .neighbourhoods = view<NeighbourTail>(s[format::kNeighbourhoods]),
        .neighbours = view<Neighbour>(s[format::kNeighbours]),
        .rma = view<RmaTail>(s[format::kRma]),
        .groups = view<std::uint32_t>(s[format::kGroups]),
    });
  }
  for (const CommView& comm : comms)
    for (const std::span<const std::uint32_t> group : {comm.members, comm.remote_members})
      for (const std::uint32_t member : group)
        if (member >= ranks.size()) damaged("a communicator has a member that does not exist");
  windows = view<Window>(header.windows);
  for (const Window& window : windows) {
    if (window.comm >= comms.size() || !comms[window.comm].remote_members.empty())
      damaged("a window of no communicator");
    if (window.kind > WindowKind::kDynamic) damaged("a window of no kind");
  }
}

Program::Program(std::unique_ptr<State> state) : state_(std::move(state)) {}
Program::~Program() = default;
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;

Program Program::open(const std::filesystem::path& path, Contents contents) {
  auto state = std::make_unique<State>(MappedFile(path), path.string());
  state->read_header(contents);
  state->read_tables();
  state->read_ranks();
  Program program(std::move(state));
  if (contents == Contents::kCheck) program.check_ranks(0, program.ranks());
  return program;
}

void Program::check_ranks(std::uint32_t begin, std::uint32_t end) const {
  const ProgramTables tables{state_->comms, state_->windows, calls(),   sites(),     files(),
                             layouts(),     nodes(),         reasons(), hint_texts()};
  for (std::uint32_t rank = begin; rank < end; ++rank)
    if (const std::string fault = fault_of(state_->ranks[rank], rank, tables); !fault.empty())
      state_->damaged(fmt::format("rank {}: {}", rank, fault));
}

std::uint32_t Program::ranks() const { return static_cast<std::uint32_t>(state_->ranks.size()); }
const RankProgram& Program::rank(std::uint32_t rank) const { return state_->ranks[rank]; }
std::uint32_t Program::comms() const { return static_cast<std::uint32_t>(state_->comms.size()); }
CommView Program::comm(std::uint32_t index) const { return state_->comms[index]; }
std::span<const Window> Program::windows() const { return state_->windows; }

std::string_view Program::call(std::uint16_t index) const { return state_->text(format::kCallNames, index); }
std::string_view Program::site(std::uint32_t index) const {
  return index == kNone ? std::string_view() : state_->text(format::kSiteTexts, index);
}
std::string_view Program::file(std::uint32_t index) const { return state_->text(format::kFilePaths, index); }
std::string_view Program::layout(std::uint32_t index) const { return state_->text(format::kLayoutTexts, index); }
std::string_view Program::node(std::uint32_t index) const { return state_->text(format::kNodeNames, index); }
std::string_view Program::reason(std::uint32_t text) const { return state_->text(format::kReasonTexts, text); }
std::string_view Program::hints(std::uint16_t index) const {
  return index == kNoHints ? std::string_view() : state_->text(format::kHintTexts, index);
}

namespace {
std::uint32_t count(const std::vector<std::string_view>& table) { return static_cast<std::uint32_t>(table.size()); }
}  // namespace

std::uint32_t Program::calls() const { return count(state_->tables[format::kCallNames]); }
std::uint32_t Program::sites() const { return count(state_->tables[format::kSiteTexts]); }
std::uint32_t Program::files() const { return count(state_->tables[format::kFilePaths]); }
std::uint32_t Program::layouts() const { return count(state_->tables[format::kLayoutTexts]); }
std::uint32_t Program::nodes() const { return count(state_->tables[format::kNodeNames]); }
std::uint32_t Program::reasons() const { return count(state_->tables[format::kReasonTexts]); }
std::uint32_t Program::hint_texts() const { return count(state_->tables[format::kHintTexts]); }

std::string_view Program::property(std::string_view key) const {
  const std::vector<std::string_view>& texts = state_->tables[format::kProperties];
  for (std::size_t i = 0; i < texts.size(); i += 2)
    if (texts[i] == key) return texts[i + 1];
  return {};
}

std::vector<std::pair<std::string_view, std::string_view>> Program::properties() const {
  const std::vector<std::string_view>& texts = state_->tables[format::kProperties];
  std::vector<std::pair<std::string_view, std::string_view>> pairs;
  for (std::size_t i = 0; i < texts.size(); i += 2) pairs.emplace_back(texts[i], texts[i + 1]);
  return pairs;
}

std::uint64_t Program::content_key() const { return state_->header.content_key; }

bool is_program_file(const std::filesystem::path& path) {
  std::array<char, format::kMagic.size()> magic{};
  std::error_code none;
  if (!std::filesystem::is_regular_file(path, none)) return false;
  std::ifstream file(path, std::ios::binary);
  return file.read(magic.data(), magic.size()) && magic == format::kMagic;
}

Time begin_of(const Program& program) {
  std::optional<Time> begin;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (const std::span<const OperationTimes> times = program.rank(rank).times; !times.empty())
      begin = std::min(begin.value_or(times.front().begin), times.front().begin);
  return begin.value_or(Time{});
}

Time end_of(const Program& program) {
  Time end;
  for (std::uint32_t rank = 0; rank < program.ranks(); ++rank)
    if (!program.rank(rank).times.empty()) end = std::max(end, program.rank(rank).times.back().end);
  return end;
}

}  // namespace plumbline::replay
