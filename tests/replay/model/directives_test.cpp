#include "replay/model/language/directives.hpp"

#include <gtest/gtest.h>

#include "world.hpp"

namespace plumbline::replay::model {
namespace {

using test::faults_of;

// What is wrong with the text of a model, before any rank is looked at.
std::string told(const std::string& text) { return faults_of(text, 2); }

// What is wrong with a value of that name from outside.
std::string told_of_given(const std::string& text, const std::string& name) {
  try {
    parse_model(text, "m.c", {name});
  } catch (const Error& error) {
    return error.problems().front().where + ": " + error.problems().front().what + "\n";
  }
  return "";
}

TEST(ModelDirectives, WithoutAnyFaultAreAModel) {
  const Model model = parse_model(
      "Constant n = 3\n"
      "Loop iterations = n\n&    variable = i\n{\n"
      "  Runon c1 = procnum == 0\n  &     c2 = procnum == 1\n  {\n  Serial time = 1ms\n  }\n  {\n  }\n"
      "}\nSerial on perseus time = 2ms\nserial on \"big iron\" time = 3ms\n",
      "m.c");
  ASSERT_EQ(model.body.size(), 3U);
  const auto& loop = std::get<Loop>(model.body[0].what);
  EXPECT_TRUE(loop.variable.has_value());
  const auto& runon = std::get<Runon>(loop.body.at(0).what);
  EXPECT_EQ(runon.conditions.size(), 2U);
  EXPECT_EQ(runon.blocks.at(0).size(), 1U);
  EXPECT_TRUE(runon.blocks.at(1).empty());
  EXPECT_EQ(machines_of(model), (std::vector<std::string>{"perseus", "big iron"}));
}

TEST(ModelDirectives, ThatAreUnknownAreToldWithTheirLine) {
  EXPECT_EQ(told("Serial time = 1ms\n\nSend size = 3\n"), "m.c:3: there is no directive 'Send'\n");
  EXPECT_EQ(told("Message type = MPI_Frobnicate\n"), "m.c:1: no message is of the type 'MPI_Frobnicate'\n");
  EXPECT_EQ(told("Message type = MPI_Send\n& size = 8\n& to = 0\n& colour = 3\n"),
            "m.c:4: Message has no attribute 'colour'\n");
  EXPECT_EQ(told("Loop times = 3\n{\n}\n"), "m.c:1: Loop has no attribute 'times'\n");
}

TEST(ModelDirectives, ThatLackSomethingAreTold) {
  EXPECT_EQ(told("Message type = MPI_Send\n& to = 0\n"), "m.c:1: MPI_Send has no 'size'\n");
  EXPECT_EQ(told("Message size = 8\n"), "m.c:1: Message has no type\n");
  EXPECT_EQ(told("Message type = MPI_Barrier\n& root = 0\n"), "m.c:2: MPI_Barrier has no attribute 'root'\n");
  EXPECT_EQ(told("Serial on perseus\n"), "m.c:1: Serial has no time\n");
  EXPECT_EQ(told("Runon\n{\n}\n"), "m.c:1: Runon has no condition\n");
  EXPECT_EQ(told("Runon c2 = 1\n{\n}\n"), "m.c:1: 'c2' where c1 is expected\n");
}

// What is missing is told at the end of its directive, and not with the next one.
TEST(ModelDirectives, ThatEndTooEarlyAreTold) {
  const std::string next = "\nSerial time = 1ms\n";
  EXPECT_EQ(told("Message type =" + next), "m.c:1: the type of the message is missing\n");
  EXPECT_EQ(told("Message type = MPI_File_open\n& file =" + next), "m.c:2: the name of a file is missing\n");
  EXPECT_EQ(told("Message type = MPI_Wait request =" + next), "m.c:1: the name of a request is missing\n");
  EXPECT_EQ(told("Serial time = 1ms on" + next), "m.c:1: the name of a machine is missing\n");
  EXPECT_EQ(told("Message type" + next), "m.c:1: '=' is missing behind type\n");
  EXPECT_EQ(told("Constant" + next), "m.c:1: a constant has a name\n");
  EXPECT_EQ(told("Loop iterations = 1 variable =\n{\n}\n"), "m.c:1: a variable has a name\n");
  EXPECT_EQ(told("Serial time = (1ms" + next), "m.c:1: ')' is missing\n");
  EXPECT_EQ(told("Serial time = 1ms*sizeof(" + next), "m.c:1: a type is missing\n");
}

TEST(ModelDirectives, WithAnAttributeTwiceAreTold) {
  EXPECT_EQ(told("Loop iterations = 3 iterations = 4\n{\n}\n"), "m.c:1: 'iterations' is given twice\n");
  EXPECT_EQ(told("Loop iterations = 3 variable = i variable = j\n{\n}\n"), "m.c:1: 'variable' is given twice\n");
  EXPECT_EQ(told("Serial time = 1ms time = 2ms\n"), "m.c:1: 'time' is given twice\n");
  EXPECT_EQ(told("Serial on a on b time = 1ms\n"), "m.c:1: 'on' is given twice\n");
  EXPECT_EQ(told("Message type = MPI_Barrier type = MPI_Barrier\n"), "m.c:1: 'type' is given twice\n");
  EXPECT_EQ(told("Message type = MPI_Bcast size = 1 size = 2\n"), "m.c:1: 'size' is given twice\n");
}

TEST(ModelDirectives, ConstantsStandOutsideOfBlocks) {
  EXPECT_EQ(told("Loop iterations = 1\n{\n}\nConstant n = 1\nSerial time = n*1ms\n"), "");
  EXPECT_EQ(told("Loop iterations = 1\n{\nConstant n = 1\n}\n"), "m.c:3: a constant is declared inside of a block\n");
}

TEST(ModelDirectives, ViewsAndPropertiesThatAreNoneAreTold) {
  EXPECT_EQ(told("Message type = MPI_File_read_at file = f offset = 0 size = 1 view = \"8x128\"\n"),
            "m.c:1: '8x128' is no view of a file\n");
  EXPECT_EQ(told("Message type = MPI_File_read_at file = f offset = 0 size = 1\n& view = "
                 "\"disp=-900 extent=512 size=128: 128@0\"\n"),
            "m.c:1: rank 0 and 1 more of 2: accesses what no file has through this view\n");
  EXPECT_EQ(told("Property library mpich\n"), "m.c:1: '=' is missing behind library\n");
  EXPECT_EQ(told("Property library = \"MPICH\" 3\n"), "m.c:1: '3' behind a property\n");
  EXPECT_EQ(told("Property model = x\n"), "m.c:1: the property 'model' is the model's own\n");
  EXPECT_EQ(told("Loop iterations = 2\n{\nProperty library = MPICH\n}\n"),
            "m.c:3: a property is told inside of a block\n");
}

TEST(ModelDirectives, WithBlocksThatDoNotMatchAreTold) {
  EXPECT_EQ(told("Loop iterations = 3\nSerial time = 1ms\n"), "m.c:2: the block of Loop is missing\n");
  EXPECT_EQ(told("Loop iterations = 3\n{\nSerial time = 1ms\n"), "m.c:2: the block of Loop is not closed\n");
  EXPECT_EQ(told("Serial time = 1ms\n}\n"), "m.c:2: closes a block that was not opened\n");
  EXPECT_EQ(told("Serial time = 1ms\n{\n}\n"), "m.c:2: opens a block that belongs to no Loop and no Runon\n");
  EXPECT_EQ(told("Runon c1 = 1\n& c2 = 0\n{\n}\nSerial time = 1ms\n"), "m.c:5: the block of c2 of Runon is missing\n");
}

TEST(ModelDirectives, AllFaultsAreToldTogether) {
  EXPECT_EQ(told("Serial time = 0\n"
                 "Lop iterations = 3\n"
                 "{\n"
                 "Serial time = 1ms +\n"
                 "}\n"
                 "Message type = MPI_Send\n"
                 "& size = nowhere\n"
                 "& to = 1\n"
                 "Message type = MPI_Recv\n"
                 "}\n"),
            "m.c:2: there is no directive 'Lop'\n"
            "m.c:3: opens a block that belongs to no Loop and no Runon\n"
            "m.c:4: an expression is missing\n"
            "m.c:7: there is no constant 'nowhere'\n"
            "m.c:9: MPI_Recv has no 'size'\n"
            "m.c:10: closes a block that was not opened\n");
}

TEST(ModelDirectives, NamesMeanOneThing) {
  EXPECT_EQ(told("Constant procnum = 3\nSerial time = 0\n"), "m.c:1: 'procnum' has a meaning already\n");
  EXPECT_EQ(told("Constant a = 1\nConstant a = 2\nSerial time = 0\n"), "m.c:2: 'a' has a meaning already\n");
  EXPECT_EQ(told("Loop iterations = 1\n& variable = i\n{\n}\nSerial time = i*1ms\n"),
            "m.c:5: there is no constant 'i'\n");
}

TEST(ModelDirectives, AFileWithoutAnyIsNoModel) {
  EXPECT_EQ(told(""), "m.c: holds no directives\n");
  EXPECT_EQ(told("int main() { return 0; }\n"), "m.c: holds no directives\n");
}

TEST(ModelDirectives, AValueFromOutsideIsOfAConstantThatTheModelHas) {
  EXPECT_NO_THROW(parse_model("Serial time = n*1ms", "m.c", {"n"}));  // need not be declared
  EXPECT_NO_THROW(parse_model("Constant n = 1\nSerial time = 1ms", "m.c", {"n"}));
  EXPECT_NO_THROW(parse_model("Loop iterations = 1\n{\nMessage type = MPI_Bcast size = n*8\n}\n", "m.c", {"n"}));
  EXPECT_THROW(parse_model("Serial time = 1ms", "m.c", {"n"}), Error);
}

TEST(ModelDirectives, AValueFromOutsideIsOfNoAttributeAndOfNothingBuiltIn) {
  const std::string model =
      "Loop iterations = numprocs\n{\nMessage type = MPI_Send size = 8 to = procnum^1\n"
      "Message type = MPI_Recv size = 8 from = procnum^1\nSerial time = 1ms\n}\n";
  for (const char* name : {"iterations", "size", "to", "from", "time", "type", "MPI_Send", "Loop"})
    EXPECT_EQ(told_of_given(model, name), "--set: m.c has no constant '" + std::string(name) + "'\n");
  for (const char* name : {"numprocs", "procnum", "any", "MPI_PROC_NULL"})
    EXPECT_EQ(told_of_given(model, name), "--set: '" + std::string(name) + "' has a meaning of its own\n");
}

TEST(ModelDirectives, AValueFromOutsideKnowsTheOnesBeforeItAlone) {
  const Model model = parse_model("Constant b = 2\nSerial time = a*1ms\n", "m.c", {"a"});
  try {
    instance_of(model, 2, {{"a", "b*2"}});
    FAIL() << "no fault";
  } catch (const Error& error) {
    EXPECT_EQ(error.problems().front().what, "a=b*2: there is no constant 'b'");
    EXPECT_EQ(error.problems().front().hint, "a setting knows procnum, numprocs and the settings before it");
  }
}

}  // namespace
}  // namespace plumbline::replay::model
