#include "tests/lab/switch/config.hpp"

#include <fmt/format.h>
#include <net/if.h>
#include <sched.h>
#include <sys/un.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "base/quantity.hpp"
#include "tests/lab/switch/members.hpp"

namespace plumbline::lab {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

// "switch.json: ports[3] 'n3'", so that it is found whether or not it has a name.
std::string place(const std::string& file, const std::string& list, std::size_t index, const json& object) {
  std::string text = fmt::format("{}: {}[{}]", file, list, index);
  if (object.is_object() && object.contains("name") && object["name"].is_string())
    text += fmt::format(" '{}'", object["name"].get<std::string>());
  return text;
}

class Reader {
 public:
  explicit Reader(std::string file) : file_(std::move(file)) {}

  Settings read(const json& document) {
    Members top(document, file_, problems_);
    settings_.control = top.text("control", Need::kRequired).value_or("");
    if (settings_.control.size() >= sizeof(sockaddr_un::sun_path))
      top.report("\"control\" is too long for a socket's path", "choose a path of at most 107 characters");
    settings_.seed = static_cast<std::uint64_t>(
        top.whole("seed", 0, std::numeric_limits<std::int64_t>::max(), Need::kOptional).value_or(1));
    settings_.core =
        static_cast<std::int32_t>(top.whole("core", -1, CPU_SETSIZE - 1, Need::kOptional).value_or(settings_.core));
    settings_.spin = top.duration("spin", Need::kOptional).value_or(settings_.spin);
    settings_.allowance = top.duration("allowance", Need::kOptional).value_or(settings_.allowance);
    settings_.awake = top.flag("awake", Need::kOptional).value_or(settings_.awake);
    read_list(top, "switches", Need::kRequired, &Reader::read_switch);
    read_list(top, "ports", Need::kRequired, &Reader::read_port);
    read_list(top, "uplinks", Need::kOptional, &Reader::read_uplink);
    top.refuse_others();
    if (settings_.switches.empty()) top.report("has no switch", R"(write "switches": [{"name": "w0"}])");
    if (problems_.empty()) check_tree(top);
    problems_.throw_if_any();
    return std::move(settings_);
  }

 private:
  void read_list(Members& top, const std::string& name, Need need, void (Reader::*read_one)(Members&)) {
    std::size_t index = 0;
    for (const json& object : top.list(name, need)) {
      Members members(object, place(file_, name, index++, object), problems_);
      (this->*read_one)(members);
      members.refuse_others();
    }
  }

  std::string read_name(Members& members, std::set<std::string>& taken) {
    const std::string name = members.text("name", Need::kRequired).value_or("");
    if (!name.empty() && !taken.insert(name).second) members.report("has a name that another one has", "rename one");
    return name;
  }

  std::uint32_t find_switch(Members& members, const std::optional<std::string>& name) {
    if (!name) return 0;
    for (std::uint32_t i = 0; i < settings_.switches.size(); ++i)
      if (settings_.switches[i].name == *name) return i;
    members.report(fmt::format("names the switch \"{}\", which is not there", *name), "name one of \"switches\"");
    return 0;
  }

  void read_switch(Members& members) {
    SwitchSettings one;
    one.name = read_name(members, switch_names_);
    one.backplane = members.rate("backplane", Need::kOptional).value_or(BytesPerSecond{0});
    settings_.switches.push_back(std::move(one));
  }

