#include "replay/validate/report/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "base/text/text_table.hpp"
#include "sample.hpp"

namespace plumbline::replay::validate {
namespace {

using testing::HasSubstr;
using testing::Not;

std::size_t lines_of(const std::string& text) { return static_cast<std::size_t>(std::ranges::count(text, '\n')); }

TEST(ValidateText, SaysTheVerdictTheHeadAndTheFindings) {
  EXPECT_EQ(to_text(sample_validation(), {.elsewhere = "Full report: out/report.html"}),
            R"(2 findings: they cost up to 31 % of the suite.
Checked: 79 of 84 checks made, 2 found something, 1 suppressed; 3 could not run (1: no PCIe on these nodes; 2
         for other reasons); 2 not judged (1: all reads may have come from a cache; 1 for other reasons)
Took: 2 min 32 s; machine disturbed: load of 1.4 by `make` on n1; lost to no known cause: 400 ms of 20 s
 1. a cable carries 48 of 100 Mbit/s at n3 (net.link.rate, cable n3-s0)
    costs 4.1 s, 20 % of the suite; by peers, confidence high
    repair: ethtool INTERFACE (gains 3.9 s)
 2. ranks of one node talk over TCP (mpi.transport.no-shared-memory, one of btl, pml)
    costs up to 2.1 s, 10 % of the suite; by witness, confidence certain; set by
    /etc/openmpi/openmpi-mca-params.conf, line 62
    Open MPI: OMPI_MCA_btl=vader,self,tcp (gains 2 s, measured 1.9 s)
Full report: out/report.html
)");
}

TEST(ValidateText, TakesTwelveLinesHoweverManyFindings) {
  Validation validation = sample_validation();
  for (int i = 0; i < 40; ++i) validation.diagnoses.insert(validation.diagnoses.begin(), validation.diagnoses.front());
  const std::string text = to_text(validation, {.width = 200, .elsewhere = "Full report: out/report.html"});
  EXPECT_LE(lines_of(text), kSummaryLines);
  EXPECT_THAT(text, HasSubstr("more findings\nFull report"));
}

TEST(ValidateText, DetailsTellEverythingElse) {
  const std::string text = to_text(sample_validation(), {.details = true, .width = 200});
  for (const char* part :
       {"measured again: rate, 1 MiB: 48 Mbit/s; again 48.2 Mbit/s, 47.9 Mbit/s; healthy twin 96 Mbit/s, 96.1 Mbit/s; "
        "persists",
        "the governor is powersave (suppressed by site.suppress:3)", "Observations that no finding explains",
        "OMPI_MCA_coll_tuned_bcast_algorithm", "Observations that a finding explains", "rank 3 was killed by signal 9",
        "one server has no peers", "the platform was calibrated in the same run", "to set for MPICH:"})
    EXPECT_THAT(text, HasSubstr(part));
  EXPECT_THAT(to_text(sample_validation()), Not(HasSubstr("measured again")));
}

TEST(ValidateText, NoLineIsWiderThanTheTerminalButForLongWords) {
  for (const std::size_t width : {60U, 80U, 110U}) {
    const std::string text = to_text(sample_validation(), {.width = width});
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      EXPECT_LE(display_width(text.substr(at, end - at)), width) << text.substr(at, end - at);
      at = end + 1;
    }
  }
}

TEST(ValidateText, ColoursTheVerdictAlone) {
  const std::string text = to_text(healthy_validation(), {.color = true});
  EXPECT_TRUE(text.starts_with("\x1b[32mNo findings.\x1b[0m\n")) << text;
}

}  // namespace
}  // namespace plumbline::replay::validate
