#include "tests/lab/switch/control.hpp"

#include <fmt/format.h>
#include <time.h>

#include <array>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "tests/lab/switch/config.hpp"
#include "tests/lab/switch/loop.hpp"
#include "tests/lab/switch/members.hpp"

namespace plumbline::lab {
namespace {

using nlohmann::json;
using Json = nlohmann::ordered_json;

constexpr std::uint32_t kDefaultSnap = 160;
constexpr std::size_t kCaptureRing = std::size_t{1} << 23;

Json to_json(const Counters& counters) {
  return {{"frames", counters.frames},
          {"bytes", counters.bytes},
          {"drops", counters.drops},
          {"lost", counters.lost},
          {"max_queue_bytes", counters.max_queue_bytes}};
}

template <typename Named>
std::size_t find_named(const std::vector<Named>& list, const std::string& name, const std::string& kind) {
  std::string known;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i].name == name) return i;
    known += (known.empty() ? "" : ", ") + list[i].name;
  }
  throw Error("", fmt::format("there is no {} \"{}\"", kind, name),
              known.empty() ? "the configuration has none" : "known are " + known);
}

// What the counters of one port are copied into, so that text is made outside the loop.
struct Counts {
  std::vector<std::array<Counters, 2>> cables;
  std::vector<Counters> switches;
  std::vector<std::uint64_t> refused;
};

Counts copy_counts(const Plant& plant) {
  Counts counts;
  for (const Cable& cable : plant.fabric.cables)
    counts.cables.push_back({cable.lanes[0].counters, cable.lanes[1].counters});
  for (const Switch& one : plant.fabric.switches) counts.switches.push_back(one.counters);
  counts.refused = plant.refused;
  return counts;
}

std::int64_t wall_offset_ns() {
  timespec wall{};
  ::clock_gettime(CLOCK_REALTIME, &wall);
  return wall.tv_sec * 1'000'000'000 + wall.tv_nsec - Loop::clock_ns();
}

// Reads the members of a set request by `read`; throws when one is wrong, before anything has been changed.
void read_change(const json& request, const std::string& what, const std::function<void(Members&)>& read) {
  Diagnostics problems;
  Members members(request, what, problems);
  members.text("do", Need::kRequired);
  read(members);
  members.refuse_others();
  problems.throw_if_any();
}

// The same of something that has a name.
void read_change(const json& request, const char* kind, const std::string& name,
                 const std::function<void(Members&)>& read) {
  read_change(request, fmt::format("{} {}", kind, name), [&](Members& members) {
    members.text(kind, Need::kRequired);
    read(members);
  });
}

}  // namespace

Reply Control::answer(std::string_view line) {
  Reply reply;
  Json out;
  try {
    out = act(json::parse(line), reply.quit);
    if (!out.contains("ok")) out = Json{{"ok", true}};
  } catch (const json::exception&) {
    out = {{"ok", false}, {"error", "the request is no JSON object; write {\"do\": \"counters\"} on one line"}};
  } catch (const std::exception& fault) {
    out = {{"ok", false}, {"error", fault.what()}};
  }
  reply.text = out.dump(-1, ' ', false, Json::error_handler_t::replace);
  return reply;
}

Control::Json Control::act(const json& request, bool& quit) {
  Diagnostics problems;
  Members members(request, "the request", problems);
  const std::string what = members.text("do", Need::kRequired).value_or("");
  problems.throw_if_any();
  if (what == "set") return set(request);
  if (what == "capture") return capture(request);
  members.refuse_others();
  problems.throw_if_any();
  if (what == "counters") return counters();
  if (what == "lateness") return lateness();
  if (what == "reset") return reset();
  if (what == "show") {
    Json out{{"ok", true}};
    out.update(lab::to_json(settings_));
    return out;
  }
  if (what != "quit")
    throw Error("", fmt::format("\"do\" is \"{}\"", what),
                "one of set, counters, lateness, reset, capture, show, quit");
  quit = true;
  return file_ ? stop_capture() : Json{{"ok", true}};
}

void Control::run(const std::function<void()>& task) {
  if (!in_loop_(task)) throw Error("", "the switch is ending");
}

Control::Json Control::set(const json& request) {
  using Setter = void (Control::*)(const json&, const std::string&);
  constexpr std::array<std::pair<const char*, Setter>, 4> kSetters{{{"port", &Control::set_port},
                                                                    {"uplink", &Control::set_uplink},
                                                                    {"switch", &Control::set_switch},
                                                                    {"allowance", &Control::set_allowance}}};
  for (const auto& [kind, setter] : kSetters) {
    if (!request.contains(kind) || !request[kind].is_string()) continue;
    (this->*setter)(request, request[kind].get<std::string>());
    return {{"ok", true}};
  }
  if (request.contains("awake")) {
    set_awake(request);
    return {{"ok", true}};
  }
  throw Error("", "set does not say what",
              "give \"port\", \"uplink\" or \"switch\" with a name, or \"allowance\" or \"awake\"");
}

void Control::set_port(const json& request, const std::string& name) {
  const std::size_t port = find_named(settings_.ports, name, "port");
  CableSettings cable = settings_.ports[port].cable;
  read_change(request, "port", name, [&](Members& m) { read_cable(m, CableKind::kPort, Need::kOptional, cable); });
  run([&] { change_cable(plant_.fabric, static_cast<CableId>(port), cable); });
  settings_.ports[port].cable = cable;
}

