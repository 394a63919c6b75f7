#include "replay/io/hints.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

#include "base/error.hpp"
#include "base/text/nearest.hpp"

namespace plumbline::replay::io {
namespace {

enum class Values : std::uint8_t { kBytes, kCount, kSwitch, kTruth, kText };

// As MPI 4.0, 14.2.8 and ROMIO's users guide name them.
constexpr std::array<std::pair<std::string_view, Values>, 12> kHints = {{
    {"cb_buffer_size", Values::kBytes},
    {"cb_config_list", Values::kText},
    {"cb_nodes", Values::kCount},
    {"collective_buffering", Values::kTruth},
    {"ind_rd_buffer_size", Values::kBytes},
    {"ind_wr_buffer_size", Values::kBytes},
    {"romio_cb_read", Values::kSwitch},
    {"romio_cb_write", Values::kSwitch},
    {"romio_ds_read", Values::kSwitch},
    {"romio_ds_write", Values::kSwitch},
    {"romio_min_fdomain_size", Values::kBytes},
    {"striping_unit", Values::kBytes},
}};

bool is_positive(std::string_view text) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0;
}

// What the value should be; empty: it is.
std::string_view wanted_instead(Values values, std::string_view value) {
  switch (values) {
    case Values::kBytes:
      return is_positive(value) ? "" : "give a number of bytes, like 4194304";
    case Values::kCount:
      return is_positive(value) ? "" : "give a number of ranks, like 2";
    case Values::kSwitch:
      return value == "enable" || value == "disable" || value == "automatic" ? "" : "give enable, disable or automatic";
    case Values::kTruth:
      return value == "true" || value == "false" ? "" : "give true or false";
    case Values::kText:
      return value.empty() ? "give a list, like *:1" : "";
  }
  return {};
}

}  // namespace

std::vector<std::string> hint_names() {
  std::vector<std::string> names;
  for (const auto& [name, values] : kHints) names.emplace_back(name);
  return names;
}

void ask_hint(std::string_view text, const std::string& where, std::map<std::string, std::string>& hints) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos)
    throw Error(where, fmt::format("hint '{}' has no value", text), "write NAME=VALUE: cb_nodes=2");
  const std::string_view name = text.substr(0, equals), value = text.substr(equals + 1);
  const auto hint = std::find_if(kHints.begin(), kHints.end(), [&](const auto& known) { return known.first == name; });
  if (hint == kHints.end())
    throw Error(where, fmt::format("no hint of MPI-IO is called '{}'", name), did_you_mean_one_of(name, hint_names()));
  if (const std::string_view wanted = wanted_instead(hint->second, value); !wanted.empty())
    throw Error(where, fmt::format("hint {} cannot be '{}'", name, value), std::string(wanted));
  hints.insert_or_assign(std::string(name), std::string(value));
}

}  // namespace plumbline::replay::io
