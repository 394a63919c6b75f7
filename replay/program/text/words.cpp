#include "replay/program/text/words.hpp"

#include <algorithm>
#include <cctype>

#include "replay/program/text/window_words.hpp"

namespace plumbline::replay {
namespace {

struct NamedIo {
  std::string_view word;
  OpKind kind;
};

constexpr std::array<NamedIo, 5> kMpiFileWords = {{{"open", OpKind::kIoOpen},
                                                   {"close", OpKind::kIoClose},
                                                   {"sync", OpKind::kIoSync},
                                                   {"seek", OpKind::kIoSeek},
                                                   {"", OpKind::kLocal}}};

struct PosixWord {
  std::string_view word, call;
  OpKind kind;
};

// Where two words mean one kind, the first is printed for accesses with an offset.
constexpr std::array<PosixWord, 8> kPosixWords = {{{"posix_open", "open", OpKind::kIoOpen},
                                                   {"posix_close", "close", OpKind::kIoClose},
                                                   {"fsync", "fsync", OpKind::kIoSync},
                                                   {"lseek", "lseek", OpKind::kIoSeek},
                                                   {"pread", "pread", OpKind::kIoRead},
                                                   {"pwrite", "pwrite", OpKind::kIoWrite},
                                                   {"posix_read", "read", OpKind::kIoRead},
                                                   {"posix_write", "write", OpKind::kIoWrite}}};

bool take_prefix(std::string_view& word, std::string_view prefix) {
  if (!word.starts_with(prefix)) return false;
  word.remove_prefix(prefix.size());
  return true;
}

std::optional<IoVerb> mpi_access(std::string_view word) {
  IoVerb verb{.flags = kIoIsMpi};
  if (take_prefix(word, "i")) verb.flags |= kNonBlocking;
  if (take_prefix(word, "write"))
    verb.kind = OpKind::kIoWrite;
  else if (!take_prefix(word, "read"))
    return std::nullopt;
  take_prefix(word, "_at");
  if (take_prefix(word, "_all")) verb.flags |= kIoIsCollective;
  return word.empty() ? std::optional(verb) : std::nullopt;
}

}  // namespace

std::optional<IoVerb> io_verb(std::string_view word) {
  for (const PosixWord& posix : kPosixWords)
    if (posix.word == word) return IoVerb{posix.kind, 0};
  for (const NamedIo& named : kMpiFileWords)
    if (!word.empty() && named.word == word) return IoVerb{named.kind, kIoIsMpi};
  return mpi_access(word);
}

std::string io_word(const Operation& op, bool has_offset) {
  if (!(op.flags & kIoIsMpi)) {
    const bool access = op.kind == OpKind::kIoRead || op.kind == OpKind::kIoWrite;
    std::string_view word;
    for (const PosixWord& posix : kPosixWords)
      if (posix.kind == op.kind && (word.empty() || (access && !has_offset))) word = posix.word;
    return std::string(word);
  }
  for (const NamedIo& named : kMpiFileWords)
    if (named.kind == op.kind) return std::string(named.word);
  std::string word = op.flags & kNonBlocking ? "i" : "";
  word += op.kind == OpKind::kIoWrite ? "write" : "read";
  if (has_offset) word += "_at";
  if (op.flags & kIoIsCollective) word += "_all";
  return word;
}

std::string default_call(const Operation& op, std::string_view verb) {
  for (const PosixWord& posix : kPosixWords)
    if (posix.word == verb) return std::string(posix.call);
  if (is_one_sided(op.kind))
    if (const std::string_view call = call_of_window_verb(verb); !call.empty()) return std::string(call);
  if (is_io(op.kind) && (op.flags & kIoIsMpi)) return "MPI_File_" + std::string(verb);
  std::string call = "MPI_" + std::string(verb);
  call[4] = static_cast<char>(std::toupper(static_cast<unsigned char>(call[4])));
  return call;
}

std::uint64_t default_received(Collective collective, std::uint64_t sent, std::size_t comm_size, bool is_root) {
  switch (collective) {
    case Collective::kBarrier:
      return 0;
    case Collective::kGather:
      return is_root ? sent * comm_size : 0;
    case Collective::kScatter:
      return is_root && comm_size > 0 ? sent / comm_size : 0;
    case Collective::kAllgather:
      return sent * comm_size;
    case Collective::kReduce:
      return is_root ? sent : 0;
    case Collective::kReduceScatter:
      return comm_size > 0 ? sent / comm_size : 0;
    case Collective::kBcast:
    case Collective::kAlltoall:
    case Collective::kAllreduce:
    case Collective::kScan:
    case Collective::kExscan:
      return sent;
  }
  return 0;
}

}  // namespace plumbline::replay
