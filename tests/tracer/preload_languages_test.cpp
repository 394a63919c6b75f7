// Programs in Fortran and Python are recorded as those in C: each call once, from where the program made it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <tuple>

#include "tests/tracer/traced.hpp"
#include "tracer/record/definitions/symbols.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class Languages : public ::testing::Test {
 protected:
  void TearDown() override {
    for (const auto& directory : work_) std::filesystem::remove_all(directory);
  }
  Outcome go(const Job& job) {
    Outcome outcome = run(job);
    work_.push_back(outcome.work);
    return outcome;
  }
  std::vector<std::filesystem::path> work_;
};

class Flavours : public Languages, public ::testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program_path(GetParam(), "mixed")))
      GTEST_SKIP() << "gfortran or mpif90." << GetParam() << " is not installed";
  }
};
INSTANTIATE_TEST_SUITE_P(Fortran, Flavours, ::testing::Values("openmpi", "mpich"),
                         [](const auto& flavour) { return std::string(flavour.param); });

class Bindings : public Languages, public ::testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program_path(flavour(), binding())))
      GTEST_SKIP() << "gfortran or mpif90." << flavour() << " is not installed";
  }
  static const char* flavour() { return std::get<0>(GetParam()); }
  static const char* binding() { return std::get<1>(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Fortran, Bindings,
                         ::testing::Combine(::testing::Values("openmpi", "mpich"),
                                            ::testing::Values("mpifh", "mpi", "mpi_f08")),
                         [](const auto& both) {
                           return fmt::format("{}_{}", std::get<0>(both.param), std::get<1>(both.param));
                         });

// Where the calls lie, as the archive names them.
std::set<std::string> sites_of(const Content& c, const std::vector<Call>& calls) {
  const std::vector<record::Mapping> mappings = record::parse_mappings(c.modules.back());
  record::Symbols symbols;
  std::set<std::string> found;
  for (const Call& call : calls)
    found.insert(c.sites.contains(call.site) ? symbols.name(c.sites.at(call.site), mappings) : "no site");
  return found;
}

// "file:12" of the lines of a program that hold a text.
std::vector<::testing::Matcher<std::string>> lines_with(const std::string& file, const std::string& text) {
  std::vector<::testing::Matcher<std::string>> found;
  std::ifstream in(fmt::format("{}/{}", PLUMBLINE_TRACED_SOURCES, file));
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.find(text) != std::string::npos) found.push_back(HasSubstr(fmt::format("({}:{})", file, number)));
  }
  return found;
}

void expect_thousand_exchanges(const Content& c, int peer) {
  const std::vector<Call> exchanges = c.of("MPI_Sendrecv");
  ASSERT_EQ(exchanges.size(), 1000u);
  for (int i = 0; i < 1000; ++i) {
    const Call& call = exchanges[static_cast<std::size_t>(i)];
    ASSERT_TRUE(call.done);
    const std::vector<int> told{call.low(0), call.high(0), call.low(3), call.high(3), call.low(5), call.high(5)};
    const int tag = i + 1;
    ASSERT_EQ(told, (std::vector{peer, tag, peer, tag, peer, tag}));
    ASSERT_EQ(call.number(1), 16);
    ASSERT_EQ(call.number(4), 16);
  }
}

TEST_P(Bindings, EachCallIsRecordedOnce) {
  const Outcome outcome = go({flavour(), binding(), 2});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 2u) << outcome.errors;
  for (int rank : {0, 1}) {
    SCOPED_TRACE(rank);
    const Content& c = *ranks[static_cast<std::size_t>(rank)];
    EXPECT_EQ(c.spool.header().end, PL_END_FINALIZED);
    EXPECT_EQ(c.calls.front().name, "MPI_Init");
    EXPECT_EQ(c.calls.back().name, "MPI_Finalize");
    expect_thousand_exchanges(c, 1 - rank);
    EXPECT_EQ(c.only("MPI_Barrier").low(0), static_cast<int>(PL_COMM_WORLD));
    const Call& in_place = c.only("MPI_Allreduce");
    EXPECT_EQ(in_place.number(1), 24);
    EXPECT_EQ(in_place.number(2), 24);
  }
  EXPECT_THAT((std::vector{ranks[0]->of("MPI_Send").size(), ranks[1]->of("MPI_Send").size(),
                           ranks[0]->of("MPI_Irecv").size(), ranks[1]->of("MPI_Recv").size()}),
              ElementsAre(1, 3, 4, 1));
}

