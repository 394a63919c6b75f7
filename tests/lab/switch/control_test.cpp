#include "tests/lab/switch/control.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <thread>

#include "tests/lab/switch/config.hpp"
#include "tests/lab/switch/descriptor.hpp"
#include "tests/lab/switch/server.hpp"
#include "tests/support/temporary_directory.hpp"

namespace plumbline::lab {
namespace {

using nlohmann::json;
using testing::HasSubstr;

Settings settings() {
  return parse_settings(R"({"control": "/tmp/s", "switches": [{"name": "w0"}, {"name": "w1"}],
    "ports": [{"name": "n0", "switch": "w0", "pid": 1, "mac": "02:00:00:00:00:01",
               "up": "100Mbit/s", "down": "100Mbit/s"},
              {"name": "n1", "switch": "w1", "pid": 1, "mac": "02:00:00:00:00:02",
               "up": "100Mbit/s", "down": "100Mbit/s"}],
    "uplinks": [{"name": "u", "between": ["w0", "w1"], "rate": "100Mbit/s"}]})",
                        "test");
}

class SwitchControl : public testing::Test {
 protected:
  json ask(const std::string& request) { return json::parse(control_.answer(request).text); }
  std::string fault(const std::string& request) {
    const json reply = ask(request);
    EXPECT_EQ(reply["ok"], false) << reply;
    return reply.value("error", "");
  }

  Plant plant_{make_fabric(settings()), {}, {0, 0}, {}};
  std::vector<bool> awake_;  // as was asked for
  bool can_be_kept_awake_ = true;
  Control control_{plant_, settings(),
                   [](const std::function<void()>& task) {
                     task();
                     return true;
                   },
                   [this](bool yes) {
                     awake_.push_back(yes);
                     return !yes || can_be_kept_awake_;
                   }};
};

TEST_F(SwitchControl, LetsCoresSleepAndKeepsThemAwakeAgain) {
  EXPECT_EQ(ask(R"({"do":"set","awake":false})")["ok"], true);
  EXPECT_EQ(ask(R"({"do":"set","awake":true})")["ok"], true);
  EXPECT_THAT(awake_, testing::ElementsAre(false, true));
  EXPECT_EQ(ask(R"({"do":"show"})")["awake"], true);
  EXPECT_THAT(fault(R"({"do":"set","awake":"no"})"), HasSubstr("write true or false"));
  can_be_kept_awake_ = false;
  EXPECT_THAT(fault(R"({"do":"set","awake":true})"), HasSubstr("/dev/cpu_dma_latency"));
}

TEST_F(SwitchControl, SetChangesWhatIsNamedAndNothingElse) {
  EXPECT_EQ(ask(R"({"do":"set","port":"n1","down":"50Mbit/s","loss":"1%","duplex":"half"})"), json({{"ok", true}}));
  const Cable& cable = plant_.fabric.cables[1];
  EXPECT_EQ(cable.lanes[0].rate, BytesPerSecond{12'500'000});
  EXPECT_EQ(cable.lanes[1].rate, BytesPerSecond{6'250'000});
  EXPECT_EQ(cable.loss, 0.01);
  EXPECT_TRUE(cable.half_duplex);
  EXPECT_EQ(plant_.fabric.cables[0].lanes[1].rate, BytesPerSecond{12'500'000});
}

TEST_F(SwitchControl, SetReachesUplinksAndBackplanes) {
  EXPECT_EQ(ask(R"({"do":"set","uplink":"u","rate":"10Mbit/s","latency":"1ms"})")["ok"], true);
  EXPECT_EQ(plant_.fabric.cables[2].lanes[0].rate, BytesPerSecond{1'250'000});
  EXPECT_EQ(plant_.fabric.cables[2].lanes[1].rate, BytesPerSecond{1'250'000});
  EXPECT_EQ(plant_.fabric.cables[2].latency, milliseconds(1));
  EXPECT_EQ(ask(R"({"do":"set","switch":"w1","backplane":"200Mbit/s"})")["ok"], true);
  EXPECT_EQ(plant_.fabric.switches[1].backplane, BytesPerSecond{25'000'000});
  EXPECT_EQ(plant_.fabric.switches[0].backplane, BytesPerSecond{0});
}

