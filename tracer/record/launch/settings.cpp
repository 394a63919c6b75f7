#include "tracer/record/launch/settings.hpp"

#include <algorithm>
#include <array>

namespace plumbline::record {
namespace {

struct Setting {
  std::string Settings::*value;
  const char* variable;
  const char* option;
  bool is_list = false;  // with colons between its parts, one option each
};

constexpr std::array kSettings{
    Setting{&Settings::io_paths, "PLUMBLINE_IO_PATHS", "--io-paths", true},
    Setting{&Settings::max_size, "PLUMBLINE_MAX_SIZE", "--max-size"},
    Setting{&Settings::keep, "PLUMBLINE_KEEP", "--keep"},
    Setting{&Settings::ranks, "PLUMBLINE_RANKS", "--ranks"},
    Setting{&Settings::window, "PLUMBLINE_WINDOW", "--window"},
    Setting{&Settings::internals, "PLUMBLINE_INTERNALS", "--internals"},
    Setting{&Settings::node_facts, "PLUMBLINE_NODE_FACTS", "--node-facts"},
};

}  // namespace

std::vector<std::pair<std::string, std::string>> environment_of(const Settings& settings) {
  std::vector<std::pair<std::string, std::string>> variables;
  for (const Setting& setting : kSettings)
    if (!(settings.*setting.value).empty()) variables.emplace_back(setting.variable, settings.*setting.value);
  return variables;
}

Command options_of(const Settings& settings) {
  Command options;
  for (const Setting& setting : kSettings) {
    std::string rest = settings.*setting.value;
    while (!rest.empty()) {
      const std::size_t end = setting.is_list ? std::min(rest.find(':'), rest.size()) : rest.size();
      options.insert(options.end(), {setting.option, rest.substr(0, end)});
      rest.erase(0, end + 1);
    }
  }
  return options;
}

}  // namespace plumbline::record
