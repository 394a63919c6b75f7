// Programs that have another layer of the profiling interface: it is called as it would be without the tracer, and each
// call is recorded once.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// layered.c: under tag + 100 arrive 0, 1 of both, and 7 of rank 0.
constexpr char kWhatTheProgramSays[] =
    "layer of rank 0: 3 isends, 1 sends, 2 barriers\n"
    "layer of rank 1: 2 isends, 0 sends, 2 barriers\n"
    "tags of rank 0: 201\n"
    "tags of rank 1: 308";

class Layers : public OnBothMpis {
 protected:
  std::vector<std::unique_ptr<Content>> record_with(Job job) {
    job.flavour = GetParam();
    job.ranks = 2;
    outcome_ = run(job);
    EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
    return contents(outcome_);
  }
  std::string layer() const { return program_path(GetParam(), "layer").string(); }
};

std::vector<std::size_t> counts(const Content& c, const std::vector<std::string>& names) {
  std::vector<std::size_t> found;
  for (const std::string& name : names) found.push_back(c.of(name).size());
  return found;
}

const std::vector<std::string> kNames{"MPI_Isend", "MPI_Send", "MPI_Wait", "MPI_Recv", "MPI_Barrier", "MPI_Finalize"};

std::string meta_of(const Content& c, const std::string& key) {
  for (const std::string& text : c.meta)
    if (text.starts_with(key + "=")) return text.substr(key.size() + 1);
  return {};
}

// Recorded is what the program calls, with its own arguments.
void expect_calls_of_the_program(const std::vector<std::unique_ptr<Content>>& ranks) {
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_THAT(counts(*ranks[0], kNames), ElementsAre(2, 1, 2, 2, 2, 1));
  EXPECT_THAT(counts(*ranks[1], kNames), ElementsAre(2, 0, 2, 3, 2, 1));
  EXPECT_EQ(ranks[0]->of("MPI_Isend")[1].high(0), 1);
  EXPECT_EQ(ranks[0]->only("MPI_Send").high(0), 7);
  EXPECT_THAT(meta_of(*ranks[0], "mpi.layer"), HasSubstr("layer: MPI_Finalize"));
  EXPECT_THAT(meta_of(*ranks[0], "mpi.layer_in_front"), IsEmpty());
}

// Recorded is what the layer calls: MPI_Send is an MPI_Isend and an MPI_Wait.
void expect_calls_of_the_layer(const std::vector<std::unique_ptr<Content>>& ranks, const std::string& whose) {
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_THAT(counts(*ranks[0], kNames), ElementsAre(3, 0, 3, 2, 2, 1));
  EXPECT_THAT(counts(*ranks[1], kNames), ElementsAre(2, 0, 2, 3, 2, 1));
  EXPECT_EQ(ranks[0]->of("MPI_Isend")[1].high(0), 101);
  const std::string told = meta_of(*ranks[0], "mpi.layer_in_front");
  EXPECT_THAT(told, HasSubstr(whose));
  for (const char* name : {"MPI_Isend", "MPI_Send", "MPI_Barrier", "MPI_Finalize"}) EXPECT_THAT(told, HasSubstr(name));
  EXPECT_THAT(told, ::testing::Not(HasSubstr("MPI_Recv")));
}

TEST_P(Layers, OneThatTheProgramIsLinkedWithIsCalledAndItsCallsAreNotRecordedTwice) {
  const auto ranks = record_with({.program = "layered_linked"});
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
  expect_calls_of_the_program(ranks);
}

TEST_P(Layers, OneThatIsPreloadedBehindTheTracerIsCalled) {
  const auto ranks = record_with({.program = "layered", .preload_behind = layer()});
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
  expect_calls_of_the_program(ranks);
}

TEST_P(Layers, OneThatIsPreloadedInFrontOfTheTracerIsRecordedByWhatItCalls) {
  const auto ranks = record_with({.program = "layered", .preload_in_front = layer()});
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
  expect_calls_of_the_layer(ranks, "layer: ");
}

TEST_P(Layers, OneInsideOfTheProgramIsRecordedByWhatItCalls) {
  const auto ranks = record_with({.program = "layered_inside"});
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
  expect_calls_of_the_layer(ranks, "the program: ");
}

TEST_P(Layers, OneOfAModuleThatWasLoadedForItselfIsCalled) {
  const auto ranks = record_with({.program = "local_main", .arguments = {program_path(GetParam(), "layered_plugin")}});
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
  expect_calls_of_the_program(ranks);
}

TEST_P(Layers, OneInAProgramThatIsNotRecordedDoesItsWork) {
  outcome_ = run({.flavour = GetParam(), .program = "layered_inside", .ranks = 2, .spooled = false});
  EXPECT_EQ(outcome_.status, 0) << outcome_.errors;
  EXPECT_EQ(outcome_.output, kWhatTheProgramSays);
}

// Without any other layer nothing is told of them.
TEST_P(Layers, WithoutAnyNoneIsTold) {
  const auto ranks = record_with({.program = "layered"});
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_THAT(meta_of(*ranks[0], "mpi.layer") + meta_of(*ranks[0], "mpi.layer_in_front"), IsEmpty());
}

class FortranLayers : public Layers {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(program_path(GetParam(), "mpifh")))
      GTEST_SKIP() << "gfortran or mpif90." << GetParam() << " is not installed";
  }
};

// A layer in C that the bindings of Open MPI pass by, and those of MPICH go through: as without the tracer.
TEST_P(FortranLayers, BindingsGoThroughALayerInCWhereTheyWouldWithoutTheTracer) {
  const std::string flavour = GetParam();
  const auto ranks = record_with({.program = "mpifh", .preload_behind = program_path(flavour, "counting_layer")});
  const Outcome plain = run({.flavour = flavour,
                             .program = "mpifh",
                             .ranks = 2,
                             .traced = false,
                             .preload_behind = program_path(flavour, "counting_layer")});
  EXPECT_EQ(outcome_.output, plain.output);
  EXPECT_THAT(plain.output, HasSubstr(flavour == "mpich" ? "1000 exchanges" : "0 exchanges"));
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0]->of("MPI_Sendrecv").size(), 1000u);
  std::filesystem::remove_all(plain.work);
}

// A layer of Fortran that calls the C interface by its PMPI_ names.
TEST_P(FortranLayers, OneWithEntriesOfFortranIsCalledAndRecordedOnce) {
  const std::string flavour = GetParam();
  for (const bool in_front : {false, true}) {
    const std::string layer = program_path(flavour, "fortran_layer");
    Job job{.program = "mpifh"};
    (in_front ? job.preload_in_front : job.preload_behind) = layer;
    const auto ranks = record_with(job);
    EXPECT_THAT(outcome_.output, HasSubstr("1 barriers of Fortran"));
    ASSERT_EQ(ranks.size(), 2u);
    EXPECT_EQ(ranks[0]->of("MPI_Barrier").size(), 1u) << in_front;
    EXPECT_EQ(ranks[0]->of("MPI_Sendrecv").size(), 1000u) << in_front;
    if (!in_front) std::filesystem::remove_all(outcome_.work);
  }
}

INSTANTIATE_TEST_SUITE_P(BothMpis, Layers, kBothMpis, name_of_mpi);
INSTANTIATE_TEST_SUITE_P(BothMpis, FortranLayers, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