TEST_F(SwitchControl, TheAllowanceIsSetForAllPortsAndNoUplink) {
  EXPECT_EQ(ask(R"({"do":"set","port":"n1","latency":"25us"})")["ok"], true);
  EXPECT_EQ(ask(R"({"do":"set","uplink":"u","latency":"25us"})")["ok"], true);
  EXPECT_EQ(ask(R"({"do":"set","allowance":"20us"})"), json({{"ok", true}}));
  EXPECT_EQ(plant_.fabric.cables[0].delay(), Duration{});  // it has no latency
  EXPECT_EQ(plant_.fabric.cables[1].delay(), microseconds(15));
  EXPECT_EQ(plant_.fabric.cables[2].delay(), microseconds(25));
  EXPECT_EQ(ask(R"({"do":"show"})")["allowance"], "20us");
  EXPECT_THAT(fault(R"({"do":"set","allowance":"some"})"), HasSubstr("\"allowance\" is \"some\""));
  EXPECT_THAT(fault(R"({"do":"set","allowance":"1us","loss":"1%"})"), HasSubstr("unknown member \"loss\""));
  EXPECT_EQ(plant_.fabric.cables[1].delay(), microseconds(15));
}

TEST_F(SwitchControl, ANewLatencyKeepsTheAllowance) {
  ask(R"({"do":"set","allowance":"20us"})");
  ask(R"({"do":"set","port":"n0","latency":"1ms"})");
  EXPECT_EQ(plant_.fabric.cables[0].delay(), microseconds(990));
}

TEST_F(SwitchControl, ShowIsAConfigurationWithWhatWasSet) {
  ask(R"({"do":"set","port":"n0","latency":"2ms"})");
  json shown = ask(R"({"do":"show"})");
  EXPECT_EQ(shown["ok"], true);
  shown.erase("ok");
  EXPECT_EQ(parse_settings(shown.dump(), "shown").ports[0].cable.latency, milliseconds(2));
}

TEST_F(SwitchControl, ARefusedSetChangesNothing) {
  EXPECT_THAT(fault(R"({"do":"set","port":"n0","down":"50Mbit/s","loss":"2"})"), HasSubstr("port n0: \"loss\""));
  EXPECT_EQ(plant_.fabric.cables[0].lanes[1].rate, BytesPerSecond{12'500'000});
  EXPECT_EQ(ask(R"({"do":"show"})")["ports"][0]["down"], "12500kB/s");
}

TEST_F(SwitchControl, EveryWrongRequestIsAnsweredWithWhatToDo) {
  EXPECT_THAT(fault("hello"), HasSubstr("no JSON"));
  EXPECT_THAT(fault("[1]"), HasSubstr("the request: is not a JSON object"));
  EXPECT_THAT(fault("{}"), HasSubstr("has no \"do\""));
  EXPECT_THAT(fault(R"({"do":"dance"})"), HasSubstr("one of set, counters"));
  EXPECT_THAT(fault(R"({"do":"set"})"), HasSubstr("give \"port\", \"uplink\" or \"switch\""));
  EXPECT_THAT(fault(R"({"do":"set","port":"n7"})"), HasSubstr("no port \"n7\"; known are n0, n1"));
  EXPECT_THAT(fault(R"({"do":"set","port":"n0","rate":"1MB/s"})"), HasSubstr("unknown member \"rate\""));
  EXPECT_THAT(fault(R"({"do":"set","switch":"w0","loss":"1%"})"), HasSubstr("unknown member \"loss\""));
  EXPECT_THAT(fault(R"({"do":"counters","port":"n0"})"), HasSubstr("unknown member \"port\""));
  EXPECT_THAT(fault(R"({"do":"capture"})"), HasSubstr("has no \"file\""));
  EXPECT_THAT(fault(R"({"do":"capture","file":"/nowhere/x"})"), HasSubstr("/nowhere/x: cannot be created"));
}

