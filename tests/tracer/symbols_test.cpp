#include "tracer/record/definitions/symbols.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace plumbline::record {
namespace {

constexpr char kMaps[] =
    "55d0c0000000-55d0c0001000 r--p 00000000 fe:00 10                         /opt/my app\n"
    "55d0c0001000-55d0c0002000 r-xp 00001000 fe:00 10                         /opt/my app\n"
    "7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                          [vdso]\n"
    "7f0000000000-7f0000001000 r-xp 00000000 00:00 0\n";

TEST(ParseMappings, KeepsExecutableMappingsOfFiles) {
  const std::vector<Mapping> mappings = parse_mappings(kMaps);
  ASSERT_EQ(mappings.size(), 1U);
  EXPECT_EQ(mappings[0].begin, 0x55d0c0001000U);
  EXPECT_EQ(mappings[0].end, 0x55d0c0002000U);
  EXPECT_EQ(mappings[0].offset, 0x1000U);
  EXPECT_EQ(mappings[0].path, "/opt/my app");
}

TEST(ParseMappings, GarbageGivesNothing) { EXPECT_TRUE(parse_mappings("- - -\nxx-yy r-xp\n\n").empty()); }

std::vector<Mapping> own_mappings() {
  std::ostringstream text;
  text << std::ifstream("/proc/self/maps").rdbuf();
  return parse_mappings(text.str());
}

[[gnu::noinline]] std::uint64_t return_address() {
  return reinterpret_cast<std::uint64_t>(__builtin_return_address(0));
}

TEST(Symbols, AReturnAddressIsNamedByFunctionFileAndLineOfTheCall) {
  Symbols symbols;
  const std::uint64_t address = return_address();
  const int line = __LINE__ - 1;
  const std::string name = symbols.name(address, own_mappings());
  EXPECT_NE(name.find("(symbols_test.cpp:" + std::to_string(line) + ")"), std::string::npos) << name;
  EXPECT_NE(name.find("AReturnAddressIsNamed"), std::string::npos) << name;
}

TEST(Symbols, AnAddressInNoModuleStaysANumber) {
  Symbols symbols;
  EXPECT_EQ(symbols.name(0x1234, own_mappings()), "0x1234");
}

TEST(Symbols, AModuleThatIsGoneIsNamedWithTheOffset) {
  Symbols symbols;
  EXPECT_EQ(symbols.name(0x1010, {{0x1000, 0x2000, 0x4000, "/gone/libx.so"}}), "libx.so+0x4010");
}

}  // namespace
}  // namespace plumbline::record
