// What a record takes in the spool: exact, whatever the machine does.

#include <algorithm>

#include "tests/tracer/on_both_mpis.hpp"

namespace plumbline::spool::test {
namespace {

class Sizes : public OnBothMpis {
 protected:
  std::uint32_t largest(const std::string& name) const {
    std::uint32_t bytes = 0;
    for (const auto& rank : ranks_)
      for (const Call& call : rank->of(name)) bytes = std::max(bytes, call.file_bytes);
    return bytes;
  }
  std::vector<std::unique_ptr<Content>> ranks_;
};

TEST_P(Sizes, AnOperationTakesAtMost48Bytes) {
  ranks_ = record("sizes", 2, {"WORK"});
  ASSERT_EQ(ranks_.size(), 2u);
  for (const char* name :
       {"MPI_Sendrecv", "MPI_Send", "MPI_Recv", "MPI_Probe", "MPI_Iprobe", "MPI_Isend", "MPI_Irecv", "MPI_Wait",
        "MPI_Allreduce", "MPI_Ialltoall", "MPI_File_write_at", "pwrite", "pread", "lseek", "fwrite", "ftruncate"}) {
    EXPECT_GT(largest(name), 0u) << name;
    EXPECT_LE(largest(name), 48u) << name;
  }
}

TEST_P(Sizes, ARequestOfMany) {
  ranks_ = record("sizes", 2, {"WORK"});
  ASSERT_EQ(ranks_.size(), 2u);
  EXPECT_LE(largest("MPI_Waitall"), 48u + 64 * 8);
}

TEST_P(Sizes, AVectorOfCountsIsWrittenOnceAndTakes8BytesAnElement) {
  ranks_ = record("sizes", 2, {"WORK"});
  ASSERT_EQ(ranks_.size(), 2u);
  for (const auto& rank : ranks_) {
    const std::vector<Call> same = rank->of("MPI_Alltoallv"), changing = rank->of("MPI_Allgatherv");
    ASSERT_EQ(same.size(), 50u);
    EXPECT_LE(same.front().file_bytes, 48u + 4 * 8);
    for (std::size_t i = 1; i < same.size(); ++i) {
      EXPECT_EQ(same[i].file_bytes, 48u);
      EXPECT_EQ(same[i].words, same.front().words);
    }
    for (std::size_t i = 0; i < changing.size(); ++i) {
      EXPECT_LE(changing[i].file_bytes, 48u + 2 * 8);
      EXPECT_EQ(changing[i].words.back(), i + 1);
    }
  }
}

TEST_P(Sizes, ADatatypeIsWrittenOnce) {
  ranks_ = record("sizes", 2, {"WORK"});
  ASSERT_EQ(ranks_.size(), 2u);
  EXPECT_EQ(ranks_[0]->of("MPI_File_set_view").size(), 50u);
  EXPECT_EQ(ranks_[0]->types.size(), 2u);  // MPI_INT and the vector
}

INSTANTIATE_TEST_SUITE_P(Mpi, Sizes, kBothMpis, name_of_mpi);

}  // namespace
}  // namespace plumbline::spool::test
