// POSIX and stdio: what the tracer records of tests/tracer/programs/posix_calls.c, and which functions of the C library
// it stands in front of.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <sstream>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Posix : public OnBothMpis {
 protected:
  // The one spool of a run on one rank.
  void record(const std::string& program, const std::string& environment = "") {
    outcome_ =
        run({.flavour = GetParam(), .program = program, .ranks = 1, .arguments = {"WORK"}, .environment = environment});
    ASSERT_EQ(outcome_.output, "done") << outcome_.errors;
    auto found = contents(outcome_);
    ASSERT_EQ(found.size(), 1u);
    content_ = std::move(found[0]);
    EXPECT_TRUE(content_->spool.remarks().empty());
  }

  // The POSIX calls of the program between its barriers: 0 before the first one.
  std::vector<Call> part(std::size_t number) const {
    std::vector<Call> found;
    std::size_t barriers = 0;
    bool started = false;
    for (const Call& call : content_->calls) {
      if (call.thread != 0) continue;
      if (call.name == "MPI_Barrier") ++barriers;
      if (call.name.starts_with("MPI_Init")) started = true;
      if (started && barriers == number && call.layout >= PL_LAYOUT_POSIX_OPEN && call.name != "(open at start)")
        found.push_back(call);
    }
    return found;
  }

  std::string file(std::uint32_t id) const {
    const auto known = content_->files.find(id);
    if (known == content_->files.end()) return fmt::format("file {}", id);
    const std::string work = outcome_.work.string() + "/";
    return known->second.starts_with(work) ? known->second.substr(work.size()) : known->second;
  }

  std::unique_ptr<Content> content_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Posix, kBothMpis, name_of_mpi);

std::vector<std::string> names(const std::vector<Call>& calls) {
  std::vector<std::string> found;
  for (const Call& call : calls) found.push_back(call.name);
  return found;
}

// "name word word ..", the first word without its descriptor.
std::string brief(const Call& call) {
  std::string text = fmt::format("{} {}", call.name, call.high(0));
  for (std::size_t i = 1; i < call.words.size(); ++i) text += fmt::format(" {}", call.number(i));
  return text;
}

void expect_transfers(const std::vector<Call>& calls) {
  ASSERT_THAT(names(calls), ElementsAre("open", "posix_fallocate", "ftruncate", "posix_fadvise", "pwritev2", "preadv2",
                                        "sync_file_range", "open", "copy_file_range", "sendfile", "splice", "fcntl",
                                        "close_range", "close", "close"));
  const int file = calls[0].low(1), copy = calls[7].low(1);
  EXPECT_EQ(brief(calls[1]), "posix_fallocate 0 0 8192 0");
  EXPECT_EQ(brief(calls[2]), "ftruncate 0 0 4096 0");
  EXPECT_EQ(brief(calls[3]), "posix_fadvise 2 0 0 0");
  EXPECT_EQ(brief(calls[4]), fmt::format("pwritev2 {} 100 30 30", PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT));
  EXPECT_EQ(brief(calls[5]), "preadv2 0 -1 30 30");
  EXPECT_EQ(brief(calls[6]), "sync_file_range 2 0 4096 0");
  EXPECT_EQ(calls[8].low(0), file);
  EXPECT_EQ(brief(calls[8]), fmt::format("copy_file_range {} 8 -1 1000 1000", copy));
  EXPECT_EQ(calls[9].low(0), file);
  EXPECT_EQ(brief(calls[9]), fmt::format("sendfile {} -1 -1 500 500", copy));
  EXPECT_EQ(brief(calls[10]), "splice -1 1008 -1 64 64");  // into a pipe
  EXPECT_EQ(calls[11].low(0), file);
  EXPECT_GE(calls[11].number(1), 200);
  EXPECT_EQ(calls[12].low(0), calls[11].number(1));
  EXPECT_EQ(calls[12].high(0), calls[11].number(1));
  EXPECT_EQ(calls[12].number(1), 0);
}

TEST_P(Posix, TransfersAndRanges) {
  record("posix_calls");
  if (content_) expect_transfers(part(0));
}

// The same source, compiled with -D_FORTIFY_SOURCE=2 -O2: other entry points, the same records.
TEST_P(Posix, FortifiedProgramsAreRecordedLikeOthers) {
  record("posix_fortified");
  if (!content_) return;
  expect_transfers(part(0));
  const std::vector<std::string> fortified = names(part(4));
  record("posix_calls");
  ASSERT_TRUE(content_);
  EXPECT_EQ(names(part(4)), fortified);
}

