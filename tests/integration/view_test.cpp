// `plumbline view` as a user and as a script meet it, on archives of another tool, which need no MPI.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "served.hpp"
#include "tests/integration/support.hpp"
#include "tests/support/background.hpp"

namespace plumbline::test {
namespace {

using Json = nlohmann::json;
using testing::HasSubstr;
using viewer::Client;
using viewer::exchange;
using viewer::status_in;

// A server under way.
class Viewing {
 public:
  // `name`: of a file that nobody else writes.
  Viewing(const std::string& arguments, const std::filesystem::path& directory, const std::string& name)
      : out_(directory / name),
        server_("env -u DISPLAY -u WAYLAND_DISPLAY " + kPlumbline + " view --json " + arguments + " > " + name,
                directory) {
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::string line;
    while (!server_.has_ended() && std::chrono::steady_clock::now() < limit) {
      std::ifstream file(out_);
      if (std::getline(file, line) && !file.eof()) break;
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    told = Json::parse(line, nullptr, false);
  }

  bool began() const { return told.is_object(); }
  std::uint16_t port() const { return told["port"]; }

  std::string request(const std::string& method, const std::string& target, const std::string& body = "",
                      const std::string& token = "") const {
    return method + " " + target + " HTTP/1.1\r\nHost: localhost:" + std::to_string(port()) +
           "\r\nAuthorization: Bearer " + (token.empty() ? told["token"].get<std::string>() : token) +
           "\r\nConnection: close\r\nContent-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
  }
  std::string answer(const std::string& method, const std::string& target, const std::string& body = "") const {
    return exchange(port(), request(method, "/api/v1/" + target, body));
  }
  Json json(const std::string& target, const std::string& method = "GET", const std::string& body = "") const {
    const std::string response = answer(method, target, body);
    return Json::parse(response.substr(std::min(response.find("\r\n\r\n"), response.size())), nullptr, false);
  }

  Background& server() { return server_; }

  Json told;

 private:
  std::filesystem::path out_;
  Background server_;
};

class View : public testing::Test {
 protected:
  // A copy, so that nothing is cached beside the golden one.
  void SetUp() override {
    ASSERT_EQ(run("cp -r " + kSource + "/tests/golden/scorep-10-ranks obs").status, 0);
    std::ifstream file(kSource + "/hwmodels/platforms/two-nodes.xml");
    std::ofstream platform(directory_ / "platform.xml");
    for (std::string line; std::getline(file, line);) {
      if (line.find("<place ") != std::string::npos) continue;
      if (line.find("</platform>") != std::string::npos)
        platform << "<place ranks=\"0-4\" node=\"kn1\"/><place ranks=\"5-9\" node=\"kn2\"/>\n";
      platform << line << "\n";
    }
  }

  CommandResult run(const std::string& command) { return run_command(command, directory_.path()); }
  CommandResult plumbline(const std::string& arguments) { return run(kPlumbline + " " + arguments); }
  void replay() { ASSERT_EQ(plumbline("replay obs -p platform.xml -o exp").status, 0); }
  Viewing view(const std::string& arguments) {
    return {arguments, directory_.path(), "served-" + std::to_string(++served_)};
  }

  // The event file of a rank keeps its first half.
  void damage() {
    const std::filesystem::path events = directory_ / "obs/traces/0.evt";
    std::filesystem::resize_file(events, std::filesystem::file_size(events) / 2);
  }

