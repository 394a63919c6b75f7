#include "cli/verbs/record_settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <string_view>

#include "base/error.hpp"
#include "base/quantity.hpp"

namespace plumbline::cli {
namespace {

[[noreturn]] void refuse(const char* option, const std::string& value, const char* what, const char* hint) {
  throw Error(option, fmt::format("'{}' is no {}", value, what), hint, ExitCode::kWrongUse);
}

std::string io_paths(const std::vector<std::string>& patterns) {
  for (const std::string& pattern : patterns)
    if (pattern.empty() || pattern == "!" || pattern.find(':') != std::string::npos)
      refuse("--io-paths", pattern, "pattern", "write ? for a colon in a path, and one --io-paths for each pattern");
  std::string joined = fmt::format("{}", fmt::join(patterns, ":"));
  constexpr std::size_t kMostPatterns = 64, kMostText = 4095;  // tracer/preload/posix/io_paths.c
  if (patterns.size() > kMostPatterns || joined.size() > kMostText)
    throw Error("--io-paths", "more patterns than the tracer takes",
                fmt::format("up to {} patterns, {} characters in all", kMostPatterns, kMostText), ExitCode::kWrongUse);
  return joined;
}

std::string max_size(const std::string& text) {
  constexpr std::uint64_t kLeast = 4 * kMebi;  // tracer/preload/core/limits.c
  const std::optional<Bytes> bytes = parse_bytes(text);
  if (!bytes || bytes->count < kLeast) refuse("--max-size", text, "size", "write it like 100MB or 2GiB, 4MiB at least");
  return fmt::format("{}B", bytes->count);
}

// "3", "3-5", "3-".
bool is_range(std::string_view text) {
  const char *at = text.data(), *end = at + text.size();
  std::uint32_t first = 0, last = 0;
  const auto [after, error] = std::from_chars(at, end, first);
  constexpr std::uint32_t kMost = 1U << 30;
  if (error != std::errc() || first >= kMost) return false;
  if (after == end) return true;
  if (*after != '-') return false;
  if (after + 1 == end) return true;
  const auto [rest, also] = std::from_chars(after + 1, end, last);
  return also == std::errc() && rest == end && first <= last && last < kMost;
}

std::string ranks(const std::string& text) {
  constexpr std::size_t kMostText = 4095;
  std::string_view rest = text;
  for (bool more = true; more;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (!is_range(rest.substr(0, comma)) || text.size() > kMostText)
      refuse("--ranks", text, "list of ranks", "write it like 0-3,8,12-, up to 4095 characters");
    more = comma < rest.size();
    rest.remove_prefix(std::min(comma + 1, rest.size()));
  }
  return text;
}

std::string window(const std::string& text) {
  const char* hint = "write it like 10s:60s, 10s: or :1.5min, times after MPI_Init";
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || text == ":") refuse("--window", text, "window of time", hint);
  const std::string begin = text.substr(0, colon), end = text.substr(colon + 1);
  const std::optional<Duration> from = begin.empty() ? Duration{} : parse_duration(begin);
  const std::optional<Duration> to = end.empty() ? Duration{INT64_MAX} : parse_duration(end);
  if (!from || !to || *from >= *to) refuse("--window", text, "window of time", hint);
  return fmt::format("{}:{}", begin.empty() ? "" : format_exact(*from), end.empty() ? "" : format_exact(*to));
}

}  // namespace

void declare_settings(CLI::App& app, SettingsOptions& options) {
  app.add_option("--io-paths", options.io_patterns,
                 "record POSIX calls on these files only; with ! in front: not on these. * stands for any characters\n"
                 "but /, ** for any at all, ? for one; a pattern without / is compared with the name alone. May be\n"
                 "repeated. Default: all regular files but those below /dev, /proc and /sys")
      ->type_name("PATTERN")
      ->allow_extra_args(false);
  auto* size = app.add_option("--max-size", options.max_size,
                              "size that the recording of a process may reach (100MB, 2GiB; at least 4MiB)")
                   ->type_name("SIZE");
  app.add_option("--keep", options.keep,
                 "what is kept when it is reached. first: recording ends, the program goes on (default); last: the\n"
                 "oldest calls give way to new ones")
      ->type_name("first|last")
      ->check(CLI::IsMember({"first", "last"}).description(""))
      ->needs(size);
  app.add_option("--ranks", options.ranks, "record these ranks only: 0-3,8,12-")->type_name("LIST");
  app.add_option("--window", options.window,
                 "record only this time after MPI_Init: 10s:60s, 10s: (to the end), :60s (from the start)")
      ->type_name("FROM:TO");
  app.add_option(
         "--internals", options.internals,
         "the messages that the MPI library sends inside of its calls. auto: record them where that is known to\n"
         "work (default); on: say so where it is not; off: leave them out")
      ->type_name("auto|on|off")
      ->check(CLI::IsMember({"auto", "on", "off"}).description(""));
  app.add_option(
         "--node-facts", options.node_facts,
         "what one rank of each node reads of it in /proc and /sys, once when it starts and once when it ends. off:\n"
         "nothing; DIR: below this directory, where a container has its host's proc and sys; default: /")
      ->type_name("off|DIR")
      ->check(CLI::Validator(
          [](std::string& value) {
            const bool is_place = value.starts_with('/') && value.size() < 512;
            return value == "off" || is_place ? "" : "'" + value + "' is neither off nor an absolute directory";
          },
          ""));
}

record::Settings settings_of(const SettingsOptions& options) {
  record::Settings settings;
  settings.io_paths = io_paths(options.io_patterns);
  if (!options.max_size.empty()) settings.max_size = max_size(options.max_size);
  settings.keep = options.keep;
  settings.internals = options.internals;
  settings.node_facts = options.node_facts;
  if (!options.ranks.empty()) settings.ranks = ranks(options.ranks);
  if (!options.window.empty()) settings.window = window(options.window);
  return settings;
}

}  // namespace plumbline::cli
