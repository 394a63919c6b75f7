#pragma once
// The control protocol: one request, a JSON object, to one reply, a JSON object with "ok" (README.md lists them). Knows
// the settings in force by name; what touches the plant runs where the loop runs.

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "tests/lab/switch/plant.hpp"
#include "tests/lab/switch/settings.hpp"

namespace plumbline::lab {

// Runs a task in the thread of the plant and waits for it; false when that thread has ended.
using Executor = std::function<bool(const std::function<void()>&)>;

// From now on no core of this machine goes to sleep, or they may again; false when that cannot be asked for here.
using KeepAwake = std::function<bool(bool)>;

struct Reply {
  std::string text;  // JSON on one line, without its newline
  bool quit = false;
};

class Control {
 public:
  Control(Plant& plant, Settings settings, Executor in_loop, KeepAwake keep_awake)
      : plant_(plant),
        settings_(std::move(settings)),
        in_loop_(std::move(in_loop)),
        keep_awake_(std::move(keep_awake)) {}

  // Never throws: what is wrong with a request is its reply.
  Reply answer(std::string_view line);

  // While a capture runs, what it has gathered must be written every few hundredths of a second.
  bool capturing() const { return file_ != nullptr; }
  void drain_capture();

 private:
  using Json = nlohmann::ordered_json;

  Json act(const nlohmann::json& request, bool& quit);
  Json set(const nlohmann::json& request);
  void set_port(const nlohmann::json& request, const std::string& name);
  void set_uplink(const nlohmann::json& request, const std::string& name);
  void set_switch(const nlohmann::json& request, const std::string& name);
  void set_allowance(const nlohmann::json& request, const std::string& duration);
  void set_awake(const nlohmann::json& request);
  Json counters();
  Json lateness();
  Json reset();
  Json capture(const nlohmann::json& request);
  Json stop_capture();
  void run(const std::function<void()>& task);

  Plant& plant_;
  Settings settings_;
  Executor in_loop_;
  KeepAwake keep_awake_;
  std::unique_ptr<PcapFile> file_;  // set: a capture runs
  std::shared_ptr<ByteRing> ring_;  // where it comes from
};

}  // namespace plumbline::lab
