// Damaged models: each either compiles to a program that can be opened, or throws an Error that says where and what.

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "replay/model/compile/compile.hpp"
#include "tests/support/mutated.hpp"
#include "tests/support/seed.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::replay::model {
namespace {

constexpr std::string_view kEverything =
    "Property library = \"Open MPI v4.1.4\"\nProperty \"hints:/data/x\" = \"cb_nodes=2\"\n"
    "Constant n = 3\nConstant t = 3.24ms\n"
    "Loop iterations = n\n&    variable = i\n{\n"
    "Runon c1 = procnum%2 == 0\n&     c2 = procnum%2 != 0\n"
    "{\nMessage type = MPI_Isend\n& size = 8<<i\n& to = procnum+1\n& tag = i\n& request = a\n"
    "Message type = MPI_Wait\n& request = a\n}\n"
    "{\nMessage type = MPI_Recv\n& size = 1KiB\n& from = i == 0 ? any : procnum-1\n& tag = i\n}\n"
    "Serial on perseus time = t/numprocs + max(1us, i*1ns)\n"
    "Delay time = (procnum == 0) ? table(i, 1, 2ms, 7, 5ms) : 0s\n"
    "}\n"
    "Message type = MPI_Barrier least = 1ms\n"
    "Message type = MPI_File_read_at file = \"/data/x\" offset = 0 size = 64\n"
    "& view = \"disp=0 extent=512 size=128: 2x64@0/128\" displacement = procnum*64\n"
    "Message type = MPI_Iallreduce\n& size = n*sizeof(double)\nMessage type = MPI_Waitall\n"
    "Message type = MPI_File_write_at_all\n& file = \"/data/x\"\n& offset = procnum*4096\n& size = 4096\n"
    "Message type = MPI_Sendrecv size = 8 to = procnum^1 from = procnum^1\n";

constexpr std::string_view kWords[] = {"{",
                                       "}",
                                       "&",
                                       "\n",
                                       "\"",
                                       "(",
                                       ")",
                                       "procnum",
                                       "numprocs",
                                       "any",
                                       "MPI_PROC_NULL",
                                       "/0",
                                       "%0",
                                       "<<63",
                                       "-1",
                                       "99999999999999999999",
                                       "9223372036854775807",
                                       "1e308",
                                       "1e308*1e308",
                                       "sizeof(",
                                       "min(",
                                       "3.24ms",
                                       "1TiB",
                                       "Loop iterations = 1000000000\n{\n",
                                       "Loop iterations = -1\n",
                                       "Runon c1 = 1\n",
                                       "Message type = MPI_Recv\n",
                                       "Serial time = ",
                                       "Delay time = ",
                                       "Property x = ",
                                       "least = ",
                                       "displacement = -",
                                       "view = \"disp=-9 extent=0 size=1: 8@0\"",
                                       "table(",
                                       "Constant procnum = 1\n",
                                       "?",
                                       ":",
                                       "==",
                                       "PEVPM ",
                                       "// PEVPM {",
                                       "\xff",
                                       std::string_view("\0x", 2),
                                       "variable = n",
                                       "request = ",
                                       "PEVPM",
                                       "/*",
                                       "*/"};

Layout two_per_node(std::uint32_t ranks) {
  Layout layout;
  layout.per_node = 2;
  for (std::uint32_t node = 0; node < (ranks + 1) / 2; ++node) layout.nodes.push_back({"n" + std::to_string(node), 2});
  return layout;
}

// Whether it is a model. What is not bounded by the limits of unrolling is the business of whoever writes the model.
bool compiles(const std::string& text, std::uint32_t ranks, const std::filesystem::path& file) {
  const Model model = parse_model(text, "fuzz.c");
  Faults faults("fuzz.c");
  const Instance instance = instance_of(model, ranks, {});
  for (std::uint32_t rank = 0; rank < ranks; ++rank) {
    Faults own("fuzz.c");
    std::uint64_t actions = 0;
    unroll(instance, rank, own, [&](const Action&) { ++actions; }, {.actions = 10'000, .steps = 100'000});
    if (!own.empty()) own.throw_if_any();
    if (actions >= 10'000) return true;
  }
  const std::optional<Program> program = compile_model(instance, two_per_node(ranks), file, faults);
  faults.throw_if_any();
  EXPECT_TRUE(program.has_value());
  return program.has_value();
}

void compile_mutations(const std::string& original, int count) {
  const std::uint64_t seed = plumbline::test::random_seed();
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  const plumbline::test::TemporaryDirectory directory;
  const std::filesystem::path file = directory.path() / "program";
  int compiled = 0;
  for (int i = 0; i < count; ++i) {
    const std::string text = plumbline::test::mutated(original, kWords, random);
    try {
      compiled += compiles(text, 1 + static_cast<std::uint32_t>(random() % 6), file) ? 1 : 0;
    } catch (const Error& error) {
      for (const Problem& problem : error.problems()) {
        ASSERT_TRUE(problem.where.starts_with("fuzz.c")) << problem.where << ": " << problem.what << '\n' << text;
        ASSERT_FALSE(problem.what.empty());
      }
    }
  }
  EXPECT_LT(compiled, count) << "no mutation did any harm";
  EXPECT_GT(compiled, 0) << "every mutation did harm";
}

TEST(ModelFuzz, DamagedDirectivesAreCompiledOrRefused) { compile_mutations(std::string(kEverything), 4'000); }

TEST(ModelFuzz, DamagedSourcesWithDirectivesAreCompiledOrRefused) {
  std::ifstream file(PLUMBLINE_JACOBI1D);
  std::string source{std::istreambuf_iterator<char>(file), {}};
  source.replace(source.find("iterations = 1000"), 17, "iterations = 3");
  compile_mutations(source, 2'000);
}

}  // namespace
}  // namespace plumbline::replay::model