TEST_P(Bindings, SentinelsAndIndicesAreThoseOfFortran) {
  const Outcome traced = go({flavour(), binding(), 2});
  const Outcome plain = go({.flavour = flavour(), .program = binding(), .ranks = 2, .traced = false});
  EXPECT_EQ(traced.output, plain.output);
  // MPICH 4.0's own mpi_f08 counts indices from 0.
  const int second = plain.output.find("any 1 tag") != std::string::npos && flavour() == std::string("mpich") ? 1 : 2;
  EXPECT_EQ(traced.output, fmt::format("all  1  2  3\nany {0} tag 42\nbottom 4711\nflag T\nin place 3.0 3.0 3.0\n"
                                       "in place 3.0 3.0 3.0\nsome 1 index {0}\nwrong exchanges 0\nwrong exchanges 0",
                                       second));
  const auto ranks = contents(traced);
  ASSERT_EQ(ranks.size(), 2u) << traced.errors;
  const Content& c = *ranks[0];
  const std::vector<Call> posted = c.of("MPI_Irecv");
  const Call& any = c.only("MPI_Waitany");
  EXPECT_EQ(any.low(2), posted[1].high(2));
  EXPECT_EQ(any.high(4), 42);
  EXPECT_EQ(posted[2].low(0), PL_ANY_SOURCE);
  EXPECT_EQ(posted[2].high(0), PL_ANY_TAG);
  const Call& all = c.only("MPI_Waitall");
  EXPECT_EQ(all.low(1), 2);
  EXPECT_EQ(all.low(2), posted[0].high(2));
  EXPECT_EQ(all.high(2), 0);  // MPI_REQUEST_NULL: it has completed before
  EXPECT_EQ(all.low(3), posted[2].high(2));
  const Call some = c.of("MPI_Testsome").back();
  EXPECT_EQ(some.low(1), 1);
  EXPECT_EQ(some.low(2), posted[3].high(2));
  EXPECT_EQ(c.only("MPI_Send").number(1), 4);  // from MPI_BOTTOM
  EXPECT_EQ(ranks[1]->only("MPI_Recv").number(1), 4);
}

TEST_P(Bindings, CallSitesNameTheLineOfTheProgram) {
#if !defined(__x86_64__)
  GTEST_SKIP() << "call sites behind the bindings are known on x86-64 only";
#endif
  const Outcome outcome = go({flavour(), binding(), 2});
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 2u) << outcome.errors;
  const Content& c = *ranks[1];
  const auto both = lines_with("bindings.F90", "call MPI_Sendrecv(");
  ASSERT_EQ(both.size(), 2u);
  EXPECT_THAT(sites_of(c, c.of("MPI_Sendrecv")), ::testing::UnorderedElementsAreArray(both));
  EXPECT_THAT(sites_of(c, c.of("MPI_Recv")), ElementsAreArray(lines_with("bindings.F90", "call MPI_Recv(")));
  std::vector<Call> others;
  std::copy_if(c.calls.begin(), c.calls.end(), std::back_inserter(others),
               [](const Call& call) { return call.name.starts_with("MPI_"); });
  EXPECT_THAT(sites_of(c, others), ::testing::Each(HasSubstr("(bindings.F90:")));
}

TEST_P(Bindings, UnderTheTracerOfAnotherMpiTheProgramRunsUnrecorded) {
  const std::string other = flavour() == std::string("mpich") ? "openmpi" : "mpich";
  if (!std::filesystem::exists(preload_library(other))) GTEST_SKIP() << other << " is not installed";
  const Outcome plain = go({.flavour = flavour(), .program = binding(), .ranks = 2, .traced = false});
  const Outcome traced = go({.flavour = flavour(), .program = binding(), .ranks = 2, .tracer = other});
  EXPECT_THAT(traced.errors, HasSubstr("the program runs another MPI; it runs unrecorded"));
  EXPECT_EQ(traced.output, plain.output);
  EXPECT_EQ(traced.status, plain.status) << traced.errors;
  EXPECT_FALSE(std::filesystem::exists(traced.spools));
}