  TemporaryDirectory directory_;
  int served_ = 0;
};

TEST_F(View, ServesAPairToWhoeverHasTheToken) {
  replay();
  Viewing viewing = view("obs exp");
  ASSERT_TRUE(viewing.began());
  const Json meta = viewing.json("meta");
  EXPECT_EQ(meta["observed"], "obs");
  EXPECT_EQ(meta["reference"], "exp");
  EXPECT_EQ(meta["ranks"], 10);
  EXPECT_EQ(meta["key"], viewing.told["key"]);
  EXPECT_EQ(viewing.json("report")["format"], "plumbline-report");
  EXPECT_EQ(viewing.json("operation/3/5")["rank"], 3);
  const std::string wrong(32, '0');
  EXPECT_EQ(status_in(exchange(viewing.port(), viewing.request("GET", "/api/v1/meta", "", wrong))), 401U);
  EXPECT_EQ(status_in(exchange(viewing.port(), "GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n")), 403U);
  EXPECT_EQ(status_in(exchange(viewing.port(), viewing.request("GET", "/", "", wrong))), 200U);
  EXPECT_EQ(viewing.json("meta"), meta) << "and it lives";
}

// All that follows from what opening works out.
std::string answers_of(const Viewing& viewing) {
  std::string all;
  const std::string key = viewing.told["key"];
  for (const std::string& target :
       {std::string("meta"), std::string("report"), std::string("lanes?fold=1"), std::string("operation/3/5"),
        std::string("causes/3/5"), std::string("operations?sort=own"), std::string("path?s=free"),
        std::string("aggregate/waterfall"), std::string("aggregate/instances?row=0"), std::string("phases?by=all"),
        "strips?k=" + key + "&s=free&l=1&x=0..1&r=0-9"})
    all += viewing.answer("GET", target);
  return all;
}

TEST_F(View, KeepsWhatOpeningWorksOutAndNeverTrustsIt) {
  replay();
  const std::filesystem::path kept = directory_ / "obs/plumbline.opening";
  Viewing first = view("obs exp");
  ASSERT_TRUE(first.began());
  const std::string truth = answers_of(first);
  ASSERT_TRUE(std::filesystem::exists(kept));
  const auto written = std::filesystem::last_write_time(kept);
  Viewing second = view("obs exp");
  ASSERT_TRUE(second.began());
  EXPECT_EQ(answers_of(second), truth);
  EXPECT_EQ(std::filesystem::last_write_time(kept), written) << "it was made once";
  std::filesystem::resize_file(kept, std::filesystem::file_size(kept) / 2);
  Viewing third = view("obs exp");
  ASSERT_TRUE(third.began());
  EXPECT_EQ(answers_of(third), truth);
  EXPECT_NE(std::filesystem::last_write_time(kept), written) << "and again where it was damaged";
}

TEST_F(View, ShowsTheSameByAnyNumberOfJobs) {
  replay();
  std::string by_one;
  for (const int jobs : {1, 2, 5}) {
    std::filesystem::remove(directory_ / "obs/plumbline.opening");
    std::filesystem::remove(directory_ / "obs/plumbline.program");
    Viewing viewing = view("obs exp --jobs " + std::to_string(jobs));
    ASSERT_TRUE(viewing.began());
    const std::string answers = answers_of(viewing);
    if (jobs == 1) by_one = answers;
    EXPECT_EQ(answers, by_one) << jobs;
  }
  EXPECT_THAT(by_one, HasSubstr("\"ranks\":10"));
  EXPECT_EQ(plumbline("view obs exp --jobs 0").status, 2);
}

TEST_F(View, KeepsNothingForAnotherExpectation) {
  replay();
  const Json by_one = view("obs exp").json("report");
  ASSERT_EQ(plumbline("replay obs -p platform.xml --set node.kn1.speed=2 -o exp --force").status, 0);
  EXPECT_NE(view("obs exp").json("report")["totals"], by_one["totals"]);
}

TEST_F(View, ShowsWhatAModelDoesOnAPlatform) {
  const std::string platform = kSource + "/examples/jacobi1d/made-up.xml";
  ASSERT_EQ(plumbline("predict " + kSource + "/examples/jacobi1d/jacobi1d.c -p " + platform +
                      " -n 4 --set iterations=5 --to-program jacobi.program")
                .status,
            0);
  Viewing viewing = view("jacobi.program -p " + platform);
  ASSERT_TRUE(viewing.began());
  const Json meta = viewing.json("meta");
  EXPECT_EQ(meta["ranks"], 4);
  EXPECT_EQ(meta["program"], "model jacobi1d.c");
  EXPECT_THAT(meta["banners"].dump(), HasSubstr("a prediction: the model jacobi1d.c on made-up.xml"));
  const Json received = viewing.json("operation/1/1");
  EXPECT_EQ(received["call"], "MPI_Recv");
  EXPECT_THAT(received["site"].get<std::string>(), HasSubstr("jacobi1d.c:"));
  EXPECT_GT(received["observed_ps"], 0);
  const CommandResult without = plumbline("view jacobi.program");
  EXPECT_EQ(without.status, 2) << text_of(without);
  EXPECT_THAT(without.err, HasSubstr("name the platform that it runs on"));
}

TEST_F(View, EndsInOrderWithCtrlC) {
  Viewing viewing = view("obs");
  ASSERT_TRUE(viewing.began());
  ::kill(viewing.server().pid(), SIGINT);
  const CommandResult result = viewing.server().result();
  EXPECT_EQ(result.status, 0) << text_of(result);
}

TEST_F(View, SaysHowToReachItFromElsewhere) {
  const CommandResult result = run("env -u DISPLAY -u WAYLAND_DISPLAY timeout -s INT 5 " + kPlumbline + " view obs");
  EXPECT_EQ(result.status, 124) << "what timeout says, which ended it: " << text_of(result);
  EXPECT_THAT(result.out, HasSubstr("http://127.0.0.1:"));
  EXPECT_THAT(result.out, HasSubstr("/#t="));
  EXPECT_THAT(result.out, HasSubstr("ssh -N -L "));
}

TEST_F(View, APortInUseIsToldBeforeAnythingElseIsDone) {
  Viewing viewing = view("obs");
  ASSERT_TRUE(viewing.began());
  const CommandResult second = plumbline("view obs --port " + std::to_string(viewing.port()));
  EXPECT_EQ(second.status, 6) << text_of(second);
  EXPECT_THAT(second.err, HasSubstr("127.0.0.1:" + std::to_string(viewing.port()) + ": is in use"));
}

TEST_F(View, ARecordingAloneHasNoReport) {
  Viewing viewing = view("obs/traces.otf2");
  ASSERT_TRUE(viewing.began());
  EXPECT_TRUE(viewing.json("meta")["against"].is_null());
  EXPECT_EQ(status_in(viewing.answer("GET", "report")), 404U);
}

TEST_F(View, WithAPlatformAloneWhatIsExpectedIsWorkedOut) {
  replay();
  const Json by_archive = view("obs exp").json("report"), worked_out = view("obs -p platform.xml").json("report");
  EXPECT_EQ(worked_out["totals"], by_archive["totals"]);
}

TEST_F(View, TwoObservedRunsAreHeldAgainstEachOther) {
  ASSERT_EQ(run("cp -r obs before").status, 0);
  Viewing viewing = view("obs before");
  ASSERT_TRUE(viewing.began());
  const Json meta = viewing.json("meta");
  EXPECT_EQ(meta["against"], "observed");
  EXPECT_EQ(meta["word"], "as expected");
}

TEST_F(View, AnExpectedArchiveComesSecond) {
  replay();
  EXPECT_EQ(plumbline("view exp obs").status, 4);
  EXPECT_EQ(plumbline("view exp").status, 4);
}

TEST_F(View, ADamagedArchiveIsShownAsFarAsItCanBeRead) {
  replay();
  Viewing whole = view("obs");
  ASSERT_TRUE(whole.began());
  damage();
  Viewing viewing = view("obs exp -p platform.xml");
  ASSERT_TRUE(viewing.began());
  const Json meta = viewing.json("meta"), before = whole.json("meta");
  ASSERT_GE(meta["banners"].size(), 2U) << meta["banners"];
  EXPECT_THAT(meta["banners"][0].get<std::string>(), HasSubstr("damaged"));
  EXPECT_THAT(meta["banners"][1].get<std::string>(), HasSubstr("exp is left out"));
  EXPECT_EQ(meta["ranks"], before["ranks"]);
  EXPECT_LT(meta["operations"], before["operations"]);
  EXPECT_GT(meta["operations"], 0);
  EXPECT_EQ(status_in(viewing.answer("GET", "operation/1/0")), 200U);
}

TEST_F(View, AnArchiveOfWhichNothingCanBeReadIsAnError) {
  std::filesystem::resize_file(directory_ / "obs/traces.def", 60);
  const CommandResult result = plumbline("view obs");
  EXPECT_EQ(result.status, 3) << text_of(result);
  EXPECT_THAT(result.err, HasSubstr("obs"));
}

TEST_F(View, AReferenceThatCannotBeReadIsLeftOut) {
  replay();
  std::filesystem::resize_file(directory_ / "exp/traces/3.evt", 100);
  Viewing viewing = view("obs exp");
  ASSERT_TRUE(viewing.began());
  EXPECT_THAT(viewing.json("meta")["banners"].dump(), HasSubstr("exp is left out"));
}

TEST_F(View, AnArchiveThatChangesIsNoticed) {
  Viewing viewing = view("obs");
  ASSERT_TRUE(viewing.began());
  EXPECT_EQ(viewing.json("meta")["banners"].size(), 0U);
  std::ofstream(directory_ / "obs/traces.otf2", std::ios::app) << " ";
  EXPECT_THAT(viewing.json("meta")["banners"].dump(), HasSubstr("obs has changed"));
  std::filesystem::remove_all(directory_ / "obs");
  EXPECT_THAT(viewing.json("meta")["banners"].dump(), HasSubstr("obs is gone"));
  EXPECT_EQ(status_in(viewing.answer("GET", "operation/1/0")), 200U) << "what was opened is still there";
}

TEST_F(View, AReportOfAnEarlierComparisonIsTakenWhereItIsOfThisRun) {
  replay();
  plumbline("compare obs exp --json report.json --threshold 0.5");
  EXPECT_EQ(view("obs exp --report report.json").json("report")["options"]["threshold"], 0.5);
  std::ofstream(directory_ / "other.json")
      << R"({"format": "plumbline-report", "totals": {"operations": 1}, "run": {"ranks": 10}})";
  EXPECT_EQ(plumbline("view obs exp --report other.json").status, 4);
  std::ofstream(directory_ / "none.json") << "[]";
  EXPECT_EQ(plumbline("view obs exp --report none.json").status, 3);
}

TEST_F(View, OfAValidationTheRunThatLostMostIsShown) {
  std::filesystem::create_directories(directory_ / "validation/suite/mpich");
  for (const char* name : {"a", "b"}) {
    ASSERT_EQ(run("mkdir validation/suite/mpich/" + std::string(name)).status, 0);
    ASSERT_EQ(run("cp -r obs validation/suite/mpich/" + std::string(name) + "/observed").status, 0);
  }
  std::filesystem::copy_file(directory_ / "platform.xml", directory_ / "validation/platform-mpich.xml");
  const auto entry = [](const std::string& name, double observed, const std::string& archive) {
    return Json{{"name", name}, {"mpi", "mpich"}, {"observed_s", observed}, {"expected_s", 1}, {"archive", archive}};
  };
  const Json report{{"format", "plumbline-validation"},
                    {"suite",
                     {entry("a", 2, "suite/mpich/a/observed"), entry("b", 3, "suite/mpich/b/observed"),
                      entry("c", 9, "../obs"), entry("d", 9, "/etc"), entry("e", 9, "suite/mpich/e/observed")}}};
  std::ofstream(directory_ / "validation/report.json") << report;
  Viewing viewing = view("validation");
  ASSERT_TRUE(viewing.began());
  const Json meta = viewing.json("meta");
  EXPECT_EQ(meta["observed"], "validation/suite/mpich/b/observed");
  EXPECT_EQ(meta["is_validation"], true);
  EXPECT_EQ(meta["against"], "expected");
  EXPECT_EQ(meta["whatif"], true);
  EXPECT_EQ(viewing.json("validation"), report);
  EXPECT_EQ(view("validation --run a/mpich").json("meta")["observed"], "validation/suite/mpich/a/observed");
  EXPECT_EQ(plumbline("view validation --run c").status, 2) << "no path leaves the directory";
}

// Half of the rate of the only link between the nodes.
TEST_F(View, AWhatIfIsWhatReplayTells) {
  replay();
  Viewing viewing = view("obs exp -p platform.xml");
  ASSERT_TRUE(viewing.began());
  const Json choices = viewing.json("whatif/choices")["choices"];
  const auto link = std::ranges::find_if(
      choices, [](const Json& choice) { return choice["options"][1].get<std::string>().starts_with("link."); });
  ASSERT_NE(link, choices.end()) << choices;
  const std::string name =
      (*link)["options"][1].get<std::string>().substr(0, (*link)["options"][1].get<std::string>().find('='));
  const std::string setting = name + "=50MB/s";

  const Json started = viewing.json("whatif", "POST", Json{{"options", {"--set", setting}}}.dump());
  ASSERT_EQ(started["run"], 1) << started;
  Json state;
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  do {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    state = viewing.json("whatif/1");
  } while (state["state"] == "running" && std::chrono::steady_clock::now() < limit);
  ASSERT_EQ(state["state"], "done") << state;

  const CommandResult replayed = plumbline("replay obs -p platform.xml --json --set '" + setting + "'");
  const Json outcome = Json::parse(replayed.out);
  EXPECT_EQ(state["span_ps"], outcome["outcomes"][0]["length_ps"]);
  EXPECT_EQ(state["saved_ps"],
            outcome["unchanged_ps"].get<std::int64_t>() - outcome["outcomes"][0]["length_ps"].get<std::int64_t>());
  EXPECT_EQ(viewing.json("meta")["sources"], Json::parse(R"(["obs", "free", "whatif-1"])"));
  EXPECT_EQ(viewing.json("whatif/1", "DELETE")["state"], "cancelled");
  EXPECT_EQ(viewing.json("meta")["sources"], Json::parse(R"(["obs", "free"])"));
}

TEST_F(View, AWhatIfThatIsNoChoiceIsRefused) {
  Viewing viewing = view("obs -p platform.xml");
  ASSERT_TRUE(viewing.began());
  for (const char* body :
       {"", "{}", R"({"options": ["-o", "stolen"]})", R"({"options": ["--set", "node.kn1.speed=2"]})"})
    EXPECT_EQ(status_in(viewing.answer("POST", "whatif", body)), 400U) << body;
  EXPECT_EQ(status_in(viewing.answer("GET", "whatif/1")), 404U);
  EXPECT_FALSE(std::filesystem::exists(directory_ / "stolen"));
}

TEST_F(View, AReplayForSomebodyWhoDoesNotListenEnds) {
  const CommandResult closed = plumbline("replay obs -p platform.xml --json --set node.kn1.speed=2 --progress 9 9>&-");
  EXPECT_EQ(closed.status, 2) << text_of(closed);
  const CommandResult told =
      run("exec 9> told; " + kPlumbline + " replay obs -p platform.xml --json --set node.kn1.speed=2 --progress 9");
  EXPECT_EQ(told.status, 0) << text_of(told);
  std::ifstream file(directory_ / "told");
  std::string line;
  EXPECT_TRUE(std::getline(file, line) && line.starts_with("progress ")) << line;
}

}  // namespace
}  // namespace plumbline::test
