// The data that ranks send aggregators inside of collective writes through ROMIO, in MPICH and in Open MPI's romio321,
// window by window: what was recorded inside against the pattern that was written.

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>

#include "replay/program/compile/compile.hpp"
#include "replay/program/compile/compile_summary.hpp"
#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

constexpr std::uint32_t kRanks = 4;
// Of each rank, interleaved: piece i of rank r at (4i + r) * 24. No list of offsets is as long as the data.
constexpr std::uint64_t kPiece = 24, kPieces = 1024;

struct Romio {
  Flavour flavour;
  std::string name, environment;
};

void PrintTo(const Romio& romio, std::ostream* out) { *out << romio.name; }

struct Write {
  std::string hints;
  std::vector<std::uint32_t> aggregators;  // of a call on one node
  std::uint64_t window = 0;
};

// How many messages of which size `rank` sends to an aggregator other than itself.
using Sizes = std::map<std::pair<std::uint32_t, std::uint64_t>, std::uint32_t>;  // by aggregator and bytes

Sizes expected_of(const Write& write, std::uint32_t rank) {
  constexpr std::uint64_t kEnd = kRanks * kPiece * kPieces;
  const std::uint64_t domain = kEnd / write.aggregators.size();
  Sizes sizes;
  for (std::size_t a = 0; a < write.aggregators.size(); ++a)
    for (std::uint64_t window = a * domain; window < (a + 1) * domain; window += write.window) {
      const std::uint64_t end = std::min(window + write.window, (a + 1) * domain);
      std::uint64_t bytes = 0;
      for (std::uint64_t i = 0; i < kPieces; ++i) {
        const std::uint64_t begin = (kRanks * i + rank) * kPiece;
        bytes += std::min(end, begin + kPiece) - std::min(std::max(window, begin), std::min(end, begin + kPiece));
      }
      if (write.aggregators[a] != rank && bytes > 0) ++sizes[{write.aggregators[a], bytes}];
    }
  return sizes;
}

class RomioMessages : public testing::TestWithParam<Romio> {
 protected:
  void SetUp() override {
    if (!GetParam().flavour.installed()) GTEST_SKIP() << "mpirun." << GetParam().flavour.name << " is not installed";
  }
  TemporaryDirectory directory_;
};

TEST_P(RomioMessages, CarryEachWindowToItsAggregator) {
  const std::vector<Write> writes = {
      {"", {0}, 16777216},
      {"cb_buffer_size=5000", {0}, 5000},
      {"cb_nodes=2 cb_config_list=*:*", {0, 1}, 16777216},
      {"cb_nodes=2 cb_config_list=*:* cb_buffer_size=4096", {0, 1}, 4096},
  };
  std::ofstream lines(directory_ / "lines");
  for (const Write& write : writes)
    lines << fmt::format(
        "call=write_all piece={} pieces={} hole=0 base=0 stored=0 view=1 memory=0 atomic=0 idle=-1 {}\n", kPiece,
        kPieces, write.hints);
  lines.close();
  std::filesystem::create_directory(directory_ / "files");
  const std::string program =
      fmt::format("{}/bin/traced/{}/mpi_io_inside files lines", BUILD_DIRECTORY, GetParam().flavour.name);
  const CommandResult recorded = run_command(GetParam().environment + kPlumbline + " record --internals=on -o obs -- " +
                                                 GetParam().flavour.run(kRanks, program),
                                             directory_.path(), 300);
  ASSERT_EQ(recorded.status, 0) << text_of(recorded);

  replay::CompileSummary summary;
  const replay::Program compiled = replay::program_of(directory_ / "obs", summary);
  for (std::uint32_t rank = 0; rank < kRanks; ++rank) {
    const replay::RankProgram& own = compiled.rank(rank);
    std::vector<std::uint32_t> calls;
    for (std::uint32_t i = 0; i < own.operations.size(); ++i)
      if (compiled.call(own.operations[i].call) == "MPI_File_write_all") calls.push_back(i);
    ASSERT_EQ(calls.size(), writes.size());
    for (std::size_t w = 0; w < writes.size(); ++w) {
      Sizes sent;
      for (const replay::InnerItem& item : own.inner_of(calls[w]))
        if (item.kind == replay::InnerKind::kSend) {
          const replay::InnerMessage& message = own.inner_messages[item.index];
          ++sent[{message.peer, message.bytes}];
        }
      for (const auto& [message, times] : expected_of(writes[w], rank))
        EXPECT_GE(sent[message], times) << fmt::format("rank {} to aggregator {}, {} bytes; {}", rank, message.first,
                                                       message.second, writes[w].hints);
      const bool sends = writes[w].aggregators != std::vector{rank};
      EXPECT_EQ(!expected_of(writes[w], rank).empty(), sends);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Mpi, RomioMessages,
                         testing::Values(Romio{flavours()[1], "mpich", "env "},
                                         Romio{flavours()[0], "romio321", "env OMPI_MCA_io=romio321 "}),
                         [](const auto& romio) { return romio.param.name; });

}  // namespace
}  // namespace plumbline::test