void Control::set_uplink(const json& request, const std::string& name) {
  const std::size_t uplink = find_named(settings_.uplinks, name, "uplink");
  CableSettings cable = settings_.uplinks[uplink].cable;
  read_change(request, "uplink", name, [&](Members& m) { read_cable(m, CableKind::kUplink, Need::kOptional, cable); });
  run([&] { change_cable(plant_.fabric, static_cast<CableId>(settings_.ports.size() + uplink), cable); });
  settings_.uplinks[uplink].cable = cable;
}

void Control::set_switch(const json& request, const std::string& name) {
  const std::size_t one = find_named(settings_.switches, name, "switch");
  BytesPerSecond rate = settings_.switches[one].backplane;
  read_change(request, "switch", name, [&](Members& m) { rate = m.rate("backplane", Need::kOptional).value_or(rate); });
  run([&] { change_backplane(plant_.fabric, static_cast<std::uint32_t>(one), rate); });
  settings_.switches[one].backplane = rate;
}

void Control::set_allowance(const json& request, const std::string& /*duration*/) {
  Duration allowance = settings_.allowance;
  read_change(request, "the switch",
              [&](Members& m) { allowance = m.duration("allowance", Need::kRequired).value_or(allowance); });
  run([&] { change_allowance(plant_.fabric, allowance); });
  settings_.allowance = allowance;
}

void Control::set_awake(const json& request) {
  bool awake = settings_.awake;
  read_change(request, "the switch", [&](Members& m) { awake = m.flag("awake", Need::kRequired).value_or(awake); });
  if (!keep_awake_(awake)) throw Error("/dev/cpu_dma_latency", "cores cannot be kept awake here");
  settings_.awake = awake;
}

Control::Json Control::counters() {
  Counts counts;
  run([&] { counts = copy_counts(plant_); });
  Json ports = Json::object(), uplinks = Json::object(), switches = Json::object();
  for (std::size_t i = 0; i < settings_.ports.size(); ++i)
    ports[settings_.ports[i].name] = {
        {"up", to_json(counts.cables[i][0])}, {"down", to_json(counts.cables[i][1])}, {"refused", counts.refused[i]}};
  for (std::size_t i = 0; i < settings_.uplinks.size(); ++i) {
    const UplinkSettings& uplink = settings_.uplinks[i];
    const std::array<Counters, 2>& lanes = counts.cables[settings_.ports.size() + i];
    uplinks[uplink.name] = {{"to " + settings_.switches[uplink.between[1]].name, to_json(lanes[0])},
                            {"to " + settings_.switches[uplink.between[0]].name, to_json(lanes[1])}};
  }
  for (std::size_t i = 0; i < settings_.switches.size(); ++i)
    switches[settings_.switches[i].name] = to_json(counts.switches[i]);
  return {{"ok", true}, {"ports", ports}, {"uplinks", uplinks}, {"backplanes", switches}};
}

Control::Json Control::lateness() {
  Histogram histogram;
  run([&] { histogram = plant_.lateness; });
  const auto us = [](Duration duration) { return static_cast<double>(duration.ps / 1'000) * 1e-3; };
  return {{"ok", true},
          {"frames", histogram.count()},
          {"us",
           {{"p50", us(histogram.percentile(0.5))},
            {"p90", us(histogram.percentile(0.9))},
            {"p99", us(histogram.percentile(0.99))},
            {"p99.9", us(histogram.percentile(0.999))},
            {"max", us(histogram.max())}}}};
}

Control::Json Control::reset() {
  run([&] {
    reset_counters(plant_.fabric);
    plant_.lateness = {};
    plant_.refused.assign(plant_.refused.size(), 0);
  });
  return {{"ok", true}};
}

Control::Json Control::capture(const json& request) {
  Diagnostics problems;
  Members members(request, "capture", problems);
  members.text("do", Need::kRequired);
  const bool off = request.contains("file") && request["file"] == "";
  const std::string path = off ? "" : members.text("file", Need::kRequired).value_or("");
  const auto snap = static_cast<std::uint32_t>(
      members.whole("snap", 14, std::numeric_limits<std::uint16_t>::max(), Need::kOptional).value_or(kDefaultSnap));
  if (!off) members.refuse_others();
  problems.throw_if_any();
  if (off) return stop_capture();
  if (file_) throw Error("capture", "one is running", "end it with \"file\": \"\"");
  auto file = std::make_unique<PcapFile>(path, snap);
  ring_ = std::make_shared<ByteRing>(kCaptureRing);
  run([&] { plant_.capture = {ring_, snap, wall_offset_ns(), 0, 0}; });
  file_ = std::move(file);
  return {{"ok", true}};
}

Control::Json Control::stop_capture() {
  if (!file_) return {{"ok", true}, {"frames", 0}, {"missed", 0}};
  Capture ended;
  run([&] { ended = std::exchange(plant_.capture, {}); });
  file_->drain(*ring_);
  const bool whole = std::exchange(file_, nullptr)->close();
  if (!whole) throw Error("capture", "the file could not be written whole", "make room on its disk");
  return {{"ok", true}, {"frames", ended.frames}, {"missed", ended.missed}};
}

void Control::drain_capture() {
  if (file_) file_->drain(*ring_);
}

}  // namespace plumbline::lab
