#include "cli/verbs/info/run_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "tracer/archive/names.hpp"

namespace plumbline::cli {
namespace {

namespace names = archive::names;

constexpr std::string_view kMeta = "PLUMBLINE::META::", kUcxSettings = "PLUMBLINE::META::ucx.settings";

// A fact of every rank: who has which value.
using RanksByValue = std::map<std::string, std::vector<std::uint32_t>>;

struct Fact {
  std::string name;  // as shown
  RanksByValue ranks;
};

struct Section {
  std::string_view title;
  std::vector<Fact> facts;
};

enum SectionIndex { kMpi, kSettings, kPlacement, kEnvironment, kFiles, kOther, kSections };

struct Place {
  SectionIndex section;
  std::string name;
};

// Of UCX's settings those that are not its defaults, which the archive has behind "# ".
std::string settings_shown(std::string_view settings) {
  std::string text;
  std::size_t defaults = 0;
  for (std::size_t at = 0; at < settings.size();) {
    const std::size_t end = std::min(settings.find('\n', at), settings.size());
    const std::string_view line = settings.substr(at, end - at);
    if (line.starts_with('#'))
      ++defaults;
    else
      text += fmt::format("{}\n", line);
    at = end + 1;
  }
  return text + fmt::format("{} at their defaults", defaults);
}

RanksByValue values_shown(std::string_view property, const RanksByValue& values) {
  if (property != kUcxSettings) return values;
  RanksByValue shown;
  for (const auto& [value, ranks] : values) {
    auto& who = shown[settings_shown(value)];
    who.insert(who.end(), ranks.begin(), ranks.end());
  }
  return shown;
}

// Where a property is shown; those that say nothing of the kind nowhere.
std::optional<Place> place_of(std::string_view property) {
  if (property == names::kPropertyLibrary) return Place{kMpi, "library"};
  if (property == names::kPropertyHost) return Place{kPlacement, "node"};
  if (property == names::kPropertyAffinity) return Place{kPlacement, "processors"};
  if (property == names::kPropertyNuma) return Place{kPlacement, "memory nodes"};
  if (!property.starts_with(kMeta)) return {};
  const std::string key(property.substr(kMeta.size()));
  const auto behind = [&](std::string_view prefix) { return key.substr(prefix.size()); };
  if (key == "numa" || key == "processor_name") return {};  // said by the placement
  if (key.starts_with("internals")) return {};              // said by inner_summary.hpp
  if (key == "thread_level") return Place{kMpi, "thread level"};
  if (key.starts_with("mpi.")) return Place{kMpi, behind("mpi.")};
  if (key.starts_with("openmpi.")) return Place{kMpi, behind("openmpi.")};
  if (key.starts_with("ucx.")) return Place{kMpi, "UCX " + behind("ucx.")};
  if (key.starts_with("cvar.")) return Place{kSettings, behind("cvar.")};
  if (key.starts_with("env.")) return Place{kEnvironment, behind("env.")};
  if (key.starts_with("file.")) return Place{kFiles, behind("file.")};
  return Place{kOther, key};
}

// "0-3,8"
std::string range_text(const std::vector<std::uint32_t>& ranks) {
  std::string text;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const std::size_t first = i;
    while (i + 1 < ranks.size() && ranks[i + 1] == ranks[i] + 1) ++i;
    text += fmt::format("{}{}", text.empty() ? "" : ",", ranks[first]);
    if (i > first) text += fmt::format("-{}", ranks[i]);
  }
  return text;
}

// The properties of ranks, by name.
std::map<std::string, RanksByValue> properties_of_ranks(const archive::Definitions& d) {
  std::map<std::uint32_t, const archive::LocationGroup*> processes;
  for (const archive::Location& location : d.locations)
    if (location.rank && location.group < d.location_groups.size())
      processes[*location.rank] = &d.location_groups[location.group];
  std::map<std::string, RanksByValue> all;
  for (const auto& [rank, process] : processes)
    for (const auto& [name, value] : process->properties) all[name][value].push_back(rank);
  return all;
}

// On one line where all agree, else a line per value.
std::string text_of(const Fact& fact, std::size_t ranks, std::size_t width) {
  constexpr std::size_t kShown = 8;
  const std::string label = fmt::format("    {:<{}}  ", fact.name, width);
  const std::string under = "\n" + std::string(label.size(), ' ');
  const auto indented = [&](std::string value) {
    for (std::size_t at = value.find('\n'); at != std::string::npos; at = value.find('\n', at + under.size()))
      value.replace(at, 1, under);
    return value;
  };
  std::string text;
  std::size_t shown = 0;
  for (const auto& [value, who] : fact.ranks) {
    text += text.empty() ? label : under;
    if (++shown > kShown) {
      text += fmt::format(".. and {} more values", fact.ranks.size() - kShown);
      break;
    }
    text += indented(value);
    if (who.size() < ranks) text += fmt::format("  ({} {})", who.size() == 1 ? "rank" : "ranks", range_text(who));
  }
  return text + "\n";
}

// File systems that files of the run lie in, with their number.
std::string file_systems(const archive::Definitions& d) {
  std::map<std::string, std::size_t> files;
  for (const archive::IoFile& file : d.io_files) {
    std::map<std::string_view, std::string_view> p;
    for (const auto& [name, value] : file.properties) p[d.strings[name]] = d.strings[value];
    if (!p.contains(names::kPropertyFileSystem)) continue;
    ++files[fmt::format("{}  {} from {} ({})", p[names::kPropertyMountPoint], p[names::kPropertyFileSystem],
                        p[names::kPropertyMountSource], p[names::kPropertyMountOptions])];
  }
  std::string text;
  for (const auto& [line, count] : files)
    text += fmt::format("    {}: {} file{}\n", line, count, count == 1 ? "" : "s");
  return text.empty() ? "" : "  file systems\n" + text;
}

}  // namespace

std::string describe_run(const archive::Definitions& d) {
  std::vector<Section> sections = {{"MPI", {}},         {"settings of MPI", {}},   {"placement", {}},
                                   {"environment", {}}, {"files of settings", {}}, {"other", {}}};
  for (const auto& [property, ranks] : properties_of_ranks(d))
    if (const auto place = place_of(property))
      sections[place->section].facts.push_back({place->name, values_shown(property, ranks)});
  std::string text;
  for (const Section& section : sections) {
    if (section.facts.empty()) continue;
    text += fmt::format("  {}\n", section.title);
    std::size_t width = 0;
    for (const Fact& fact : section.facts) width = std::max(width, fact.name.size());
    for (const Fact& fact : section.facts) text += text_of(fact, d.world_size(), width);
  }
  text += file_systems(d);
  return text.empty() ? "" : "\nrun\n" + text;
}

}  // namespace plumbline::cli
