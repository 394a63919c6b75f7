#include "tests/lab/switch/members.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/quantity.hpp"

namespace plumbline::lab {

using nlohmann::json;

Members::Members(const json& object, std::string where, Diagnostics& problems)
    : object_(object), where_(std::move(where)), problems_(problems) {
  if (!object_.is_object()) report("is not a JSON object", "write {\"name\": value, ...}");
}

void Members::report(std::string what, std::string hint) { problems_.add(where_, std::move(what), std::move(hint)); }

const json* Members::find(const std::string& name, Need need) {
  asked_.push_back(name);
  if (!object_.is_object()) return nullptr;
  const auto found = object_.find(name);
  if (found != object_.end()) return &*found;
  if (need == Need::kRequired) report(fmt::format("has no \"{}\"", name), "add it");
  return nullptr;
}

std::optional<std::string> Members::text(const std::string& name, Need need) {
  const json* value = find(name, need);
  if (value == nullptr) return std::nullopt;
  if (value->is_string() && !value->get_ref<const std::string&>().empty()) return value->get<std::string>();
  report(fmt::format("\"{}\" is {}", name, value->dump()), "give a text in quotes");
  return std::nullopt;
}

std::optional<std::int64_t> Members::whole(const std::string& name, std::int64_t least, std::int64_t most, Need need) {
  const json* value = find(name, need);
  if (value == nullptr) return std::nullopt;
  if (value->is_number_integer() && *value >= least && *value <= most) return value->get<std::int64_t>();
  report(fmt::format("\"{}\" is {}", name, value->dump()),
         fmt::format("give a whole number from {} to {}", least, most));
  return std::nullopt;
}

template <typename T>
std::optional<T> Members::quantity(const std::string& name, Need need, std::optional<T> (*parse)(std::string_view),
                                   const char* example) {
  const json* value = find(name, need);
  if (value == nullptr) return std::nullopt;
  if (value->is_string())
    if (const std::optional<T> parsed = parse(value->get_ref<const std::string&>())) return parsed;
  report(fmt::format("\"{}\" is {}", name, value->dump()), fmt::format("write it as in \"{}\"", example));
  return std::nullopt;
}

std::optional<BytesPerSecond> Members::rate(const std::string& name, Need need) {
  return quantity(name, need, &parse_rate, "100Mbit/s");
}

std::optional<bool> Members::flag(const std::string& name, Need need) {
  const json* value = find(name, need);
  if (value == nullptr) return std::nullopt;
  if (value->is_boolean()) return value->get<bool>();
  report(fmt::format("\"{}\" is no true or false", name), "write true or false");
  return std::nullopt;
}

std::optional<Duration> Members::duration(const std::string& name, Need need) {
  const std::optional<Duration> value = quantity(name, need, &parse_duration, "25us");
  if (!value || *value <= seconds(60)) return value;
  report(fmt::format("\"{}\" is longer than a minute", name), "give a shorter time");
  return std::nullopt;
}

std::optional<Bytes> Members::bytes(const std::string& name, Need need) {
  return quantity(name, need, &parse_bytes, "4MB");
}

std::optional<double> Members::fraction(const std::string& name, Need need) {
  const std::optional<double> value = quantity(name, need, &parse_fraction, "1%");
  if (!value || *value <= 1) return value;
  report(fmt::format("\"{}\" is more than 100 %", name), "give 0% to 100%");
  return std::nullopt;
}

const std::vector<json>& Members::list(const std::string& name, Need need) {
  static const std::vector<json> kNothing;
  const json* value = find(name, need);
  if (value == nullptr) return kNothing;
  if (value->is_array()) return value->get_ref<const std::vector<json>&>();
  report(fmt::format("\"{}\" is no list", name), "write [ ... ]");
  return kNothing;
}

void Members::refuse_others() {
  if (!object_.is_object()) return;
  for (const auto& [name, value] : object_.items())
    if (std::find(asked_.begin(), asked_.end(), name) == asked_.end())
      report(fmt::format("has an unknown member \"{}\"", name), fmt::format("known are {}", fmt::join(asked_, ", ")));
}

namespace {

// Below 1 kbit/s, a full queue would be scheduled for days.
constexpr BytesPerSecond kSlowest{125};

void read_rate(Members& members, const std::string& name, Need need, BytesPerSecond& rate) {
  const std::optional<BytesPerSecond> value = members.rate(name, need);
  if (!value) return;
  if (*value < kSlowest)
    return members.report(fmt::format("\"{}\" is below 1kbit/s", name), "\"loss\": \"100%\" cuts a cable");
  rate = *value;
}

}  // namespace

void read_cable(Members& members, CableKind kind, Need rates, CableSettings& cable) {
  if (kind == CableKind::kPort) {
    read_rate(members, "up", rates, cable.rate[0]);
    read_rate(members, "down", rates, cable.rate[1]);
  } else {
    BytesPerSecond both;
    read_rate(members, "rate", rates, both);
    if (both.count > 0) cable.rate = {both, both};
  }
  cable.latency = members.duration("latency", Need::kOptional).value_or(cable.latency);
  cable.queue = members.bytes("queue", Need::kOptional).value_or(cable.queue);
  cable.loss = members.fraction("loss", Need::kOptional).value_or(cable.loss);
  const std::optional<std::string> duplex = members.text("duplex", Need::kOptional);
  if (!duplex) return;
  if (*duplex != "full" && *duplex != "half")
    return members.report(fmt::format("\"duplex\" is \"{}\"", *duplex), "write full or half");
  cable.half_duplex = *duplex == "half";
}

nlohmann::ordered_json cable_to_json(const CableSettings& cable, CableKind kind) {
  nlohmann::ordered_json out;
  if (kind == CableKind::kPort) {
    out["up"] = format_exact(cable.rate[0]);
    out["down"] = format_exact(cable.rate[1]);
  } else {
    out["rate"] = format_exact(cable.rate[0]);
  }
  out["latency"] = format_exact(cable.latency);
  out["queue"] = format_exact(cable.queue);
  out["loss"] = format_exact_fraction(cable.loss);
  out["duplex"] = cable.half_duplex ? "half" : "full";
  return out;
}

}  // namespace plumbline::lab
