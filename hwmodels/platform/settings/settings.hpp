#pragma once
// Changes to a platform by name, as a what-if asks for them: "link.s0-n3.rate=100Mbit/s". The names are those of
// docs/reference/settings.md.

#include <string>
#include <string_view>
#include <vector>

#include "base/error.hpp"
#include "hwmodels/platform/platform.hpp"

namespace plumbline::hw {

struct Setting {
  std::string name, value;

  bool operator==(const Setting&) const = default;
};

// For those who tell another process a setting (base/team/bytes.hpp).
template <class Io>
void fields(Io& io, Setting& setting) {
  io(setting.name, setting.value);
}

// "NAME=VALUE"; throws Error (kWrongUse) where it is not that.
Setting parse_setting(std::string_view text);

// All that can be set of this platform, in its order.
std::vector<std::string> setting_names(const Platform& platform);

// Sets everything whose name matches; '*' in the setting's name stands for any characters. What was set is known
// exactly: its spread is 0 and its source says so. Notes a name that nothing has, with the nearest ones, and a value
// that cannot be.
void apply(const Setting& setting, Platform& platform, Diagnostics& diagnostics);

// Notes what does not go together any more when all has been set: a cache that is smaller than a packet, a file on more
// servers than there are, noise that fills its period.
void check_settings(const Platform& platform, Diagnostics& diagnostics);

}  // namespace plumbline::hw