TEST_P(Posix, NamesHaveTheirPaths) {
  record("posix_calls");
  if (!content_) return;
  std::vector<std::string> found;
  for (const Call& call : part(1)) {
    if (call.layout != PL_LAYOUT_POSIX_NAME) continue;
    const auto second = static_cast<std::uint32_t>(call.high(0));
    found.push_back(fmt::format("{} {}{} {}", call.name, file(static_cast<std::uint32_t>(call.low(0))).substr(0, 14),
                                second == 0 ? "" : " " + file(second), call.number(1)));
  }
  EXPECT_THAT(found,
              ElementsAre("mkdir folder 0", "rename temporary-" + found.at(1).substr(17, 4) + " folder/renamed 0",
                          "stat folder/renamed 0", "statx folder/renamed 0", "truncate folder/renamed 0",
                          "access nothing -2", "unlink folder/renamed 0", "rmdir folder 0"));
  const std::vector<Call> calls = part(1);
  ASSERT_GE(calls.size(), 3u);
  EXPECT_EQ(calls[0].name, "mkstemp");
  EXPECT_THAT(file(static_cast<std::uint32_t>(calls[0].low(0))), HasSubstr("temporary-"));
  EXPECT_EQ(calls[1].name, "fstat");
  EXPECT_EQ(calls[1].low(0), calls[0].number(1));
  EXPECT_LE(calls[0].begin, calls[0].end);
  EXPECT_LE(calls[0].end, calls[1].begin);
}

// UCX, which MPICH uses, patches mmap where it finds it, and that is ours: then calls go past us.
TEST_P(Posix, MappingsHaveTheirFile) {
  record("posix_calls", "UCX_MEM_MMAP_HOOK_MODE=none ");
  if (!content_) return;
  const std::vector<Call> calls = part(2);
  ASSERT_THAT(names(calls), ElementsAre("open", "mmap", "close", "msync"));
  EXPECT_EQ(file(static_cast<std::uint32_t>(calls[1].low(0))), "transfers");
  EXPECT_EQ(calls[1].high(0), 3);
  EXPECT_THAT(std::vector(calls[1].words.begin() + 1, calls[1].words.begin() + 3), ElementsAre(0, 4096));
  EXPECT_GT(calls[1].number(3), 0);
  EXPECT_EQ(calls[3].low(0), calls[1].low(0));
  EXPECT_EQ(brief(calls[3]), "msync 4 0 4096 0");
}

TEST_P(Posix, AsynchronousOperationsEndWhereTheProgramLearnsOfIt) {
  record("posix_calls");
  if (!content_) return;
  std::vector<Call> calls = part(3);
  std::erase_if(calls, [](const Call& call) { return call.name == "aio_suspend"; });  // perhaps it was done at once
  ASSERT_THAT(names(calls), ElementsAre("open", "aio_write", "aio_error", "lio_listio", "aio_return", "aio_return",
                                        "aio_fsync", "aio_error", "close"));
  const std::uint64_t first = calls[1].words[3];
  EXPECT_GE(first, PL_FIRST_AIO);
  EXPECT_EQ(calls[1].low(0), calls[0].number(1));
  EXPECT_EQ(calls[1].high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING);
  EXPECT_THAT(calls[1].words, ElementsAre(calls[1].words[0], 50, 1000, first, 0));
  EXPECT_THAT(calls[2].words, ElementsAre(first, 1000));
  const Call& list = calls[3];
  ASSERT_EQ(list.words.size(), 2u + 2 * 4);
  EXPECT_EQ(list.low(0), 2);
  EXPECT_EQ(list.high(0), 1);
  EXPECT_THAT(std::vector(list.words.begin() + 3, list.words.begin() + 6), ElementsAre(50, 1000, first + 1));
  EXPECT_EQ(list.high(6), PL_ACCESS_EXPLICIT | PL_ACCESS_NONBLOCKING);
  EXPECT_THAT(std::vector(list.words.begin() + 7, list.words.begin() + 10), ElementsAre(0, 4096, first + 2));
  EXPECT_THAT(calls[4].words, ElementsAre(first + 1, 1000));
  EXPECT_THAT(calls[5].words, ElementsAre(first + 2, 1050));
  EXPECT_EQ(calls[6].high(0), PL_ACCESS_SYNC | PL_ACCESS_NONBLOCKING);
  EXPECT_THAT(calls[7].words, ElementsAre(first + 3, 0));
}

