#pragma once
// What a library of MPI-IO did to the files of tests/tracer/programs/mpi_io_inside.c, and what was asked of it.

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "replay/io/file_operation.hpp"
#include "replay/io/footprint.hpp"
#include "tests/tracer/traced.hpp"

namespace plumbline::inside {

using replay::io::ByteRange;
using replay::io::FileAction;
using replay::io::FileOperation;
using replay::io::FileOperations;

// One line of the program's configuration; its meaning stands there.
struct Setting {
  std::string call = "write_all";
  std::uint64_t piece = 8, pieces = 1024, hole = 0, base = 0, stored = 0;
  bool view = true;
  std::uint64_t memory = 0;
  bool atomic = false;
  int idle = -1;
  std::string hints = {};
  int ranks = 4;
  std::uint64_t take = 0;

  bool writes() const { return call.starts_with("write"); }
  bool collective() const { return call.ends_with("_all"); }

  std::string line() const {
    return fmt::format(
        "call={} piece={} pieces={} hole={} base={} stored={} view={} memory={} atomic={} idle={} take={} {}", call,
        piece, pieces, hole, base, stored, view ? 1 : 0, memory, atomic ? 1 : 0, idle, take, hints);
  }

  // What a rank accesses, in the order of the data, cut where the view or the buffer is.
  std::vector<ByteRange> pieces_of(int rank) const {
    std::vector<ByteRange> found;
    if (rank == idle) return found;
    const std::uint64_t number = !view ? 1 : take > 0 ? take : pieces, length = view ? piece : piece * pieces;
    std::uint64_t done = 0;
    for (std::uint64_t i = 0; i < number; ++i) {
      std::uint64_t at =
          view ? base + (i * (static_cast<std::uint64_t>(ranks) + hole) + static_cast<std::uint64_t>(rank)) * piece
               : base + static_cast<std::uint64_t>(rank) * length;
      for (std::uint64_t left = length; left > 0;) {
        const std::uint64_t part = memory > 0 ? std::min(left, memory - done % memory) : left;
        found.push_back({at, at + part});
        at += part;
        left -= part;
        done += part;
      }
    }
    return found;
  }
};

// The words of `hints`.
inline std::map<std::string, std::string> words_of(const std::string& hints) {
  std::map<std::string, std::string> found;
  std::istringstream in(hints);
  for (std::string word; in >> word;) found[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  return found;
}

inline std::string text_of(const FileOperation& operation) {
  static const char* const names[] = {"pread",     "pwrite",    "preadv",     "pwritev", "aio_read",
                                      "aio_write", "read lock", "write lock", "unlock"};
  return fmt::format("{}({}, {})", names[static_cast<int>(operation.action)], operation.offset, operation.bytes);
}

inline std::string text_of(const FileOperations& operations) {
  std::string text = fmt::format("{} operations", operations.size());
  for (const FileOperation& operation : operations) text += "\n" + text_of(operation);
  return text;
}

// Where they differ first, for people; empty if nowhere.
inline std::string difference(const FileOperations& expected, const FileOperations& seen) {
  if (expected == seen) return {};
  std::size_t at = 0;
  while (at < expected.size() && at < seen.size() && expected[at] == seen[at]) ++at;
  const auto here = [&](const FileOperations& list) {
    return at < list.size() ? text_of(list[at]) : std::string("end");
  };
  return fmt::format("{} expected, {} seen; number {}: expected {}, seen {}", expected.size(), seen.size(), at,
                     here(expected), here(seen));
}

// What one rank did inside of one call of MPI-IO.
struct Inside {
  FileOperations on_file;
  FileOperations elsewhere;  // on files of the library
};

namespace reading {

struct Seen {
  FileOperation operation;
  std::uint64_t done = 0;
};

inline bool is_data(pl_layout layout) {
  return layout == PL_LAYOUT_POSIX_ACCESS || layout == PL_LAYOUT_POSIX_AIO || layout == PL_LAYOUT_POSIX_RANGE;
}

inline FileAction action_of(const spool::test::Call& call) {
  const std::map<std::string, FileAction> known = {
      {"pread", FileAction::kRead},           {"pwrite", FileAction::kWrite},
      {"preadv", FileAction::kVectorRead},    {"pwritev", FileAction::kVectorWrite},
      {"aio_read", FileAction::kSubmitRead},  {"aio_write", FileAction::kSubmitWrite},
      {"fcntl (unlock)", FileAction::kUnlock}};
  if (call.name == "fcntl (lock)")
    return (call.high(0) & PL_FILE_LOCK_WRITE) != 0 ? FileAction::kLockWrite : FileAction::kLockRead;
  const auto found = known.find(call.name);
  if (found == known.end()) ADD_FAILURE() << call.name << " inside of MPI-IO";
  return found == known.end() ? FileAction::kRead : found->second;
}

// A retry: directly after a pread that got less than it asked for, but something, one of the rest.
inline bool is_retry(const Seen& before, const FileOperation& next) {
  return before.operation.action == FileAction::kRead && next.action == FileAction::kRead && before.done > 0 &&
         before.done < before.operation.bytes && next.offset == before.operation.offset + before.done &&
         next.bytes == before.operation.bytes - before.done;
}

inline void add(FileOperations& to, std::vector<Seen>& history, const Seen& seen) {
  if (history.empty() || !is_retry(history.back(), seen.operation)) to.push_back(seen.operation);
  history.push_back(seen);
}

}  // namespace reading

// Of one rank, per access in the order of the program. Retries of short reads are left out: how many there are depends
// on what other ranks have written by then.
inline std::vector<Inside> inside_of(const spool::test::Content& rank, const std::string& directory) {
  std::vector<Inside> found;
  std::map<std::int32_t, std::string> open;
  std::uint64_t end = 0;
  std::vector<reading::Seen> history;
  for (const spool::test::Call& call : rank.calls) {
    if (call.thread != 0) continue;
    if (call.layout == PL_LAYOUT_FILE_ACCESS) {
      found.emplace_back();
      history.clear();
      end = call.end;
    }
    if (call.layout == PL_LAYOUT_POSIX_OPEN) {
      const auto path = rank.files.find(static_cast<std::uint32_t>(call.low(0)));
      open[call.low(1)] = path == rank.files.end() ? "?" : path->second;
    }
    if (!reading::is_data(call.layout) || found.empty() || call.begin > end) continue;
    const std::string& path = open[call.low(0)];
    const bool own = path == fmt::format("{}/{}", directory, found.size() - 1);
    const reading::Seen seen{{reading::action_of(call), call.words.at(1), call.words.at(2)},
                             call.layout == PL_LAYOUT_POSIX_AIO ? 0 : call.words.at(3)};
    reading::add(own ? found.back().on_file : found.back().elsewhere, history, seen);
  }
  return found;
}

// The POSIX calls of one rank inside of its first MPI_File_open that concern a file of the directory or the directory
// itself: the function, the file, and of opens that make it "create", of locks the range.
inline std::vector<std::string> opening_of(const spool::test::Content& rank, const std::string& directory) {
  std::vector<std::string> found;
  std::map<std::int32_t, std::string> open;
  std::uint64_t begin = 0, end = 0;
  const auto path_of = [&](std::int32_t id) {
    const auto path = rank.files.find(static_cast<std::uint32_t>(id));
    return path == rank.files.end() ? std::string{} : path->second;
  };
  const auto note = [&](const std::string& name, const std::string& path, const std::string& more = {}) {
    if (path.starts_with(directory)) found.push_back(name + " " + path.substr(directory.size()) + more);
  };
  for (const spool::test::Call& call : rank.calls) {
    if (call.layout == PL_LAYOUT_POSIX_OPEN) open[call.low(1)] = path_of(call.low(0));
    if (call.layout == PL_LAYOUT_FILE_OPEN && end == 0) std::tie(begin, end) = std::tie(call.begin, call.end);
    if (call.thread != 0 || end == 0 || call.begin <= begin || call.begin > end) continue;
    if (call.layout == PL_LAYOUT_POSIX_OPEN)
      note(call.name, path_of(call.low(0)), (call.high(0) & O_CREAT) != 0 ? " create" : "");
    if (call.layout == PL_LAYOUT_POSIX_NAME) note(call.name, path_of(call.low(0)));
    if (call.layout == PL_LAYOUT_POSIX_FD) note(call.name, open[call.low(0)]);
    if (call.layout == PL_LAYOUT_POSIX_RANGE)
      note(call.name, open[call.low(0)], fmt::format(" {} {}", call.words.at(1), call.words.at(2)));
  }
  return found;
}

struct Library {
  std::string name, flavour, environment = {};
  bool on_nodes_of_their_own = false;  // each pair of ranks has a host name
};

// Per rank, then per setting.
struct Recorded {
  std::vector<std::vector<Inside>> ranks;
  std::vector<std::vector<std::string>> openings;  // per rank, of the first file
  spool::test::Outcome outcome;

  ~Recorded() {
    if (!outcome.work.empty() && !::testing::Test::HasFailure()) std::filesystem::remove_all(outcome.work);
  }
};

// Both libraries treat files on NFS in ways of their own.
inline bool is_on_nfs(const std::filesystem::path& path) {
  constexpr long kNfs = 0x6969;  // NFS_SUPER_MAGIC, linux/magic.h
  struct statfs status {};
  return ::statfs(path.c_str(), &status) == 0 && status.f_type == kNfs;
}

inline bool can_run(const Library& library) {
  if (is_on_nfs(std::filesystem::temp_directory_path())) return false;
  const std::vector<std::string> found = spool::test::flavours();
  return std::find(found.begin(), found.end(), library.flavour) != found.end();
}

// All with the number of ranks of the first one.
inline Recorded record(const Library& library, const std::vector<Setting>& settings) {
  const std::filesystem::path work = spool::test::fresh_directory();
  std::filesystem::create_directory(work / "files");
  std::ofstream lines(work / "lines");
  for (const Setting& setting : settings) lines << setting.line() << "\n";
  lines.close();
  const bool open_mpi = library.flavour == "openmpi";
  std::ofstream script(work / "rank");
  const char* variable = open_mpi ? "OMPI_COMM_WORLD_RANK" : "PMI_RANK";
  const std::string program = fmt::format("exec env PLUMBLINE_SPOOL={0}/spools LD_PRELOAD={1} {2} {0}/files {0}/lines",
                                          work.string(), spool::test::preload_library(library.flavour).string(),
                                          spool::test::program_path(library.flavour, "mpi_io_inside").string());
  if (library.on_nodes_of_their_own)
    script << "exec unshare --uts sh -c \"hostname node$((" << variable << " / 2)); " << program << "\"\n";
  else
    script << program << "\n";
  script.close();
  Recorded recorded;
  recorded.outcome = spool::test::run_shell(
      library.environment +
          fmt::format(fmt::runtime(open_mpi ? "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 timeout 240 "
                                              "mpirun.openmpi --oversubscribe -n {} sh {}/rank"
                                            : "timeout 240 mpirun.mpich -n {} sh {}/rank"),
                      settings.at(0).ranks, work.string()),
      work);
  EXPECT_EQ(recorded.outcome.status, 0) << recorded.outcome.errors;
  for (const auto& content : spool::test::contents(recorded.outcome)) {
    recorded.ranks.push_back(inside_of(*content, (work / "files").string()));
    recorded.openings.push_back(opening_of(*content, (work / "files").string()));
  }
  EXPECT_EQ(recorded.ranks.size(), static_cast<std::size_t>(settings.at(0).ranks));
  for (const std::vector<Inside>& rank : recorded.ranks) EXPECT_EQ(rank.size(), settings.size());
  return recorded;
}

}  // namespace plumbline::inside
