// A program made by several processes. The ranks of each lie in a file of its own, numbered as that process met things;
// what has a number in the program is numbered there by its first use in the order of the ranks. So tables that are put
// together in the order of the processes are those that one process would have made.

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/check.hpp"
#include "base/error.hpp"
#include "base/team/bytes.hpp"
#include "base/team/processes.hpp"
#include "replay/program/builder_state.hpp"
#include "replay/program/program.hpp"
#include "replay/program/renumbering.hpp"

namespace plumbline::replay {
namespace {

// What all have to know of a part.
struct PartTables {
  std::array<std::vector<std::string>, format::kProperties> texts;
  std::vector<WindowInMaking> windows;
  std::uint32_t own_comms = 0;  // beside those that all have
  std::uint64_t bytes = 0;      // of its ranks
  bool hints_ran_out = false;
};

template <class Io>
void fields(Io& io, PartTables& part) {
  io(part.texts, part.windows, part.own_comms, part.bytes, part.hints_ran_out);
}

// What has its place in the program when all have told what it begins with.
struct PartEntries {
  std::vector<format::RankEntry> ranks;
  std::vector<format::CommEntry> comms;
  std::vector<std::pair<std::string, std::string>> properties;
};

template <class Io>
void fields(Io& io, PartEntries& entries) {
  io(entries.ranks, entries.comms, entries.properties);
}

// The tables of the program, as they grow by one part after another.
struct JoinedTables {
  std::array<Texts, format::kProperties> texts;
  std::vector<WindowInMaking> windows;
  std::vector<std::uint32_t> by_shared;  // windows by what the parts know them by; kNone: not yet
  std::uint32_t own_comms = 0;
  std::uint64_t bytes = 0;
};

std::uint32_t joined_text(JoinedTables& joined, std::size_t table, std::string_view text,
                          const std::filesystem::path& path) {
  if (table == format::kHintTexts) return index_of_hints(joined.texts[table], text);
  const std::uint32_t index = joined.texts[table].index(text);
  return table == format::kCallNames ? index_of_call(index, path) : index;
}

std::uint32_t joined_window(JoinedTables& joined, WindowInMaking window, const Renumbering& numbers) {
  window.window.comm = numbers.comm(window.window.comm);
  const auto next = static_cast<std::uint32_t>(joined.windows.size());
  std::uint32_t index = next;
  if (window.shared != kNone) {
    if (window.shared >= joined.by_shared.size()) joined.by_shared.resize(window.shared + std::size_t{1}, kNone);
    std::uint32_t& known = joined.by_shared[window.shared];
    if (known == kNone) known = next;
    index = known;
  }
  if (index == next)
    joined.windows.push_back(window);
  else if (window.kind_is_told)
    joined.windows[index].window.kind = window.window.kind;  // as the rank that made it last said
  return index;
}

// How the numbers of the part become those of the program.
Renumbering join(JoinedTables& joined, const PartTables& part, std::uint32_t first_own_comm,
                 const std::filesystem::path& path) {
  Renumbering numbers;
  numbers.first_own_comm = first_own_comm;
  numbers.comms_before = joined.own_comms;
  numbers.bytes_before = joined.bytes;
  for (std::size_t table = 0; table < format::kProperties; ++table)
    for (const std::string& text : part.texts[table])
      numbers.texts[table].push_back(joined_text(joined, table, text, path));
  for (const WindowInMaking& window : part.windows) numbers.windows.push_back(joined_window(joined, window, numbers));
  joined.own_comms += part.own_comms;
  joined.bytes += part.bytes;
  return numbers;
}

class OpenFile {
 public:
  explicit OpenFile(const std::filesystem::path& path)
      : path_(path), number_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
    if (number_ < 0) throw_system_error(path_, "cannot be opened for writing", errno);
  }
  ~OpenFile() {
    if (number_ >= 0) ::close(number_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  void write(std::uint64_t offset, std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
      const ssize_t written = ::pwrite(number_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
      if (written < 0 && errno == EINTR) continue;
      if (written < 0) throw_system_error(path_, "cannot be written", errno);
      offset += static_cast<std::uint64_t>(written);
      bytes = bytes.subspan(static_cast<std::size_t>(written));
    }
  }
  void close() {
    if (::close(std::exchange(number_, -1)) != 0) throw_system_error(path_, "cannot be written", errno);
  }

 private:
  const std::string path_;
  int number_;
};

}  // namespace

// Copies the ranks of a part into the program, and gives what they hold its numbers there.
class PartCopy {
 public:
  PartCopy(const Output& part, const std::filesystem::path& program, std::uint64_t shift, const Renumbering& numbers)
      : part_(part), program_(program), shift_(shift), numbers_(numbers) {}

