#include "cli/workflows/validate/remedies.hpp"

#include <gmock/gmock.h>

namespace plumbline::cli::validate {
namespace {

using replay::validate::Diagnosis;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

Diagnosis few_aggregators(const std::string& mpi) {
  Diagnosis diagnosis;
  diagnosis.id = "io.hints.aggregators";
  diagnosis.title = "one aggregator";
  diagnosis.mpi = mpi;
  diagnosis.remedy.lines = {"cb_nodes=NODES"};
  diagnosis.remedy.openmpi = {"OMPI_MCA_io_ompio_num_aggregators=NODES"};
  return diagnosis;
}

std::vector<std::string> numbers_of_aggregators_to_try(const std::string& ideal) {
  Diagnosis diagnosis = few_aggregators("mpich");
  if (!ideal.empty()) diagnosis.evidence.push_back({"aggregators of the ideal form", ideal, "1"});
  for (const HintValues& hint : hints_to_try(diagnosis))
    if (hint.name == "cb_nodes") return hint.values;
  return {};
}

TEST(Remedies, TryAsManyAggregatorsAsTheIdealFormHas) {
  EXPECT_THAT(numbers_of_aggregators_to_try("3"), ElementsAre("1", "2", "4", "8", "3"));
  EXPECT_THAT(numbers_of_aggregators_to_try("4"), ElementsAre("1", "2", "4", "8"));
  EXPECT_THAT(numbers_of_aggregators_to_try(""), ElementsAre("1", "2", "4", "8"));
}

TEST(Remedies, OfAggregatorsAreAParameterForOmpioWhichReadsNoHints) {
  Diagnosis diagnosis = few_aggregators("openmpi");
  advise_hints(diagnosis, {{"hint.romio_cb_write", "enable"}, {"hint.cb_nodes", "8"}}, 1.5);
  EXPECT_THAT(diagnosis.remedy.lines, ElementsAre("romio_cb_write=enable", "cb_nodes=8"));
  EXPECT_THAT(diagnosis.remedy.openmpi, ElementsAre("OMPI_MCA_io_ompio_num_aggregators=8"));
  EXPECT_EQ(diagnosis.predicted_gain_s, 1.5);
}

TEST(Remedies, NameNoParameterWhereAnotherHintIsWhatHelps) {
  Diagnosis diagnosis = few_aggregators("openmpi");
  advise_hints(diagnosis, {{"hint.cb_buffer_size", "4194304"}}, 1.5);
  EXPECT_THAT(diagnosis.remedy.lines, ElementsAre("cb_buffer_size=4194304"));
  EXPECT_THAT(diagnosis.remedy.openmpi, IsEmpty());
}

TEST(Remedies, OfOtherFindingsKeepTheirOwnLinesForOpenMpi) {
  Diagnosis diagnosis = few_aggregators("openmpi");
  diagnosis.id = "io.hints.split";
  diagnosis.remedy.openmpi = {"OMPI_MCA_io=romio321"};
  advise_hints(diagnosis, {{"hint.cb_nodes", "2"}}, 1.5);
  EXPECT_THAT(diagnosis.remedy.openmpi, ElementsAre("OMPI_MCA_io=romio321"));
}

TEST(Remedies, OfAlgorithmsAreInTheWordsOfTheLibrary) {
  Diagnosis diagnosis;
  diagnosis.component = "algorithm of MPI_Allreduce";
  for (const std::string mpi : {"openmpi", "mpich"}) {
    diagnosis.mpi = mpi;
    advise_algorithm(diagnosis, {.library = mpi, .name = "ring", .number = 4}, 0.5);
  }
  EXPECT_THAT(diagnosis.remedy.openmpi,
              ElementsAre("OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll_tuned_allreduce_algorithm=4"));
  EXPECT_THAT(diagnosis.remedy.mpich, ElementsAre("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=ring"));
}

TEST(Remedies, AreFilesOfSettingsWithoutTextForPeople) {
  Diagnosis diagnosis = few_aggregators("openmpi");
  advise_hints(diagnosis, {{"hint.cb_nodes", "8"}}, 1.5);
  diagnosis.remedy.lines.push_back("ask for more nodes = more aggregators");
  diagnosis.remedy.mpich = {"MPIR_CVAR_X=1"};
  EXPECT_THAT(tuned_files({diagnosis}),
              ElementsAre(Pair("mpich.sh", "# io.hints.aggregators: one aggregator\nexport MPIR_CVAR_X=1\n"),
                          Pair("openmpi-mca-params.conf",
                               "# io.hints.aggregators: one aggregator\nio_ompio_num_aggregators=8\n"),
                          Pair("romio-hints", "# io.hints.aggregators: one aggregator\ncb_nodes 8\n")));
}

TEST(Remedies, WithoutAPredictedGainAreInNoFile) {
  EXPECT_THAT(tuned_files({few_aggregators("mpich")}), IsEmpty());
  EXPECT_THAT(tuned_files({}), IsEmpty());
}

}  // namespace
}  // namespace plumbline::cli::validate