TEST_P(Flavours, FortranAndCInOneProgramAreRecordedOnceEach) {
  const Outcome outcome = go({GetParam(), "mixed", 1});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 1u) << outcome.errors;
  const Content& c = *ranks[0];
  const std::vector<Call> calls = c.of("MPI_Sendrecv");
  ASSERT_EQ(calls.size(), 20u);  // not the ten PMPI_Sendrecv of the program itself
  for (std::size_t i = 0; i < calls.size(); ++i) {
    EXPECT_EQ(calls[i].high(0), i % 2 == 0 ? static_cast<int>(i / 2 + 1) : 77);
    EXPECT_EQ(calls[i].number(1), 4);
    EXPECT_EQ(calls[i].low(2), c.only("MPI_Comm_dup").low(1));
  }
#if defined(__x86_64__)
  EXPECT_THAT(sites_of(c, calls), ElementsAre(HasSubstr("(mixed.F90:"), HasSubstr("(mixed_part.c:")));
#endif
}

TEST_P(Flavours, FilesOfFortranHaveTheirViewsAndHints) {
  const Outcome outcome = go({GetParam(), "fortran_files", 2, {"WORK"}});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "read back T\nread back T");
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 2u) << outcome.errors;
  const Content& c = *ranks[1];
  const Call& open = c.only("MPI_File_open");
  EXPECT_EQ(open.high(0), 9);  // CREATE | RDWR
  EXPECT_EQ(c.files.at(static_cast<std::uint32_t>(open.low(1))), (outcome.work / "shared").string());
  EXPECT_EQ(open.high(2), 0);
  EXPECT_THAT(c.hints.at({static_cast<std::uint32_t>(open.low(2)), 0}), HasSubstr("cb_buffer_size=65536"));

  const Call& view = c.only("MPI_File_set_view");
  EXPECT_EQ(view.number(1), 8);
  const Datatype& column = c.types.at(static_cast<std::uint32_t>(view.high(2)));
  EXPECT_EQ(column.combiner, PL_TYPE_VECTOR);
  EXPECT_THAT(column.integers, ElementsAre(16, 2, 4));

  const Call &write = c.only("MPI_File_write_at_all"), &read = c.only("MPI_File_read_at_all");
  EXPECT_EQ(write.high(0), PL_ACCESS_WRITE | PL_ACCESS_EXPLICIT | PL_ACCESS_COLLECTIVE);
  EXPECT_THAT(std::vector(write.words.begin() + 1, write.words.end()), ElementsAre(0, 128, 128, 0));
  EXPECT_EQ(read.high(0), PL_ACCESS_EXPLICIT | PL_ACCESS_COLLECTIVE);
  EXPECT_THAT(std::vector(read.words.begin() + 1, read.words.end()), ElementsAre(4, 24, 24, 0));
  EXPECT_EQ(c.only("MPI_File_sync").low(0), open.low(2));
  EXPECT_EQ(c.only("MPI_File_close").low(0), open.low(2));
}

std::vector<std::string> names_of(const std::vector<Call>& calls) {
  std::vector<std::string> names;
  for (const Call& call : calls)
    if (call.name.starts_with("MPI_")) names.push_back(call.name);
  return names;
}

