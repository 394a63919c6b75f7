// `plumbline predict` as a user runs it, and what reads its program file.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/support.hpp"

namespace plumbline::test {
namespace {

using testing::Test;

class PredictCommand : public Test {
 protected:
  CommandResult plumbline(const std::string& arguments) {
    return run_command(kPlumbline + " " + arguments, directory_.path());
  }
  CommandResult predict(const std::string& arguments) {
    return plumbline("predict " + kModel + " -p " + kPlatform + " --set iterations=20 " + arguments);
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(directory_ / name) << text; }
  std::string read(const std::string& name) {
    std::ifstream file(directory_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  static bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

  const std::string kModel = kSource + "/examples/jacobi1d/jacobi1d.c",
                    kPlatform = kSource + "/examples/jacobi1d/made-up.xml";
  TemporaryDirectory directory_;
};

TEST_F(PredictCommand, AnswersInTenLinesWithWhatTakesLongestFirst) {
  const CommandResult result = predict("-n 8");
  ASSERT_EQ(result.status, 0) << text_of(result);
  EXPECT_LE(std::count(result.out.begin(), result.out.end(), '\n'), 12) << result.out;
  for (const char* part : {"jacobi1d.c: 8 ranks on 8 nodes of made-up cluster, 1 on each", "predicted ", "with 95 %",
                           "median", "30 runs of seeds 1 to 30", "speed-up", "computing", "jacobi1d.c:", "MPI_Recv"})
    EXPECT_TRUE(has(result.out, part)) << part << '\n' << result.out;
}

TEST_F(PredictCommand, TheSameSeedPrintsTheSame) {
  EXPECT_EQ(predict("-n 4 --seed 7").out, predict("-n 4 --seed 7").out);
  EXPECT_NE(predict("-n 4 --seed 7").out, predict("-n 4 --seed 8").out);
}

TEST_F(PredictCommand, ASweepIsATableAndFiles) {
  const CommandResult result =
      predict("-n 1..8 --set xsize=128,256 --seeds 6 --by-averages --json a.json --csv a.csv --svg a.svg");
  ASSERT_EQ(result.status, 0) << text_of(result);
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 10) << result.out;
  const auto json = nlohmann::json::parse(read("a.json"));
  ASSERT_EQ(json["points"].size(), 8U);
  EXPECT_EQ(json["points"][5]["ranks"], 2);
  EXPECT_EQ(json["points"][5]["constants"]["xsize"], "256");
  EXPECT_EQ(json["points"][5]["lengths_ps"]["distributions"].size(), 6U);
  EXPECT_NEAR(json["points"][4]["speed_up"].get<double>(), 1, 1e-9);  // of one rank
  const std::string csv = read("a.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 9);
  EXPECT_TRUE(csv.starts_with("ranks,nodes,per_node,iterations,xsize,runs,mean_s,")) << csv;
  EXPECT_TRUE(has(read("a.svg"), "ideal"));
}

TEST_F(PredictCommand, ItsProgramIsReadByInfoAndReplayed) {
  const CommandResult predicted = predict("-n 4 --seeds 6 --to-program jacobi.program --json p.json");
  ASSERT_EQ(predicted.status, 0) << text_of(predicted);
  const CommandResult info = plumbline("info jacobi.program");
  EXPECT_EQ(info.status, 0) << text_of(info);
  EXPECT_TRUE(has(info.out, "program of 4 ranks on 4 nodes")) << info.out;
  EXPECT_TRUE(has(info.out, "model jacobi1d.c")) << info.out;
  EXPECT_TRUE(has(plumbline("info --operations jacobi.program").out, "send 1 tag 0 1024B"));
  const CommandResult replayed = plumbline("replay jacobi.program -p " + kPlatform + " --samples 6 --json");
  ASSERT_EQ(replayed.status, 0) << text_of(replayed);
  EXPECT_EQ(nlohmann::json::parse(replayed.out)["lengths_ps"],
            nlohmann::json::parse(read("p.json"))["points"][0]["lengths_ps"]["distributions"]);
  const CommandResult told = plumbline("replay jacobi.program -p " + kPlatform);
  EXPECT_EQ(told.status, 0) << text_of(told);
  EXPECT_TRUE(has(told.out, "4 ranks of the model jacobi1d.c: nothing was observed")) << told.out;
  EXPECT_EQ(plumbline("replay jacobi.program -p " + kPlatform + " -o exp").status, 2);
}

TEST_F(PredictCommand, TellsAllFaultsOfAModelAtOnceWithTheirLines) {
  write("bad.c",
        "// PEVPM Lop iterations = 3\n"
        "// PEVPM Serial time = 1ms +\n"
        "// PEVPM Message type = MPI_Send\n"
        "// PEVPM & size = width\n"
        "// PEVPM & to = 0\n"
        "// PEVPM }\n");
  const CommandResult result = plumbline("predict bad.c -p " + kPlatform + " -n 2");
  EXPECT_EQ(result.status, 3) << text_of(result);
  for (const char* part : {"bad.c:1: there is no directive 'Lop'", "bad.c:2: an expression is missing",
                           "bad.c:4: there is no constant 'width'", "bad.c:6: closes a block"})
    EXPECT_TRUE(has(result.err, part)) << part << '\n' << result.err;
}

TEST_F(PredictCommand, AModelThatHangsIsBadInput) {
  write("hang.pevpm",
        "Message type = MPI_Recv size = 8 from = 1-procnum\nMessage type = MPI_Send size = 8 to = 1-procnum\n");
  const CommandResult result = plumbline("predict hang.pevpm -p " + kPlatform + " -n 2 --to-program hang.program");
  EXPECT_EQ(result.status, 3) << text_of(result);
  EXPECT_TRUE(has(result.err, "rank 0: operation 0, MPI_Recv at hang.pevpm:1: waits for a message from rank 1"))
      << result.err;
}

TEST_F(PredictCommand, WrongUseIsTold) {
  EXPECT_EQ(predict("-n 0").status, 2);
  EXPECT_EQ(predict("-n 2 --set nothing=3").status, 2);
  EXPECT_EQ(predict("-n 2 --set xsize").status, 2);
  EXPECT_EQ(predict("-n 2 --machine perseus").status, 2);
  EXPECT_EQ(predict("-n 2..4 --to-program p").status, 2);
  EXPECT_EQ(predict("-n 2 --svg a.svg").status, 2);
  EXPECT_EQ(predict("-n 200 --per-node 1").status, 2);
  EXPECT_EQ(plumbline("predict nothing.c -p " + kPlatform + " -n 2").status, 3);
  write("there.csv", "kept");
  EXPECT_EQ(predict("-n 2 --csv there.csv").status, 3);
  EXPECT_EQ(read("there.csv"), "kept");
}

TEST_F(PredictCommand, TheExampleIsAProgramThatRuns) {
  for (const Flavour& mpi : flavours()) {
    if (!mpi.installed()) continue;
    const CommandResult result = run_command(mpi.run(2, mpi.example("jacobi1d") + " 20"), directory_.path());
    EXPECT_EQ(result.status, 0) << text_of(result);
    EXPECT_TRUE(has(result.out, "2 ranks: ")) << text_of(result);
  }
}

// Examples recorded here, folded, and predicted where they ran. How long computations took is chance where ranks share
// cores, and a model has their means: without them both are made of the same messages and the same observed calls.
TEST_F(PredictCommand, ARecordingFoldsIntoAModelThatTakesAsLongAsItsReplay) {
  write("here.xml", [] {
    std::string platform = one_node_platform();
    return platform.replace(platform.find("cores=\"2\""), 9, "cores=\"4\"");
  }());
  const std::vector<std::pair<int, std::string>> examples = {
      {4, "jacobi --rows 64 --columns 64 --iterations 20"}, {4, "jacobi1d 20"}, {3, "ring 10"}, {2, "late_sender"}};
  for (const Flavour& mpi : flavours()) {
    if (!mpi.installed()) continue;
    for (const auto& [ranks, example] : examples) {
      SCOPED_TRACE(mpi.name + " " + example);
      const std::size_t end = std::min(example.find(' '), example.size());
      const std::string program = mpi.example(example.substr(0, end)) + example.substr(end);
      const CommandResult recorded = plumbline("record --force -o obs -- " + mpi.run(ranks, program));
      ASSERT_EQ(recorded.status, 0) << text_of(recorded);
      const CommandResult predicted = plumbline(
          "predict --from obs -p here.xml --set computation=0 --json p.json --to-model obs.pevpm --force --details");
      ASSERT_EQ(predicted.status, 0) << text_of(predicted);
      EXPECT_TRUE(predicted.out.starts_with("folded ")) << predicted.out;
      EXPECT_FALSE(has(predicted.out, "not folded")) << predicted.out;
      const CommandResult replayed = plumbline("replay obs -p here.xml --compute=zero --samples 6 --json");
      ASSERT_EQ(replayed.status, 0) << text_of(replayed);
      const auto length =
          nlohmann::json::parse(read("p.json"))["points"][0]["lengths_ps"]["distributions"][0].get<double>();
      const auto expected = nlohmann::json::parse(replayed.out)["lengths_ps"][0].get<double>();
      EXPECT_NEAR(length, expected, 0.01 * expected) << read("obs.pevpm");
      EXPECT_EQ(plumbline("predict obs.pevpm -p here.xml -n " + std::to_string(ranks)).status, 0);
    }
  }
}

TEST_F(PredictCommand, AModelOfARecordingGoesToStandardOutputWhereNothingElseDoes) {
  EXPECT_EQ(plumbline("predict --from nothing").status, 3);
  EXPECT_EQ(plumbline("predict").status, 2);
  EXPECT_EQ(predict("-n 2 --from obs").status, 2);
  EXPECT_EQ(predict("-n 2 --to-model m").status, 2);
  ASSERT_EQ(run_command("cp -r " + kSource + "/tests/golden/scorep-10-ranks obs", directory_.path()).status, 0);
  const CommandResult folded = plumbline("predict --from obs");
  EXPECT_EQ(folded.status, 0) << text_of(folded);
  EXPECT_TRUE(folded.out.starts_with("# obs: 10 ranks, ")) << folded.out;
  EXPECT_TRUE(has(folded.err, "folded ")) << folded.err;
  EXPECT_TRUE(has(folded.out, "Loop iterations = ")) << folded.out;
  const CommandResult without_platform = plumbline("predict --from obs -n 4");
  EXPECT_EQ(without_platform.status, 2);
  EXPECT_TRUE(has(without_platform.err, "-p: is missing")) << without_platform.err;
}

}  // namespace
}  // namespace plumbline::test