TEST_P(Posix, LocksHaveTheirRangesFromTheBeginningOfTheFile) {
  record("posix_calls");
  if (!content_) return;
  const std::vector<Call> calls = part(5);
  ASSERT_THAT(names(calls), ElementsAre("open", "fcntl (lock)", "fcntl (unlock)", "fcntl (lock)", "lseek",
                                        "fcntl (test)", "fcntl (lock)", "statfs", "fstatvfs", "close"));
  EXPECT_EQ(calls[1].low(0), calls[0].number(1));
  EXPECT_EQ(brief(calls[1]), fmt::format("fcntl (lock) {} 10 20 0", PL_FILE_LOCK_WRITE | PL_FILE_LOCK_WAITS));
  EXPECT_EQ(brief(calls[2]), "fcntl (unlock) 0 10 20 0");
  EXPECT_EQ(brief(calls[3]),  // 15 bytes up to 5 before the end, which is at 4096
            fmt::format("fcntl (lock) {} 4076 15 0", PL_FILE_LOCK_READ | PL_FILE_LOCK_OF_OPEN_FILE));
  EXPECT_EQ(brief(calls[5]), fmt::format("fcntl (test) {} 8 0 0", +PL_FILE_LOCK_WRITE));
  EXPECT_EQ(calls[6].number(3), -14);  // EFAULT, and the program goes on
  EXPECT_EQ(file(static_cast<std::uint32_t>(calls[7].low(0))), "transfers");
  EXPECT_EQ(calls[8].low(0), calls[0].number(1));
}

TEST_P(Posix, StreamsAreRecordedByTheirBlocks) {
  record("posix_calls");
  if (!content_) return;
  const std::vector<Call> calls = part(4);
  ASSERT_THAT(names(calls),
              ElementsAre("fopen", "setvbuf", "fwrite", "fflush", "fseek", "ftell", "fread", "rewind", "fseek",
                          "fwrite", "fclose", "open", "fdopen", "fread", "freopen", "fclose", "tmpfile", "fclose"));
  EXPECT_EQ(file(static_cast<std::uint32_t>(calls[0].low(0))), "stream");
  EXPECT_EQ(calls[0].high(0), 02 | 0100 | 01000);  // O_RDWR | O_CREAT | O_TRUNC
  EXPECT_EQ(brief(calls[1]), "setvbuf 0 8192 -1 0");
  EXPECT_EQ(calls[2].low(0), calls[0].number(1));
  EXPECT_EQ(brief(calls[2]), fmt::format("fwrite {} -1 800 800", PL_ACCESS_WRITE));
  EXPECT_EQ(brief(calls[3]), "fflush 0 807 0 0");  // the text, too, from the beginning of the file
  EXPECT_EQ(brief(calls[4]), "fseek 0 16 16");
  EXPECT_EQ(brief(calls[5]), "ftell 1 0 16");
  EXPECT_EQ(brief(calls[6]), "fread 0 -1 4096 791");
  EXPECT_EQ(brief(calls[7]), "rewind 0 0 0");
  EXPECT_EQ(brief(calls[8]), "fseek 2 0 807");
  EXPECT_EQ(brief(calls[10]), "fclose 0 5 807 0");
  EXPECT_EQ(calls[12].low(1), calls[11].number(1));
  EXPECT_EQ(calls[12].low(0), calls[0].low(0));
  EXPECT_EQ(file(static_cast<std::uint32_t>(calls[14].low(0))), "copy");
  EXPECT_EQ(calls[16].name, "tmpfile");
}

TEST_P(Posix, PatternsDecideAtTheOpening) {
  record("posix_calls", "PLUMBLINE_IO_PATHS='/**/plumbline-traced-*/**:!*a*' ");
  if (!content_) return;
  std::set<std::string> paths;
  for (const auto& [id, path] : content_->files) paths.insert(file(id));
  EXPECT_THAT(paths, ElementsAre("copy", "folder", "nothing"));  // not transfers, renamed, later, stream
  EXPECT_THAT(names(part(2)), ElementsAre());
  EXPECT_THAT(names(part(0)), ElementsAre("open", "copy_file_range", "sendfile", "close"));
}

TEST_P(Posix, NoPatternTakesInWhatIsNoRegularFile) {
  record("posix_calls", "PLUMBLINE_IO_PATHS='!/**' ");
  if (!content_) return;
  EXPECT_TRUE(content_->files.empty());
  EXPECT_TRUE(part(0).empty());
}

// ---- Which functions

std::set<std::string> exported(const std::string& library) {
  const std::filesystem::path work = fresh_directory();
  std::istringstream lines(
      run_shell(fmt::format("nm -D --defined-only {} | awk '$2 ~ /[TWi]/ {{print $3}}'", library), work).output);
  std::filesystem::remove_all(work);
  std::set<std::string> names;
  for (std::string name; std::getline(lines, name);)
    if (name.find("@GLIBC_PRIVATE") == std::string::npos) names.insert(name.substr(0, name.find('@')));
  return names;
}