  void copy(std::uint64_t from, std::span<const format::RankEntry> ranks) {
    at_ = from;
    for (const format::RankEntry& rank : ranks) {
      if (numbers_.changes_operations()) renumber<Operation>(rank.sections[format::kOperations]);
      renumber<IoAccess>(rank.sections[format::kAccesses]);
      renumber<InnerAccess>(rank.sections[format::kInnerAccesses]);
      renumber<Reason>(rank.sections[format::kReasons]);
    }
    copy_until(part_.bytes());
    program_.close();
  }

 private:
  static constexpr std::uint64_t kAtATime = std::uint64_t{1} << 20;

  void copy_until(std::uint64_t end) {
    while (at_ < end) pass_on(std::min(end - at_, kAtATime), [](std::span<std::byte>) {});
  }

  template <class Record>
  void renumber(const format::Range& records) {
    if (records.count == 0) return;
    copy_until(records.offset);
    const std::uint64_t end = records.offset + records.count * sizeof(Record);
    constexpr std::uint64_t kMost = kAtATime / sizeof(Record) * sizeof(Record);
    while (at_ < end)
      pass_on(std::min(end - at_, kMost), [this](std::span<std::byte> bytes) {
        // They come from a vector of them, and lie in one of std::uint64_t.
        for (Record& record : std::span(reinterpret_cast<Record*>(bytes.data()), bytes.size() / sizeof(Record)))
          numbers_.apply(record);
      });
  }

  template <class Change>
  void pass_on(std::uint64_t count, Change change) {
    const std::span<std::byte> bytes = std::as_writable_bytes(std::span(buffer_)).first(count);
    part_.read(at_, bytes);
    change(bytes);
    program_.write(at_ + shift_, bytes);
    at_ += count;
  }

  const Output& part_;
  OpenFile program_;
  const std::uint64_t shift_;  // from a place in the part to that in the program
  const Renumbering& numbers_;
  std::vector<std::uint64_t> buffer_ = std::vector<std::uint64_t>(kAtATime / sizeof(std::uint64_t));
  std::uint64_t at_ = 0;
};

std::filesystem::path ProgramBuilder::staging() const { return state_->output->path(); }
std::filesystem::path ProgramBuilder::path() const { return state_->path; }

bool ProgramBuilder::join(Processes& processes) {
  PLUMBLINE_CHECK(!state_->in_rank, "the last rank was not ended");
  State& own = *state_;
  own.begin_own_ranks();
  own.output->flush();

  PartTables tables;
  for (std::size_t table = 0; table < format::kProperties; ++table)
    for (const std::string* text : own.texts[table].all()) tables.texts[table].push_back(*text);
  tables.windows = own.windows;
  tables.own_comms = static_cast<std::uint32_t>(own.comms.size()) - own.own.first_comm;
  tables.bytes = own.output->bytes() - own.own.first_byte;
  tables.hints_ran_out = own.hints_ran_out;

  JoinedTables joined;
  Renumbering numbers;
  const std::vector<std::string> told = processes.exchange(to_bytes(tables));
  for (std::uint32_t process = 0; process < told.size(); ++process) {
    const auto part = from_bytes<PartTables>(told[process]);
    if (part.hints_ran_out && process > 0) return false;
    Renumbering of_part = replay::join(joined, part, own.own.first_comm, own.path);
    if (process == processes.rank()) numbers = std::move(of_part);
  }

  // All have the same in front of their ranks, so that those of process 0 are where they belong.
  if (processes.rank() > 0 && tables.bytes > 0)
    PartCopy(*own.output, own.path, numbers.bytes_before, numbers).copy(own.own.first_byte, own.ranks);

  for (format::RankEntry& rank : own.ranks) numbers.apply(rank);
  PartEntries entries{own.ranks, {own.comms.begin() + own.own.first_comm, own.comms.end()}, {}};
  for (format::CommEntry& comm : entries.comms) numbers.apply(comm);
  entries.properties.assign(own.properties.begin(), own.properties.end());
  const std::vector<std::string> all = processes.gather(to_bytes(entries));
  if (processes.rank() > 0) return true;

  for (std::size_t process = 1; process < all.size(); ++process) {
    const auto part = from_bytes<PartEntries>(all[process]);
    own.ranks.insert(own.ranks.end(), part.ranks.begin(), part.ranks.end());
    own.comms.insert(own.comms.end(), part.comms.begin(), part.comms.end());
    for (const auto& [key, value] : part.properties) property(key, value);
  }
  own.texts = std::move(joined.texts);
  own.windows = std::move(joined.windows);
  own.output->take_written(own.own.first_byte + joined.bytes);
  return true;
}

}  // namespace plumbline::replay
