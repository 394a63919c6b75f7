#include "replay/model/language/source.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace plumbline::replay::model {
namespace {

// "line:column text", with & before what continues.
std::vector<std::string> found_in(std::string_view text) {
  std::vector<std::string> found;
  for (const DirectiveLine& line : directive_lines(text))
    found.push_back(std::to_string(line.begin.line) + ":" + std::to_string(line.begin.column) + " " +
                    (line.continues ? "&" : "") + std::string(line.text));
  return found;
}

using Found = std::vector<std::string>;

TEST(ModelSource, DirectivesStandInCommentsOfC) {
  EXPECT_EQ(found_in("int main() {\n"
                     "  // PEVPM Loop iterations = 3\n"
                     "  // PEVPM & variable = i\n"
                     "  f(); // PEVPM {\n"
                     "  /* PEVPM } */\n"
                     "  /* a comment\n"
                     "   * PEVPM Serial time = 1ms\n"
                     "   PEVPM Serial time = 2ms */\n"
                     "}\n"),
            (Found{"2:12 Loop iterations = 3", "3:14 &variable = i", "4:17 {", "5:12 } ", "7:12 Serial time = 1ms",
                   "8:10 Serial time = 2ms "}));
}

TEST(ModelSource, DirectivesStandInCommentsOfFortran) {
  EXPECT_EQ(found_in("      program p\n"
                     "! PEVPM Serial time = 1ms\n"
                     "C PEVPM Serial time = 2ms\n"
                     "c     PEVPM Serial time = 3ms\n"
                     "* PEVPM Serial time = 4ms\n"
                     "      call f  ! PEVPM Serial time = 5ms\n"),
            (Found{"2:9 Serial time = 1ms", "3:9 Serial time = 2ms", "4:13 Serial time = 3ms", "5:9 Serial time = 4ms",
                   "6:23 Serial time = 5ms"}));
}

TEST(ModelSource, WhatIsNoCommentIsNoDirective) {
  EXPECT_EQ(found_in("// PEVPM Serial time = 1ms\n"
                     "char* a = \"// PEVPM Serial time = 2ms\";\n"
                     "int PEVPM = 3;\n"
                     "// PEVPMX Serial\n"
                     "// the PEVPM directives\n"),
            (Found{"1:10 Serial time = 1ms"}));
}

TEST(ModelSource, AFileWithoutAnyMarkerIsOneOfDirectivesAlone) {
  EXPECT_EQ(found_in("# a model\n\nLoop iterations = 3\n  & variable = i\n{\n// nothing\n  Serial time = 1ms\n}\n"),
            (Found{"3:1 Loop iterations = 3", "4:5 &variable = i", "5:1 {", "7:3 Serial time = 1ms", "8:1 }"}));
}

}  // namespace
}  // namespace plumbline::replay::model