std::string c_library() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);)
    if (line.find("/libc.so.6") != std::string::npos || line.find("/libc-2") != std::string::npos)
      return line.substr(line.find('/'));
  return {};
}

// What is about files, by its name.
const std::regex kIo(
    "_*(IO_|libc_)?(open|clos|f?creat|dup|fcntl|(p|f)?(read|write)|l?l?seek|rewind|ungetw?c$|"
    "f(seek|tell|get|put|set)(?!(ent|fs|gr|pw|sp|sg|tty|xattr))|(put|get)w?(c|char|s|line|delim|w)(_|$)|"
    "set(v|line)?buf|f?(close|flush|purge|pending|sync|truncate|allocate|dopen|reopen|datasync|open)|tmpf|mkdir|rmdir|"
    "mk(o?s)?temp|rename|unlink|remove$|(sym)?link(at)?$|[fl]?x?stat(at|x)?(64)?$|f?(eu?i?d?)?access|copy_file|"
    "sendfile|splice|tee$|vmsplice|m(map|unmap|remap|sync)(64)?$|posix_fa|sync|lockf|flock$|readahead|aio_|lio_|"
    "v?[fd]?w?(printf|scanf)|isoc[0-9]+_v?fw?scanf|memfd|name_to_handle|readdir|readlink|scandir|f?statv?fs).*");

// Everything else that it selects must be exported by the preload library.
struct LeftOut {
  const char* names;
  const char* why;
};
const LeftOut kLeftOut[] = {
    {"_IO_.*|_flushlbf|__fset.*|__f(read|writ).*ing|__f(read|writ)able|__f(pending|purge|bufsize)",
     "inside of stdio: looks at a buffer, or is a name that no header has"},
    {"__(open|open64|close|read|write|lseek|fcntl|dup2|pread64|pwrite64|statfs|getdelim)|__libc_.*|llseek",
     "second names, which no header declares; parts of the C library call each other by them"},
    {"_*(isoc[0-9]+_)?v?[fd]?w?(printf|scanf)(_chk|_fp|_size.*)?|_*(f?gets|f?puts|f?getc|f?putc|f?getw?s?|f?putw?s?)"
     "(_unlocked)?(_chk)?|_*f?(get|put|unget)(w?c|w?char|ws)(_unlocked)?(_chk)?|getline|_*getdelim",
     "text and single characters: dearer to record than to do (docs/reference/recording.md); fflush and fclose tell "
     "the "
     "bytes"},
    {"tee|vmsplice", "no end of it is a regular file"},
    {"munmap|mremap", "the MPI libraries patch these by name to follow malloc (posix/maps.c)"},
    {"(open|close|fdopen|read|rewind|seek)dir(64)?(_r)?|scandir.*", "directories are not files of data"},
    {"(sym)?link(at)?|_*readlink(at)?(_chk)?|_*mktemp|name_to_handle_at|open_by_handle_at|open_tree",
     "names without data, or no names"},
    {"memfd_create|open_w?memstream|fopencookie|openpty|openlog|closelog|_*duplocale|create_module|fmemopen|_*open_"
     "catalog",
     "no regular files"},
    {"lockf(64)?|flock", "locks of other kinds; lockf asks for its ranges inside of the C library"},
    {"sync", "all file systems"},
    {"setbuf|setbuffer|setlinebuf", "setvbuf in a fixed form, from inside the C library"},
    {"fgetpos(64)?|fcloseall|aio_init|fsetlocking|fwide", "asks, tunes, or is called at the very end"},
};

TEST_P(Posix, EveryIoFunctionOfTheCLibraryIsRecordedOrLeftOutForAReason) {
  const std::set<std::string> ours = exported(preload_library(GetParam()).string());
  const std::set<std::string> theirs = exported(c_library());
  ASSERT_TRUE(theirs.contains("pread64")) << c_library();
  std::vector<std::string> forgotten;
  for (const std::string& name : theirs) {
    if (ours.contains(name) || !std::regex_match(name, kIo)) continue;
    const bool left_out = std::any_of(std::begin(kLeftOut), std::end(kLeftOut), [&](const LeftOut& entry) {
      return std::regex_match(name, std::regex(entry.names));
    });
    if (!left_out) forgotten.push_back(name);
  }
  EXPECT_THAT(forgotten, ElementsAre());
  for (const char* name : {"mkdir", "mkdirat", "rmdir", "preadv64v2", "__xstat64", "__fread_unlocked_chk", "fcntl64",
                           "mkostemps64", "lio_listio64", "close_range", "freopen64"})
    EXPECT_TRUE(ours.contains(name)) << name;
}

}  // namespace
}  // namespace plumbline::spool::test