TEST_F(SwitchControl, CountersAreThoseOfTheModel) {
  take_in(plant_.fabric, Time{}, 0, 0, Bytes{1'000}, 1);
  advance(plant_.fabric, kNever);
  const json reply = ask(R"({"do":"counters"})");
  EXPECT_EQ(reply["ports"]["n0"]["up"]["frames"], 1);
  EXPECT_EQ(reply["ports"]["n0"]["up"]["bytes"], 1'000);
  EXPECT_EQ(reply["ports"]["n0"]["up"]["max_queue_bytes"], 1'024);
  EXPECT_EQ(reply["ports"]["n1"]["down"]["frames"], 1);
  EXPECT_EQ(reply["ports"]["n1"]["refused"], 0);
  EXPECT_EQ(reply["uplinks"]["u"]["to w1"]["frames"], 1);
  EXPECT_EQ(reply["uplinks"]["u"]["to w0"]["frames"], 0);
  EXPECT_EQ(reply["backplanes"]["w0"]["drops"], 0);
}

TEST_F(SwitchControl, LatenessIsInMicrosecondsAndResetForgetsIt) {
  for (int i = 0; i < 1'000; ++i) plant_.lateness.add(microseconds(i < 995 ? 2 : 100));
  const json us = ask(R"({"do":"lateness"})")["us"];
  EXPECT_NEAR(us["p50"].get<double>(), 2, 0.07);
  EXPECT_NEAR(us["p99.9"].get<double>(), 100, 3.2);
  EXPECT_EQ(us["max"], 100.0);
  EXPECT_EQ(ask(R"({"do":"reset"})")["ok"], true);
  EXPECT_EQ(ask(R"({"do":"lateness"})")["frames"], 0);
}

TEST_F(SwitchControl, ACaptureBeginsAndEnds) {
  const test::TemporaryDirectory directory;
  const std::string request = json{{"do", "capture"}, {"file", (directory / "x.pcap").string()}, {"snap", 64}}.dump();
  EXPECT_EQ(ask(request)["ok"], true);
  EXPECT_THAT(fault(request), HasSubstr("one is running"));
  const std::vector<std::byte> frame(200);
  note_frame(plant_.capture, 1, frame);
  EXPECT_EQ(ask(R"({"do":"capture","file":""})"), json({{"ok", true}, {"frames", 1}, {"missed", 0}}));
  EXPECT_EQ(std::filesystem::file_size(directory / "x.pcap"), 24u + 16 + 64);
  EXPECT_EQ(ask(R"({"do":"capture","file":""})")["ok"], true);
}

TEST_F(SwitchControl, OnlyQuitQuits) {
  EXPECT_FALSE(control_.answer(R"({"do":"show"})").quit);
  EXPECT_FALSE(control_.answer(R"({"do":"quit","now":1})").quit);
  EXPECT_TRUE(control_.answer(R"({"do":"quit"})").quit);
}

Descriptor connect_to(const std::filesystem::path& path) {
  Descriptor socket(::socket(AF_UNIX, SOCK_STREAM, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.string().copy(address.sun_path, sizeof address.sun_path - 1);
  EXPECT_EQ(::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return socket;
}

// Everything that comes until there are as many lines, or the other side closes.
std::string read_lines(const Descriptor& socket, std::ptrdiff_t lines) {
  std::string text;
  char part[4096];
  while (std::count(text.begin(), text.end(), '\n') < lines) {
    const ssize_t size = ::read(socket.get(), part, sizeof part);
    if (size <= 0) break;
    text.append(part, static_cast<std::size_t>(size));
  }
  return text;
}

void send_text(const Descriptor& socket, const std::string& text) {
  EXPECT_EQ(::write(socket.get(), text.data(), text.size()), static_cast<ssize_t>(text.size()));
}

class SwitchServer : public SwitchControl {
 protected:
  SwitchServer() : thread_([this] { server_.run(); }) {}
  ~SwitchServer() override {
    server_.stop();
    thread_.join();
  }

  test::TemporaryDirectory directory_;
  bool ended_ = false;
  Server server_{directory_ / "s", control_, [this] { ended_ = true; }};
  std::thread thread_;
};

TEST_F(SwitchServer, AnswersLineByLineOnManyConnections) {
  const Descriptor first = connect_to(directory_ / "s"), second = connect_to(directory_ / "s");
  send_text(first, "{\"do\":\"reset\"}\n{\"do\":\"re");
  EXPECT_EQ(read_lines(first, 1), "{\"ok\":true}\n");
  send_text(second, "{\"do\":\"reset\"}\n");
  EXPECT_EQ(read_lines(second, 1), "{\"ok\":true}\n");
  send_text(first, "set\"}\n");
  EXPECT_EQ(read_lines(first, 1), "{\"ok\":true}\n");
}

TEST_F(SwitchServer, RefusesAnEndlessLine) {
  const Descriptor socket = connect_to(directory_ / "s");
  send_text(socket, std::string(65 * 1024, 'x'));
  EXPECT_THAT(read_lines(socket, 1), HasSubstr("longer than 64 KiB"));
}

TEST_F(SwitchServer, QuitIsAnsweredAndEnds) {
  const Descriptor socket = connect_to(directory_ / "s");
  send_text(socket, "{\"do\":\"quit\"}\n");
  EXPECT_EQ(read_lines(socket, 1), "{\"ok\":true}\n");
  thread_.join();
  EXPECT_TRUE(ended_);
  thread_ = std::thread([] {});
}

TEST_F(SwitchServer, ALivingSocketIsNotTaken) {
  EXPECT_THROW(Server(directory_ / "s", control_, [] {}), Error);
}

TEST_F(SwitchControl, ASocketThatADeadSwitchLeftIsReplaced) {
  const test::TemporaryDirectory directory;
  {
    const Descriptor dead(::socket(AF_UNIX, SOCK_STREAM, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    (directory / "s").string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(dead.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  }
  const Server server(directory / "s", control_, [] {});
  const Descriptor socket = connect_to(directory / "s");
}

}  // namespace
}  // namespace plumbline::lab
