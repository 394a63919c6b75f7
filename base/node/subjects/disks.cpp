#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/node/subjects.hpp"
#include "base/node/text.hpp"

namespace plumbline::node {
namespace {

constexpr const char* kArrays = "/proc/mdstat";

bool is_disk(const std::string& name) {
  constexpr std::string_view kOthers[] = {"loop", "ram", "zram", "sr", "fd", "nbd"};
  return std::ranges::none_of(kOthers, [&](std::string_view other) {
    return name.starts_with(other) && number_of(std::string_view(name).substr(other.size())).has_value();
  });
}

std::string chosen_scheduler(std::string_view text) { return std::string(chosen_of(text)); }

// "active (auto-read-only) raid1 sda1[0] sdb1[1](F)", of a line "md0 : ..".
void put_array(Source& source, const std::string& fact, const std::vector<std::string_view>& words) {
  std::string failed;
  source.put(fact + ".state", std::string(words[0]), kArrays);
  for (const std::string_view word : words) {
    if (word.starts_with("raid") || word == "linear" || word == "multipath")
      source.put(fact + ".level", std::string(word), kArrays);
    if (word.ends_with("(F)")) failed.append(failed.empty() ? "" : " ").append(word.substr(0, word.find('[')));
  }
  source.put(fact + ".failed", failed, kArrays);
}

// "[3/2] [U_U]": three wanted, two there.
void put_members(Source& source, const std::string& fact, std::string_view word) {
  if (!word.starts_with('[') || !word.ends_with(']')) return;
  word = word.substr(1, word.size() - 2);
  const std::size_t slash = word.find('/');
  const auto wanted = number_of(word.substr(0, slash));
  const auto active = slash == std::string_view::npos ? std::nullopt : number_of(word.substr(slash + 1));
  if (!wanted || !active) return;
  source.put(fact + ".members", std::to_string(*wanted), kArrays);
  source.put(fact + ".members_active", std::to_string(*active), kArrays);
}

// "[==>....] recovery = 12.6% (1/8) finish=2min", "resync=DELAYED"
void put_action(Source& source, const std::string& fact, const std::vector<std::string_view>& words) {
  constexpr std::string_view kActions[] = {"recovery", "resync", "reshape", "check"};
  for (std::size_t i = 0; i < words.size(); ++i)
    for (const std::string_view action : kActions) {
      if (words[i] == action || words[i].starts_with(std::string(action) + "="))
        source.put(fact + ".action", std::string(action), kArrays);
      if (words[i] == action && i + 2 < words.size() && words[i + 1] == "=" && words[i + 2].ends_with('%'))
        source.put(fact + ".action_percent", std::string(words[i + 2].substr(0, words[i + 2].size() - 1)), kArrays);
    }
}

void read_arrays(Source& source) {
  const auto text = source.text(kArrays);
  std::string_view rest = text ? std::string_view(*text) : std::string_view();
  std::string fact;
  while (!rest.empty()) {
    auto words = words_of(take_line(rest));
    if (words.size() > 2 && words[0].starts_with("md") && words[1] == ":") {
      fact = "md." + as_part(words[0]);
      put_array(source, fact, {words.begin() + 2, words.end()});
    } else if (!fact.empty()) {
      for (const std::string_view word : words) put_members(source, fact, word);
      put_action(source, fact, words);
    }
    if (words.empty()) fact.clear();
  }
}

}  // namespace

void read_disk_settings(Source& source) {
  for (const std::string& name : source.names("/sys/block")) {
    if (!is_disk(name)) continue;
    const std::string directory = "/sys/block/" + name, fact = "disk." + as_part(name);
    source.put_line(fact + ".model", directory + "/device/model");
    source.put_line(fact + ".bytes", directory + "/size", [](std::string_view sectors) {
      const auto number = number_of(sectors);
      return number && *number < UINT64_MAX / 512 ? std::to_string(*number * 512) : "";
    });
    source.put_number(fact + ".rotational", directory + "/queue/rotational");
    source.put_line(fact + ".write_cache", directory + "/queue/write_cache");
    source.put_line(fact + ".scheduler", directory + "/queue/scheduler", chosen_scheduler);
    source.put_number(fact + ".requests", directory + "/queue/nr_requests");
    source.put_number(fact + ".read_ahead_kib", directory + "/queue/read_ahead_kb");
    source.put_number(fact + ".writeback_target_us", directory + "/queue/wbt_lat_usec");
  }
  read_arrays(source);
}

// Documentation/block/stat.rst of the kernel: reads, merged, sectors, ms, the same of writes, in flight, busy ms, ..
void read_disk_counters(Source& source) {
  struct Column {
    std::size_t at;
    const char* name;
  };
  constexpr Column kColumns[] = {{0, "reads"},           {2, "read_sectors"}, {3, "read_ms"}, {4, "writes"},
                                 {6, "written_sectors"}, {7, "write_ms"},     {9, "busy_ms"}};
  for (const std::string& name : source.names("/sys/block")) {
    const std::string path = "/sys/block/" + name + "/stat";
    const std::string line = is_disk(name) ? source.line(path).value_or("") : "";
    const auto words = words_of(line);
    for (const Column& column : kColumns)
      if (column.at < words.size() && number_of(words[column.at]))
        source.put(fmt::format("disk.{}.{}", as_part(name), column.name), std::string(words[column.at]), path);
  }
}

}  // namespace plumbline::node