TEST_P(Flavours, AFileOfDerivedTypesInFortran2008IsRecordedCallByCall) {
  const Outcome outcome = go({GetParam(), "fortran_particles", 2, {"WORK"}});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  EXPECT_EQ(outcome.output, "as the other rank wrote it: T\nas the other rank wrote it: T");
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 2u) << outcome.errors;
  for (int rank : {0, 1}) {
    SCOPED_TRACE(rank);
    const Content& c = *ranks[static_cast<std::size_t>(rank)];
    EXPECT_THAT(names_of(c.calls), ElementsAre("MPI_Init", "MPI_File_open", "MPI_File_set_view", "MPI_File_write_all",
                                               "MPI_File_sync", "MPI_Barrier", "MPI_File_sync", "MPI_File_set_view",
                                               "MPI_File_read_all", "MPI_File_close", "MPI_Finalize"));
    const std::vector<Call> views = c.of("MPI_File_set_view");
    ASSERT_EQ(views.size(), 2u);
    for (const int i : {0, 1}) {
      EXPECT_EQ(views[static_cast<std::size_t>(i)].number(1), 0);
      const Call& view = views[static_cast<std::size_t>(i)];
      const Datatype &element = c.types.at(static_cast<std::uint32_t>(view.low(2))),
                     &rows = c.types.at(static_cast<std::uint32_t>(view.high(2)));
      EXPECT_EQ(element.combiner, PL_TYPE_RESIZED);
      EXPECT_EQ(element.size, 12);  // an integer and a double,
      EXPECT_EQ(element.extent, 16);
      const Datatype& fields = c.types.at(element.types.at(0));
      EXPECT_EQ(fields.combiner, PL_TYPE_STRUCT);
      EXPECT_THAT(fields.addresses, ElementsAre(0, 8));  // the second 8 bytes behind the first
      EXPECT_EQ(rows.combiner, PL_TYPE_SUBARRAY);
      const int first_row = 2 * (i == 0 ? rank : 1 - rank);
      EXPECT_THAT(rows.integers, ElementsAre(2, 4, 6, 2, 6, first_row, 0, 1));  // dimensions, sizes, .., order Fortran
      EXPECT_EQ(rows.size, 144);
      EXPECT_EQ(rows.extent, 384);
      EXPECT_EQ(rows.types, std::vector<std::uint32_t>{static_cast<std::uint32_t>(view.low(2))});
    }
    const Call &write = c.only("MPI_File_write_all"), &read = c.only("MPI_File_read_all");
    EXPECT_EQ(write.high(0), PL_ACCESS_WRITE | PL_ACCESS_COLLECTIVE);
    EXPECT_THAT(std::vector(write.words.begin() + 1, write.words.end()), ElementsAre(0, 144, 144, 0));
    EXPECT_EQ(read.high(0), PL_ACCESS_COLLECTIVE);
    EXPECT_THAT(std::vector(read.words.begin() + 1, read.words.end()), ElementsAre(0, 144, 144, 0));
  }
}

// Debian's mpi4py is built for Open MPI.
class Python : public Languages {};

TEST_F(Python, BuffersAndObjectsAreRecordedOnce) {
  const std::filesystem::path work = fresh_directory();
  work_.push_back(work);
  if (run_shell("/usr/bin/python3 -c 'import mpi4py'", work).status != 0)
    GTEST_SKIP() << "python3-mpi4py is not installed";
  const Outcome outcome = go({"openmpi", "exchange.py", 2});
  EXPECT_EQ(outcome.status, 0) << outcome.errors;
  const auto ranks = contents(outcome);
  ASSERT_EQ(ranks.size(), 2u) << outcome.errors;
  for (const auto& c : ranks) {
    const std::vector<Call> exchanges = c->of("MPI_Sendrecv");
    ASSERT_EQ(exchanges.size(), 1000u);
    EXPECT_EQ(exchanges[999].high(0), 999);
    EXPECT_EQ(exchanges[999].high(5), 999);
    EXPECT_EQ(exchanges[999].number(4), 16);
    EXPECT_EQ(c->spool.header().end, PL_END_FINALIZED);
  }
  EXPECT_EQ(ranks[0]->of("MPI_Send").size(), 1000u);
  const std::vector<Call> probes = ranks[1]->of("MPI_Mprobe");
  ASSERT_EQ(probes.size(), 1000u);
  EXPECT_EQ(probes[7].low(3), 0);
  EXPECT_EQ(probes[7].high(3), 7);
  EXPECT_EQ(probes[7].number(1), ranks[0]->of("MPI_Send")[7].number(1));
  EXPECT_EQ(ranks[1]->of("MPI_Mrecv").size(), 1000u);
}

}  // namespace
}  // namespace plumbline::spool::test
