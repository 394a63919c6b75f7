// How exchanges and accesses to files end, as the tracer records it of tests/tracer/programs/outcomes.c.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

using ::testing::ElementsAre;

class Outcomes : public OnBothMpis {
 protected:
  const Content& recorded() {
    if (ranks_.empty()) ranks_ = record("outcomes", 1, {"WORK/file"});
    return *ranks_.at(0);
  }

 private:
  std::vector<std::unique_ptr<Content>> ranks_;
};
INSTANTIATE_TEST_SUITE_P(Mpi, Outcomes, kBothMpis, name_of_mpi);

TEST_P(Outcomes, OfExchanges) {
  std::vector<std::string> found;
  for (const Call& call : recorded().of("MPI_Sendrecv"))
    found.push_back(fmt::format("to {} {} sent {}, from {} {} posted, {} {} matched, {} bytes", call.low(0),
                                call.high(0), call.number(1), call.low(3), call.high(3), call.low(5), call.high(5),
                                call.number(4)));
  EXPECT_THAT(found, ElementsAre("to 0 5 sent 12, from 0 5 posted, 0 5 matched, 12 bytes",
                                 "to 0 5 sent 12, from -1 5 posted, 0 5 matched, 12 bytes",
                                 "to 0 5 sent 12, from 0 -1 posted, 0 5 matched, 12 bytes",
                                 "to 0 5 sent 12, from -1 -1 posted, 0 5 matched, 12 bytes",
                                 "to -2 5 sent 0, from -2 -1 posted, -2 -1 matched, 0 bytes",
                                 "to 0 5 sent 12, from -1 -1 posted, -1 -1 matched, 0 bytes"));
}

TEST_P(Outcomes, OfAccessesToFiles) {
  std::vector<std::string> found;
  for (const Call& call : recorded().calls)
    if (call.layout == PL_LAYOUT_FILE_ACCESS)
      found.push_back(fmt::format("{} at {}: {} of {}{}{}", call.name, call.number(1), call.number(3), call.number(2),
                                  (call.high(0) & PL_ACCESS_FAILED) != 0 ? ", failed" : "",
                                  call.low(4) != 0 ? ", a request" : ""));
  EXPECT_THAT(found,
              ElementsAre("MPI_File_write_at at 0: 24 of 24", "MPI_File_write_at at 0: 24 of 24",
                          "MPI_File_read_at at 16: 8 of 32", "MPI_File_read_at at 16: 8 of 32",
                          "MPI_File_iread_at at 16: 0 of 8, a request", "MPI_File_write_at at 0: 0 of 0, failed"));
}

}  // namespace
}  // namespace plumbline::spool::test
