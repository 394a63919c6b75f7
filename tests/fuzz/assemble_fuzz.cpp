// Spools with a few bytes changed or cut off: assembling them ends with an archive, perhaps with remarks, or with an
// Error, within a time limit.

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <random>

#include "base/error.hpp"
#include "tests/support/cases.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"
#include "tests/tracer/spool_builder.hpp"
#include "tracer/archive/read/reader.hpp"
#include "tracer/record/assemble/assemble.hpp"
#include "tracer/record/assemble/summary.hpp"
#include "tracer/spool/format/payload.hpp"

namespace plumbline::record {
namespace {

using test::pair;
using test::SpoolBuilder;

constexpr int kMutations = 300;
constexpr unsigned kSecondsEach = 10;

// Inside of two calls, one of them a non-blocking collective: messages of both, a call of the library, ends of all
// kinds.
void put_inside(SpoolBuilder& spool) {
  const auto flags = [](std::uint64_t bits) { return bits << 48; };
  spool.define(PL_DEF_INNER_PEER, {pair(7, 0), pair(0, 0)}, 1'500, 1'500);
  spool.call("MPI_Ibarrier", PL_LAYOUT_COLLECTIVE, 2'000, 2'010, {pair(1, -1), 0, 0, pair(40, 0), 0});
  spool.call("(inner send)", PL_LAYOUT_INNER_MESSAGE, 2'001, 2'002, {pair(0, -27), 8, pair(7, 1)});
  spool.call("(inner receive)", PL_LAYOUT_INNER_MESSAGE, 2'003, 0,
             {pair(0, -27), 8 | flags(PL_INNER_RANK_IN_CONTEXT | PL_INNER_ANY_SOURCE), pair(7, 2)});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 2'020, 2'050,
             {pair(1, 0), pair(1, 0), pair(40, 0), PL_COMPLETED | PL_COMPLETED_SEND, 0});
  spool.call("(inner call)", PL_LAYOUT_INNER_CALL, 2'021, 2'040,
             {pair(spool.function("MPI_Alltoall", PL_LAYOUT_COLLECTIVE), 1)});
  spool.call("(inner send)", PL_LAYOUT_INNER_MESSAGE, 2'022, 5'500, {pair(0, -27), flags(PL_INNER_FAILED), pair(7, 3)});
  spool.call("(inner send)", PL_LAYOUT_INNER_MESSAGE, 2'023, 0,
             {pair(0, 3), flags(PL_INNER_UNKNOWN_BYTES | PL_INNER_SYNCHRONOUS), pair(8, 4)});
  spool.call("(inner end)", PL_LAYOUT_INNER_END, 2'030, 2'030, {pair(2, 0), pair(0, -27), flags(1)});
}

SpoolBuilder sample(bool keep_last) {
  SpoolBuilder spool(0, 1);
  if (keep_last) spool.keep_last(2);
  put_inside(spool);
  spool.define_text(PL_DEF_FILE, pair(1, 0), "/data/out");
  spool.define(PL_DEF_DATATYPE, {pair(1, PL_TYPE_NAMED), 8, 0, 8, pair(0, 0), pair(0, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(2, PL_TYPE_VECTOR), 32, 0, 80, pair(3, 0), pair(1, 0), 2, 2, 8, pair(1, 0)});
  spool.define(PL_DEF_DATATYPE, {pair(3, PL_TYPE_DARRAY), 32, 0, 64, pair(8, 0), pair(1, 0), 2, 0, 1, 8, 1,
                                 static_cast<std::uint64_t>(-1), 2, 0, pair(1, 0)});
  spool.define(PL_DEF_COMM, {pair(3, PL_COMM_WORLD), pair(1, 0), pair(0, 2), pair(0, 0)});
  spool.define(PL_DEF_RUN_DELAY, {500}, 2'000, 2'000);
  spool.define(PL_DEF_SITE, {pair(1, 0), 0x1234});
  spool.call("MPI_Comm_dup", PL_LAYOUT_COMM, 2'000, 2'100, {pair(PL_COMM_WORLD, 0), pair(3, 0)}, 1);
  spool.call("MPI_Irecv", PL_LAYOUT_RECV, 3'000, 3'100, {pair(-1, -1), 64, pair(3, 1)}, 1);
  spool.call("MPI_Isend", PL_LAYOUT_SEND, 3'200, 3'300, {pair(0, 5), 16, pair(3, 2)});
  spool.call("MPI_Waitall", PL_LAYOUT_WAIT, 4'000, 4'100,
             {pair(2, 0), pair(2, 3), pair(1, 2), PL_COMPLETED | 16, pair(0, 5), PL_COMPLETED | PL_COMPLETED_SEND, 0});
  spool.define(PL_DEF_NEIGHBOURS, {pair(3, 0), pair(1, 1), pair(0, 0)});
  spool.define(PL_DEF_PERSISTENT, {pair(1, PL_LAYOUT_SEND), pair(spool.function("MPI_Send_init", PL_LAYOUT_NONE), 0),
                                   pair(0, 5), 8, pair(3, 0)});
  spool.call("MPI_Startall", PL_LAYOUT_START, 4'110, 4'120, {pair(2, 0), pair(1, 3), pair(0, 0)});
  spool.call("MPI_Ineighbor_alltoallv", PL_LAYOUT_NEIGHBOUR, 4'130, 4'140, {pair(3, 4), pair(1, 1), 8, 8});
  spool.call("MPI_Isendrecv", PL_LAYOUT_ISENDRECV, 4'150, 4'160,
             {pair(0, 5), 8, pair(3, 5), pair(0, 5), 8, pair(3, 6)});
  spool.call("MPI_Waitall", PL_LAYOUT_WAIT, 4'170, 4'180,
             {pair(2, 0), pair(2, 0), pair(4, 6), PL_COMPLETED | PL_COMPLETED_SEND, 0, PL_COMPLETED | 8, pair(0, 5)});
  spool.define(PL_DEF_WIN, {pair(1, 3), pair(PL_WIN_CREATE, 0), 64, 4});
  spool.define_text(PL_DEF_WIN_NAME, pair(1, 0), "window");
  spool.call("MPI_Win_create", PL_LAYOUT_WIN, 4'181, 4'182, {pair(3, PL_WIN_CREATE), 64, 4, pair(1, 0)});
  spool.call("MPI_Win_start", PL_LAYOUT_WIN_GROUP, 4'183, 4'184, {pair(1, 1), pair(1, 0), pair(0, 0)});
  spool.call("MPI_Rput", PL_LAYOUT_RMA, 4'185, 4'186, {pair(0, 0), 2, 8, 8, pair(1, 7), pair(0, 2)});
  spool.call("MPI_Fetch_and_op", PL_LAYOUT_RMA, 4'186, 4'187, {pair(0, 2), 2, 8, 8, pair(1, 0), 0, 8, 0});
  spool.call("MPI_Wait", PL_LAYOUT_WAIT, 4'187, 4'187,
             {pair(1, 0), pair(1, 0), pair(7, 0), PL_COMPLETED | PL_COMPLETED_SEND, 0});
  spool.call("MPI_Win_complete", PL_LAYOUT_WIN_SYNC, 4'187, 4'188, {pair(1, -1), 0});
  spool.call("MPI_Win_flush_all", PL_LAYOUT_WIN_SYNC, 4'188, 4'188, {pair(1, -1), 0});
  spool.call("MPI_Win_test", PL_LAYOUT_WIN_TEST, 4'188, 4'189, {pair(1, 0), pair(1, 2)});
  spool.call("MPI_Win_free", PL_LAYOUT_WIN_SYNC, 4'189, 4'189, {pair(1, -1), 0});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 4'190, 4'191, {pair(0, 0)});
  spool.call("MPI_Pcontrol", PL_LAYOUT_PCONTROL, 4'195, 4'196, {pair(1, 1)});
  spool.call("MPI_Alltoallv", PL_LAYOUT_COLLECTIVE, 4'200, 4'300, {pair(1, -1), 8, 8, 0, pair(1, 1), 8, 8});
  spool.call("MPI_File_open", PL_LAYOUT_FILE_OPEN, 5'000, 6'000, {pair(1, 9), pair(1, 0), pair(1, 0)});
  spool.call("open", PL_LAYOUT_POSIX_OPEN, 5'100, 5'200, {pair(1, O_RDWR), 5});
  spool.define_text(PL_DEF_HINTS, pair(1, 1), "cb_nodes=1\n");
  spool.call("MPI_File_set_view", PL_LAYOUT_FILE_VIEW, 6'100, 6'200, {pair(1, 0), 100, pair(1, 3)});
  spool.call("MPI_File_write_all", PL_LAYOUT_FILE_ACCESS, 7'000, 8'000, {pair(1, 3), 5, 24, 24, 0});
  spool.call("pwrite", PL_LAYOUT_POSIX_ACCESS, 7'100, 7'200, {pair(5, 1), 1136, 8, 8});
  spool.call("dup", PL_LAYOUT_POSIX_FD, 7'300, 7'400, {pair(5, 0), 6});
  spool.call("lseek", PL_LAYOUT_POSIX_SEEK, 8'100, 8'200, {pair(6, 0), 3, 3});
  spool.call("write", PL_LAYOUT_POSIX_ACCESS, 8'300, 8'400, {pair(6, 1), ~0ULL, 8, 8});
  spool.call("MPI_File_seek", PL_LAYOUT_FILE_SEEK, 8'500, 8'600, {pair(1, 0), 3, 3});
  spool.call("MPI_File_close", PL_LAYOUT_FILE, 9'000, 9'500, {pair(1, 0)});
  spool.call("close", PL_LAYOUT_POSIX_FD, 9'100, 9'200, {pair(5, 0), 0});
  spool.call("copy_file_range", PL_LAYOUT_POSIX_COPY, 9'210, 9'211, {pair(6, 7), 0, ~0ULL, 8, 8});
  spool.call("fallocate", PL_LAYOUT_POSIX_RANGE, 9'212, 9'213, {pair(6, 0), 0, 8, 0});
  spool.call("rename", PL_LAYOUT_POSIX_NAME, 9'214, 9'215, {pair(1, 1), 0});
  spool.call("mmap", PL_LAYOUT_POSIX_MAP, 9'216, 9'217, {pair(1, 3), 0, 8, 4096});
  spool.call("aio_write", PL_LAYOUT_POSIX_AIO, 9'218, 9'219, {pair(6, 17), 0, 8, PL_FIRST_AIO, 0});
  spool.call("lio_listio", PL_LAYOUT_POSIX_AIO_LIST, 9'220, 9'221,
             {pair(1, 0), 0, pair(6, 16), 0, 8, PL_FIRST_AIO + 1});
  spool.call("aio_return", PL_LAYOUT_POSIX_AIO_END, 9'222, 9'223, {PL_FIRST_AIO, 8});
  spool.call("fopen", PL_LAYOUT_POSIX_STREAM_OPEN, 9'224, 9'225, {pair(1, O_RDWR), 8});
  spool.call("fwrite", PL_LAYOUT_POSIX_STREAM_ACCESS, 9'226, 9'227, {pair(8, 1), ~0ULL, 8, 8});
  spool.call("fseek", PL_LAYOUT_POSIX_STREAM_SEEK, 9'228, 9'229, {pair(8, 0), 3, 3});
  spool.call("fclose", PL_LAYOUT_POSIX_STREAM, 9'230, 9'231, {pair(8, 0), 8, 0, 0});
  spool.call("close_range", PL_LAYOUT_POSIX_CLOSE_RANGE, 9'232, 9'233, {pair(3, -1), 0});
  spool.packed("MPI_Irecv", PL_LAYOUT_RECV, 9'240, 9'241, {pair(-1, 5), 16, pair(1, 9)});
  spool.packed("MPI_Waitall", PL_LAYOUT_WAIT, 9'242, 9'243,
               {pair(1, 0), pair(9, PL_MARK_MESSAGE | PL_MARK_PEER), pair(0, 5)});
  spool.packed("MPI_Sendrecv", PL_LAYOUT_SENDRECV, 9'244, 9'245, {pair(5, 6), pair(8, 8), std::uint64_t{1} << 48});
  spool.packed("MPI_Recv", PL_LAYOUT_RECV, 9'246, 9'247, {pair(static_cast<int>(PL_WAS_ANY), 6), 8, pair(1, 0)});
  spool.packed("MPI_Probe", PL_LAYOUT_PROBE, 9'248, 9'249, {pair(0, 6), 8, pair(1, static_cast<int>(PL_WAS_ANY))});
  const std::uint64_t list = PL_MOVED_LIST | 1 << 16 | 1, again = PL_MOVED_VECTOR | 1 << 16;
  spool.packed("MPI_Alltoallv", PL_LAYOUT_COLLECTIVE, 9'250, 9'251,
               {pair(-1, 0), list | std::uint64_t{1} << 48, list, 8, 8});
  spool.packed("MPI_Alltoallv", PL_LAYOUT_COLLECTIVE, 9'252, 9'253,
               {pair(-1, 0), again | std::uint64_t{1} << 48, again});
  spool.packed("MPI_File_write_at", PL_LAYOUT_FILE_ACCESS, 9'254, 9'255, {pair(1 | PL_ACCESS_WRITE << 24, 8), 0, 8});
  spool.packed("pwrite", PL_LAYOUT_POSIX_ACCESS, 9'256, 9'257, {pair(6 | PL_ACCESS_WRITE << 16, 8), 0, 8});
  spool.packed("fwrite", PL_LAYOUT_POSIX_STREAM_ACCESS, 9'258, 9'259, {pair(8, 1), 8, 8});
  spool.define(PL_DEF_OPEN_FILE, {pair(9, 1)}, 9'290, 9'291);
  spool.define(PL_DEF_SWITCH, {pair(0, 0)}, 9'292, 9'293);
  spool.define(PL_DEF_SWITCH, {pair(1, 0)}, 9'294, 9'295);
  spool.thread(1);
  spool.call("(inner end)", PL_LAYOUT_INNER_END, 9'299, 9'299, {pair(4, 0), pair(0, 3), 16});
  spool.call("read", PL_LAYOUT_POSIX_ACCESS, 9'300, 0, {pair(5, 0), ~0ULL, 8, 0});
  return spool;
}

// Where a spool says something: the header's numbers and the used words of both segments.
std::size_t interesting(std::size_t size, std::mt19937_64& random) {
  constexpr std::size_t kUsed = 6'000;
  const std::size_t starts[] = {0, PL_HEADER_BYTES, PL_HEADER_BYTES, PL_HEADER_BYTES,
                                PL_HEADER_BYTES + PL_SEGMENT_BYTES};
  const std::size_t lengths[] = {250, kUsed, kUsed, kUsed, 200};
  const std::size_t part = random() % 5;
  return std::min(starts[part] + random() % lengths[part], size - 1);
}

std::string mutated(std::string bytes, std::mt19937_64& random) {
  for (std::uint64_t n = 1 + random() % 4; n != 0; --n) {
    const std::size_t at = interesting(bytes.size(), random);
    switch (random() % 8) {
      case 0:
        bytes.resize(at + 1);
        break;
      case 1:
        bytes[at] = static_cast<char>(0xff);
        break;
      case 2:
        for (std::size_t i = at / 8 * 8; i < std::min(at / 8 * 8 + 8, bytes.size()); ++i)
          bytes[i] = static_cast<char>(random() % 2 == 0 ? 0xff : random());
        break;
      case 3:
        bytes[at] ^= static_cast<char>(1U << (random() % 8));
        break;
      case 4:
        bytes.insert(at / 8 * 8, bytes, interesting(bytes.size(), random) / 8 * 8, 8 * (1 + random() % 8));
        break;
      default:
        bytes[at] = static_cast<char>(random());
        break;
    }
  }
  return bytes;
}

int status_of_assembling(const std::filesystem::path& spool, const std::filesystem::path& output) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(kSecondsEach);
    try {
      assemble({spool}, output, Overwrite::kYes);
      archive::Reader reader(output);  // what was written can be read
      for (std::uint32_t i = 0; i < reader.definitions().locations.size(); ++i)
        reader.read(i, [](const archive::Event&) {});
      _exit(0);
    } catch (const Error& error) {
      if (std::getenv("PLUMBLINE_FUZZ_VERBOSE") != nullptr) std::fprintf(stderr, "%s\n", error.what());
      _exit(std::string_view(error.what()).find("traces") == std::string_view::npos ? 3 : 4);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

TEST(AssembleFuzz, ADamagedSpoolGivesAnArchiveOrAnError) {
  const std::uint64_t seed = plumbline::test::random_seed();
  const char* rounds = std::getenv("PLUMBLINE_FUZZ_ROUNDS");
  const int count = rounds != nullptr ? std::atoi(rounds) : plumbline::test::cases(kMutations);
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  const plumbline::test::TemporaryDirectory directory;
  const std::filesystem::path spool = directory.path() / "kn1.1.spool";
  const std::string samples[] = {sample(false).bytes(), sample(true).bytes()};
  int assembled = 0;
  for (int i = 0; i < count; ++i) {
    const std::string& good = samples[i % 2];
    std::ofstream(spool, std::ios::binary) << (i < 2 ? good : mutated(good, random));
    const int status = status_of_assembling(spool, directory.path() / "obs");
    EXPECT_TRUE(WIFEXITED(status)) << "mutation " << i << ": signal " << WTERMSIG(status);
    if (!WIFEXITED(status)) continue;
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3) << "mutation " << i;
    if (WEXITSTATUS(status) == 0) ++assembled;
  }
  std::printf("%d of %d assembled\n", assembled, count);
  EXPECT_GT(assembled, count / 4);
}

// Calls of every layout with every number of words below the least that its records have, of ones and of zeros, that
// have returned and that have not.
int put_short_calls(SpoolBuilder& spool) {
  int calls = 0;
  std::uint64_t time = 2'000;
  for (std::uint32_t layout = PL_LAYOUT_NONE; layout < PL_LAYOUT_COUNT; ++layout) {
    if (layout == PL_LAYOUT_INNER_END) continue;  // no call: it is told where its message is
    for (std::size_t words = 0; words < spool::least_words(layout); ++words) {
      for (const std::uint64_t word : {std::uint64_t{0}, ~std::uint64_t{0}, pair(1, 1)}) {
        for (const bool done : {true, false}) {
          spool.call("call " + std::to_string(layout), static_cast<pl_layout>(layout), time, done ? time + 5 : 0,
                     test::Payload(words, word));
          time += 10;
          ++calls;
        }
      }
    }
  }
  return calls;
}

TEST(AssembleFuzz, OfACallWhosePayloadIsTooShortForItsLayoutOnlyTheTimesAreTold) {
  const plumbline::test::TemporaryDirectory directory;
  SpoolBuilder spool(0, 1);
  const int calls = put_short_calls(spool);
  const AssembleSummary summary = assemble({spool.write(directory.path())}, directory.path() / "obs", Overwrite::kYes);
  EXPECT_THAT(summary.remarks, testing::Contains(testing::HasSubstr(std::to_string(calls) +
                                                                    " records are shorter than they should be")));
}

TEST(AssembleFuzz, DefinitionsThatAreTooShortGiveAnArchiveOrAnError) {
  const plumbline::test::TemporaryDirectory directory;
  for (std::size_t words = 0; words < 7; ++words) {
    SpoolBuilder spool(0, 1);
    for (const std::uint64_t word : {std::uint64_t{0}, pair(1, 1), ~std::uint64_t{0}})
      for (std::uint32_t kind = PL_DEFINITIONS; kind <= PL_DEF_INNER_PEER; ++kind)
        spool.define(kind, test::Payload(words, word), 2'000, 2'001);
    spool.call("MPI_Barrier", PL_LAYOUT_COLLECTIVE, 3'000, 3'100, {pair(1, -1), 0, 0});
    const int status = status_of_assembling(spool.write(directory.path()), directory.path() / "obs");
    ASSERT_TRUE(WIFEXITED(status)) << words << " words: signal " << WTERMSIG(status);
    EXPECT_TRUE(WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 3) << words << " words";
  }
}

}  // namespace
}  // namespace plumbline::record
