// plumbline-switch: an Ethernet switch in user space whose every delay is configured.

#include <fmt/format.h>
#include <signal.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "tests/lab/switch/config.hpp"
#include "tests/lab/switch/control.hpp"
#include "tests/lab/switch/loop.hpp"
#include "tests/lab/switch/real_time.hpp"
#include "tests/lab/switch/server.hpp"
#include "tests/lab/switch/tap.hpp"

namespace {

using namespace plumbline;

constexpr char kHelp[] = R"(usage: plumbline-switch CONFIG.json

Joins network namespaces by Ethernet switches in user space. Each port has a rate up and down, a latency, a queue, a
loss and a duplex mode, each switch perhaps a backplane; all can be changed while it runs, over the control socket.
Prints "ready" when all interfaces exist and the socket listens; ends on SIGTERM, SIGINT or the request quit.

  {"control": "/run/lab/switch.sock", "core": 0, "spin": "3ms", "awake": true, "allowance": "0",
   "switches": [{"name": "w0", "backplane": "0"}, {"name": "w1"}],
   "ports": [{"name": "n0", "switch": "w0", "pid": 1234, "device": "eth0", "mac": "02:77:00:00:00:01", "mtu": 9000,
              "up": "100Mbit/s", "down": "100Mbit/s", "latency": "25us", "queue": "4MB", "loss": "0",
              "duplex": "full"}],
   "uplinks": [{"name": "w0-w1", "between": ["w0", "w1"], "rate": "100Mbit/s", "latency": "25us"}]}

`core` is for the switch alone (-1: any); with `spin` it does not sleep there until that long after the last frame.
With `awake` no core of the machine goes to sleep while the switch is there.
`allowance` is what the way from node to node takes beside the switch: that much of the ports' latency is not waited for.
`pid` is any process in the namespace that gets the interface. A request is one JSON object on a line:
  {"do":"set","port":"n0","down":"50Mbit/s","loss":"1%"}    {"do":"counters"}    {"do":"lateness"}    {"do":"reset"}
  {"do":"set","switch":"w0","backplane":"200Mbit/s"}        {"do":"capture","file":"x.pcap","snap":160}
  {"do":"set","uplink":"w0-w1","rate":"10Mbit/s"}           {"do":"show"}        {"do":"quit"}
  {"do":"set","allowance":"20us"}                           {"do":"set","awake":false}

Exit codes: 0 ended as asked, 2 wrong use, 3 bad configuration, 6 cannot run here (a privilege or /dev/net/tun is
missing), 70 a fault of the switch.
)";

// Signals are for the control thread: they must not interrupt the loop.
void keep_signals_away() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGTERM);
  sigaddset(&ending, SIGINT);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
}

void serve(lab::Settings settings) {
  std::vector<lab::Descriptor> taps;
  for (const lab::PortSettings& port : settings.ports) taps.push_back(lab::open_tap(port));
  lab::Plant plant{lab::make_fabric(settings), {}, std::vector<std::uint64_t>(settings.ports.size()), {}};
  lab::Loop loop(plant, settings, std::move(taps));
  const std::string socket = settings.control;
  const std::int32_t core = settings.core;
  lab::Descriptor no_sleep;  // of the control thread, once that runs
  const auto keep_awake = [&no_sleep](bool yes) {
    no_sleep = yes ? lab::keep_cores_awake() : lab::Descriptor();
    return !yes || no_sleep;
  };
  if (settings.awake && !keep_awake(true)) {
    fmt::print(stderr, "plumbline-switch: cores may sleep here: /dev/cpu_dma_latency: {}\n", std::strerror(errno));
    settings.awake = false;
  }
  lab::Control control(
      plant, std::move(settings), [&loop](const auto& task) { return loop.execute(task); }, keep_awake);
  lab::Server server(socket, control, [&loop] { loop.stop(); });

  std::thread control_thread([&server] { server.run(); });
  keep_signals_away();
  lab::keep_to_core(core);
  const std::string refused = lab::become_real_time();
  if (!refused.empty())
    fmt::print(stderr, "plumbline-switch: refused here: {}; frames may be late, ask for lateness\n", refused);
  fmt::print("ready\n");
  std::fflush(stdout);
  loop.run();
  server.stop();
  control_thread.join();
}

int run(int argc, char** argv) {
  const std::string_view argument = argc == 2 ? argv[1] : "";
  if (argument == "--help" || argument == "-h") {
    fmt::print("{}", kHelp);
    return static_cast<int>(ExitCode::kAsExpected);
  }
  if (argument.empty() || argument.starts_with('-'))
    throw Error("", "one configuration file is needed", "see plumbline-switch --help", ExitCode::kWrongUse);
  serve(lab::read_settings(argument));
  return static_cast<int>(ExitCode::kAsExpected);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const Error& error) {
    for (const Problem& problem : error.problems()) fmt::print(stderr, "plumbline-switch: {}\n", to_string(problem));
    return static_cast<int>(error.code());
  } catch (const std::exception& error) {
    fmt::print(stderr, "plumbline-switch: internal fault: {}\nThis is a fault of the switch, not of its input.\n",
               error.what());
    return static_cast<int>(ExitCode::kInternal);
  }
}
