#include "base/node/setting_line.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <string>

#include "tests/support/seed.hpp"

namespace plumbline::node {
namespace {

constexpr char kFile[] =
    "# btl = tcp,self\n"                     // 1
    "btl = vader,self\n"                     // 2
    "\n"                                     // 3
    "   btl_tcp_eager_limit=1024  \n"        // 4
    "// pml = ob1\n"                         // 5
    "/* pml = cm\n"                          // 6
    "   pml = cm */ pml = ^ucx\n"            // 7
    "btl = tcp,self # not a comment here\n"  // 8
    "-mca io romio321\n"                     // 9
    "btl_tcp_eager_limits = 5\n"             // 10
    "osc";                                   // 11

TEST(SettingLine, IsThatOfTheLastAssignment) {
  EXPECT_EQ(setting_line(kFile, "btl"), 8U);
  EXPECT_EQ(setting_line(kFile, "btl_tcp_eager_limit"), 4U);
}

TEST(SettingLine, CommentsAreNone) {
  EXPECT_EQ(setting_line(kFile, "pml"), 7U);
  EXPECT_EQ(setting_line("#mtl=x\n // mtl=y\n/*\nmtl=z\n*/\n", "mtl"), 0U);
}

TEST(SettingLine, OptionsAreSettingsToo) { EXPECT_EQ(setting_line(kFile, "io"), 9U); }

TEST(SettingLine, WhatHasNoValueOrAnotherNameIsNone) {
  EXPECT_EQ(setting_line(kFile, "osc"), 0U);
  EXPECT_EQ(setting_line(kFile, "btl_tcp"), 0U);
  EXPECT_EQ(setting_line("", "btl"), 0U);
}

TEST(SettingLine, OfAnyTextIsOneOfItsLines) {
  const std::uint64_t seed = plumbline::test::random_seed();
  std::printf("seed %lu (PLUMBLINE_SEED repeats it)\n", static_cast<unsigned long>(seed));
  std::mt19937_64 random(seed);
  constexpr const char* kParts[] = {"a", "=", "\n", "#", "/*", "*/", "//", " ", "-mca ", "b\n", "a = 1\n"};
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    std::uint32_t lines = 1;
    for (std::uint64_t parts = random() % 20; parts != 0; --parts) text += kParts[random() % std::size(kParts)];
    for (const char c : text) lines += c == '\n' ? 1 : 0;
    ASSERT_LE(setting_line(text, "a"), lines) << text;
  }
}

}  // namespace
}  // namespace plumbline::node