  void read_port(Members& members) {
    PortSettings port;
    port.name = read_name(members, port_names_);
    port.on_switch = find_switch(members, members.text("switch", Need::kRequired));
    port.pid = static_cast<std::int32_t>(
        members.whole("pid", 1, std::numeric_limits<std::int32_t>::max(), Need::kRequired).value_or(0));
    port.device = members.text("device", Need::kOptional).value_or(port.device);
    if (port.device.size() >= IFNAMSIZ || port.device.find('/') != std::string::npos)
      members.report(fmt::format("\"device\" is \"{}\"", port.device), "an interface's name has at most 15 characters");
    port.mtu = static_cast<std::uint32_t>(members.whole("mtu", 68, 65'000, Need::kOptional).value_or(port.mtu));
    read_mac(members, port);
    read_cable(members, CableKind::kPort, Need::kRequired, port.cable);
    settings_.ports.push_back(std::move(port));
  }

  void read_mac(Members& members, PortSettings& port) {
    const std::optional<std::string> text = members.text("mac", Need::kRequired);
    if (!text) return;
    const std::optional<Mac> mac = parse_mac(*text);
    if (!mac) return members.report(fmt::format("\"mac\" is \"{}\"", *text), "write it as in \"02:77:00:00:00:01\"");
    if (!macs_.insert(*mac).second) members.report("has a mac that another port has", "give each port its own");
    port.mac = *mac;
  }

  void read_uplink(Members& members) {
    UplinkSettings uplink;
    uplink.name = read_name(members, uplink_names_);
    const std::vector<json>& ends = members.list("between", Need::kRequired);
    if (ends.size() != 2 || !ends[0].is_string() || !ends[1].is_string())
      members.report("\"between\" does not name two switches", R"(write "between": ["w0", "w1"])");
    else
      for (std::size_t i = 0; i < 2; ++i) uplink.between[i] = find_switch(members, ends[i].get<std::string>());
    read_cable(members, CableKind::kUplink, Need::kRequired, uplink.cable);
    settings_.uplinks.push_back(std::move(uplink));
  }

  // Floods would run in a circle; and what is not joined cannot be reached.
  void check_tree(Members& top) {
    std::vector<std::uint32_t> group(settings_.switches.size());
    for (std::uint32_t i = 0; i < group.size(); ++i) group[i] = i;
    for (const UplinkSettings& uplink : settings_.uplinks) {
      const std::uint32_t from = group[uplink.between[1]], to = group[uplink.between[0]];
      if (from == to)
        return top.report(fmt::format("uplink '{}' closes a circle of switches", uplink.name), "leave it out");
      std::replace(group.begin(), group.end(), from, to);
    }
    for (std::size_t i = 1; i < group.size(); ++i)
      if (group[i] != group[0])
        return top.report(fmt::format("nothing joins the switches '{}' and '{}'", settings_.switches[0].name,
                                      settings_.switches[i].name),
                          "add an uplink");
  }

  std::string file_;
  Diagnostics problems_;
  Settings settings_;
  std::set<std::string> switch_names_, port_names_, uplink_names_;
  std::set<Mac> macs_;
};

ordered_json port_to_json(const Settings& settings, const PortSettings& port) {
  ordered_json out{{"name", port.name},       {"switch", settings.switches[port.on_switch].name},
                   {"pid", port.pid},         {"device", port.device},
                   {"mac", format(port.mac)}, {"mtu", port.mtu}};
  out.update(cable_to_json(port.cable, CableKind::kPort));
  return out;
}

ordered_json uplink_to_json(const Settings& settings, const UplinkSettings& uplink) {
  ordered_json out{{"name", uplink.name},
                   {"between", ordered_json::array({settings.switches[uplink.between[0]].name,
                                                    settings.switches[uplink.between[1]].name})}};
  out.update(cable_to_json(uplink.cable, CableKind::kUplink));
  return out;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<Mac> parse_mac(std::string_view text) {
  if (text.size() != 17) return std::nullopt;
  Mac mac;
  for (std::size_t i = 0; i < 6; ++i) {
    const int high = hex_digit(text[3 * i]), low = hex_digit(text[3 * i + 1]);
    if (high < 0 || low < 0 || (i < 5 && text[3 * i + 2] != ':')) return std::nullopt;
    mac.bits = mac.bits << 8 | static_cast<std::uint64_t>(high * 16 + low);
  }
  const bool group_address = (mac.bits >> 40 & 1) != 0;
  if (group_address || mac.bits == 0) return std::nullopt;
  return mac;
}

std::string format(Mac mac) {
  std::string text;
  for (int shift = 40; shift >= 0; shift -= 8)
    text += fmt::format("{}{:02x}", text.empty() ? "" : ":", mac.bits >> shift & 0xff);
  return text;
}

Settings parse_settings(std::string_view text, const std::string& where) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& fault) {
    const std::size_t end = std::min<std::size_t>(fault.byte, text.size());
    const auto line = 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end), '\n');
    throw Error(fmt::format("{}:{}", where, line), "is no JSON here", "correct the text before this point");
  }
  return Reader(where).read(document);
}

Settings read_settings(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in || std::filesystem::is_directory(file))
    throw Error(file.string(), "cannot be read", "name the configuration file of the switch");
  const std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  return parse_settings(text, file.string());
}

ordered_json to_json(const Settings& settings) {
  ordered_json out{{"control", settings.control},
                   {"seed", settings.seed},
                   {"core", settings.core},
                   {"spin", format_exact(settings.spin)},
                   {"allowance", format_exact(settings.allowance)},
                   {"awake", settings.awake}};
  ordered_json switches = ordered_json::array(), ports = ordered_json::array(), uplinks = ordered_json::array();
  for (const SwitchSettings& one : settings.switches)
    switches.push_back({{"name", one.name}, {"backplane", format_exact(one.backplane)}});
  for (const PortSettings& port : settings.ports) ports.push_back(port_to_json(settings, port));
  for (const UplinkSettings& uplink : settings.uplinks) uplinks.push_back(uplink_to_json(settings, uplink));
  out["switches"] = std::move(switches);
  out["ports"] = std::move(ports);
  out["uplinks"] = std::move(uplinks);
  return out;
}

}  // namespace plumbline::lab
