#pragma once
// Lengths of free replays of one program that differ in settings or in their seed, shared among the processes of a
// launcher. On one machine they are threads (replay/expect/samples.hpp, what_if.hpp).

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/team/shared_work.hpp"
#include "base/units.hpp"
#include "hwmodels/platform/settings/settings.hpp"

namespace plumbline::replay::expect {

struct OneReplay {
  std::vector<hw::Setting> settings;  // of the platform, and choices
  std::uint64_t seed = 1;
};

struct LengthsWanted {
  std::filesystem::path program;  // a program file
  std::uint64_t content_key = 0;  // of it
  std::string platform;           // the text of its file
  double compute = 1;             // factor on recorded compute time
  std::vector<OneReplay> replays;
};

// Of each replay, as configured, in their order; nothing where one of the processes does not reach the program. Throws
// the error of the first one that has one.
std::optional<std::vector<Duration>> shared_lengths(Workers& workers, const LengthsWanted& wanted,
                                                    const std::function<void(double share)>& progress);
extern const SharedWork kLengths;

}  // namespace plumbline::replay::expect
