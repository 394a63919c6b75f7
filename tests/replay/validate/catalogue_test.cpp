#include "replay/validate/checks/catalogue.hpp"
#include "replay/validate/checks/check.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cctype>
#include <set>

#include "base/error.hpp"

namespace plumbline::replay::validate {
namespace {

using testing::HasSubstr;

TEST(ValidateCatalogue, IdsAreUniqueAndOfDottedWords) {
  std::set<std::string_view> ids;
  for (const Check& check : catalogue()) {
    EXPECT_TRUE(ids.insert(check.id).second) << check.id;
    EXPECT_THAT(std::string(check.id), testing::MatchesRegex("[a-z]+(\\.[a-z-]+)+"));
  }
}

TEST(ValidateCatalogue, EveryCheckSaysWhatItIsAndHowToRepairIt) {
  for (const Check& check : catalogue()) {
    EXPECT_GT(check.title.size(), 20U) << check.id;
    EXPECT_FALSE(check.title.ends_with('.')) << check.id;
    for (const std::string_view text : {check.looks_at, check.judged, check.repair}) {
      EXPECT_GT(text.size(), 20U) << check.id;
      EXPECT_TRUE(text.ends_with('.')) << check.id << ": " << text;
    }
  }
}

TEST(ValidateCatalogue, LinesForOpenMpiNameNothingOfMpichAndTheReverse) {
  for (const Check& check : catalogue()) {
    EXPECT_EQ(check.openmpi.find("MPIR_CVAR"), std::string_view::npos) << check.id;
    EXPECT_EQ(check.mpich.find("OMPI_"), std::string_view::npos) << check.id;
    EXPECT_FALSE(check.lines.ends_with('\n') || check.openmpi.ends_with('\n') || check.mpich.ends_with('\n'));
  }
}

TEST(ValidateCatalogue, StagesAreInTheirOrderWithinEachGroup) {
  for (std::size_t i = 1; i < catalogue().size(); ++i)
    EXPECT_GE(catalogue()[i].stage, catalogue()[i - 1].stage) << catalogue()[i].id;
}

TEST(ValidateCatalogue, ExplainsACheckWithTheLinesOfBothMpis) {
  const std::string text = explain("mpi.transport.no-shared-memory");
  EXPECT_THAT(text, HasSubstr("OMPI_MCA_btl=vader,self,tcp"));
  EXPECT_THAT(text, HasSubstr("UCX_TLS=all"));
  EXPECT_THAT(text, HasSubstr("--suppress"));
}

TEST(ValidateCatalogue, NamesTheNearestIdOfOneThatIsNone) {
  try {
    explain("net.link.rates");
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::kWrongUse);
    EXPECT_STREQ(error.what(),
                 "explain: there is no check 'net.link.rates'; did you mean 'net.link.rate' or 'net.link.speed'?");
  }
}

TEST(ValidateCatalogue, ARemedyHasOneLineATextLine) {
  const Remedy remedy = remedy_of(*find_check("memory.thp"));
  EXPECT_EQ(remedy.lines.size(), 2U);
  EXPECT_TRUE(remedy.openmpi.empty());
}

TEST(ValidateCatalogue, TheListNamesEveryCheckOnce) {
  const std::string text = list_of_checks();
  for (const Check& check : catalogue()) {
    const std::string name = "  " + std::string(check.id) + " ";
    const std::size_t at = text.find(name);
    ASSERT_NE(at, std::string::npos) << check.id;
    EXPECT_EQ(text.find(name, at + 1), std::string::npos) << check.id;
  }
}

}  // namespace
}  // namespace plumbline::replay::validate
