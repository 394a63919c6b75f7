#include "tracer/record/definitions/run_facts.hpp"

#include <gmock/gmock.h>

namespace plumbline::record {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

pl_file_header header_of(std::uint64_t low, std::uint64_t high = 0) {
  pl_file_header header{};
  header.affinity[0] = low;
  header.affinity[1] = high;
  return header;
}

TEST(ProcessorList, NamesRunsOfProcessors) {
  EXPECT_EQ(processor_list(header_of(0)), "");
  EXPECT_EQ(processor_list(header_of(0b1)), "0");
  EXPECT_EQ(processor_list(header_of(0b1'0000'1111)), "0-3,8");
  EXPECT_EQ(processor_list(header_of(std::uint64_t{1} << 63, 0b11)), "63-65");
}

TEST(MemoryNodes, AreThoseOfTheProcessors) {
  EXPECT_EQ(memory_nodes(header_of(0b0011), "0:0-1 1:2-3"), "0");
  EXPECT_EQ(memory_nodes(header_of(0b0100), "0:0-1 1:2-3"), "1");
  EXPECT_EQ(memory_nodes(header_of(0b0110), "0:0-1 1:2-3"), "0,1");
  EXPECT_EQ(memory_nodes(header_of(0b10'0000), "0:0-1,4 1:2-3,5"), "1");
  EXPECT_EQ(memory_nodes(header_of(0b1), "0: 1:0"), "1");  // a node with memory and no processors
  EXPECT_EQ(memory_nodes(header_of(0b1), ""), "");
}

TEST(LoadedComponents, AreThoseWhoseFilesAreMapped) {
  ProcessFacts facts;
  for (const char* path : {"/usr/lib/libmpi.so.40", "/opt/ompi/mca_pml_ob1.so", "/opt/ompi/mca_btl_tcp.so",
                           "/opt/ompi/mca_btl_tcp.so", "/opt/ompi/mca_btl_self.so", "/opt/ompi/mca_pmix_ext3x.so"}) {
    if (facts.mappings.empty()) facts.mappings.emplace_back();
    facts.mappings.front().push_back({0, 1, 0, path});
  }
  EXPECT_THAT(loaded_components(facts), ElementsAre(Pair("btl", "self,tcp"), Pair("pml", "ob1")));
  EXPECT_THAT(loaded_components(ProcessFacts{}), IsEmpty());
}

}  // namespace
}  // namespace plumbline::record
